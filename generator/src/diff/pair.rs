//! Which operations of two APIs belong together.

use std::collections::HashMap;

use crate::ir::{Api, Operation, Segment};

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
pub(super) fn operations(old: &Api, new: &Api) -> Operations {
    let keys: &[Key<'_>] = &[&|_, operation| line(operation), &|_, operation| {
        operation.name.wire.clone()
    }];
    let keyed = |api: &Api| keyed(api, &api.operations, keys);
    pair(&keyed(old), &keyed(new))
}

/// Pairs webhooks by name and method, the others by name, and callbacks by their operation: the name
/// of a callback begins with the `operationId`, which may change.
pub(super) fn webhooks(old: &Api, new: &Api) -> Operations {
    let by_path = |_: &Api, operation: &Operation| {
        let path = operation
            .webhook
            .as_ref()
            .map_or("", |webhook| webhook.path.as_str());
        format!("{path} {} {}", operation.name.wire, operation.method)
    };
    let by_name = |_: &Api, operation: &Operation| operation.name.wire.clone();
    let keys: &[Key<'_>] = &[&by_path, &by_name, &callback];
    let keyed = |api: &Api| keyed(api, &api.webhooks, keys);
    pair(&keyed(old), &keyed(new))
}

/// Returns the method and path of the operation of a callback, with its own name, or the name of a
/// webhook.
fn callback(api: &Api, operation: &Operation) -> String {
    let name = operation.name.wire.as_str();
    let webhook = operation.webhook.as_ref();
    let owner = webhook.and_then(|webhook| webhook.callback.as_ref());
    let owner = owner.and_then(|callback| api.operations.get(callback.operation));
    match (owner, name.rsplit_once('.')) {
        (Some(owner), Some((_, name))) => {
            format!("{} {name} {}", line(owner), operation.method)
        }
        _ => name.to_owned(),
    }
}

/// Returns the method and the path of an operation.
fn line(operation: &Operation) -> String {
    format!("{} {}", operation.method, shape(operation))
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

type Key<'k> = &'k dyn Fn(&Api, &Operation) -> String;

/// Returns the keys of each operation.
fn keyed(api: &Api, operations: &[Operation], keys: &[Key<'_>]) -> Vec<Vec<String>> {
    let keys_of = |operation| keys.iter().map(|key| key(api, operation)).collect();
    operations.iter().map(keys_of).collect()
}

/// Pairs by each key in turn. A key that several operations share pairs them in document order.
fn pair(old: &[Vec<String>], new: &[Vec<String>]) -> Operations {
    let mut partner: Vec<Option<usize>> = vec![None; old.len()];
    let mut taken = vec![false; new.len()];
    let count = old.first().map_or(0, Vec::len);
    for key in 0..count {
        let mut open: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, keys) in new.iter().enumerate().rev() {
            if !taken[index] {
                open.entry(&keys[key]).or_default().push(index);
            }
        }
        for (index, keys) in old.iter().enumerate() {
            if partner[index].is_some() {
                continue;
            }
            if let Some(found) = open.get_mut(keys[key].as_str()).and_then(Vec::pop) {
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
