//! Schemas in the form of OpenAPI 3.0.

use super::bundle::Bundle;
use super::shared::{Put as _, copy, json};
use super::{Json, Map};
use crate::model::{Constraints, Discriminator, Schema, SchemaId, Types};
use crate::source::Value;

const TYPES: &[(Types, &str)] = &[
    (Types::BOOLEAN, "boolean"),
    (Types::INTEGER, "integer"),
    (Types::NUMBER, "number"),
    (Types::STRING, "string"),
    (Types::ARRAY, "array"),
    (Types::OBJECT, "object"),
];

impl Bundle<'_> {
    /// Returns the object for a schema.
    pub(super) fn schema_object(&mut self, id: SchemaId) -> Json {
        let model = self.model;
        let schema = &model.schemas[id.0 as usize];
        let Schema {
            // Copied from the document by its location: `put_unread`.
            origin,
            examples: _,
            // The key of the schema in its section.
            name: _,
            suggested_name: _,
            instance: _,
            // `put_types`
            types: _,
            nullable: _,
            // `put_values`
            format: _,
            enumeration: _,
            constant: _,
            default: _,
            // `put_properties`
            properties: _,
            required: _,
            additional_properties: _,
            unevaluated: _,
            unevaluated_properties: _,
            pattern_properties: _,
            // OpenAPI 3.0 has no conditions.
            conditional: _,
            // `put_items`
            items: _,
            prefix_items: _,
            reference,
            boolean,
            title,
            description,
            all_of,
            any_of,
            one_of,
            not,
            discriminator,
            constraints,
            read_only,
            write_only,
            deprecated,
            content_encoding,
            content_media_type,
            content_schema,
            extensions,
        } = schema;
        let mut object = Map::new();
        match boolean {
            Some(true) => return object.into(),
            Some(false) => {
                object.put("not", Map::new());
                return object.into();
            }
            None => {}
        }
        object.put_text("title", title.as_ref());
        object.put_text("description", description.as_ref());
        let mut parts = Vec::new();
        parts.extend(reference.map(|target| self.schema_reference(target)));
        parts.extend(self.list(schema, all_of));
        let mut any_of = self.list(schema, any_of);
        put_types(schema, &mut object, &mut parts, &mut any_of);
        put_values(schema, &mut object);
        object.put_list("allOf", parts);
        object.put_list("anyOf", any_of);
        object.put_list("oneOf", self.list(schema, one_of));
        if let Some(not) = not {
            object.put("not", self.schema(*not, origin));
        }
        if let Some(discriminator) = discriminator {
            object.put("discriminator", self.discriminator(discriminator));
        }
        self.put_properties(schema, &mut object);
        self.put_items(schema, &mut object);
        put_constraints(constraints, &mut object);
        self.put_names(schema, &mut object);
        object.put_flag("readOnly", *read_only);
        object.put_flag("writeOnly", *write_only);
        object.put_flag("deprecated", *deprecated);
        object.put_text("x-contentEncoding", content_encoding.as_ref());
        object.put_text("x-contentMediaType", content_media_type.as_ref());
        if let Some(id) = content_schema {
            object.put("x-contentSchema", self.schema(*id, origin));
        }
        object.put_extensions(extensions);
        self.put_unread(schema, &mut object);
        object.into()
    }

    /// Copies the keywords that the model does not store.
    fn put_unread(&self, schema: &Schema, object: &mut Map) {
        let source_node = self.source_node(&schema.origin);
        copy(source_node, &["example", "externalDocs"], object);
        if let Some(xml) = source_node.and_then(|it| it.get("xml")) {
            object.put("x-xml", json(xml));
        }
        let examples = source_node
            .and_then(|it| it.get("examples"))
            .and_then(Value::as_array);
        if let (Some(first), false) = (
            examples.and_then(<[_]>::first),
            object.contains_key("example"),
        ) {
            object.put("example", json(first));
        }
    }

    fn list(&mut self, holder: &Schema, ids: &[SchemaId]) -> Vec<Json> {
        ids.iter()
            .map(|id| self.schema(*id, &holder.origin))
            .collect()
    }

    fn map(&mut self, holder: &Schema, ids: &[(String, SchemaId)]) -> Map {
        ids.iter()
            .map(|(name, id)| (name.clone(), self.schema(*id, &holder.origin)))
            .collect()
    }

    fn put_properties(&mut self, schema: &Schema, object: &mut Map) {
        object.put_map("properties", self.map(schema, &schema.properties));
        object.put_list(
            "required",
            schema
                .required
                .iter()
                .map(|name| name.as_str().into())
                .collect(),
        );
        if let Some(id) = schema.additional_properties {
            let boolean = self.model.schemas[id.0 as usize].boolean;
            let value = boolean.map_or_else(|| self.schema(id, &schema.origin), Json::from);
            let key = match schema.unevaluated {
                true => "x-unevaluatedProperties",
                false => "additionalProperties",
            };
            object.put(key, value);
        }
        object.put_map(
            "x-patternProperties",
            self.map(schema, &schema.pattern_properties),
        );
        if let Some(unevaluated) = schema.unevaluated_properties {
            object.put("x-unevaluatedProperties", unevaluated);
        }
    }

    /// Writes constraints on property names, which OpenAPI 3.0 does not have.
    fn put_names(&mut self, schema: &Schema, object: &mut Map) {
        if let Some(names) = schema.constraints.property_names.first() {
            object.put("x-propertyNames", self.schema(*names, &schema.origin));
        }
        let mut dependent = Map::new();
        for (name, others) in &schema.constraints.dependent_required {
            let others: Vec<Json> = others.iter().map(|name| name.as_str().into()).collect();
            dependent.put(name, others);
        }
        object.put_map("x-dependentRequired", dependent);
    }

    fn put_items(&mut self, schema: &Schema, object: &mut Map) {
        if let Some(items) = schema.items {
            object.put("items", self.schema(items, &schema.origin));
        } else if schema.types.contains(Types::ARRAY) {
            // OpenAPI 3.0 requires `items` for an array.
            object.put("items", Map::new());
        }
        object.put_list("x-prefixItems", self.list(schema, &schema.prefix_items));
    }

    fn discriminator(&mut self, discriminator: &Discriminator) -> Json {
        let mut object = Map::new();
        object.put("propertyName", discriminator.property.as_str());
        let mut mapping = Map::new();
        for (tag, id) in &discriminator.mapping {
            if let Some(id) = id {
                mapping.put(tag, self.schema_reference(*id)["$ref"].clone());
            }
        }
        object.put_map("mapping", mapping);
        if let Some(default) = discriminator.default {
            object.put(
                "x-defaultMapping",
                self.schema_reference(default)["$ref"].clone(),
            );
        }
        object.into()
    }
}

