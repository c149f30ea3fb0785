//! Reports as annotations of GitHub Actions: one workflow command per change that is not safe.

use std::fmt::Write as _;

use super::{Row, heading, line};
use crate::diff::rules::{Audience, Level};

pub(super) fn render(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for row in rows {
        let change = row.change;
        let command = match (change.worst(), &change.accepted) {
            (Level::Safe, _) => continue,
            (_, Some(_)) => "notice",
            (Level::Breaking, None) => "error",
            (Level::Attention, None) => "warning",
        };
        let at = row.new.as_ref().or(row.old.as_ref());
        let place = at.map_or_else(String::new, |at| {
            format!(
                "file={},line={},col={},",
                property(&at.file),
                at.line,
                at.column
            )
        });
        let effects = Audience::ALL.map(|audience| (audience, change.outcome(audience)));
        let effects = effects
            .iter()
            .filter(|(_, outcome)| outcome.level > Level::Safe);
        let effects: Vec<String> = effects
            .map(|(audience, outcome)| {
                format!(
                    "{}: {}. {}",
                    audience.name(),
                    outcome.level.name(),
                    outcome.reason
                )
            })
            .collect();
        let message = format!(
            "{}: {}\n{}",
            heading(change),
            line(change),
            effects.join("\n")
        );
        _ = writeln!(
            text,
            "::{command} {place}title={}::{}",
            property(&format!("bothends {}", change.code())),
            data(&message)
        );
    }
    text
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
