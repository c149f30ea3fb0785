//! The class of a schema: another name, a type with a definition, or an inline type.

use crate::ir::{Primitive, TypeRef};
use crate::model::{SchemaId, Types};
use crate::source::Value;
use crate::vocabulary;

use crate::lower::Document;
use crate::lower::schema::annotation::is_annotation;
use crate::lower::schema::scalar;
use crate::lower::schema::shape::{Additional, Shape};

/// The class of a schema, for its users.
pub(in crate::lower) enum Class {
    /// Another name for another schema. `true`: null is valid too.
    Same(SchemaId, bool),
    /// A type that needs a definition.
    Defined(Shape),
    /// An inline type without a definition.
    Plain(Shape),
}

impl Document<'_> {
    pub(in crate::lower) fn classify(&mut self, id: SchemaId) -> Class {
        if let Some((_, shape)) = self.plain.take_if(|(known, _)| *known == id) {
            return Class::Plain(shape);
        }
        if let Some(target) = self.stands_for(id) {
            let schema = self.schema(id);
            return Class::Same(
                target,
                schema.nullable || schema.types.contains(Types::NULL),
            );
        }
        if let Some((target, null)) = self.single.get(&id) {
            return Class::Same(*target, *null);
        }
        let mut shape = self.shape(id);
        if self.children.contains_key(&id) && shape.choices.is_empty() {
            return Class::Defined(shape);
        }
        self.drop_idle_choices(&mut shape);
        if let [only] = &shape.choices[..]
            && let Some((target, null)) = self.single_choice(&only.alternatives, &shape)
        {
            let null = null || shape.nullable;
            self.single.insert(id, (target, null));
            return Class::Same(target, null);
        }
        if self.is_defined(&shape) {
            Class::Defined(shape)
        } else {
            Class::Plain(shape)
        }
    }

    fn is_defined(&self, shape: &Shape) -> bool {
        if !shape.choices.is_empty() {
            return true;
        }
        if let Some(values) = &shape.enumeration {
            return values.iter().any(|value| !matches!(value, Value::Null))
                && values.iter().all(is_scalar);
        }
        let types = shape.types;
        if types.is_unstated() {
            return !shape.properties.is_empty()
                || shape.additional == Additional::Refused
                || shape.requires_more();
        }
        if types.count() > 1 {
            return !is_any(types);
        }
        types == Types::OBJECT
            && (!shape.properties.is_empty()
                || shape.additional == Additional::Refused
                || shape.requires_more())
    }

    /// Returns the schema for which this schema is another name. A schema without additions to a
    /// base has its own type if the base lists it as an alternative: `Cat: {allOf: [Pet]}`.
    pub(in crate::lower) fn stands_for(&self, id: SchemaId) -> Option<SchemaId> {
        let target = self.wraps(id)?;
        // Bound `$dynamicRef`s belong to the type of the schema that binds them.
        if self.schema(target).instance {
            return None;
        }
        let is_child = self
            .children
            .get(&target)
            .is_some_and(|all| all.contains(&id));
        let is_alternative =
            || self.is_named(id) && self.cycle(id).is_some() && self.is_alternative_of(id, target);
        (!is_child && !is_alternative()).then_some(target)
    }

    /// Returns the schema that this schema only wraps: by one `$ref` or one `allOf` part. All other
    /// parts accept each of its values, and the surrounding keywords do not change the type.
    pub(in crate::lower) fn wraps(&self, id: SchemaId) -> Option<SchemaId> {
        let schema = self.schema(id);
        let parts = schema.reference.iter().chain(&schema.all_of).copied();
        let parts = parts.filter(|part| !is_annotation(self.schema(*part)));
        let only = self.narrowest(parts.collect())?;
        if only == id {
            return None;
        }
        let mut bare = schema.clone();
        bare.reference = None;
        bare.all_of = Vec::new();
        let target = self.schema(only);
        let stated = bare.types.without(Types::NULL);
        let same_type = stated.is_unstated()
            || stated == target.types.without(Types::NULL)
            || (stated == Types::OBJECT && target.types.is_unstated());
        if same_type {
            bare.types = Types::UNSTATED;
        }
        is_annotation(&bare).then_some(only)
    }
}

/// Returns the schema of the JSON in a string (JSON Schema 2020-12 Validation, 8.5). A string with
/// other constraints stays a string.
pub(in crate::lower) fn json_content(shape: &Shape) -> Option<SchemaId> {
    let c = &shape.constraints;
    let media = shape.content_media_type.as_deref();
    let is_json = media.is_some_and(vocabulary::is_json);
    let bare = shape.format.is_none()
        && shape.content_encoding.is_none()
        && c.pattern.is_empty()
        && c.min_length.is_none()
        && c.max_length.is_none();
    shape.content_schema.filter(|_| is_json && bare)
}

/// Returns whether null is the only value.
pub(in crate::lower) fn is_null(shape: &Shape) -> bool {
    match &shape.enumeration {
        Some(values) => !values.is_empty() && values.iter().all(|value| *value == Value::Null),
        None => shape.types == Types::NULL,
    }
}

/// Returns the JSON type of a schema without choices, inferred from its keywords if not declared.
pub(in crate::lower) fn infer(shape: &Shape) -> Types {
    if shape.boolean.is_some() || shape.enumeration.is_some() {
        return Types::UNSTATED;
    }
    if !shape.types.is_unstated() {
        return shape.types;
    }
    let c = &shape.constraints;
    if shape.has_object_keywords()
        || c.min_properties.is_some()
        || c.max_properties.is_some()
        || !c.property_names.is_empty()
        || !c.dependent_required.is_empty()
        || !c.required_groups.is_empty()
    {
        Types::OBJECT
    } else if shape.items.is_some() || !shape.prefix_items.is_empty() {
        Types::ARRAY
    } else if !c.pattern.is_empty()
        || c.min_length.is_some()
        || c.max_length.is_some()
        || shape.format.as_deref().is_some_and(is_string_format)
        || json_content(shape).is_some()
    {
        Types::STRING
    } else {
        Types::UNSTATED
    }
}

fn is_string_format(format: &str) -> bool {
    matches!(
        format,
        "date"
            | "date-time"
            | "uuid"
            | "uri"
            | "url"
            | "email"
            | "byte"
            | "binary"
            | "password"
            | "hostname"
            | "ipv4"
            | "ipv6"
    )
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

/// Returns whether a set of types is equivalent to any JSON value.
fn is_any(types: Types) -> bool {
    types.contains(
        Types::OBJECT
            .union(Types::ARRAY)
            .union(Types::STRING)
            .union(Types::BOOLEAN),
    ) && (types.contains(Types::NUMBER) || types.contains(Types::INTEGER))
}

/// Returns whether a named scalar gets a type of its own: the document adds information to its JSON
/// type.
pub(in crate::lower) fn deserves_newtype(shape: &Shape, plain: &TypeRef) -> bool {
    let c = &shape.constraints;
    let bounded = !c.pattern.is_empty()
        || c.min_length.is_some()
        || c.max_length.is_some()
        || c.minimum.is_some()
        || c.maximum.is_some()
        || !c.multiple_of.is_empty();
    match plain {
        TypeRef::Primitive(Primitive::String | Primitive::Number(_)) => {
            bounded || shape.format.as_deref().is_some_and(scalar::is_distinctive)
        }
        _ => false,
    }
}
