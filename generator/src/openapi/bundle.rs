//! The bundled document, and the names of its components.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::shared::{Put as _, copy, copy_extensions, json};
use super::{Json, Map};
use crate::diagnostic::Diagnostics;
use crate::model::{Model, SchemaId, Server};
use crate::position::Origin;
use crate::resolve::{Node, Resolver};
use crate::source::{Tree, Value};

/// The state while a document is bundled.
pub(super) struct Bundle<'a> {
    tree: &'a Tree,
    resolver: Resolver<'a>,
    pub(super) model: &'a Model,
    /// Names of the schemas that are components, by id.
    names: BTreeMap<SchemaId, String>,
    taken: BTreeSet<String>,
    /// Components that have a name and are not written yet.
    unwritten: VecDeque<SchemaId>,
    /// Inline schemas that are currently being written.
    open: Vec<SchemaId>,
    /// Components other than schemas, by section: the name, the location, and the value.
    pub(super) shared: BTreeMap<&'static str, Vec<(String, Origin, Json)>>,
}

impl<'a> Bundle<'a> {
    pub(super) fn new(tree: &'a Tree, model: &'a Model) -> Self {
        Self {
            tree,
            resolver: Resolver::new(tree),
            model,
            names: BTreeMap::new(),
            taken: BTreeSet::new(),
            unwritten: VecDeque::new(),
            open: Vec::new(),
            shared: BTreeMap::new(),
        }
    }

    /// Writes the document.
    pub(super) fn document(mut self) -> Json {
        for (name, id) in &self.model.named_schemas {
            if !self.names.contains_key(id) {
                // The name of the schema itself has precedence over the names of its aliases.
                let own = self.model.schemas[id.0 as usize].name.as_deref();
                self.name(*id, own.unwrap_or(name));
            }
        }
        let mut root = Map::new();
        root.put("openapi", "3.0.3");
        root.put("info", self.info());
        root.put_list("servers", servers(&self.model.servers));
        root.put_list("tags", self.tags());
        let top = self.tree.value(self.tree.root());
        copy(top, &["security", "externalDocs"], &mut root);
        for (path, item) in self.paths() {
            let paths = if path.starts_with('/') {
                "paths"
            } else {
                "x-paths"
            };
            let paths = root.entry(paths).or_insert_with(|| Map::new().into());
            paths[path] = item;
        }
        root.entry("paths").or_insert_with(|| Map::new().into());
        root.put_map("x-webhooks", self.webhooks());
        let responses = self.responses();
        let (schemes, unknown_schemes) = self.security_schemes();
        let mut components = Map::new();
        components.put_map("schemas", self.schemas());
        components.put_map("responses", responses);
        for (section, entries) in &self.shared {
            let entries = entries
                .iter()
                .map(|(name, _, value)| (name.clone(), value.clone()));
            components.put_map(section, entries.collect());
        }
        components.put_map("securitySchemes", schemes);
        components.put_map("x-securitySchemes", unknown_schemes);
        root.put_map("components", components);
        for (key, value) in &self.model.extensions {
            if key != "x-webhooks" && key != "x-paths" {
                root.put(key, json(value));
            }
        }
        root.into()
    }

    fn info(&self) -> Json {
        let info = &self.model.info;
        let mut object = Map::new();
        object.put("title", info.title.as_str());
        object.put("version", info.version.as_str());
        object.put_text("description", info.description.as_ref());
        object.put_text("x-summary", info.summary.as_ref());
        let source_node = self
            .tree
            .value(self.tree.root())
            .and_then(|root| root.get("info"));
        copy(
            source_node,
            &["termsOfService", "contact", "license"],
            &mut object,
        );
        copy_extensions(source_node, &mut object);
        object.into()
    }

    fn tags(&self) -> Vec<Json> {
        let root = self.tree.value(self.tree.root());
        let source_node = root
            .and_then(|root| root.get("tags")?.as_array())
            .unwrap_or_default();
        let tags = self.model.tags.iter().map(|tag| {
            let mut object = Map::new();
            object.put("name", tag.name.as_str());
            object.put_text("description", tag.description.as_ref());
            object.put_text("x-parent", tag.parent.as_ref());
            let source_node = source_node
                .iter()
                .find(|it| it.get("name").and_then(Value::as_str) == Some(&tag.name));
            copy(source_node, &["externalDocs"], &mut object);
            copy_extensions(source_node, &mut object);
            object.into()
        });
        tags.collect()
    }

