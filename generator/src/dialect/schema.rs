//! Schemas: an arena filled from a queue, so neither cycles nor long chains cost any stack.

use std::collections::{HashMap, VecDeque};

use super::context::{Context, extensions, is_extension};
use super::{Siblings, Version, constraints, swagger2, v3_0};
use crate::diagnostic::codes;
use crate::model::{Discriminator, Schema, SchemaId, Types};
use crate::resolve::Node;
use crate::source::{Origin, Pointer, Value};

/// What an object is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A schema object.
    Schema,
    /// A parameter or header of Swagger 2.0, which is a schema and more in one.
    Inline,
    /// A form field of Swagger 2.0, which becomes a property.
    Field,
}

/// All schemas found so far, and those still to be read.
#[derive(Default)]
pub(super) struct SchemaTable<'t> {
    pub(super) list: Vec<Schema>,
    by_place: HashMap<Origin, SchemaId>,
    queue: VecDeque<(SchemaId, Node<'t>, Form)>,
}

impl SchemaTable<'_> {
    /// Adds a schema that stands nowhere in the document as such.
    pub(super) fn add(&mut self, schema: Schema) -> SchemaId {
        // Ids count nodes of a document, and documents are limited far below 2^32 bytes.
        let id = SchemaId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(schema);
        id
    }

    pub(super) fn get_mut(&mut self, id: SchemaId) -> Option<&mut Schema> {
        self.list.get_mut(id.0 as usize)
    }
}

