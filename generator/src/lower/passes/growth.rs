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
        TypeKind::StringEnum(of) => of.fallback.is_some(),
        TypeKind::LiteralEnum(of) => of.fallback.is_some(),
        TypeKind::Union(of) => {
            let takes_others = || of.variants.iter().any(|variant| variant.takes_others);
            of.several || of.tag.is_none() || of.fallback.is_some() || takes_others()
        }
        TypeKind::Newtype(..) | TypeKind::Alias(_) | TypeKind::Pending => false,
    }
}
