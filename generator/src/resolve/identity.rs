//! Names that documents give their own parts: `$self`, `$id`, `$anchor`, `$dynamicAnchor`.

use std::collections::HashMap;

use super::Node;
use crate::source::{FileId, Origin, Tree, Value, join};

/// All such names of a document.
#[derive(Debug, Default)]
pub(super) struct Identities {
    /// By absolute URI, or as written where no base makes it absolute.
    by_id: HashMap<String, Origin>,
    /// The nodes that carry an `$id` or a `$self`.
    bases: HashMap<Origin, String>,
    anchors: HashMap<(FileId, String), Origin>,
}

impl Identities {
    pub(super) fn collect(tree: &Tree) -> Self {
        let mut identities = Self::default();
        for (file, value) in tree.files() {
            let base = value
                .get("$self")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            let origin = Origin {
                file,
                ..Origin::default()
            };
            if !base.is_empty() {
                identities.by_id.insert(base.clone(), origin.clone());
                identities.bases.insert(origin.clone(), base.clone());
            }
            identities.visit(
                value,
                &Place {
                    file,
                    parent: None,
                    name: "",
                },
                &base,
            );
        }
        identities
    }

    fn visit(&mut self, value: &Value, place: &Place<'_>, base: &str) {
        match value {
            Value::Object(object) => {
                let mut own = None;
                for (key, value) in object {
                    if let (true, Value::String(name)) = (key.starts_with('$'), value) {
                        own = own.or_else(|| self.name(key, name, place, base));
                    }
                }
                let base = own.as_deref().unwrap_or(base);
                for (key, value) in object {
                    self.visit(value, &place.child(key), base);
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if matches!(item, Value::Object(_) | Value::Array(_)) {
                        self.visit(item, &place.child(&index.to_string()), base);
                    }
                }
            }
            _ => {}
        }
    }

    /// Takes in one name; gives the new base when it is an `$id`.
    fn name(&mut self, key: &str, name: &str, place: &Place<'_>, base: &str) -> Option<String> {
        match key {
            "$id" if !name.starts_with('#') => {
                let id = join(base, name.trim_end_matches('#'));
                let origin = place.origin();
                self.bases.insert(origin.clone(), id.clone());
                self.by_id.entry(id.clone()).or_insert(origin);
                Some(id)
            }
            // Drafts before 2019-09 write anchors as `$id: "#name"`.
            "$id" | "$anchor" | "$dynamicAnchor" => {
                let name = name.trim_start_matches('#').to_owned();
                self.anchors
                    .entry((place.file, name))
                    .or_insert_with(|| place.origin());
                None
            }
            _ => None,
        }
    }

    /// What the part of a reference before its `#` names, if it is such a name.
    pub(super) fn find(&self, node: &Node<'_>, part: &str) -> Option<&Origin> {
        if self.by_id.is_empty() {
            return None;
        }
        let base = self
            .enclosing(node)
            .and_then(|origin| self.bases.get(origin));
        let absolute = join(base.map_or("", String::as_str), part);
        self.by_id.get(&absolute).or_else(|| self.by_id.get(part))
    }

    /// The nearest node around this one that carries an `$id` or a `$self`.
    pub(super) fn enclosing(&self, node: &Node<'_>) -> Option<&Origin> {
        if self.bases.is_empty() {
            return None;
        }
        let mut origin = node.origin();
        loop {
            if let Some((found, _)) = self.bases.get_key_value(&origin) {
                return Some(found);
            }
            let parent = origin.parent();
            if parent == origin {
                return None;
            }
            origin = parent;
        }
    }

    pub(super) fn anchor(&self, file: FileId, name: &str) -> Option<&Origin> {
        self.anchors.get(&(file, name.to_owned()))
    }
}

/// The way to a node, on the stack: pointers are only made for the few nodes with a name.
struct Place<'a> {
    file: FileId,
    parent: Option<&'a Place<'a>>,
    name: &'a str,
}

impl<'a> Place<'a> {
    const fn child(&'a self, name: &'a str) -> Self {
        Self {
            file: self.file,
            parent: Some(self),
            name,
        }
    }

    fn origin(&self) -> Origin {
        match self.parent {
            Some(parent) => parent.origin().child(self.name),
            None => Origin {
                file: self.file,
                ..Origin::default()
            },
        }
    }
}
