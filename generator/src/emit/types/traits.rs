//! Which of the derived traits a type has.

use crate::ir::{Api, Primitive, TypeKind, TypeRef};
use proc_macro2::TokenStream;
use quote::quote;

/// How many names are followed before a type counts as having neither trait.
const DEPTH: u8 = 16;

/// Derives of a struct around one value: all that the value has.
pub(super) fn newtype_derives(api: &Api, inner: &TypeRef) -> TokenStream {
    let copy = is_copy(api, inner).then(|| quote!(Copy,));
    let ordered = is_ordered(api, inner, DEPTH).then(|| quote!(, Eq, PartialOrd, Ord, Hash));
    quote!(Debug, Clone, #copy PartialEq #ordered)
}

/// Whether a type is `Copy`.
pub(super) fn is_copy(api: &Api, ty: &TypeRef) -> bool {
    copy(api, ty, DEPTH)
}

fn copy(api: &Api, ty: &TypeRef, depth: u8) -> bool {
    match ty {
        TypeRef::Primitive(primitive) => matches!(
            primitive,
            Primitive::Bool
                | Primitive::Null
                | Primitive::Number(_)
                | Primitive::Uuid
                | Primitive::DateTime
                | Primitive::Date
        ),
        TypeRef::Named(id) if depth > 0 => match &api.type_def(*id).kind {
            TypeKind::StringEnum(of) => of.fallback.is_none(),
            TypeKind::LiteralEnum(of) => of.fallback.is_none(),
            TypeKind::Newtype(inner, _) | TypeKind::Alias(inner) => copy(api, inner, depth - 1),
            _ => false,
        },
        TypeRef::Option(inner) => copy(api, inner, depth),
        _ => false,
    }
}

/// Whether a type has `Eq`, `Ord` and `Hash`.
fn is_ordered(api: &Api, ty: &TypeRef, depth: u8) -> bool {
    match ty {
        TypeRef::Primitive(primitive) => match primitive {
            Primitive::Number(name) => !name.starts_with('f'),
            Primitive::Bool
            | Primitive::Null
            | Primitive::String
            | Primitive::Uuid
            | Primitive::DateTime
            | Primitive::Date => true,
            _ => false,
        },
        TypeRef::Named(id) if depth > 0 => match &api.type_def(*id).kind {
            TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) => true,
            TypeKind::Newtype(inner, _) | TypeKind::Alias(inner) => {
                is_ordered(api, inner, depth - 1)
            }
            _ => false,
        },
        TypeRef::Vec(inner) | TypeRef::Option(inner) => is_ordered(api, inner, depth),
        _ => false,
    }
}
