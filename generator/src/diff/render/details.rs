//! The details of a change: reasons, positions, Rust items, operations and the fingerprint.

use super::lines::clip;
use super::shown::Row;
use crate::diff::change::{Change, Subject};
use crate::diff::rules::{Audience, Level};
use crate::diff::view::View;

/// The largest number of characters of a detail.
const WIDTH: usize = 400;

/// A detail, such as `old` and `api.yaml:20 #/components/schemas/State`.
pub(super) struct Detail {
    pub(super) name: &'static str,
    pub(super) text: String,
    /// The level of an effect.
    pub(super) level: Option<Level>,
}

/// Returns the details of a change, in order.
pub(super) fn details(view: &View, row: &Row<'_>) -> Vec<Detail> {
    let change = row.change;
    let mut details = Vec::new();
    let mut add = |name, text: String| {
        details.push(Detail {
            name,
            text: clip(&text, WIDTH),
            level: None,
        });
    };
    if let Some(reason) = &change.accepted {
        add("accepted", reason.clone());
    }
    for (side, at) in [("old", &row.old), ("new", &row.new)] {
        if let Some(at) = at {
            add(side, format!("{} {}", at.short(), at.pointer));
        }
    }
    if let Some(rust) = rust(change) {
        add("rust", rust);
    }
    if change.place.subject == Subject::Type && !change.operations.is_empty() {
        add("in", few(&change.operations));
    }
    if let Some((key, name)) = change.keep.as_ref().filter(|(key, _)| !key.is_empty()) {
        let help = format!("`[names]` {key:?} = {name:?} keeps the name");
        add("help", help);
    }
    add("fingerprint", change.fingerprint.clone());
    let effects = view.shown().map(|audience: Audience| {
        let outcome = change.outcome(audience);
        Detail {
            name: audience.name(),
            text: outcome.reason.clone(),
            level: Some(outcome.level),
        }
    });
    effects.chain(details).collect()
}

fn rust(change: &Change) -> Option<String> {
    match (&change.rust_old, &change.rust_new) {
        (Some(old), Some(new)) if old == new => Some(old.clone()),
        (Some(old), Some(new)) => Some(format!("{old} -> {new}")),
        (Some(old), None) => Some(format!("{old} -> (none)")),
        (None, Some(new)) => Some(format!("(none) -> {new}")),
        (None, None) => None,
    }
}

/// Returns the first operations and the number of the others.
fn few(operations: &[String]) -> String {
    let first: Vec<&str> = operations.iter().take(5).map(String::as_str).collect();
    let first = first.join(", ");
    match operations.len().saturating_sub(5) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
