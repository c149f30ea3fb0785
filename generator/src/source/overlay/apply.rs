//! The actions of an overlay, applied in order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use indexmap::IndexSet;

use super::merge::{Refused, Source, update};
use super::trace::Trace;
use super::{Action, Budget, Change, Overlay};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, beginning, codes};
use crate::position::{FileId, Pointer};
use crate::source::Value;
use crate::source::jsonpath::{Exhausted, Query, same};

/// The longest value of a message, in bytes.
const SHOWN: usize = 200;

/// A document that overlays change.
pub(in super::super) struct Document<'d> {
    pub(in super::super) file: FileId,
    pub(in super::super) value: &'d mut Value,
    pub(in super::super) trace: &'d mut Trace,
}

/// Applies the actions of an overlay to a document, and reports those that cannot be applied. If
/// `lenient`, a missing target is no problem. Returns `None` if they are too much work.
pub(in super::super) fn apply(
    overlay: &Overlay,
    document: Document<'_>,
    lenient: bool,
    budget: &mut Budget,
    diagnostics: &mut Diagnostics,
) -> Option<()> {
    let mut applying = Applying {
        overlay,
        document,
        lenient,
        budget,
        diagnostics,
    };
    for action in &overlay.actions {
        if let Err(Exhausted) = applying.action(action) {
            let message = "overlays cause too much work";
            applying.report(codes::OVERLAY_TOO_LARGE, action, "target", message);
            return None;
        }
    }
    Some(())
}

struct Applying<'a, 'd> {
    overlay: &'a Overlay,
    document: Document<'d>,
    lenient: bool,
    budget: &'a mut Budget,
    diagnostics: &'a mut Diagnostics,
}

impl Applying<'_, '_> {
    fn action(&mut self, action: &Action) -> Result<(), Exhausted> {
        let targets = self.select(&action.target)?;
        if targets.is_empty() {
            return self.missing(action, "target", &action.target);
        }
        if !self.is_expected(action, &targets)? {
            return Ok(());
        }
        match &action.change {
            Change::Remove => self.remove(action, &targets),
            Change::Update(value) => {
                let source = Source {
                    value,
                    trace: None,
                    place: self.overlay.place(action, "update"),
                };
                self.update(action, &targets, &source)
            }
            Change::Copy(query) => self.copy(action, &targets, query),
        }
    }

    /// Reports a problem at a key of an action.
    fn report(
        &mut self,
        code: &'static Code,
        action: &Action,
        key: &str,
        problem: impl fmt::Display,
    ) -> &mut Diagnostic {
        let place = self.overlay.place(action, key);
        let message = format!("action {}: {problem}", action.index + 1);
        self.diagnostics.report(code, &place, message)
    }

    fn select(&self, query: &Query) -> Result<IndexSet<Pointer>, Exhausted> {
        let selected = query.select(self.document.value, &self.budget.visits)?;
        Ok(selected.into_iter().collect())
    }

    /// Reports a query that selects nothing.
    fn missing(&mut self, action: &Action, key: &str, query: &Query) -> Result<(), Exhausted> {
        if self.lenient {
            return Ok(());
        }
        let message = format!("`{}` selects nothing", beginning(query.text(), SHOWN));
        if action.optional {
            self.report(codes::OVERLAY_SKIPPED, action, key, message);
            return Ok(());
        }
        let prefix = query.longest_match(self.document.value, &self.budget.visits)?;
        let note = format!(
            "the longest part that selects a node is `{}`",
            beginning(prefix, SHOWN)
        );
        let reported = self.report(codes::OVERLAY_TARGET_MISSING, action, key, message);
        reported.note(note);
        Ok(())
    }

    /// Returns whether all targets have the value that the action expects, and reports the first
    /// that does not.
    fn is_expected(
        &mut self,
        action: &Action,
        targets: &IndexSet<Pointer>,
    ) -> Result<bool, Exhausted> {
        let Some(expected) = &action.expects else {
            return Ok(true);
        };
        for pointer in targets {
            let Some(found) = node(self.document.value, pointer) else {
                continue;
            };
            if same(expected, found, &self.budget.visits)? {
                continue;
            }
            if !self.lenient {
                let message = format!(
                    "expected `{}` at `{}`, found `{}`",
                    expected.to_json_within(SHOWN),
                    pointer.readable().unwrap_or("the target"),
                    found.to_json_within(SHOWN)
                );
                let key = "x-bothends-expects";
                self.report(codes::OVERLAY_UNEXPECTED, action, key, message);
            }
            return Ok(false);
        }
        Ok(true)
    }

    fn update(
        &mut self,
        action: &Action,
        targets: &IndexSet<Pointer>,
        source: &Source<'_>,
    ) -> Result<(), Exhausted> {
        let kinds = targets
            .iter()
            .filter_map(|it| node(self.document.value, it));
        let kinds: BTreeSet<u8> = kinds.map(kind).collect();
        if kinds.len() > 1 {
            let message = "the targets are not all objects, all arrays or all primitive values";
            let reported = self.report(codes::OVERLAY_MERGE, action, "target", message);
            reported.help("write an action for each kind");
            return Ok(());
        }
        for pointer in targets {
            let Some(node) = node_mut(self.document.value, pointer) else {
                continue;
            };
            let trace = self.document.trace.node_mut(pointer);
            let depth = pointer.segments().count();
            if let Err(refused) = update(node, trace, source, depth, self.budget) {
                return self.refused(action, pointer, refused);
            }
        }
        Ok(())
    }

