//! Reports as Markdown, for comments on pull requests.

use std::fmt::Write as _;

use super::human::few;
use super::{Row, counts, groups, line};
use crate::diff::change::{Change, Report};
use crate::diff::rules::{Audience, Level};

pub(super) fn render(report: &Report, rows: &[Row<'_>]) -> String {
    if report.changes.is_empty() {
        return "No changes of the API.\n".to_owned();
    }
    let mut text = String::from("| audience | changes |\n|---|---|\n");
    for audience in Audience::ALL {
        _ = writeln!(
            text,
            "| {} | {} |",
            audience.name(),
            counts(report, audience)
        );
    }
    _ = writeln!(
        text,
        "\nRequired version bump of the generated crate: {}.",
        report.bump().name()
    );
    let own = |row: &&Row<'_>| !row.change.is_text();
    for (title, level) in [
        ("Breaking", Level::Breaking),
        ("Needs attention", Level::Attention),
        ("Safe", Level::Safe),
    ] {
        let rows = rows.iter().filter(own);
        let rows: Vec<_> = rows.filter(|row| row.change.worst() == level).collect();
        if rows.is_empty() {
            continue;
        }
        _ = writeln!(text, "\n## {title}");
        for (heading, rows) in groups(rows.into_iter()) {
            _ = writeln!(text, "\n**{}**\n", escape(&heading));
            rows.into_iter().for_each(|row| change(&mut text, row));
        }
    }
    let texts = rows.iter().filter(|row| row.change.is_text()).count();
    if texts > 0 {
        _ = writeln!(text, "\nTexts changed: {texts}.");
    }
    for (fingerprint, reason) in &report.expired {
        let reason = escape(reason);
        _ = writeln!(
            text,
            "\nAccepted change `{fingerprint}` does not occur ({reason}): remove it."
        );
    }
    text
}

fn change(text: &mut String, row: &Row<'_>) {
    let change = row.change;
    _ = writeln!(text, "- `{}` {}", change.code(), escape(&line(change)));
    if let Some(reason) = &change.accepted {
        _ = writeln!(text, "  - accepted: {}", escape(reason));
    }
    for audience in Audience::ALL {
        let outcome = change.outcome(audience);
        if outcome.level > Level::Safe {
            let (name, level) = (audience.name(), outcome.level.name());
            _ = writeln!(text, "  - {name}: **{level}**. {}", outcome.reason);
        }
    }
    if let Some(rust) = rust(change) {
        _ = writeln!(text, "  - Rust: {rust}");
    }
    if change.place.subject == crate::diff::Subject::Type && !change.operations.is_empty() {
        _ = writeln!(text, "  - in {}", escape(&few(&change.operations)));
    }
    let places = [("old", &row.old), ("new", &row.new)];
    let places: Vec<String> = places
        .into_iter()
        .filter_map(|(side, at)| at.as_ref().map(|at| format!("{side} `{}`", at.short())))
        .collect();
    if !places.is_empty() {
        _ = writeln!(text, "  - {}", places.join(", "));
    }
}

fn rust(change: &Change) -> Option<String> {
    match (&change.rust_old, &change.rust_new) {
        (Some(old), Some(new)) if old == new => Some(format!("`{old}`")),
        (Some(old), Some(new)) => Some(format!("`{old}` to `{new}`")),
        (Some(old), None) => Some(format!("`{old}` removed")),
        (None, Some(new)) => Some(format!("`{new}` added")),
        (None, None) => None,
    }
}

/// Escapes text of a document, which may contain markup. Code spans of messages stay.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '@' => escaped.push_str("@\u{200b}"),
            '\n' | '\r' => escaped.push(' '),
            '[' | ']' | '*' | '|' | '!' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}
