//! Which keywords of a schema affect its Rust type.

use crate::model::{Constraints, Schema};

/// Returns whether a schema itself has object keywords other than its `type`.
pub(in crate::lower) fn has_object_keywords(schema: &Schema) -> bool {
    !schema.properties.is_empty()
        || !schema.required.is_empty()
        || !schema.pattern_properties.is_empty()
        || schema.additional_properties.is_some()
}

/// Returns whether a schema only has keywords that do not affect its Rust type.
pub(in crate::lower) fn is_annotation(schema: &Schema) -> bool {
    schema.types.is_unstated() && schema.items.is_none() && is_bare(schema)
}

/// Returns whether only `type` and `items` of a schema affect its Rust type.
pub(in crate::lower) fn is_bare(schema: &Schema) -> bool {
    let Schema {
        // Names and texts.
        origin: _,
        name: _,
        suggested_name: _,
        instance: _,
        title: _,
        description: _,
        default: _,
        examples: _,
        read_only: _,
        write_only: _,
        deprecated: _,
        extensions: _,
        // `type` and `items`.
        types: _,
        nullable: _,
        items: _,
        // These keywords do not change a type by themselves.
        not: _,
        discriminator: _,
        unevaluated: _,
        unevaluated_properties: _,
        content_encoding: _,
        content_media_type: _,
        reference,
        boolean,
        format,
        enumeration,
        constant,
        all_of,
        any_of,
        one_of,
        properties,
        required,
        additional_properties,
        pattern_properties,
        prefix_items,
        constraints,
        content_schema,
        conditional,
    } = schema;
    reference.is_none()
        && *boolean != Some(false)
        && enumeration.is_none()
        && constant.is_none()
        && all_of.is_empty()
        && any_of.is_empty()
        && one_of.is_empty()
        && properties.is_empty()
        && required.is_empty()
        && pattern_properties.is_empty()
        && prefix_items.is_empty()
        && format.is_none()
        && content_schema.is_none()
        && additional_properties.is_none()
        && conditional.is_empty()
        && !asks_of_objects(constraints)
}

/// Returns whether there are constraints on an object as a whole, which belong to its type and not
/// to its use.
fn asks_of_objects(c: &Constraints) -> bool {
    c.min_properties.is_some_and(|least| least > 0)
        || c.max_properties.is_some()
        || !c.property_names.is_empty()
        || !c.dependent_required.is_empty()
        || !c.required_groups.is_empty()
}
