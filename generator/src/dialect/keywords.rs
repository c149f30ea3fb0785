//! The keywords of a schema.

use super::conditions::only_requires;
use super::context::Context;
use super::extension::is_extension;
use super::rules::Siblings;
use super::table::Form;
use super::{Version, constraints, examples, spelling, swagger2, v3_0};
use crate::diagnostic::codes;
use crate::model::{Schema, SchemaId, Types};
use crate::resolve::Node;
use crate::source::Value;

/// Keywords that restrict the values and not the type, by row: the others need the first.
pub(super) const UNCHECKED: [&[&str]; 7] = [
    &["if", "then", "else"],
    &["not"],
    &["contains", "minContains", "maxContains"],
    &["dependentSchemas"],
    &["dependencies"],
    &["unevaluatedItems"],
    &["additionalItems"],
];

/// Returns whether a keyword restricts the valid values and is not checked.
pub(super) fn is_unchecked(key: &str) -> bool {
    UNCHECKED.iter().any(|row| row.contains(&key))
}

/// Lists the function that reads each field of a schema. A new field does not compile until its
/// reader is listed here.
fn all_read(schema: &Schema) {
    let Schema {
        // Set when the place of a schema is reserved: `Context::reserve`.
        origin: _,
        name: _,
        suggested_name: _,
        instance: _,
        // `read_schema`, `read_reference` and `read_dynamic_reference`.
        boolean: _,
        reference: _,
        // `read_annotation`.
        title: _,
        description: _,
        default: _,
        read_only: _,
        write_only: _,
        deprecated: _,
        // `read_shape`.
        types: _,
        nullable: _,
        format: _,
        enumeration: _,
        constant: _,
        all_of: _,
        any_of: _,
        one_of: _,
        not: _,
        discriminator: _,
        properties: _,
        required: _,
        additional_properties: _,
        unevaluated: _,
        unevaluated_properties: _,
        pattern_properties: _,
        items: _,
        prefix_items: _,
        content_encoding: _,
        content_media_type: _,
        content_schema: _,
        // `read_condition`.
        conditional: _,
        // `constraints::read`, `read_condition` and `constraints::resolve_bounds`.
        constraints: _,
        // `finish_schema`.
        examples: _,
        extensions: _,
    } = schema;
}

