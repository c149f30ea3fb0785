//! Schemas with nothing but a type, and schemas with a single value.

use crate::model::{Constraints, Schema, Types};

/// Returns whether a schema has no constraints other than its type and its members.
pub(in crate::lower) fn is_plain(schema: &Schema) -> bool {
    schema.reference.is_none()
        && schema.boolean.is_none()
        && schema.enumeration.is_none()
        && schema.constant.is_none()
        && schema.all_of.is_empty()
        && schema.any_of.is_empty()
        && schema.one_of.is_empty()
        && schema.not.is_none()
        && schema.discriminator.is_none()
        && schema.content_encoding.is_none()
        && schema.content_media_type.is_none()
        && schema.constraints == Constraints::default()
}

/// Returns whether a schema has no constraints other than being an object with some members.
pub(in crate::lower) fn is_object(schema: &Schema) -> bool {
    is_plain(schema) && (schema.types.is_unstated() || schema.types.contains(Types::OBJECT))
}

/// Returns whether any text is a value.
pub(in crate::lower) fn is_text(schema: &Schema) -> bool {
    is_plain(schema)
        && schema.types.without(Types::NULL) == Types::STRING
        && schema.format.is_none()
        && !schema.write_only
}

/// Returns the value of a property, if the document permits a single value for all errors.
pub(in crate::lower) fn only_value(property: &Schema) -> Option<String> {
    let listed = match property.enumeration.as_deref() {
        Some([only]) => Some(only),
        _ => None,
    };
    let stated = property.constant.as_ref().or(listed);
    if let Some(value) = stated.or(property.default.as_ref()) {
        return Some(value.to_json());
    }
    if !is_plain(property) || !property.required.is_empty() || !property.prefix_items.is_empty() {
        return None;
    }
    match property.types.without(Types::NULL) {
        Types::OBJECT => Some("{}".to_owned()),
        Types::ARRAY => Some("[]".to_owned()),
        _ => None,
    }
}
