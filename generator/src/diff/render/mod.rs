//! Reports as text: for people, for programs, for pull requests and for CI.

mod github;
mod human;
mod json;
mod markdown;
mod sarif;

use std::collections::{BTreeMap, HashMap};

use super::change::{Change, Report};
use super::rules::Audience;
use crate::position::{FileId, Origin, Pointer};
use crate::source::{Sources, locate};

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

/// A change with its positions in both documents.
struct Row<'r> {
    change: &'r Change,
    old: Option<Located>,
    new: Option<Located>,
}

/// Renders a report.
#[must_use]
pub fn render(report: &Report, old: Side<'_>, new: Side<'_>, format: Format) -> String {
    let before = positions(
        report.changes.iter().filter_map(|one| one.old.as_ref()),
        old.sources,
    );
    let after = positions(
        report.changes.iter().filter_map(|one| one.new.as_ref()),
        new.sources,
    );
    let find = |of: &Option<Origin>, all: &HashMap<Origin, Located>| {
        of.as_ref().and_then(|origin| all.get(origin)).cloned()
    };
    let rows: Vec<Row<'_>> = report
        .changes
        .iter()
        .map(|change| Row {
            change,
            old: find(&change.old, &before),
            new: find(&change.new, &after),
        })
        .collect();
    match format {
        Format::Human => human::render(report, &rows),
        Format::Json => json::render(report, &rows),
        Format::Markdown => markdown::render(report, &rows),
        Format::Sarif => sarif::render(report, &rows),
        Format::Github => github::render(&rows),
    }
}

/// Searches each file once for all its positions.
fn positions<'o>(
    origins: impl Iterator<Item = &'o Origin>,
    sources: &Sources,
) -> HashMap<Origin, Located> {
    let mut files: BTreeMap<FileId, Vec<&Origin>> = BTreeMap::new();
    for origin in origins {
        files.entry(origin.file).or_default().push(origin);
    }
    let mut found = HashMap::new();
    for (id, mut origins) in files {
        let Some(file) = sources.get(id) else {
            continue;
        };
        origins.sort();
        origins.dedup();
        let pointers: Vec<Pointer> = origins.iter().map(|one| one.pointer.clone()).collect();
        for (origin, position) in origins.into_iter().zip(locate(file, &pointers)) {
            let located = Located {
                file: file.path.display().to_string(),
                line: position.line,
                column: position.column,
                pointer: origin.pointer().to_owned(),
            };
            found.insert(origin.clone(), located);
        }
    }
    found
}

/// Returns the heading of the group that a change belongs to.
fn heading(change: &Change) -> String {
    match (change.place.subject.name(), change.place.name.as_str()) {
        ("api", _) => "API".to_owned(),
        (subject, name) => format!("{subject} {name}"),
    }
}

/// Returns the change in one line, with its part of the place.
fn line(change: &Change) -> String {
    match change.place.member.as_str() {
        "" => change.message(),
        member => format!("{member}: {}", change.message()),
    }
}

/// Groups rows by heading, in order.
fn groups<'g, 'r>(rows: impl Iterator<Item = &'g Row<'r>>) -> Vec<(String, Vec<&'g Row<'r>>)>
where
    'r: 'g,
{
    let mut groups: Vec<(String, Vec<&Row<'_>>)> = Vec::new();
    for row in rows {
        let heading = heading(row.change);
        match groups.last_mut() {
            Some((last, list)) if *last == heading => list.push(row),
            _ => groups.push((heading, vec![row])),
        }
    }
    groups
}

/// Returns the number of changes by level for an audience, as `2 breaking, 1 attention, 5 safe`.
fn counts(report: &Report, audience: Audience) -> String {
    use super::rules::Level;
    let of = |level: Level| format!("{} {}", report.count(audience, level), level.name());
    format!(
        "{}, {}, {}",
        of(Level::Breaking),
        of(Level::Attention),
        of(Level::Safe)
    )
}
