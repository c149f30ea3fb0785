//! Reports as text: for people, for programs, for pull requests and for CI.

mod details;
mod github;
mod html;
mod human;
mod json;
mod lines;
mod markdown;
mod sarif;
mod shown;
mod style;

use crate::diff::change::{Change, Report};
use crate::diff::view::View;
use crate::source::Sources;

pub use html::{Commit, Timeline};
use shown::Shown;

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Text for people.
    Human,
    /// One JSON object.
    Json,
    /// Markdown for a comment on a pull request.
    Markdown,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

impl Format {
    /// Returns whether people read the format. Programs get the safe changes, too.
    const fn is_for_people(self) -> bool {
        matches!(self, Self::Human | Self::Markdown | Self::Github)
    }
}

/// A side of a comparison: the files of a document.
#[derive(Debug, Clone, Copy)]
pub struct Side<'s> {
    /// The files.
    pub sources: &'s Sources,
}

/// A position in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The path of the file.
    pub file: String,
    /// The line, starting at 1.
    pub line: usize,
    /// The column, starting at 1.
    pub column: usize,
    /// The JSON pointer.
    pub pointer: String,
}

impl Located {
    /// Returns `file:line`.
    #[must_use]
    pub fn short(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

/// Renders a report.
#[must_use]
pub fn render(
    report: &Report,
    old: Side<'_>,
    new: Side<'_>,
    format: Format,
    view: &View,
) -> String {
    let shown = Shown::new(report, old, new, format, view);
    match format {
        Format::Human => human::render(&shown),
        Format::Json => json::render(&shown),
        Format::Markdown => markdown::render(&shown),
        Format::Sarif => sarif::render(&shown),
        Format::Github => github::render(&shown),
    }
}

/// Returns the item that a change belongs to, with its part.
fn place(change: &Change) -> String {
    let part = &change.place.member;
    match heading(change) {
        heading if part.is_empty() => heading,
        heading => format!("{heading}, {part}"),
    }
}

/// Returns the title of the rule of a change.
fn title(change: &Change) -> &'static str {
    change.rules.first().map_or("", |rule| rule.title)
}

/// Returns the item that a change belongs to.
fn heading(change: &Change) -> String {
    match (change.place.subject.name(), change.place.name.as_str()) {
        ("api", _) => "API".to_owned(),
        ("operation", name) => name.to_owned(),
        (subject, name) => format!("{subject} {name}"),
    }
}
