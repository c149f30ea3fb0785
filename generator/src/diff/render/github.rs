//! Reports as annotations of GitHub Actions: one workflow command per change. What fails the
//! comparison is an error.

use std::fmt::Write as _;

use super::place;
use super::shown::{Row, Shown};
use crate::diff::change::Change;
use crate::diff::rules::Level;
use crate::diff::view::View;

pub(super) fn render(shown: &Shown<'_>) -> String {
    let mut text = String::new();
    for row in &shown.rows {
        let change = row.change;
        let at = row.at().unwrap_or(&shown.start);
        let message = format!(
            "{}: {}\n{}",
            place(change),
            change.message(),
            effects(shown.view, change).join("\n")
        );
        _ = writeln!(
            text,
            "::{} file={},line={},col={},title={}::{}",
            command(shown.view, row),
            property(&at.file),
            at.line,
            at.column,
            property(&format!("bothends {}", change.code())),
            data(message.trim_end())
        );
    }
    text
}

/// Returns the workflow command for a change.
fn command(view: &View, row: &Row<'_>) -> &'static str {
    match (row.fails, view.level(row.change), &row.change.accepted) {
        (true, ..) => "error",
        (false, Level::Breaking, None) => "warning",
        _ => "notice",
    }
}

/// Returns the effects that are not safe, with their reasons.
fn effects(view: &View, change: &Change) -> Vec<String> {
    let effects = view.shown().map(|audience| {
        let outcome = change.outcome(audience);
        (audience.name(), outcome.level, &outcome.reason)
    });
    let effects = effects.filter(|(_, level, _)| *level > Level::Safe);
    let effects =
        effects.map(|(name, level, reason)| format!("{name}: {}. {reason}", level.name()));
    effects.collect()
}

/// Escapes the text of a workflow command.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
