//! Derived traits of types: those that all parts have and that are meaningful for the type.

use crate::ir::{Traits, TypeDef, TypeId, TypeKind, TypeRef, Unknown};

/// Determines the traits of all types. Types that contain each other share the traits that none of
/// them lacks: each begins with all traits and loses those that a part lacks, until no type
/// changes.
pub(in crate::lower) fn derive(types: &mut [TypeDef]) {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); types.len()];
    for (user, def) in types.iter_mut().enumerate() {
        def.traits = Traits::ALL;
        let mut held = Vec::new();
        def.kind.parts(&mut |ty| held.extend(ty.named()));
        for TypeId(part) in held {
            if let Some(users) = users.get_mut(part as usize) {
                users.push(user);
            }
        }
    }
    let mut open: Vec<usize> = (0..types.len()).rev().collect();
    while let Some(index) = open.pop() {
        let traits = traits_of(&types[index].kind, types);
        if traits != types[index].traits {
            types[index].traits = traits;
            open.extend(&users[index]);
        }
    }
}

fn traits_of(kind: &TypeKind, types: &[TypeDef]) -> Traits {
    match kind {
        TypeKind::Pending => Traits::NONE,
        TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) => Traits {
            copy: !kind.is_open(),
            // The only value is the one that a constructor sets.
            default: kind.constant().is_some(),
            // Values of different JSON types have no order, and that of variants is of the document.
            ord: matches!(kind, TypeKind::StringEnum(_)),
            ..Traits::HASHED
        },
        TypeKind::Newtype(ty, _) | TypeKind::Alias(ty) => Traits {
            default: false,
            ..ty.traits(types)
        },
        // Objects have no meaningful order, and may grow beyond the size for `Copy`. `Hash` would
        // slow down `cargo check` of a crate with many types by some 5%, and objects are not keys
        // of maps.
        TypeKind::Object(object) => {
            let fields = object.fields.iter().map(|field| &field.ty);
            let kept = match &object.unknown {
                Unknown::Kept(_, ty) => ty.traits(types),
                Unknown::Ignored | Unknown::Refused => Traits::ALL,
            };
            held(fields, types).and(kept)
        }
        TypeKind::Union(union) => held(union.variants.iter().map(|variant| &variant.ty), types),
    }
}

/// Returns the derived traits for a type that contains others.
fn held<'a>(parts: impl Iterator<Item = &'a TypeRef>, types: &[TypeDef]) -> Traits {
    let parts = parts.map(|ty| ty.traits(types));
    parts.fold(Traits::COMPARED, Traits::and)
}
