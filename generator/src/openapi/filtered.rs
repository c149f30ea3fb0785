//! The parts of a bundled document that its operations and webhooks use.

use std::collections::{BTreeMap, BTreeSet};

use super::{Json, Map};

/// The sections of `components` and their names.
type Names = BTreeMap<String, BTreeSet<String>>;

/// The keys of the document with operations.
const ROOTS: [&str; 3] = ["paths", "x-paths", "x-webhooks"];

/// Removes the components and tags that no operation and no webhook uses, except the schemas with
/// these names.
pub(super) fn retain_used(document: &mut Json, schemas: &BTreeSet<String>) {
    let mut used = Used::default();
    for name in schemas {
        used.add("schemas", name);
    }
    for root in ROOTS {
        used.visit(&document[root]);
    }
    used.security(&document["security"]);
    while let Some((section, name)) = used.open.pop() {
        used.visit(&document["components"][&section][&name]);
    }
    if let Some(components) = document["components"].as_object_mut() {
        for (section, entries) in components.iter_mut() {
            let names = used.names.remove(section).unwrap_or_default();
            let Some(entries) = entries.as_object_mut() else {
                continue;
            };
            entries.retain(|name, _| match section.as_str() {
                "securitySchemes" | "x-securitySchemes" => used.schemes.contains(name),
                _ => names.contains(name),
            });
        }
        components.retain(|_, entries| entries.as_object().is_none_or(|object| !object.is_empty()));
    }
    if let Some(tags) = document["tags"].as_array_mut() {
        tags.retain(|tag| {
            tag["name"]
                .as_str()
                .is_some_and(|name| used.tags.contains(name))
        });
    }
    remove_empty(document);
}

fn remove_empty(document: &mut Json) {
    let is_empty = |value: &Json| match value {
        Json::Null => true,
        Json::Array(items) => items.is_empty(),
        Json::Object(entries) => entries.is_empty(),
        _ => false,
    };
    if let Some(root) = document.as_object_mut() {
        for key in ["tags", "components", "security", "x-paths", "x-webhooks"] {
            if root.get(key).is_some_and(is_empty) {
                root.shift_remove(key);
            }
        }
    }
}

/// What the visited parts of a document use.
#[derive(Default)]
struct Used {
    names: Names,
    schemes: BTreeSet<String>,
    tags: BTreeSet<String>,
    /// Used components that are not visited yet.
    open: Vec<(String, String)>,
}

impl Used {
    fn add(&mut self, section: &str, name: &str) {
        let names = self.names.entry(section.to_owned()).or_default();
        if names.insert(name.to_owned()) {
            self.open.push((section.to_owned(), name.to_owned()));
        }
    }

    /// Visits a part of the document. Nested values are visited in a loop, because a document may
    /// nest deeply.
    fn visit(&mut self, value: &Json) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Json::String(text) => self.reference(text),
                Json::Array(items) => open.extend(items),
                Json::Object(object) => {
                    self.operation(object);
                    open.extend(object.values());
                }
                _ => {}
            }
        }
    }

    fn reference(&mut self, text: &str) {
        let parts = text.strip_prefix("#/components/");
        if let Some((section, name)) = parts.and_then(|parts| parts.split_once('/')) {
            self.add(section, name);
        }
    }

    fn operation(&mut self, object: &Map) {
        if let Some(tags) = object.get("tags").and_then(Json::as_array) {
            let tags = tags.iter().filter_map(Json::as_str);
            self.tags.extend(tags.map(str::to_owned));
        }
        object
            .get("security")
            .into_iter()
            .for_each(|alternatives| self.security(alternatives));
    }

    fn security(&mut self, alternatives: &Json) {
        let alternatives = alternatives.as_array().into_iter().flatten();
        let schemes = alternatives.filter_map(Json::as_object).flat_map(Map::keys);
        self.schemes.extend(schemes.cloned());
    }
}
