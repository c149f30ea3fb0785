//! The types of documented errors, which operations with equal errors share.

use std::collections::{BTreeSet, HashMap};

use super::super::rules::{Direction, Raw};
use super::{Finder, Scope};
use crate::ir::{Api, Operation};

/// The operations that share each type of errors.
type Sharing = HashMap<(bool, String), BTreeSet<usize>>;

impl Finder<'_> {
    /// Compares the type of the errors of each operation, and which operations share it.
    ///
    /// The alias of an operation stays, so another name of the type breaks no code. Code that
    /// implements a trait for the errors of each operation breaks if other operations share the type.
    pub(super) fn errors(&mut self) {
        let names: Vec<[String; 2]> = self
            .calls
            .iter()
            .map(|call| [error(self.old, call.old), error(self.new, call.new)])
            .collect();
        let sharing = |side: usize| {
            let mut sharing = Sharing::new();
            for (index, (call, names)) in self.calls.iter().zip(&names).enumerate() {
                let shared = sharing.entry((call.webhook, names[side].clone()));
                shared.or_default().insert(index);
            }
            sharing
        };
        let (old, new) = (sharing(0), sharing(1));
        for (index, [from, to]) in names.iter().enumerate() {
            let call = self.calls[index];
            if from == to || call.old.base != call.new.base {
                continue;
            }
            let users = |of: &Sharing, name: &String| match name.as_str() {
                // `NoError` has no values, so nothing is converted into it.
                NO_ERROR => BTreeSet::from([index]),
                _ => of
                    .get(&(call.webhook, name.clone()))
                    .cloned()
                    .unwrap_or_default(),
            };
            let raw = match users(&old, from) == users(&new, to) {
                true => Raw::ErrorShapeChanged,
                false => Raw::ErrorSharingChanged,
            };
            let scope = Scope::Operation(index, Direction::Response);
            let values = Some((from.clone(), to.clone()));
            self.note_call(raw, &call, &scope, values);
        }
    }
}

/// The type of the errors of operations without documented errors.
const NO_ERROR: &str = "NoError";

/// Returns the name of the type of the documented errors.
fn error(api: &Api, of: &Operation) -> String {
    match of.error_set {
        _ if of.errors.is_empty() => NO_ERROR.to_owned(),
        Some(set) => {
            let set = api.error_sets.get(set);
            set.map_or_else(String::new, |set| set.name.rust.clone())
        }
        None => format!("{}Error", of.base),
    }
}