fn put_types(schema: &Schema, object: &mut Map, all_of: &mut Vec<Json>, any_of: &mut Vec<Json>) {
    let stated = schema.types.without(Types::NULL);
    let names = TYPES
        .iter()
        .filter(|(kind, _)| stated.contains(*kind))
        .map(|(_, name)| *name);
    let names: Vec<&str> = names.collect();
    match names.as_slice() {
        [] if schema.types.contains(Types::NULL) => {
            // Only `null` is valid: OpenAPI 3.0 has no such type, but an enum of one value.
            object.put("enum", vec![Json::Null]);
        }
        [] => {}
        [name] => object.put("type", *name),
        several => {
            let alternatives = several.iter().map(|name| {
                let mut alternative = Map::new();
                alternative.put("type", *name);
                if *name == "array" {
                    alternative.put("items", Map::new());
                }
                Json::from(alternative)
            });
            if any_of.is_empty() {
                any_of.extend(alternatives);
            } else {
                let mut group = Map::new();
                group.put("anyOf", alternatives.collect::<Vec<_>>());
                all_of.push(group.into());
            }
        }
    }
    object.put_flag(
        "nullable",
        schema.nullable || schema.types.contains(Types::NULL),
    );
}

fn put_values(schema: &Schema, object: &mut Map) {
    object.put_text("format", schema.format.as_ref());
    if let Some(values) = &schema.enumeration {
        object.put("enum", values.iter().map(json).collect::<Vec<_>>());
    }
    if let Some(constant) = &schema.constant {
        // A constant is an enum of one value.
        if schema.enumeration.is_none() {
            object.put("enum", vec![json(constant)]);
        } else {
            object.put("x-const", json(constant));
        }
    }
    match &schema.default {
        // The types read a default of `null` as an absent one.
        Some(Value::Null) => object.put("x-default", Json::Null),
        Some(default) => object.put("default", json(default)),
        None => {}
    }
}

fn put_constraints(constraints: &Constraints, object: &mut Map) {
    let Constraints {
        minimum,
        maximum,
        multiple_of,
        min_length,
        max_length,
        pattern,
        min_items,
        max_items,
        unique_items,
        min_properties,
        max_properties,
        // `put_names`
        property_names: _,
        dependent_required: _,
        // A later stage computes them from `oneOf` and `anyOf`.
        required_groups: _,
    } = constraints;
    if let Some((bound, exclusive)) = minimum {
        object.put("minimum", json(bound));
        object.put_flag("exclusiveMinimum", *exclusive);
    }
    if let Some((bound, exclusive)) = maximum {
        object.put("maximum", json(bound));
        object.put_flag("exclusiveMaximum", *exclusive);
    }
    if let Some(step) = multiple_of.first() {
        object.put("multipleOf", json(step));
    }
    object.put_text("pattern", pattern.first());
    object.put_flag("uniqueItems", *unique_items);
    let sizes = [
        ("minLength", min_length),
        ("maxLength", max_length),
        ("minItems", min_items),
        ("maxItems", max_items),
        ("minProperties", min_properties),
        ("maxProperties", max_properties),
    ];
    for (key, size) in sizes {
        if let Some(size) = size {
            object.put(key, *size);
        }
    }
}
