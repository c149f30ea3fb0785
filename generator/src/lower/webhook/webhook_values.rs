//! Properties that distinguish kinds of webhooks at one URL.

use crate::ir::{Api, Codec, Literal, Operation, Payload, Row, TypeKind, TypeRef};
use std::collections::{BTreeMap, BTreeSet};

/// Records for each kind the properties of its payload that have a single value, where another kind
/// has another value at the same place: `type: {const: invoice.paid}`. The payload and the objects
/// directly in it are searched.
pub(in crate::lower) fn find(api: &mut Api) {
    let mut kinds: Vec<Vec<(String, String)>> =
        api.webhooks.iter().map(|kind| of_kind(api, kind)).collect();
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (pointer, value) in kinds.iter().flatten() {
        known
            .entry(pointer.clone())
            .or_default()
            .insert(value.clone());
    }
    for (kind, values) in api.webhooks.iter_mut().zip(&mut kinds) {
        values.retain(|(pointer, _)| known.get(pointer).is_some_and(|values| values.len() > 1));
        if let Some(webhook) = &mut kind.webhook {
            webhook.values = std::mem::take(values);
        }
    }
}

fn of_kind(api: &Api, kind: &Operation) -> Vec<(String, String)> {
    let Some(Payload::One(media)) = kind.body.as_ref().map(|body| &body.payload) else {
        return Vec::new();
    };
    let mut values = Vec::new();
    if media.codec == Codec::Json {
        of_type(api, &media.ty, "", 2, &mut values);
    }
    values
}

/// Searches a number of levels of objects.
fn of_type(api: &Api, ty: &TypeRef, at: &str, levels: usize, values: &mut Vec<(String, String)>) {
    match plain(api, ty) {
        Some(TypeKind::Object(object)) if levels > 0 => {
            for row in object.rows() {
                match row {
                    Row::Field(field) => {
                        let at = below(at, &field.name.wire);
                        of_type(api, &field.ty, &at, levels - 1, values);
                    }
                    Row::Constant(constant) => {
                        if let Literal::String(value) = &constant.value {
                            values.push((below(at, &constant.wire), value.clone()));
                        }
                    }
                }
            }
        }
        Some(TypeKind::StringEnum(string_enum)) => {
            if let [only] = string_enum.variants.as_slice() {
                values.push((at.to_owned(), only.name.wire.clone()));
            }
        }
        _ => {}
    }
}

/// Returns the pointer of a member (RFC 6901, section 3).
fn below(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Returns the kind of a type, without wrappers.
fn plain<'a>(api: &'a Api, ty: &TypeRef) -> Option<&'a TypeKind> {
    let mut ty = ty;
    // A chain of aliases cannot be longer than the number of types.
    for _ in 0..=api.types.len() {
        ty = match ty {
            TypeRef::Boxed(inner) | TypeRef::Option(inner) | TypeRef::Nullable(inner) => inner,
            TypeRef::Named(id) => match &api.type_def(*id).kind {
                TypeKind::Alias(inner) | TypeKind::Newtype(inner, _) => inner,
                kind => return Some(kind),
            },
            _ => return None,
        };
    }
    None
}
