//! Examples of the document, for a generated test that sends them through the types.

use crate::dialect::Values;
use crate::ir::{Example, TypeKind, TypeRef};
use crate::position::Origin;
use crate::source::Value;

use crate::lower::{Document, TypeTable};

/// The depth to which examples are searched for values of types.
const DEEPEST: usize = 16;

/// Returns the examples that are values of types of the document, without duplicates.
pub(in crate::lower) fn collect(
    document: &Document<'_>,
    types: &TypeTable,
    values: &Values,
) -> Vec<Example> {
    let mut found = Vec::new();
    for example in &values.examples {
        let ty = match (
            document.named.get(&example.schema),
            types.lowered.get(&example.schema),
        ) {
            (Some(id), _) => TypeRef::Named(*id),
            (None, Some(Some(lowered))) => lowered.ty.clone(),
            (None, _) => continue,
        };
        // The text of a parameter is in the style of the parameter.
        if example.may_be_text && matches!(example.value, Value::String(_)) {
            continue;
        }
        note(types, &ty, &example.value, &example.origin, 0, &mut found);
    }
    found
}

/// Notes a value of a type, or the values of the types that a list, a map or an alias contains.
fn note(
    types: &TypeTable,
    ty: &TypeRef,
    value: &Value,
    origin: &Origin,
    depth: usize,
    found: &mut Vec<Example>,
) {
    // Documents write `null` for an absent value of any type.
    if value.is_null() || depth > DEEPEST {
        return;
    }
    let mut inner = |ty: &TypeRef, value: &Value, origin: &Origin| {
        note(types, ty, value, origin, depth + 1, found);
    };
    match (ty, value) {
        (TypeRef::Named(id), _) => match types.defs.get(id.0 as usize).map(|def| &def.kind) {
            Some(TypeKind::Alias(ty)) => inner(ty, value, origin),
            _ => {
                let example = Example {
                    ty: *id,
                    origin: origin.clone(),
                    value: value.to_json(),
                };
                let is_same =
                    |known: &Example| (known.ty, &known.value) == (example.ty, &example.value);
                if !found.iter().any(is_same) {
                    found.push(example);
                }
            }
        },
        (TypeRef::Boxed(ty) | TypeRef::Option(ty) | TypeRef::Nullable(ty), _) => {
            inner(ty, value, origin);
        }
        (TypeRef::Vec(ty), Value::Array(items)) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, item)| inner(ty, item, &origin.child(&index.to_string())));
        }
        (TypeRef::Map(ty), Value::Object(object)) => {
            let members = object.iter();
            members.for_each(|(name, member)| inner(ty, member, &origin.child(name)));
        }
        _ => {}
    }
}
