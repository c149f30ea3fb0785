//! Which operations of two APIs belong together.

use std::collections::HashMap;

use crate::ir::{Operation, Segment};

/// An operation of both APIs, by indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Paired {
    pub(super) old: usize,
    pub(super) new: usize,
}

/// Operations of two APIs: those of both, and those of only one.
#[derive(Debug, Default)]
pub(super) struct Operations {
    pub(super) both: Vec<Paired>,
    pub(super) removed: Vec<usize>,
    pub(super) added: Vec<usize>,
}

/// Pairs operations by method and path, and the others by `operationId`. The names of path
/// parameters are not part of the path.
pub(super) fn operations(old: &[Operation], new: &[Operation]) -> Operations {
    let key = |operation: &Operation| format!("{} {}", operation.method, shape(operation));
    pair(old, new, &[&key, &|operation| operation.name.wire.clone()])
}

/// Pairs webhooks by name and method, and the others by name.
pub(super) fn webhooks(old: &[Operation], new: &[Operation]) -> Operations {
    let key = |operation: &Operation| {
        let path = operation.webhook.as_ref().map_or("", |of| of.path.as_str());
        format!("{path} {} {}", operation.name.wire, operation.method)
    };
    pair(old, new, &[&key, &|operation| operation.name.wire.clone()])
}

/// Returns the path without the names of its parameters.
pub(super) fn shape(operation: &Operation) -> String {
    let mut text = String::new();
    for segment in &operation.segments {
        text.push('/');
        match segment {
            Segment::Static(part) => text.push_str(part),
            Segment::Variable(_) => text.push_str("{}"),
            Segment::Mixed(part) => {
                let mut inside = false;
                for letter in part.chars() {
                    match letter {
                        '{' => (inside, ()) = (true, text.push_str("{}")),
                        '}' => inside = false,
                        _ if !inside => text.push(letter),
                        _ => {}
                    }
                }
            }
        }
    }
    text
}

type Key<'k> = &'k dyn Fn(&Operation) -> String;

/// Pairs by each key in turn. A key that several operations share pairs them in document order.
fn pair(old: &[Operation], new: &[Operation], keys: &[Key<'_>]) -> Operations {
    let mut partner: Vec<Option<usize>> = vec![None; old.len()];
    let mut taken = vec![false; new.len()];
    for key in keys {
        let mut open: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, operation) in new.iter().enumerate().rev() {
            if !taken[index] {
                open.entry(key(operation)).or_default().push(index);
            }
        }
        for (index, operation) in old.iter().enumerate() {
            if partner[index].is_some() {
                continue;
            }
            if let Some(found) = open.get_mut(&key(operation)).and_then(Vec::pop) {
                partner[index] = Some(found);
                taken[found] = true;
            }
        }
    }
    let mut result = Operations::default();
    for (old, new) in partner.into_iter().enumerate() {
        match new {
            Some(new) => result.both.push(Paired { old, new }),
            None => result.removed.push(old),
        }
    }
    let free = taken.iter().enumerate().filter(|(_, taken)| !**taken);
    result.added = free.map(|(index, _)| index).collect();
    result
}