impl<'t> Context<'t, '_> {
    /// The id of the schema that a node is or refers to; it is read later.
    pub(super) fn schema(&mut self, node: &Node<'t>) -> SchemaId {
        self.schema_in(node, Form::Schema)
    }

    /// Like [`Self::schema`], for any form.
    pub(super) fn schema_in(&mut self, node: &Node<'t>, form: Form) -> SchemaId {
        let siblings = self.rules.siblings;
        let keep = |node: &Node<'t>| !is_pure(node, siblings);
        let target = self.resolver.follow_until(node, keep, self.diagnostics);
        let Some(target) = target else {
            // Told already. Whoever allowed it gets a schema that takes anything.
            let origin = node.origin();
            return self.reserve(origin, None);
        };
        self.tell_ignored_siblings(node);
        let referred = node.pointer != target.pointer || node.file != target.file;
        self.enqueue(&target, form, referred)
    }

    /// The schema at exactly this node.
    fn enqueue(&mut self, node: &Node<'t>, form: Form, referred: bool) -> SchemaId {
        let known = self.schemas.list.len();
        let suggested = referred.then(|| self.suggested_name(node)).flatten();
        let id = self.reserve(node.origin(), suggested);
        if id.0 as usize == known {
            self.schemas.queue.push_back((id, node.clone(), form));
        }
        id
    }

    fn reserve(&mut self, origin: Origin, suggested_name: Option<String>) -> SchemaId {
        if let Some(id) = self.schemas.by_place.get(&origin) {
            let id = *id;
            if let Some(schema) = self.schemas.get_mut(id) {
                schema.suggested_name = schema.suggested_name.take().or(suggested_name);
            }
            return id;
        }
        let name = component_name(&origin.pointer, self.rules.schemas);
        let schema = Schema {
            origin: origin.clone(),
            name,
            suggested_name,
            ..Schema::default()
        };
        let id = self.schemas.add(schema);
        self.schemas.by_place.insert(origin, id);
        id
    }

    /// What a schema could be called that others refer to, and that is no component.
    fn suggested_name(&self, node: &Node<'t>) -> Option<String> {
        let mut steps = node
            .pointer
            .segments()
            .collect::<Vec<_>>()
            .into_iter()
            .rev();
        match (steps.next(), steps.next()) {
            (None, _) => {
                let name = self.resolver.file_name(node.file)?;
                Some(
                    name.rsplit_once('.')
                        .map_or(name, |(stem, _)| stem)
                        .to_owned(),
                )
            }
            (Some(last), Some(section)) => {
                matches!(section.as_str(), "definitions" | "$defs" | "schemas").then_some(last)
            }
            // A file that is a plain map of schemas.
            (Some(last), None) => Some(last),
        }
    }

    /// Reserves the reusable schemas of the root document, in its order.
    pub(super) fn named_schemas(&mut self, root: &Node<'t>) -> Vec<(String, SchemaId)> {
        let Some(section) = self.section(root, self.rules.schemas) else {
            return vec![];
        };
        // First those that stand there, so that an alias never takes the name of its target.
        for (_, node) in section.entries() {
            if node.reference().is_none() {
                self.enqueue(&node, Form::Schema, false);
            }
        }
        let mut named = Vec::new();
        for (name, node) in section.entries() {
            if is_extension(name) && node.value.as_object().is_none() {
                continue;
            }
            let id = self.schema(&node);
            if let Some(schema) = self.schemas.get_mut(id) {
                schema.name.get_or_insert_with(|| name.to_owned());
            }
            named.push((name.to_owned(), id));
        }
        named
    }

    /// An object some steps below the root.
    pub(super) fn section(&mut self, root: &Node<'t>, steps: &[&str]) -> Option<Node<'t>> {
        steps
            .iter()
            .try_fold(root.clone(), |node, step| self.object(&node, step))
    }

    /// Reads schemas until none is left unread.
    pub(super) fn read_schemas(&mut self) {
        while let Some((id, node, form)) = self.schemas.queue.pop_front() {
            let schema = self.read_schema(&node, form);
            if let Some(place) = self.schemas.get_mut(id) {
                let (origin, name) = (std::mem::take(&mut place.origin), place.name.take());
                let suggested_name = place.suggested_name.take();
                *place = Schema {
                    origin,
                    name,
                    suggested_name,
                    ..schema
                };
            }
        }
    }

    fn read_schema(&mut self, node: &Node<'t>, form: Form) -> Schema {
        let mut schema = Schema::default();
        match node.value {
            Value::Bool(boolean) => schema.boolean = Some(*boolean),
            Value::Object(_) => {}
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
            // Whatever else stands there does not change what is generated.
            let _ = read;
        }
        self.finish_schema(node, &mut schema);
        schema
    }

    fn finish_schema(&mut self, node: &Node<'t>, schema: &mut Schema) {
        if schema.nullable && !schema.types.is_unstated() {
            schema.types = schema.types.union(Types::NULL);
        }
        constraints::settle_bounds(node, &mut schema.constraints);
        schema.extensions = extensions(node);
    }

    /// The target of a `$ref` that has siblings.
    fn read_reference(&mut self, node: &Node<'t>, schema: &mut Schema) {
        let Some(reference) = node.reference() else {
            return;
        };
        match self.resolver.target_told(node, reference, self.diagnostics) {
            Some(target) => schema.reference = Some(self.referred(&target)),
            None => schema.reference = None,
        }
    }

    fn referred(&mut self, target: &Node<'t>) -> SchemaId {
        let siblings = self.rules.siblings;
        let keep = |node: &Node<'t>| !is_pure(node, siblings);
        match self.resolver.follow_until(target, keep, self.diagnostics) {
            Some(target) => self.enqueue(&target, Form::Schema, true),
            None => self.reserve(target.origin(), None),
        }
    }

    /// Keywords that say something about a value without changing its shape.
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
            "discriminator" => schema.discriminator = self.read_discriminator(node),
            _ => return false,
        }
        true
    }

    /// Keywords that make the shape of a value.
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
            "not" => schema.not = Some(self.schema(node)),
            "properties" => schema.properties = self.read_schema_map(node),
            "patternProperties" => schema.pattern_properties = self.read_schema_map(node),
            "required" => schema.required = self.read_required(node),
            "additionalProperties" => schema.additional_properties = Some(self.schema(node)),
            "unevaluatedProperties" => {
                schema.unevaluated_properties = Some(node.value.as_bool() != Some(false));
            }
            "items" if node.value.as_array().is_some() => {
                // Tuples as JSON Schema wrote them before 2020-12.
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
                // `[string, null]`, where the standard wants the word in quotes.
                Value::Null => Some(Types::NULL),
                _ => None,
            };
            match found {
                Some(found) => schema.types = schema.types.union(found),
                None if name.value.as_str() == Some("file")
                    && self.rules.version == Version::Swagger2 =>
                {
                    schema.types = schema.types.union(Types::STRING);
                    schema.format = Some("binary".to_owned());
                }
                None => self.unknown(
                    name,
                    "`string`, `number`, `integer`, `boolean`, `array`, `object` and `null`",
                ),
            }
        }
    }

    fn read_values(&mut self, node: &Node<'t>) -> Option<Vec<Value>> {
        let node = self.follow(node)?;
        if let Some(values) = node.value.as_array() {
            return Some(values.to_vec());
        }
        self.report(
            codes::WRONG_TYPE,
            &node.origin(),
            format!("`enum` must be an array, and is {}", node.value.kind()),
        );
        None
    }

    fn read_schema_list(&mut self, node: &Node<'t>) -> Vec<SchemaId> {
        let Some(node) = self.follow(node) else {
            return vec![];
        };
        if node.value.as_array().is_none() {
            let name = node.pointer.last().unwrap_or_default();
            let message = format!("`{name}` must be an array, and is {}", node.value.kind());
            self.report(codes::WRONG_TYPE, &node.origin(), message);
        }
        node.items().map(|item| self.schema(&item)).collect()
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
        let message = format!(
            "`required` must be an array of names, and is {}",
            node.value.kind()
        );
        let code = if node.value.as_bool().is_some() {
            codes::REQUIRED_FLAG
        } else {
            codes::WRONG_TYPE
        };
        self.report(code, &node.origin(), message)
            .help("name the property in the `required` of the object that holds it");
        vec![]
    }

    fn read_dynamic_reference(&mut self, node: &Node<'t>, schema: &mut Schema) {
        let Some(reference) = node.value.as_str() else {
            return;
        };
        if schema.reference.is_some() {
            return;
        }
        if let Some(target) = self.resolver.target_told(node, reference, self.diagnostics) {
            self.report(
                codes::DYNAMIC_REFERENCE,
                &node.origin(),
                format!("`{reference}` is read as a plain `$ref`"),
            );
            schema.reference = Some(self.referred(&target));
        }
    }

    fn read_discriminator(&mut self, node: &Node<'t>) -> Option<Discriminator> {
        let node = self.follow(node)?;
        if let Value::String(property) = node.value {
            return Some(Discriminator {
                property: property.clone(),
                mapping: vec![],
            });
        }
        let node = self.as_object(&node)?;
        let Some(property) = self.text(&node, "propertyName") else {
            self.missing(&node, "the discriminator", "propertyName");
            return None;
        };
        let entries = self.entries(&node, "mapping");
        let mapping = entries
            .filter_map(|(tag, node)| {
                let name = self.as_text(&node)?;
                Some((tag.to_owned(), self.mapped_schema(&node, &name)))
            })
            .collect();
        Some(Discriminator { property, mapping })
    }

    /// A schema by its component name, or by a reference.
    fn mapped_schema(&mut self, node: &Node<'t>, name: &str) -> Option<SchemaId> {
        let section = Pointer::ROOT;
        let section = self
            .rules
            .schemas
            .iter()
            .fold(section, |pointer, step| pointer.child(step));
        let as_name = section.child(name);
        let target = self
            .resolver
            .target(node, as_name.as_str())
            .or_else(|fault| self.resolver.target(node, name).map_err(|_| fault))
            .ok()?;
        Some(self.referred(&target))
    }

    fn tell_ignored_siblings(&mut self, node: &Node<'t>) {
        if self.rules.siblings == Siblings::Count || node.reference().is_none() {
            return;
        }
        let Some(object) = node.value.as_object() else {
            return;
        };
        let ignored: Vec<_> = object
            .keys()
            .filter(|key| v3_0::would_change_type(key))
            .collect();
        let Some(first) = ignored.first() else { return };
        let names = ignored
            .iter()
            .map(|key| format!("`{key}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let origin = node.origin().child(first);
        self.report(
            codes::SIBLINGS_IGNORED,
            &origin,
            format!("{names} beside `$ref` does not count before OpenAPI 3.1"),
        )
        .help("put the `$ref` into an `allOf` beside it");
    }
}

/// Whether a `$ref` has nothing beside it that makes the place a schema of its own.
fn is_pure(node: &Node<'_>, siblings: Siblings) -> bool {
    let Some(object) = node.value.as_object() else {
        return true;
    };
    object.keys().all(|key| match siblings {
        Siblings::Count => matches!(key.as_str(), "$ref" | "$comment" | "summary"),
        Siblings::Annotate => key == "$ref" || !v3_0::annotates(key),
    })
}

/// The name of a direct entry of a section, by its pointer.
pub(super) fn component_name(pointer: &Pointer, section: &[&str]) -> Option<String> {
    let mut rest = pointer.as_str().strip_prefix('#')?;
    for step in section {
        rest = rest.strip_prefix('/')?.strip_prefix(step)?;
    }
    let name = rest.strip_prefix('/')?;
    (!name.contains('/')).then(|| crate::source::unescape(name))
}
