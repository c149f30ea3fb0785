//! Names that documents assign to their parts: `$self`, `$id`, `$anchor`, `$dynamicAnchor`.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet, btree_map, hash_map};

use super::Node;
use crate::position::{FileId, Origin, Pointer};
use crate::source::{Tree, Value, join};

/// All names of this kind in a document.
#[derive(Debug, Default)]
pub(super) struct Identities {
    /// The nodes by absolute URI, or by the name as written if no base makes it absolute.
    by_id: HashMap<String, Origin>,
    /// The nodes with an `$id` or a `$self`.
    bases: HashMap<Origin, String>,
    /// The anchors by their enclosing node with an `$id`, or the root of the file. Each such node
    /// is a separate document (JSON Schema Core 2020-12, 8.2.1), and anchors are unique within one
    /// document.
    anchors: HashMap<Origin, BTreeMap<String, Origin>>,
    /// The nodes of `anchors` whose anchor is a `$dynamicAnchor`.
    dynamic: HashSet<Origin>,
    /// The first node with each name in a file, at any position.
    anywhere: HashMap<(FileId, String), Origin>,
    /// Names that occur twice, in document order.
    pub(super) repeated: Vec<Repeated>,
    /// The first nodes of those names, and whether a reference led there.
    led_to: RefCell<HashMap<Origin, bool>>,
}

/// A name that two parts of a document share.
#[derive(Debug)]
pub(super) struct Repeated {
    /// `$id`, `$anchor`, `$dynamicAnchor` or `$self`.
    pub(super) key: &'static str,
    pub(super) name: String,
    /// The part to which the name refers.
    pub(super) first: Origin,
    pub(super) again: Origin,
}

/// Keys whose values are data, which contain no names.
const DATA: [&str; 5] = ["example", "examples", "default", "enum", "const"];

/// Returns whether the value of an entry is data, given the key of the object around it.
pub(crate) fn is_data(holder: &str, key: &str) -> bool {
    DATA.contains(&key) && !NAMED.contains(&holder)
}

