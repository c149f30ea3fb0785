//! Merging of values into the nodes of a document, by the rules of overlay 1.1.

use super::Budget;
use super::trace::{NODE, Trace};
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
    fn child(&self, key: &str, value: &'s Value, budget: &mut Budget) -> Result<Self, Refused> {
        // The key becomes part of the place, of the node and of its trace.
        budget.spend(NODE + 3 * key.len())?;
        let (trace, place) = Trace::step(self.trace, &self.place, key);
        Ok(Self {
            value,
            trace,
            place,
        })
    }

    /// Returns the trace of a copy of the value.
    fn written(&self, budget: &mut Budget) -> Result<Trace, Refused> {
        budget.spend(self.trace.map_or(0, Trace::size))?;
        Ok(Trace::at(self.place.clone(), self.trace))
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
                let source = source.child(key, value, budget)?;
                budget.spend(trace.first_child_size())?;
                match object.get_mut(key) {
                    Some(node) => merge(node, trace.child_mut(key), &source, depth + 1, budget)?,
                    None => {
                        budget.charge(value, depth + 1)?;
                        object.insert(key.clone(), value.clone());
                        trace.set(key, source.written(budget)?);
                    }
                }
            }
            Ok(())
        }
        (Value::Array(items), Value::Array(more)) => {
            for (index, item) in more.iter().enumerate() {
                let source = source.child(&index.to_string(), item, budget)?;
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
            *trace = source.written(budget)?;
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
    budget.spend(trace.first_child_size())?;
    let index = items.len().to_string();
    items.push(source.value.clone());
    trace.set(&index, source.written(budget)?);
    Ok(())
}

impl Budget {
    /// Takes the size of a value that is written at a depth.
    pub(super) fn charge(&mut self, value: &Value, depth: usize) -> Result<(), Refused> {
        if depth > DEPTH {
            return Err(Refused::TooDeep);
        }
        self.spend(NODE)?;
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
