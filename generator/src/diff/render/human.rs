//! Reports for people.

use std::fmt::Write as _;

use super::details::details;
use super::lines::{clip, lines};
use super::shown::{Row, Shown, plural};
use crate::diff::rules::Level;

pub(super) fn render(shown: &Shown<'_>) -> String {
    let mut text = String::new();
    for (fingerprint, reason) in &shown.report.expired {
        let reason = clip(reason, 100);
        _ = writeln!(
            text,
            "accepted change {fingerprint} does not occur ({reason}); remove it from \
             `[accepted-changes]`"
        );
    }
    if shown.report.changes.is_empty() {
        text.push_str("no changes\n");
        return text;
    }
    summary(&mut text, shown);
    for (title, rows) in shown.sections() {
        _ = writeln!(text, "\n{title}: {}", rows.len());
        for line in lines(shown, &rows) {
            _ = writeln!(text, "  {} {} ({})", line.code, line.what, line.effects);
            if shown.view.details {
                line.rows
                    .iter()
                    .for_each(|row| detailed(&mut text, shown, row));
            }
        }
    }
    let cut = (shown.cut > 0).then(|| {
        let changes = plural(shown.cut, "change");
        format!("{changes} more; a higher `--limit` lists them")
    });
    let notes: Vec<String> = cut.into_iter().chain(shown.folded()).collect();
    if !notes.is_empty() {
        _ = writeln!(text, "\n{}", notes.join("\n"));
    }
    text
}

/// Writes the verdict, the version bump, and the number of changes by audience and level.
fn summary(text: &mut String, shown: &Shown<'_>) {
    let (all, failing) = (shown.report.changes.len(), shown.failing());
    let changes = plural(all, "change");
    let bump = shown.report.bump(shown.view.bump).name();
    let reach = shown.view.thresholds();
    let reach = reach.map_or_else(String::new, |thresholds| {
        format!("; {failing} reach `--fail-on {thresholds}`")
    });
    _ = writeln!(text, "{changes}{reach}; version bump {bump}\n");
    _ = writeln!(
        text,
        "{:<18}{:>9}{:>11}{:>7}",
        "", "breaking", "attention", "safe"
    );
    for (audience, [breaking, attention, safe]) in shown.counts() {
        let name = audience.name();
        _ = writeln!(text, "{name:<18}{breaking:>9}{attention:>11}{safe:>7}");
    }
}

fn detailed(text: &mut String, shown: &Shown<'_>, row: &Row<'_>) {
    for detail in details(shown.view, row) {
        let Some(level) = detail.level else {
            _ = writeln!(text, "      {} {}", detail.name, detail.text);
            continue;
        };
        let mark = match level {
            Level::Breaking => '!',
            Level::Attention => '?',
            Level::Safe => ' ',
        };
        let (name, level) = (detail.name, level.name());
        _ = writeln!(text, "     {mark}{name:<18}{level:<10}{}", detail.text);
    }
}
