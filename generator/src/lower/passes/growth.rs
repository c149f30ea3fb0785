//! Which types a later version of the document may extend.

use crate::ir::{TypeDef, TypeKind};

/// Decides for each type whether it is `#[non_exhaustive]`.
pub(in crate::lower) fn mark_extensible(types: &mut [TypeDef]) {
    for def in types {
        def.non_exhaustive = may_grow(&def.kind);
    }
}

/// Returns whether the document may add fields or variants: to each struct, to enums that have a
/// variant for unknown values, and to unions that are not closed by the values of a discriminator.
fn may_grow(kind: &TypeKind) -> bool {
    match kind {
        TypeKind::Object(_) => true,
        TypeKind::StringEnum(string_enum) => string_enum.fallback.is_some(),
        TypeKind::LiteralEnum(literal_enum) => literal_enum.fallback.is_some(),
        TypeKind::Union(union) => {
            let takes_others = || union.variants.iter().any(|variant| variant.takes_others);
            union.several || union.tag.is_none() || union.fallback.is_some() || takes_others()
        }
        TypeKind::Newtype(..) | TypeKind::Alias(_) | TypeKind::Pending => false,
    }
}
