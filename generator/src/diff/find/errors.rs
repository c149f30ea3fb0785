//! The types of documented errors, which operations with equal errors share.

use std::collections::{BTreeSet, HashMap};

use super::super::rules::{Direction, Raw};
use super::{Finder, Scope};
use crate::ir::{Api, Operation};

/// The operations that share each type of errors.
type Sharing<'a> = HashMap<(bool, &'a str), BTreeSet<usize>>;

/// A type of errors.
struct Errors {
    /// What is equal for equal types. Other errors of the document may change the name.
    content: String,
    name: String,
}

impl Finder<'_> {
    /// Compares the type of the errors of each operation, and which operations share it.
    ///
    /// The alias of an operation stays, so another name of the type breaks no code. Code that
    /// implements a trait for the errors of each operation breaks if other operations share the type.
    pub(super) fn errors(&mut self) {
        let types: Vec<[Errors; 2]> = self
            .calls
            .iter()
            .map(|call| [error(self.old, call.old), error(self.new, call.new)])
            .collect();
        let sharing = |side: usize| {
            let mut sharing = Sharing::new();
            for (index, (call, types)) in self.calls.iter().zip(&types).enumerate() {
                let shared = sharing.entry((call.webhook, types[side].content.as_str()));
                shared.or_default().insert(index);
            }
            sharing
        };
        let (old, new) = (sharing(0), sharing(1));
        for (index, [from, to]) in types.iter().enumerate() {
            let call = self.calls[index];
            if from.content == to.content || call.old.base != call.new.base {
                continue;
            }
            let users = |sharing: &Sharing<'_>, errors: &Errors| {
                let users = sharing.get(&(call.webhook, errors.content.as_str()));
                users.cloned().unwrap_or_default()
            };
            let is_documented = from.content != NO_ERROR && to.content != NO_ERROR;
            let raw = match users(&old, from) == users(&new, to) {
                true => Raw::ErrorShapeChanged,
                false if is_documented => Raw::ErrorSharingChanged,
                false => Raw::NoErrorSharingChanged,
            };
            let scope = Scope::Operation(index, Direction::Response);
            let renamed = from.name != to.name;
            let values = renamed.then(|| (from.name.clone(), to.name.clone()));
            self.note_call(raw, &call, &scope, values);
        }
    }
}

/// The type of the errors of operations without documented errors.
const NO_ERROR: &str = "NoError";

/// Returns the type of the documented errors.
fn error(api: &Api, operation: &Operation) -> Errors {
    let named = |name: String| Errors {
        content: name.clone(),
        name,
    };
    match operation.error_set.and_then(|set| api.error_sets.get(set)) {
        _ if operation.errors.is_empty() => named(NO_ERROR.to_owned()),
        Some(set) => Errors {
            content: set.content.clone(),
            name: set.name.rust.clone(),
        },
        None => named(format!("{}Error", operation.base)),
    }
}