impl<'t> Context<'t, '_> {
    /// Reads one schema object.
    pub(super) fn read_schema(&mut self, node: &Node<'t>, form: Form) -> Schema {
        let mut schema = Schema::default();
        match node.value {
            Value::Bool(boolean) => schema.boolean = Some(*boolean),
            Value::Object(_) => {}
            // YAML reads a key without a value as `null`.
            Value::Null => self.meant(node, "a schema that takes any value"),
            Value::String(_) => self.read_word(node, &mut schema),
            _ => {
                self.as_object(node);
                return schema;
            }
        }
        if node.reference().is_some() {
            self.read_reference(node, &mut schema);
        }
        for (key, value) in node.entries() {
            let counts = schema.reference.is_none()
                || self.rules.siblings == Siblings::Count
                || v3_0::annotates(key);
            if value.value.is_null() && !matches!(key, "default" | "const") || !counts {
                continue;
            }
            if swagger2::belongs_to_holder(form, key) {
                continue;
            }
            let read = self.read_annotation(key, &value, &mut schema)
                || self.read_shape(key, &value, &mut schema)
                || constraints::read(self, key, &value, &mut schema.constraints);
            let in_part = !read && self.read_condition(key, &value, &mut schema);
            if !read && !in_part && form == Form::Schema {
                self.check_key(node, key, &value, spelling::SCHEMA);
            }
            // The default of a `$dynamicRef` accepts any value, although some documents write `not: {}`.
            let is_default = key == "not" && node.get("$dynamicAnchor").is_some();
            let is_checked = in_part && only_requires(key, &value);
            if !read && !is_default && !is_checked && is_unchecked(key) {
                self.unchecked.get_or_insert((value.origin(), vec![]));
                if let Some((_, keys)) = &mut self.unchecked
                    && !keys.contains(&key)
                {
                    keys.push(key);
                }
            }
        }
        self.finish_schema(node, &mut schema);
        schema
    }

    /// Reads a word instead of a schema: `true` in quotes, or the name of a type.
    fn read_word(&mut self, node: &Node<'t>, schema: &mut Schema) {
        schema.boolean = self.lenient_flag(node);
        if schema.boolean.is_some() {
            return;
        }
        match self.lenient_type(node) {
            Some((types, format)) => {
                schema.types = types;
                schema.format = format.map(str::to_owned);
            }
            None => {
                self.as_object(node);
            }
        }
    }

    fn finish_schema(&mut self, node: &Node<'t>, schema: &mut Schema) {
        if schema.nullable && !schema.types.is_unstated() {
            schema.types = schema.types.union(Types::NULL);
        }
        schema.extensions = self.extensions(node);
        list_known_values(schema);
        self.convert_values(node, schema);
        self.report_itemless(node, schema);
        constraints::resolve_bounds(node, &mut schema.constraints);
        constraints::report_contradictions(self, node, &schema.constraints);
        schema.examples = examples::of_schema(node);
        all_read(schema);
    }

    /// Reports an array without `items`, which versions before OpenAPI 3.1 require.
    fn report_itemless(&mut self, node: &Node<'t>, schema: &Schema) {
        let wanted = matches!(self.rules.version, Version::Swagger2 | Version::V3_0);
        let parts = [&schema.all_of, &schema.one_of, &schema.any_of];
        let composed = schema.reference.is_some() || parts.iter().any(|part| !part.is_empty());
        if wanted
            && schema.types.contains(Types::ARRAY)
            && schema.items.is_none()
            && schema.prefix_items.is_empty()
            && !composed
        {
            self.report(
                codes::ITEMS_MISSING,
                &node.origin(),
                "array without `items` accepts any elements",
            )
            .help("add `items: { … }`");
        }
    }

    /// Reads the target of a `$ref` with siblings.
    fn read_reference(&mut self, node: &Node<'t>, schema: &mut Schema) {
        let Some(reference) = node.reference() else {
            return;
        };
        match self
            .resolver
            .target_or_report(node, reference, self.diagnostics)
        {
            Some(target) if self.may_be_schema(node, &target) => {
                schema.reference = Some(self.referred(&target));
            }
            _ => schema.reference = None,
        }
    }

    /// Reads keywords that describe a value without affecting its shape.
    fn read_annotation(&mut self, key: &str, node: &Node<'t>, schema: &mut Schema) -> bool {
        match key {
            "title" => schema.title = self.as_text(node),
            "description" => schema.description = self.as_text(node),
            "default" => schema.default = Some(node.value.clone()),
            "deprecated" => schema.deprecated = self.as_flag(node).unwrap_or_default(),
            "readOnly" => schema.read_only = self.as_flag(node).unwrap_or_default(),
            "writeOnly" => schema.write_only = self.as_flag(node).unwrap_or_default(),
            "contentEncoding" => schema.content_encoding = self.as_text(node),
            "contentMediaType" => schema.content_media_type = self.as_text(node),
            "contentSchema" => schema.content_schema = Some(self.schema(node)),
            "discriminator" => schema.discriminator = self.read_discriminator(node),
            _ => return false,
        }
        true
    }

    /// Reads keywords that define the shape of a value.
    fn read_shape(&mut self, key: &str, node: &Node<'t>, schema: &mut Schema) -> bool {
        match key {
            "type" => self.read_types(node, schema),
            "nullable" | "x-nullable" => {
                schema.nullable |= self.as_flag(node).unwrap_or_default();
            }
            "format" => schema.format = schema.format.take().or_else(|| self.as_text(node)),
            "enum" => schema.enumeration = self.read_values(node),
            "const" => schema.constant = Some(node.value.clone()),
            "allOf" => schema.all_of = self.read_schema_list(node),
            "anyOf" => schema.any_of = self.read_schema_list(node),
            "oneOf" => schema.one_of = self.read_schema_list(node),
            "not" => {
                schema.not = Some(self.schema(node));
                return false;
            }
            "properties" => schema.properties = self.read_schema_map(node),
            "patternProperties" => schema.pattern_properties = self.read_schema_map(node),
            "required" => schema.required = self.read_required(node),
            "additionalProperties" => {
                schema.additional_properties = Some(self.schema(node));
                schema.unevaluated = false;
            }
            "unevaluatedProperties" if node.value.as_bool().is_some() => {
                schema.unevaluated_properties = Some(node.value.as_bool() != Some(false));
            }
            // The properties of all parts are merged before the others get a schema.
            "unevaluatedProperties" => {
                let others = self.schema(node);
                schema.unevaluated |= schema.additional_properties.is_none();
                schema.additional_properties.get_or_insert(others);
            }
            "items" if node.value.as_array().is_some() => {
                // Tuples in the form of JSON Schema before 2020-12.
                schema.prefix_items = self.read_schema_list(node);
            }
            "items" => schema.items = Some(self.schema(node)),
            "prefixItems" => schema.prefix_items = self.read_schema_list(node),
            "$dynamicRef" => self.read_dynamic_reference(node, schema),
            _ => return false,
        }
        true
    }

    fn read_types(&mut self, node: &Node<'t>, schema: &mut Schema) {
        let Some(node) = self.follow(node) else {
            return;
        };
        let single = [node.clone()];
        let many: Vec<_> = node.items().collect();
        let names = if node.value.as_array().is_some() {
            &many[..]
        } else {
            &single[..]
        };
        for name in names {
            let found = match name.value {
                Value::String(text) => Types::from_name(text),
                // `[string, null]`, where the standard requires quotes around the word.
                Value::Null => Some(Types::NULL),
                _ => None,
            };
            if let Some(found) = found {
                schema.types = schema.types.union(found);
            } else if name.value.as_str() == Some("file") && self.rules.version == Version::Swagger2
            {
                schema.types = schema.types.union(Types::STRING);
                schema.format = Some("binary".to_owned());
            } else if let Some((found, format)) = self.lenient_type(name) {
                schema.types = schema.types.union(found);
                schema.format = schema.format.take().or_else(|| format.map(str::to_owned));
            } else {
                let message = format!(
                    "unknown type {}; any value is accepted",
                    name.value.to_json()
                );
                self.report(codes::UNKNOWN_TYPE, &name.origin(), message).help(
                    "known are `string`, `number`, `integer`, `boolean`, `array`, `object` and `null`",
                );
                // Combined with other types, this type would have no effect.
                schema.types = Types::UNSTATED;
                return;
            }
        }
    }

    fn read_values(&mut self, node: &Node<'t>) -> Option<Vec<Value>> {
        let node = self.follow(node)?;
        match node.value {
            Value::Array(values) => return Some(values.to_vec()),
            Value::Object(_) => {}
            value => {
                self.meant(&node, "a list of one item");
                return Some(vec![value.clone()]);
            }
        }
        self.wrong_type(&node, "an array");
        None
    }

    fn read_schema_list(&mut self, holder: &Node<'t>) -> Vec<SchemaId> {
        let Some(node) = self.follow(holder) else {
            return vec![];
        };
        match node.value {
            Value::Array(_) => {}
            Value::Object(_) if holder.reference().is_some() || is_schema(&node) => {
                self.meant(holder, "a list of one item");
                return vec![self.schema(holder)];
            }
            _ => {
                let name = holder.pointer.last().unwrap_or_default();
                let found = node.value.kind();
                let message = format!("expected an array for `{name}`, found {found}");
                self.report(codes::WRONG_TYPE, &holder.origin(), message)
                    .help(format!("write a list of schemas: `{name}: [ … ]`"));
            }
        }
        // A dash without a value.
        let items = node.items().filter(|item| !item.value.is_null());
        items.map(|item| self.schema(&item)).collect()
    }

    fn read_schema_map(&mut self, node: &Node<'t>) -> Vec<(String, SchemaId)> {
        let Some(node) = self.as_object(node) else {
            return vec![];
        };
        node.entries()
            .map(|(name, item)| (name.to_owned(), self.schema(&item)))
            .collect()
    }

    fn read_required(&mut self, node: &Node<'t>) -> Vec<String> {
        let Some(node) = self.follow(node) else {
            return vec![];
        };
        if node.value.as_array().is_some() {
            return node
                .items()
                .filter_map(|item| self.as_text(&item))
                .collect();
        }
        let is_flag =
            node.value.as_bool().is_some() || matches!(node.value.as_str(), Some("true" | "false"));
        if let (Some(name), false) = (node.value.as_str(), is_flag) {
            self.meant(&node, "a list of one item");
            return vec![name.to_owned()];
        }
        let found = node.value.kind();
        let message = format!("expected an array of names for `required`, found {found}");
        let code = if is_flag {
            codes::REQUIRED_FLAG
        } else {
            codes::WRONG_TYPE
        };
        self.report(code, &node.origin(), message)
            .help("name the property in the `required` list of the object around it");
        vec![]
    }
}

/// Returns whether an object has a keyword of schemas, or is empty.
fn is_schema(node: &Node<'_>) -> bool {
    let known = |key: &str| spelling::SCHEMA.contains(&key) || is_extension(key);
    let mut keys = node.entries().map(|(key, _)| key).peekable();
    keys.peek().is_none() || keys.any(known)
}

/// Adds the values of a list in `x-extensible-enum` to those of `enum`: the enum is open.
fn list_known_values(schema: &mut Schema) {
    for (key, value) in &mut schema.extensions {
        let Value::Array(known) = value else { continue };
        if key != "x-extensible-enum" || known.is_empty() {
            continue;
        }
        let values = schema.enumeration.get_or_insert_default();
        known.retain(|word| !values.contains(word));
        values.append(known);
        *value = Value::Bool(true);
    }
}
