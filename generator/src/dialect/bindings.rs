//! The bindings of `$dynamicRef`s on the paths of references.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::position::Origin;
use crate::resolve::Resolver;
use crate::source::Value;

/// The anchors that are bound on a path: each name, and the schema with the anchor.
pub(super) type Bound = Rc<BTreeMap<String, Origin>>;

/// The number of a set of bound anchors. 0 is the empty set.
pub(super) type ScopeId = u32;

/// The bindings of a document.
#[derive(Debug, Default)]
pub(super) struct Dynamic {
    /// Whether the document has a `$dynamicRef`.
    pub(super) is_used: bool,
    /// The sets of bindings, by number. The first is empty.
    pub(super) scopes: Vec<Bound>,
    pub(super) numbers: HashMap<Bound, ScopeId>,
    /// The bindings with which schemas are read at present.
    pub(super) scope: ScopeId,
    /// Whether a `$dynamicRef` is reached from a node.
    pub(super) reaches: HashMap<Origin, bool>,
    /// The anchors of each document inside the document.
    pub(super) anchors: HashMap<Origin, Bound>,
    /// Each `$dynamicRef` to a schema that accepts any value, and whether it is bound elsewhere.
    pub(super) open: BTreeMap<Origin, (String, bool)>,
}

impl Dynamic {
    pub(super) fn new(resolver: &Resolver<'_>) -> Self {
        let empty = Bound::default();
        Self {
            is_used: resolver.values().any(has_dynamic_reference),
            numbers: HashMap::from([(Rc::clone(&empty), 0)]),
            scopes: vec![empty],
            ..Self::default()
        }
    }

    pub(super) fn bound(&self, scope: ScopeId) -> Bound {
        let found = self.scopes.get(scope as usize);
        found.map(Rc::clone).unwrap_or_default()
    }

    pub(super) fn number(&mut self, bound: BTreeMap<String, Origin>) -> ScopeId {
        let bound = Rc::new(bound);
        if let Some(number) = self.numbers.get(&bound) {
            return *number;
        }
        let number = u32::try_from(self.scopes.len()).unwrap_or(u32::MAX);
        self.scopes.push(Rc::clone(&bound));
        self.numbers.insert(bound, number);
        number
    }
}

fn has_dynamic_reference(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| {
            key == "$dynamicRef" && value.as_str().is_some() || has_dynamic_reference(value)
        }),
        Value::Array(items) => items.iter().any(has_dynamic_reference),
        _ => false,
    }
}
