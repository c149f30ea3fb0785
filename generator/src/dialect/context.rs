//! The context of all readers: the resolver, the diagnostics, the schemas, and small reads.
//!
//! The small reads share three rules: references are resolved at any place; `null` is treated as
//! absent (YAML reads a key without a value as `null`); and a value of the wrong type is reported
//! and ignored.

use super::bindings::Dynamic;
use super::compared::Later;
use super::extension::is_extension;
use super::rules::Rules;
use super::table::SchemaTable;
use crate::diagnostic::{Change, Code, Diagnostic, Diagnostics, codes};
use crate::model::Extensions;
use crate::position::Origin;
use crate::resolve::{Node, Resolver};
use crate::source::{Number, Value};

/// The state of a read in progress.
pub(super) struct Context<'t, 'd> {
    pub(super) resolver: Resolver<'t>,
    pub(super) rules: &'static Rules,
    pub(super) diagnostics: &'d mut Diagnostics,
    pub(super) schemas: SchemaTable<'t>,
    /// The bindings of `$dynamicRef`s.
    pub(super) dynamic: Dynamic,
    /// Keywords that are not validated, and the location of the first one.
    pub(super) unchecked: Option<(Origin, Vec<&'t str>)>,
    /// What is compared with schemas after all of them were read.
    pub(super) later: Later<'t>,
    /// The number of parts that may still be added to the model; `None` once the limit was
    /// exceeded.
    budget: Option<usize>,
}

impl<'t, 'd> Context<'t, 'd> {
    pub(super) fn new(
        resolver: Resolver<'t>,
        rules: &'static Rules,
        diagnostics: &'d mut Diagnostics,
        budget: usize,
    ) -> Self {
        Self {
            dynamic: Dynamic::new(&resolver),
            resolver,
            rules,
            diagnostics,
            schemas: SchemaTable::default(),
            unchecked: None,
            later: Later::default(),
            budget: Some(budget),
        }
    }

    pub(super) fn report(
        &mut self,
        code: &'static Code,
        origin: &Origin,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics.report(code, origin, message)
    }

    /// Proposes a change of a node that ends a problem.
    pub(super) fn propose(&mut self, node: &Node<'t>, change: Change, description: String) {
        self.diagnostics
            .propose(&node.origin(), change, description);
    }

    /// Takes an amount from the budget. Returns `false` and reports an error if the budget is
    /// exhausted.
    pub(super) fn charge(&mut self, node: &Node<'t>, amount: usize) -> bool {
        if let Some(left) = self.budget.and_then(|budget| budget.checked_sub(amount)) {
            self.budget = Some(left);
            return true;
        }
        if self.budget.take().is_some() {
            let message = "the document exceeds the number of parts that are read";
            self.report(codes::UNFOLDS_TOO_FAR, &node.origin(), message);
        }
        false
    }

    /// Returns a copy of a value, or `null` if the budget is exhausted.
    pub(super) fn copy(&mut self, node: &Node<'t>, value: &Value) -> Value {
        if self.charge(node, weight(value)) {
            value.clone()
        } else {
            Value::Null
        }
    }

    /// Returns the `x-` keys of an object.
    pub(super) fn extensions(&mut self, node: &Node<'t>) -> Extensions {
        let object = node.value.as_object().into_iter().flatten();
        object
            .filter(|(key, _)| is_extension(key))
            .map(|(key, value)| (key.clone(), self.copy(node, value)))
            .collect()
    }

    /// Reports a value of a wrong type.
    pub(super) fn wrong_type(&mut self, node: &Node<'t>, wanted: &str) {
        let name = node.pointer.last().unwrap_or_default();
        let message = format!(
            "expected {wanted} for `{name}`, found {}",
            node.value.kind()
        );
        self.report(codes::WRONG_TYPE, &node.origin(), message);
    }

    /// Reports a missing required field.
    pub(super) fn missing(&mut self, node: &Node<'t>, what: &str, field: &str) -> &mut Diagnostic {
        let message = format!("missing `{field}` of {what}");
        self.report(codes::MISSING_FIELD, &node.origin(), message)
    }

    /// Reports a value that the standard does not define.
    pub(super) fn unknown(&mut self, node: &Node<'t>, known: &str) {
        let name = node.pointer.last().unwrap_or_default();
        let message = format!("unknown value {} of `{name}`", node.value.to_json());
        self.report(codes::UNKNOWN_VALUE, &node.origin(), message)
            .help(format!("write one of {known}"));
    }

    /// Returns whether two objects are equal except for their descriptive texts.
    pub(super) fn is_same_but_texts(&self, left: &Origin, right: &Origin) -> bool {
        let compared = |origin: &Origin| {
            let mut object = self.resolver.at(origin)?.value.as_object()?.clone();
            for key in ["description", "example", "examples"] {
                object.shift_remove(key);
            }
            Some(object)
        };
        compared(left).is_some_and(|object| Some(object) == compared(right))
    }

