//! Merging of values into the nodes of a document, by the rules of overlay 1.1.

use super::Budget;
use super::trace::Trace;
use crate::position::Origin;
use crate::source::Value;

/// The deepest level of a node, as for files.
const DEPTH: usize = 128;

/// Why a value cannot be merged.
#[derive(Debug)]
pub(super) enum Refused {
    /// The value at a place cannot be merged into a node of another kind.
    Incompatible {
        place: Origin,
        value: &'static str,
        node: &'static str,
    },
    TooDeep,
    Exhausted,
}

/// A value to merge, with the place where it is written.
#[derive(Clone)]
pub(super) struct Source<'s> {
    pub(super) value: &'s Value,
    /// The places of nodes below, if they are not below the place of the value.
    pub(super) trace: Option<&'s Trace>,
    pub(super) place: Origin,
}

impl<'s> Source<'s> {
    fn child(&self, key: &str, value: &'s Value) -> Self {
        let (trace, place) = Trace::step(self.trace, &self.place, key);
        Self {
            value,
            trace,
            place,
        }
    }
}

/// Merges a value into a node that an action selects. An array takes any value as a further item.
pub(super) fn update(
    node: &mut Value,
    trace: &mut Trace,
    source: &Source<'_>,
    depth: usize,
    budget: &mut Budget,
) -> Result<(), Refused> {
    match (&mut *node, source.value) {
        (Value::Array(items), Value::Null | Value::Bool(_) | Value::Number(_))
        | (Value::Array(items), Value::String(_) | Value::Object(_)) => {
            append(items, trace, source, depth, budget)
        }
        _ => merge(node, trace, source, depth, budget),
    }
}

fn merge(
    node: &mut Value,
    trace: &mut Trace,
    source: &Source<'_>,
    depth: usize,
    budget: &mut Budget,
) -> Result<(), Refused> {
    match (&mut *node, source.value) {
        (Value::Object(object), Value::Object(entries)) => {
            for (key, value) in entries {
                let source = source.child(key, value);
                match object.get_mut(key) {
                    Some(node) => merge(node, trace.child_mut(key), &source, depth + 1, budget)?,
                    None => {
                        budget.charge(value, depth + 1)?;
                        object.insert(key.clone(), value.clone());
                        trace.set(key, Trace::at(source.place, source.trace));
                    }
                }
            }
            Ok(())
        }
        (Value::Array(items), Value::Array(more)) => {
            for (index, item) in more.iter().enumerate() {
                let source = source.child(&index.to_string(), item);
                append(items, trace, &source, depth, budget)?;
            }
            Ok(())
        }
        (Value::Object(_) | Value::Array(_), _) | (_, Value::Object(_) | Value::Array(_)) => {
            Err(Refused::Incompatible {
                place: source.place.clone(),
                value: source.value.kind(),
                node: node.kind(),
            })
        }
        (_, value) => {
            budget.charge(value, depth)?;
            *node = value.clone();
            *trace = Trace::at(source.place.clone(), source.trace);
            Ok(())
        }
    }
}

fn append(
    items: &mut Vec<Value>,
    trace: &mut Trace,
    source: &Source<'_>,
    depth: usize,
    budget: &mut Budget,
) -> Result<(), Refused> {
    budget.charge(source.value, depth + 1)?;
    let index = items.len().to_string();
    items.push(source.value.clone());
    trace.set(&index, Trace::at(source.place.clone(), source.trace));
    Ok(())
}

impl Budget {
    /// Takes the size of a value that is written at a depth.
    pub(super) fn charge(&mut self, value: &Value, depth: usize) -> Result<(), Refused> {
        if depth > DEPTH {
            return Err(Refused::TooDeep);
        }
        self.spend(16)?;
        match value {
            Value::String(text) => self.spend(text.len()),
            Value::Array(items) => items
                .iter()
                .try_for_each(|item| self.charge(item, depth + 1)),
            Value::Object(object) => object.iter().try_for_each(|(key, value)| {
                self.spend(key.len())?;
                self.charge(value, depth + 1)
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        }
    }

    pub(super) fn spend(&mut self, amount: usize) -> Result<(), Refused> {
        let left = self.written.checked_sub(amount);
        self.written = left.ok_or(Refused::Exhausted)?;
        Ok(())
    }
}