/// Keys of objects whose own keys are names chosen by the document.
const NAMED: [&str; 19] = [
    "$defs",
    "callbacks",
    "content",
    "definitions",
    "dependentSchemas",
    "encoding",
    "headers",
    "links",
    "mediaTypes",
    "parameters",
    "pathItems",
    "patternProperties",
    "properties",
    "requestBodies",
    "responses",
    "schemas",
    "securitySchemes",
    "webhooks",
    "x-webhooks",
];

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
                identities.add_id("$self", base.clone(), &origin);
            }
            let around = Around {
                base: &base,
                document: &origin,
            };
            let place = Place {
                file,
                parent: None,
                name: "",
                pointer: OnceCell::new(),
            };
            identities.visit(value, &place, around);
        }
        identities
    }

    fn visit(&mut self, value: &Value, place: &Place<'_>, around: Around<'_>) {
        match value {
            Value::Object(object) => {
                let own = value.get("$id").and_then(Value::as_str);
                let own = own.filter(|id| !id.starts_with('#')).map(|id| {
                    let (id, origin) =
                        (join(around.base, id.trim_end_matches('#')), place.origin());
                    self.add_id("$id", id.clone(), &origin);
                    (id, origin)
                });
                let around = own
                    .as_ref()
                    .map_or(around, |(base, document)| Around { base, document });
                let anchors = object.iter().filter(|(key, _)| key.starts_with('$'));
                for (key, value) in anchors {
                    if let Value::String(name) = value {
                        self.add_anchor(key, name, place, around);
                    }
                }
                for (key, value) in object {
                    if !is_data(place.name, key) {
                        self.visit(value, &place.child(key), around);
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if matches!(item, Value::Object(_) | Value::Array(_)) {
                        self.visit(item, &place.child(&index.to_string()), around);
                    }
                }
            }
            _ => {}
        }
    }

    fn add_id(&mut self, key: &'static str, id: String, origin: &Origin) {
        self.bases.insert(origin.clone(), id.clone());
        match self.by_id.entry(id) {
            hash_map::Entry::Vacant(free) => {
                free.insert(origin.clone());
            }
            hash_map::Entry::Occupied(taken) => {
                let (name, first) = (taken.key().clone(), taken.get().clone());
                self.repeat(key, name, first, origin.clone());
            }
        }
    }

    fn add_anchor(&mut self, key: &str, name: &str, place: &Place<'_>, around: Around<'_>) {
        let key = match key {
            // Drafts before 2019-09 write anchors as `$id: "#name"`.
            "$id" if name.starts_with('#') => "$id",
            "$anchor" => "$anchor",
            "$dynamicAnchor" => "$dynamicAnchor",
            _ => return,
        };
        let (name, origin) = (name.trim_start_matches('#').to_owned(), place.origin());
        let anywhere = self.anywhere.entry((place.file, name.clone()));
        anywhere.or_insert_with(|| origin.clone());
        let anchors = self.anchors.entry(around.document.clone()).or_default();
        match anchors.entry(name) {
            btree_map::Entry::Vacant(free) => {
                if key == "$dynamicAnchor" {
                    self.dynamic.insert(origin.clone());
                }
                free.insert(origin);
            }
            // One schema may have both kinds of anchors.
            btree_map::Entry::Occupied(taken) if *taken.get() == origin => {}
            // A schema that binds an anchor is often in the same document as the one that it binds.
            btree_map::Entry::Occupied(taken)
                if key == "$dynamicAnchor" && self.dynamic.contains(taken.get()) => {}
            btree_map::Entry::Occupied(taken) => {
                let (name, first) = (taken.key().clone(), taken.get().clone());
                self.repeat(key, name, first, origin);
            }
        }
    }

    fn repeat(&mut self, key: &'static str, name: String, first: Origin, again: Origin) {
        self.led_to.get_mut().insert(first.clone(), false);
        self.repeated.push(Repeated {
            key,
            name,
            first,
            again,
        });
    }

    /// Records that a reference led to a node by its name.
    fn lead_to(&self, origin: &Origin) {
        if let Some(led) = self.led_to.borrow_mut().get_mut(origin) {
            *led = true;
        }
    }

    /// Returns `true` if a reference led by name to a node whose name occurs twice.
    pub(super) fn is_led_to(&self, origin: &Origin) -> bool {
        self.led_to.borrow().get(origin) == Some(&true)
    }

    /// Returns the node that the part of a reference before the `#` names, if any.
    pub(super) fn find(&self, node: &Node<'_>, part: &str) -> Option<&Origin> {
        if self.by_id.is_empty() {
            return None;
        }
        let base = self
            .enclosing(node)
            .and_then(|origin| self.bases.get(origin));
        let absolute = join(base.map_or("", String::as_str), part);
        let found = self.by_id.get(&absolute).or_else(|| self.by_id.get(part));
        found.inspect(|origin| self.lead_to(origin))
    }

    /// Returns the nearest enclosing node with an `$id` or a `$self`.
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

    /// Returns the anchors of a document: each name and its node.
    pub(super) fn anchors_of(&self, document: &Origin) -> Option<&BTreeMap<String, Origin>> {
        self.anchors.get(document)
    }

    /// Returns the node with an anchor. `document` is the root of a file or a node with an `$id`.
    /// References to anchors of other documents in the same file are also common, and accepted.
    pub(super) fn anchor(&self, document: &Origin, name: &str) -> Option<&Origin> {
        let found = self.anchors.get(document).and_then(|all| all.get(name));
        let found = found.or_else(|| self.anywhere.get(&(document.file, name.to_owned())));
        found.inspect(|origin| self.lead_to(origin))
    }
}

/// The document that contains a node.
#[derive(Debug, Clone, Copy)]
struct Around<'a> {
    base: &'a str,
    document: &'a Origin,
}

/// The path to a node, on the stack. Pointers are created only for the few nodes with a name, and
/// once for their ancestors.
struct Place<'a> {
    file: FileId,
    parent: Option<&'a Place<'a>>,
    name: &'a str,
    pointer: OnceCell<Pointer>,
}

impl<'a> Place<'a> {
    const fn child(&'a self, name: &'a str) -> Self {
        Self {
            file: self.file,
            parent: Some(self),
            name,
            pointer: OnceCell::new(),
        }
    }

    fn pointer(&self) -> &Pointer {
        self.pointer.get_or_init(|| match self.parent {
            Some(parent) => parent.pointer().child(self.name),
            None => Pointer::ROOT,
        })
    }

    fn origin(&self) -> Origin {
        Origin::new(self.file, self.pointer().clone())
    }
}
