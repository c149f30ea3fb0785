//! Reports as Markdown, for comments on pull requests. A report always fits a comment.

use std::fmt::Write as _;

use super::details::details;
use super::lines::{Line, lines};
use super::shown::{Shown, plural};

/// The size of a comment on GitHub, in characters. A report has at most as many bytes.
pub(super) const COMMENT: usize = 65_536;
/// The space for what follows the listed changes.
const NOTES: usize = 2_000;

const DETAILS: &str = "\n<details><summary>Details</summary>\n";
const DETAILS_END: &str = "\n</details>\n";

/// Text of a limited size.
struct Comment {
    text: String,
}

impl Comment {
    /// Adds a part if it fits. Returns whether it does.
    fn add(&mut self, part: &str) -> bool {
        let fits = self.text.len() + part.len() + NOTES <= COMMENT;
        if fits {
            self.text.push_str(part);
        }
        fits
    }
}

pub(super) fn render(shown: &Shown<'_>) -> String {
    let mut comment = Comment {
        text: summary(shown),
    };
    let mut cut = 0;
    let mut listed = Vec::new();
    for (title, rows) in shown.sections() {
        let mut start = format!("\n## {}: {}\n\n", capital(title), rows.len());
        for line in lines(shown, &rows) {
            let (code, what, effects) = (&line.code, escape(&line.what), escape(&line.effects));
            if comment.add(&format!("{start}- `{code}` {what} ({effects})\n")) {
                start.clear();
                listed.push(line);
            } else {
                cut += line.rows.len();
            }
        }
    }
    let detailed = add_details(&mut comment, shown, &listed);
    let mut text = comment.text;
    if shown.cut > 0 {
        let changes = plural(shown.cut, "change");
        _ = writeln!(text, "\n{changes} more; a higher `--limit` lists them.");
    }
    let cuts = [
        (cut, "change", "lists all"),
        (detailed, "change without details", "has them"),
    ];
    for (count, what, lists) in cuts.into_iter().filter(|(count, ..)| *count > 0) {
        let what = what.replacen("change", &plural(count, "change"), 1);
        _ = writeln!(
            text,
            "\n{what} here, because a comment has {COMMENT} characters: `bothends diff` with \
             `--format human --details` {lists}."
        );
    }
    if let Some(folded) = shown.folded() {
        _ = writeln!(text, "\n{folded}.");
    }
    text
}

/// Returns the verdict, the version bump, and the number of changes by audience and level.
fn summary(shown: &Shown<'_>) -> String {
    let mut text = String::new();
    if shown.report.changes.is_empty() {
        text.push_str("No changes of the API.\n");
    } else {
        let (all, failing) = (shown.report.changes.len(), shown.failing());
        let bump = shown.report.bump(shown.view.bump).name();
        let reach = shown.view.thresholds();
        let reach = reach.map_or_else(String::new, |thresholds| {
            format!("; {failing} reach `--fail-on {thresholds}`")
        });
        _ = writeln!(
            text,
            "**{}{reach}.** Required version bump: {bump}.\n\n\
             | audience | breaking | attention | safe |\n|---|---:|---:|---:|",
            plural(all, "change")
        );
        for (audience, [breaking, attention, safe]) in shown.counts() {
            let name = audience.name();
            _ = writeln!(text, "| {name} | {breaking} | {attention} | {safe} |");
        }
    }
    let expired = &shown.report.expired;
    for (fingerprint, reason) in expired.iter().take(10) {
        let reason = escape(&super::lines::clip(reason, 100));
        _ = writeln!(
            text,
            "\nAccepted change `{}` does not occur ({reason}): remove it.",
            escape(&super::lines::clip(fingerprint, 40))
        );
    }
    if expired.len() > 10 {
        _ = writeln!(
            text,
            "\n{} accepted changes more do not occur.",
            expired.len() - 10
        );
    }
    text
}

/// Adds the details of the listed changes as far as they fit. Returns the number of the others.
fn add_details(comment: &mut Comment, shown: &Shown<'_>, listed: &[Line<'_, '_>]) -> usize {
    let rows = listed
        .iter()
        .flat_map(|line| line.rows.iter().map(move |row| (line, row)));
    let (mut left_out, mut open) = (0, false);
    for (line, row) in rows {
        let mut text = if open {
            String::new()
        } else {
            DETAILS.to_owned()
        };
        let change = row.change;
        let what = super::lines::clip(
            &format!("{}: {}", super::place(change), change.message()),
            300,
        );
        _ = writeln!(text, "\n`{}` {}\n", line.code, escape(&what));
        for detail in details(shown.view, row) {
            let level = detail.level.map(|level| format!("**{}**. ", level.name()));
            let level = level.unwrap_or_default();
            _ = writeln!(text, "- {}: {level}{}", detail.name, escape(&detail.text));
        }
        match comment.add(&text) {
            true => open = true,
            false => left_out += 1,
        }
    }
    if open {
        comment.text.push_str(DETAILS_END);
    }
    left_out
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at_checked(1).unwrap_or_default();
    first.to_uppercase() + rest
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
