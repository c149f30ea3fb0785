//! The public items of generated code and their types, read from rustdoc's JSON.
//!
//! The JSON is read without types: its format changes with each version of Rust, and only a few keys
//! of it are needed.

mod render;
mod surface;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value};

pub(crate) use surface::{Fact, Role, Surface};

/// Traits that only the compiler and the standard library can name.
const INTERNAL: &[&str] = &["Freeze", "UnsafeUnpin", "StructuralPartialEq"];

/// The items of a crate with a module for each document.
pub(crate) struct Crate {
    index: Map<String, Value>,
    paths: Map<String, Value>,
    root: String,
}

/// The public items of one module, and what is known of all of them.
struct Items<'c> {
    rustdoc: &'c Crate,
    /// The paths of public items, without the crate and the module.
    public: BTreeMap<&'c str, String>,
    /// The names by which code names shared errors: the aliases of operations.
    shared: BTreeMap<&'c str, BTreeSet<String>>,
}

impl Crate {
    /// Reads a file of rustdoc.
    pub(crate) fn read(path: &Path) -> Self {
        let text = std::fs::read(path).expect("the output of rustdoc");
        let mut json: Value = serde_json::from_slice(&text).expect("JSON");
        let mut take = |key: &str| {
            let table = json[key].as_object_mut().map(std::mem::take);
            table.expect("a table of rustdoc's JSON")
        };
        let (index, paths) = (take("index"), take("paths"));
        let root = json["root"].to_string();
        Self { index, paths, root }
    }

    /// Returns the surface of each module below the root.
    pub(crate) fn surfaces(&self) -> BTreeMap<String, Surface> {
        let impls = self.impls();
        let mut all = BTreeMap::new();
        let root = self.item(&self.root).expect("the root");
        for id in strings(&root["inner"]["module"]["items"]) {
            let module = self.item(&id).expect("a module");
            let name = module["name"].as_str().unwrap_or_default().to_owned();
            let mut items = Items {
                rustdoc: self,
                public: BTreeMap::new(),
                shared: BTreeMap::new(),
            };
            items.walk(&id, "");
            items.share();
            let own = impls.get(&name).map_or(&[][..], Vec::as_slice);
            all.insert(name, items.surface(own));
        }
        all
    }

    fn item(&self, id: &str) -> Option<&Value> {
        self.index.get(id)
    }

    /// Returns the module below the root that an item belongs to, unless it is of another crate.
    fn home(&self, id: &str) -> Option<&str> {
        let summary = self.paths.get(id)?;
        let is_own = summary["crate_id"] == 0;
        summary["path"][1].as_str().filter(|_| is_own)
    }

    /// Returns the impls by the module of the first own item that they mention. Impls for all types
    /// are left out: whether they apply follows from the others.
    fn impls(&self) -> BTreeMap<String, Vec<&Value>> {
        let mut found: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
        for item in self.index.values() {
            let block = &item["inner"]["impl"];
            let name = block["trait"]["path"].as_str().unwrap_or_default();
            let is_internal = INTERNAL.contains(&name) || block["is_negative"] == true;
            if !block.is_object() || !block["blanket_impl"].is_null() || is_internal {
                continue;
            }
            let mut ids = Vec::new();
            mentions(&block["for"], &mut ids);
            mentions(&block["trait"], &mut ids);
            if let Some(home) = ids.iter().find_map(|id| self.home(id)) {
                found.entry(home.to_owned()).or_default().push(item);
            }
        }
        found
    }
}

impl<'c> Items<'c> {
    /// Collects the public items below a module.
    fn walk(&mut self, id: &str, path: &str) {
        let rustdoc = self.rustdoc;
        let Some(module) = rustdoc.item(id) else {
            return;
        };
        for id in strings(&module["inner"]["module"]["items"]) {
            let Some((id, item)) = rustdoc.index.get_key_value(&id) else {
                continue;
            };
            if item["visibility"] != "public" || is_hidden(item) {
                continue;
            }
            let name = match item["inner"]["use"]["source"].as_str() {
                Some(source) => format!("use {source}"),
                None => item["name"].as_str().unwrap_or_default().to_owned(),
            };
            let path = match path.is_empty() {
                true => name,
                false => format!("{path}::{name}"),
            };
            if item["inner"]["module"].is_object() {
                self.walk(id, &path);
            }
            // Code names shared errors by the aliases of operations, and not by their module.
            if !path.ends_with("errors") {
                self.public.insert(id, path);
            }
        }
    }

    /// Finds the aliases of shared errors: the names of these types follow from their content.
    fn share(&mut self) {
        let rustdoc = self.rustdoc;
        for (id, path) in &self.public {
            let Some(item) = rustdoc.item(id) else {
                continue;
            };
            let target = &item["inner"]["type_alias"]["type"]["resolved_path"]["id"];
            let target = self.public.get_key_value(target.to_string().as_str());
            if let Some((target, error)) = target.filter(|(_, path)| path.contains("errors::")) {
                let names = self.shared.entry(target).or_default();
                names.insert(path.clone());
                // The alias of the headers has a type that rustdoc does not resolve.
                let headers = self
                    .public
                    .iter()
                    .find(|(_, other)| **other == format!("{error}Headers"));
                if let Some((id, _)) = headers {
                    let names = self.shared.entry(id).or_default();
                    names.insert(format!("{path}Headers"));
                }
            }
        }
    }
}

/// Returns whether rustdoc leaves an item out of its pages.
fn is_hidden(item: &Value) -> bool {
    let attrs = item["attrs"].as_array().into_iter().flatten();
    attrs
        .into_iter()
        .any(|attribute| attribute.to_string().contains("doc(hidden)"))
}

/// Returns whether an item has `#[non_exhaustive]`.
fn is_open(item: &Value) -> bool {
    let attrs = item["attrs"].as_array().into_iter().flatten();
    attrs
        .into_iter()
        .any(|attribute| attribute.to_string().contains("non_exhaustive"))
}

/// Returns the ids of a list.
fn strings(ids: &Value) -> Vec<String> {
    let all = ids.as_array().into_iter().flatten();
    all.map(ToString::to_string).collect()
}

/// Collects the ids that a type or a path mentions, in the order of the text.
fn mentions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            if let Some(id @ Value::Number(_)) = object.get("id") {
                found.push(id.to_string());
            }
            object.values().for_each(|value| mentions(value, found));
        }
        Value::Array(all) => all.iter().for_each(|value| mentions(value, found)),
        _ => {}
    }
}
