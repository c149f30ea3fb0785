//! Reports for people.

use std::fmt::Write as _;

use super::{Row, counts, groups, line};
use crate::diff::change::Report;
use crate::diff::rules::{Audience, Level};

pub(super) fn render(report: &Report, rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    let shown = rows.iter().filter(|row| !row.change.is_text());
    for (heading, rows) in groups(shown) {
        _ = writeln!(text, "{heading}");
        for row in rows {
            change(&mut text, row);
        }
        text.push('\n');
    }
    let texts = rows.iter().filter(|row| row.change.is_text());
    let texts: Vec<String> = texts.map(|row| super::heading(row.change)).collect();
    if !texts.is_empty() {
        let word = if texts.len() == 1 { "text" } else { "texts" };
        _ = writeln!(text, "{} changed {word}, without effects\n", texts.len());
    }
    for (fingerprint, reason) in &report.expired {
        _ = writeln!(
            text,
            "accepted change {fingerprint} does not occur ({reason}); remove it from \
             `[accepted-changes]`"
        );
    }
    if report.changes.is_empty() {
        text.push_str("no changes\n");
        return text;
    }
    for audience in Audience::ALL {
        _ = writeln!(text, "{:<18}{}", audience.name(), counts(report, audience));
    }
    _ = writeln!(text, "{:<18}{}", "version bump", report.bump().name());
    text
}

fn change(text: &mut String, row: &Row<'_>) {
    let change = row.change;
    _ = writeln!(text, "  {} {}", change.code(), line(change));
    if let Some(reason) = &change.accepted {
        _ = writeln!(text, "    accepted: {reason}");
    }
    let places = [("old", &row.old), ("new", &row.new)];
    for (side, place) in places {
        if let Some(place) = place {
            _ = writeln!(text, "    {side} {} {}", place.short(), place.pointer);
        }
    }
    match (&change.rust_old, &change.rust_new) {
        (Some(old), Some(new)) if old == new => _ = writeln!(text, "    rust {old}"),
        (Some(old), Some(new)) => _ = writeln!(text, "    rust {old} -> {new}"),
        (Some(old), None) => _ = writeln!(text, "    rust {old} -> (none)"),
        (None, Some(new)) => _ = writeln!(text, "    rust (none) -> {new}"),
        (None, None) => {}
    }
    for audience in Audience::ALL {
        let outcome = change.outcome(audience);
        let mark = match outcome.level {
            Level::Breaking => '!',
            Level::Attention => '?',
            Level::Safe => ' ',
        };
        _ = writeln!(
            text,
            "   {mark}{:<18}{:<10}{}",
            audience.name(),
            outcome.level.name(),
            outcome.reason
        );
    }
    if change.place.subject == crate::diff::Subject::Type && !change.operations.is_empty() {
        _ = writeln!(text, "    in {}", few(&change.operations));
    }
    if let Some((key, name)) = change.keep.as_ref().filter(|(key, _)| !key.is_empty()) {
        _ = writeln!(
            text,
            "    help: `[names]` {key:?} = {name:?} keeps the name"
        );
    }
    _ = writeln!(text, "    fingerprint {}", change.fingerprint);
}

/// Returns the first operations and the number of the others.
pub(super) fn few(operations: &[String]) -> String {
    let first: Vec<&str> = operations.iter().take(5).map(String::as_str).collect();
    let first = first.join(", ");
    match operations.len().saturating_sub(5) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}