    /// Returns the schemas that are components: those with a name in the document, and those that
    /// became components while the other parts were written.
    fn schemas(&mut self) -> Map {
        let mut schemas = Map::new();
        while let Some(id) = self.unwritten.pop_front() {
            let schema = self.schema_object(id);
            let name = self.names.get(&id).cloned().unwrap_or_default();
            schemas.put(&name, schema);
        }
        for (name, id) in &self.model.named_schemas {
            let target = self.names.get(id).cloned().unwrap_or_default();
            if *name != target && !self.taken.contains(name) && *name == component_name(name) {
                schemas.put(name, reference("schemas", &target));
            }
        }
        schemas
    }

    /// Returns the schema `id` as used in `holder`: inline if the schema is defined there,
    /// otherwise as a reference.
    pub(super) fn schema(&mut self, id: SchemaId, holder: &Origin) -> Json {
        let schema = &self.model.schemas[id.0 as usize];
        let here = !self.names.contains_key(&id) && is_below(&schema.origin, holder);
        // An inline schema that contains itself would be endless.
        if here && !self.open.contains(&id) {
            self.open.push(id);
            let object = self.schema_object(id);
            self.open.pop();
            return object;
        }
        self.schema_reference(id)
    }

    /// Returns a reference to the schema `id`, which becomes a component if necessary.
    pub(super) fn schema_reference(&mut self, id: SchemaId) -> Json {
        if !self.names.contains_key(&id) {
            let schema = &self.model.schemas[id.0 as usize];
            let preferred_name = schema
                .name
                .clone()
                .or_else(|| schema.suggested_name.clone());
            let preferred_name = preferred_name.or_else(|| schema.origin.pointer.last());
            self.name(id, &preferred_name.unwrap_or_default());
        }
        reference("schemas", self.names.get(&id).map_or("", String::as_str))
    }

    /// Makes a schema a component.
    fn name(&mut self, id: SchemaId, preferred_name: &str) {
        let preferred_name = component_name(preferred_name);
        let mut name = preferred_name.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{preferred_name}_{number}");
            number += 1;
        }
        self.names.insert(id, name);
        self.unwritten.push_back(id);
    }

    /// Returns the value at a location of the document.
    pub(super) fn source_node(&self, origin: &Origin) -> Option<&'a Value> {
        self.resolver.at(origin).map(|node| node.value)
    }

    /// Returns the `examples` at a location, with references resolved.
    pub(super) fn examples(&self, origin: &Origin) -> Map {
        let mut examples = Map::new();
        let all = self
            .resolver
            .at(origin)
            .and_then(|node| node.get("examples"));
        for (name, example) in all.iter().flat_map(Node::entries) {
            // An unresolved reference is omitted: examples have no effect on the meaning.
            if let Some(example) = self.resolver.follow(&example, &mut Diagnostics::new()) {
                examples.put(name, json(example.value));
            }
        }
        examples
    }
}

/// Returns whether a node is inside another node.
fn is_below(node: &Origin, holder: &Origin) -> bool {
    node.file == holder.file && node.pointer.is_at_or_below(&holder.pointer)
}

/// Returns a reference to a component.
pub(super) fn reference(section: &str, name: &str) -> Json {
    let mut object = Map::new();
    object.put("$ref", format!("#/components/{section}/{name}"));
    object.into()
}

/// Returns a name with only the characters that are valid in names of components.
pub(super) fn component_name(preferred_name: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_');
    let name: String = preferred_name
        .chars()
        .map(|char| if plain(char) { char } else { '_' })
        .collect();
    if name.is_empty() {
        "Schema".to_owned()
    } else {
        name
    }
}

/// Returns the value of `servers`.
pub(super) fn servers(servers: &[Server]) -> Vec<Json> {
    let servers = servers.iter().map(|server| {
        let mut object = Map::new();
        object.put("url", server.url.as_str());
        object.put_text("description", server.description.as_ref());
        let variables = server.variables.iter().map(|(name, default, values)| {
            let mut variable = Map::new();
            variable.put_list(
                "enum",
                values.iter().map(|value| value.as_str().into()).collect(),
            );
            variable.put("default", default.as_str());
            (name.clone(), variable.into())
        });
        object.put_map("variables", variables.collect());
        object.into()
    });
    servers.collect()
}