    fn refused(
        &mut self,
        action: &Action,
        pointer: &Pointer,
        refused: Refused,
    ) -> Result<(), Exhausted> {
        let number = action.index + 1;
        let target = pointer.readable().unwrap_or("the target");
        match refused {
            Refused::Exhausted => return Err(Exhausted),
            Refused::TooDeep => {
                let message = "the result nests more than 128 levels";
                let reported = self.report(codes::OVERLAY_MERGE, action, "target", message);
                reported.help("write a value of fewer levels, or select a node nearer to the root");
            }
            Refused::Incompatible { place, value, node } => {
                let message = format!("action {number}: {value} cannot be merged into {node}");
                let reported = self
                    .diagnostics
                    .report(codes::OVERLAY_MERGE, &place, message);
                reported.note(format!("the target is `{target}` of the document"));
            }
        }
        Ok(())
    }

    fn copy(
        &mut self,
        action: &Action,
        targets: &IndexSet<Pointer>,
        query: &Query,
    ) -> Result<(), Exhausted> {
        let selected = self.select(query)?;
        let pointer = match selected.len() {
            0 => return self.missing(action, "copy", query),
            1 => &selected[0],
            count => {
                let message = format!("`copy` selects {count} nodes, not one");
                let reported = self.report(codes::OVERLAY_MERGE, action, "copy", message);
                reported.help("write a query that selects one node");
                return Ok(());
            }
        };
        let Some(copied) = node(self.document.value, pointer) else {
            return Ok(());
        };
        let trace = self.document.trace.node(pointer);
        let size = trace.map_or(0, Trace::size);
        let charged = self.budget.charge(copied, 0);
        if charged.and_then(|()| self.budget.spend(size)).is_err() {
            return Err(Exhausted);
        }
        let value = copied.clone();
        let trace = trace.cloned();
        let place = self.document.trace.written(self.document.file, pointer);
        let source = Source {
            value: &value,
            trace: trace.as_ref(),
            place,
        };
        self.update(action, targets, &source)
    }

    fn remove(&mut self, action: &Action, targets: &IndexSet<Pointer>) -> Result<(), Exhausted> {
        if targets.contains(&Pointer::ROOT) {
            let message = "the target is the whole document";
            let reported = self.report(codes::OVERLAY_MERGE, action, "target", message);
            reported.help("select parts of the document");
            return Ok(());
        }
        let mut by_parent: BTreeMap<(usize, Pointer), BTreeSet<String>> = BTreeMap::new();
        for pointer in targets {
            let (parent, Some(last)) = (pointer.parent(), pointer.last()) else {
                continue;
            };
            let key = (parent.segments().count(), parent);
            by_parent.entry(key).or_default().insert(last);
        }
        // Deep nodes first: the removal of an item moves those after it.
        for ((_, parent), children) in by_parent.into_iter().rev() {
            self.remove_children(&parent, &children)?;
        }
        Ok(())
    }

    fn remove_children(
        &mut self,
        parent: &Pointer,
        children: &BTreeSet<String>,
    ) -> Result<(), Exhausted> {
        let place = self.document.trace.written(self.document.file, parent);
        let trace = self.document.trace.node_mut(parent);
        match node_mut(self.document.value, parent) {
            Some(Value::Object(object)) => {
                self.budget.visit(object.len())?;
                object.retain(|key, _| !children.contains(key));
                trace.remove_keys(children);
            }
            Some(Value::Array(items)) => {
                // Each item that moves gets a place of its own.
                self.budget.visit(16 * items.len())?;
                let removed: BTreeSet<usize> =
                    children.iter().filter_map(|it| it.parse().ok()).collect();
                trace.remove_items(&place, &removed, items.len());
                let mut index = 0;
                items.retain(|_| {
                    index += 1;
                    !removed.contains(&(index - 1))
                });
            }
            _ => {}
        }
        Ok(())
    }
}

impl Budget {
    fn visit(&self, nodes: usize) -> Result<(), Exhausted> {
        let left = self.visits.get().checked_sub(nodes).ok_or(Exhausted)?;
        self.visits.set(left);
        Ok(())
    }
}

/// Returns 0 for objects, 1 for arrays, and 2 for primitive values.
const fn kind(value: &Value) -> u8 {
    match value {
        Value::Object(_) => 0,
        Value::Array(_) => 1,
        _ => 2,
    }
}

fn node<'v>(root: &'v Value, pointer: &Pointer) -> Option<&'v Value> {
    pointer.segments().try_fold(root, |node, step| match node {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        other => other.get(&step),
    })
}

fn node_mut<'v>(root: &'v mut Value, pointer: &Pointer) -> Option<&'v mut Value> {
    pointer.segments().try_fold(root, |node, step| match node {
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        Value::Object(object) => object.get_mut(&step),
        _ => None,
    })
}