    /// Resolves references.
    pub(super) fn follow(&mut self, node: &Node<'t>) -> Option<Node<'t>> {
        self.resolver.follow(node, self.diagnostics)
    }

    /// Returns an entry, with references resolved. `null` is treated as absent.
    pub(super) fn child(&mut self, parent: &Node<'t>, key: &str) -> Option<Node<'t>> {
        let node = parent.get(key)?;
        self.follow(&node).filter(|node| !node.value.is_null())
    }

    /// Returns the object of a node, with references resolved.
    pub(super) fn as_object(&mut self, holder: &Node<'t>) -> Option<Node<'t>> {
        let node = self.follow(holder)?;
        if node.value.as_object().is_some() || self.is_empty_object(&node) {
            return Some(node);
        }
        if holder.reference().is_some() {
            self.wrong_target(holder, "an object", node.value.kind());
        } else {
            self.wrong_type(&node, "an object");
        }
        None
    }

    /// Returns an entry that is an object.
    pub(super) fn object(&mut self, parent: &Node<'t>, key: &str) -> Option<Node<'t>> {
        let node = self.child(parent, key)?;
        self.as_object(&node)
    }

    /// Returns an object some steps below the root.
    pub(super) fn section(&mut self, root: &Node<'t>, steps: &[&str]) -> Option<Node<'t>> {
        steps
            .iter()
            .try_fold(root.clone(), |node, step| self.object(&node, step))
    }

    /// Returns the entries of an entry that is an object.
    pub(super) fn entries(
        &mut self,
        parent: &Node<'t>,
        key: &str,
    ) -> impl Iterator<Item = (&'t str, Node<'t>)> + use<'t> {
        let object = self.object(parent, key).filter(|object| {
            self.charge(
                object,
                object.value.as_object().map_or(0, |object| object.len()),
            )
        });
        let entries: Vec<_> = object.iter().flat_map(Node::entries).collect();
        entries.into_iter()
    }

    /// Returns the items of an entry that is an array.
    pub(super) fn items(
        &mut self,
        parent: &Node<'t>,
        key: &str,
    ) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let holder = parent.get(key);
        let array = self
            .child(parent, key)
            .zip(holder)
            .filter(|(node, holder)| match node.value.as_array() {
                Some(items) => self.charge(node, items.len()),
                None if self.is_one_item(holder, node) => true,
                None if holder.reference().is_some() => {
                    self.wrong_target(holder, "an array", node.value.kind());
                    false
                }
                None => {
                    self.wrong_type(node, "an array");
                    false
                }
            })
            .map(|(node, _)| node);
        let items: Vec<_> = match array {
            Some(node) if node.value.as_array().is_none() => vec![node],
            array => array.iter().flat_map(Node::items).collect(),
        };
        items.into_iter()
    }

    /// Returns the text of a node: a string, or a scalar that YAML read as another type.
    pub(super) fn as_text(&mut self, node: &Node<'t>) -> Option<String> {
        let node = self.follow(node)?;
        let text = node.value.scalar_text();
        if text.is_none() && !node.value.is_null() {
            // The readers report missing required values; without optional values the rest is still
            // usable.
            self.ignored(&node, "a string");
        }
        text
    }

    /// Returns an entry that is a text.
    pub(super) fn text(&mut self, parent: &Node<'t>, key: &str) -> Option<String> {
        // Nearly all texts are strings, which need no pointer of their own.
        match parent.value.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            _ => {
                let node = self.child(parent, key)?;
                self.as_text(&node)
            }
        }
    }

    /// Returns the description next to a reference, or else the description of the target.
    pub(super) fn describe(&mut self, holder: &Node<'t>, node: &Node<'t>) -> Option<String> {
        let own = self.text(holder, "description");
        own.or_else(|| self.text(node, "description"))
    }

    /// Returns the texts of an entry that is an array.
    pub(super) fn texts(&mut self, parent: &Node<'t>, key: &str) -> Vec<String> {
        if parent.value.get(key).is_none() {
            return vec![];
        }
        let items = self.items(parent, key);
        items.filter_map(|item| self.as_text(&item)).collect()
    }

    /// Returns the boolean value of a node.
    pub(super) fn as_flag(&mut self, node: &Node<'t>) -> Option<bool> {
        let flag = node.value.as_bool().or_else(|| self.lenient_flag(node));
        if flag.is_none() {
            self.ignored(node, "a boolean");
        }
        flag
    }

    /// Returns an entry that is a boolean.
    pub(super) fn flag(&mut self, parent: &Node<'t>, key: &str) -> Option<bool> {
        parent.value.get(key)?;
        let node = self.child(parent, key)?;
        self.as_flag(&node)
    }

    /// Returns the value of a node that is a size.
    pub(super) fn as_size(&mut self, node: &Node<'t>) -> Option<u64> {
        let size = match node.value {
            Value::String(_) => self.lenient_number(node).and_then(Number::as_integer),
            value => value.as_integer(),
        };
        let size = size.filter(|size| *size >= 0);
        if size.is_none() {
            self.ignored(node, "a non-negative integer");
        }
        size.map(|size| u64::try_from(size).unwrap_or(u64::MAX))
    }

    /// Returns the value of a node if it is a number.
    pub(super) fn as_bound(&mut self, node: &Node<'t>) -> Option<Value> {
        let number = node.value.as_number().or_else(|| self.lenient_number(node));
        if number.is_none() {
            self.ignored(node, "a number");
        }
        number.map(Value::Number)
    }
}

/// Returns the number of nodes in a value. Long texts are counted by their length.
pub(super) fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len() / 64,
        Value::Array(items) => 1 + items.iter().map(weight).sum::<usize>(),
        Value::Object(object) => 1 + object.values().map(weight).sum::<usize>(),
        _ => 1,
    }
}
