//! What every reader needs: the resolver, the diagnostics, the schemas, and small reads.
//!
//! The small reads share three rules: references are followed wherever they stand, `null` is the
//! same as absent (YAML makes it out of a key without value), and a value of the wrong type is
//! told and left out.

use super::extension::is_extension;
use super::rules::Rules;
use super::table::SchemaTable;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, codes};
use crate::model::Extensions;
use crate::position::Origin;
use crate::resolve::{Node, Resolver};
use crate::source::{Number, Value};

/// One read in progress.
pub(super) struct Context<'t, 'd> {
    pub(super) resolver: Resolver<'t>,
    pub(super) rules: &'static Rules,
    pub(super) diagnostics: &'d mut Diagnostics,
    pub(super) schemas: SchemaTable<'t>,
    /// Keywords that were met and that nothing checks, and where the first stands.
    pub(super) unchecked: Option<(Origin, Vec<&'t str>)>,
    /// How many parts may still be taken into the model; `None` once there were too many.
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
            resolver,
            rules,
            diagnostics,
            schemas: SchemaTable::default(),
            unchecked: None,
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

    /// Takes from the budget; `false` when it is used up, which is told.
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

    /// A copy of a value, as long as the budget lasts.
    pub(super) fn copy(&mut self, node: &Node<'t>, value: &Value) -> Value {
        if self.charge(node, weight(value)) {
            value.clone()
        } else {
            Value::Null
        }
    }

    /// The `x-` keys of an object.
    pub(super) fn extensions(&mut self, node: &Node<'t>) -> Extensions {
        let object = node.value.as_object().into_iter().flatten();
        object
            .filter(|(key, _)| is_extension(key))
            .map(|(key, value)| (key.clone(), self.copy(node, value)))
            .collect()
    }

    fn wrong_type(&mut self, node: &Node<'t>, wanted: &str) {
        let name = node.pointer.last().unwrap_or_default();
        let message = format!("`{name}` must be {wanted}, and is {}", node.value.kind());
        self.report(codes::WRONG_TYPE, &node.origin(), message);
    }

    /// Tells that a required field is missing.
    pub(super) fn missing(&mut self, node: &Node<'t>, what: &str, field: &str) -> &mut Diagnostic {
        let message = format!("missing `{field}` of {what}");
        self.report(codes::MISSING_FIELD, &node.origin(), message)
    }

    /// Tells that a value is none that the standard knows.
    pub(super) fn unknown(&mut self, node: &Node<'t>, known: &str) {
        let name = node.pointer.last().unwrap_or_default();
        let message = format!("unknown value {} of `{name}`", node.value.to_json());
        self.report(codes::UNKNOWN_VALUE, &node.origin(), message)
            .help(format!("write one of {known}"));
    }

    /// Whether two objects are equal but for what only people read.
    pub(super) fn says_the_same(&self, one: &Origin, other: &Origin) -> bool {
        let told = |origin: &Origin| {
            let mut object = self.resolver.at(origin)?.value.as_object()?.clone();
            for key in ["description", "example", "examples"] {
                object.shift_remove(key);
            }
            Some(object)
        };
        told(one).is_some_and(|one| Some(one) == told(other))
    }

    /// Follows references.
    pub(super) fn follow(&mut self, node: &Node<'t>) -> Option<Node<'t>> {
        self.resolver.follow(node, self.diagnostics)
    }

    /// An entry, references followed; `null` is absent.
    pub(super) fn child(&mut self, parent: &Node<'t>, key: &str) -> Option<Node<'t>> {
        let node = parent.get(key)?;
        self.follow(&node).filter(|node| !node.value.is_null())
    }

    /// The object that a node is or refers to.
    pub(super) fn as_object(&mut self, node: &Node<'t>) -> Option<Node<'t>> {
        let node = self.follow(node)?;
        if node.value.as_object().is_some() || self.is_empty_object(&node) {
            return Some(node);
        }
        self.wrong_type(&node, "an object");
        None
    }

    /// An entry that is an object.
    pub(super) fn object(&mut self, parent: &Node<'t>, key: &str) -> Option<Node<'t>> {
        let node = self.child(parent, key)?;
        self.as_object(&node)
    }

    /// An object some steps below the root.
    pub(super) fn section(&mut self, root: &Node<'t>, steps: &[&str]) -> Option<Node<'t>> {
        steps
            .iter()
            .try_fold(root.clone(), |node, step| self.object(&node, step))
    }

    /// The entries of an entry that is an object.
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

    /// The items of an entry that is an array.
    pub(super) fn items(
        &mut self,
        parent: &Node<'t>,
        key: &str,
    ) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let array = self
            .child(parent, key)
            .filter(|node| match node.value.as_array() {
                Some(items) => self.charge(node, items.len()),
                None if self.is_one_item(node) => true,
                None => {
                    self.wrong_type(node, "an array");
                    false
                }
            });
        let items: Vec<_> = match array {
            Some(node) if node.value.as_array().is_none() => vec![node],
            array => array.iter().flat_map(Node::items).collect(),
        };
        items.into_iter()
    }

    /// The text that a node is: a string, or a scalar that YAML took for something else.
    pub(super) fn as_text(&mut self, node: &Node<'t>) -> Option<String> {
        let node = self.follow(node)?;
        let text = node.value.scalar_text();
        if text.is_none() && !node.value.is_null() {
            // What has to be there is told by its reader; without the others the rest is still good.
            self.ignored(&node, "a string");
        }
        text
    }

    /// An entry that is text.
    pub(super) fn text(&mut self, parent: &Node<'t>, key: &str) -> Option<String> {
        // Nearly all texts are plain, and need no pointer of their own.
        match parent.value.get(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            _ => {
                let node = self.child(parent, key)?;
                self.as_text(&node)
            }
        }
    }

    /// The description beside a reference, if there is one, else that of what it refers to.
    pub(super) fn describe(&mut self, holder: &Node<'t>, node: &Node<'t>) -> Option<String> {
        let own = self.text(holder, "description");
        own.or_else(|| self.text(node, "description"))
    }

    /// The texts of an entry that is an array.
    pub(super) fn texts(&mut self, parent: &Node<'t>, key: &str) -> Vec<String> {
        if parent.value.get(key).is_none() {
            return vec![];
        }
        let items = self.items(parent, key);
        items.filter_map(|item| self.as_text(&item)).collect()
    }

    /// The boolean that a node is.
    pub(super) fn as_flag(&mut self, node: &Node<'t>) -> Option<bool> {
        let flag = node.value.as_bool().or_else(|| self.lenient_flag(node));
        if flag.is_none() {
            self.ignored(node, "a boolean");
        }
        flag
    }

    /// An entry that is a boolean.
    pub(super) fn flag(&mut self, parent: &Node<'t>, key: &str) -> Option<bool> {
        parent.value.get(key)?;
        let node = self.child(parent, key)?;
        self.as_flag(&node)
    }

    /// The size that a node is.
    pub(super) fn as_size(&mut self, node: &Node<'t>) -> Option<u64> {
        let size = match node.value {
            Value::String(_) => self.lenient_number(node).and_then(Number::as_integer),
            value => value.as_integer(),
        };
        let size = size.filter(|size| *size >= 0);
        if size.is_none() {
            self.ignored(node, "an integer that is not negative");
        }
        size.map(|size| u64::try_from(size).unwrap_or(u64::MAX))
    }

    /// Checks that a node is a number.
    pub(super) fn as_bound(&mut self, node: &Node<'t>) -> Option<Value> {
        let number = node.value.as_number().or_else(|| self.lenient_number(node));
        if number.is_none() {
            self.ignored(node, "a number");
        }
        number.map(Value::Number)
    }
}

/// How many nodes a value holds, long texts counted by their length.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len() / 64,
        Value::Array(items) => 1 + items.iter().map(weight).sum::<usize>(),
        Value::Object(object) => 1 + object.values().map(weight).sum::<usize>(),
        _ => 1,
    }
}
