//! The changes that a report lists, in order, with their positions.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::{Format, Located, Side};
use crate::diff::change::{Change, Report};
use crate::diff::rules::{Audience, Level};
use crate::diff::view::View;
use crate::position::{FileId, Origin, Pointer};
use crate::source::{Sources, locate};

/// A change with its positions in both documents.
pub(super) struct Row<'r> {
    pub(super) change: &'r Change,
    pub(super) old: Option<Located>,
    pub(super) new: Option<Located>,
    /// Whether the change fails the comparison.
    pub(super) fails: bool,
}

impl Row<'_> {
    /// Returns the position in the new document, or in the old one.
    pub(super) fn at(&self) -> Option<&Located> {
        self.new.as_ref().or(self.old.as_ref())
    }
}

/// A report, and what is shown of it.
pub(super) struct Shown<'r> {
    pub(super) report: &'r Report,
    pub(super) view: &'r View,
    /// The listed changes: those that fail first, then by level, then by place.
    pub(super) rows: Vec<Row<'r>>,
    /// The lowest level of listed changes.
    pub(super) lowest: Level,
    /// The changes below the lowest level.
    pub(super) folded: Vec<&'r Change>,
    /// The number of changes that the limit leaves out.
    pub(super) cut: usize,
    /// The beginning of the new document, for a change without a position.
    pub(super) start: Located,
}

impl<'r> Shown<'r> {
    pub(super) fn new(
        report: &'r Report,
        old: Side<'_>,
        new: Side<'_>,
        format: Format,
        view: &'r View,
    ) -> Self {
        let lowest = view.min_severity.unwrap_or(match format.is_for_people() {
            true => Level::Attention,
            false => Level::Safe,
        });
        let listed = |change: &&Change| view.fails(change) || view.level(change) >= lowest;
        let (mut listed, folded): (Vec<_>, Vec<_>) = report.changes.iter().partition(listed);
        listed.sort_by_key(|change| {
            let order = (!view.fails(change), Reverse(view.level(change)));
            (order, change.accepted.is_some(), change.is_text())
        });
        let count = listed.len();
        listed.truncate(view.limit.unwrap_or(count));
        let locate = |side: fn(&Change) -> Option<&Origin>, sources: &Sources| {
            positions(listed.iter().filter_map(|change| side(change)), sources)
        };
        let (mut before, mut after) = (HashMap::new(), HashMap::new());
        if format != Format::Human || view.details {
            before = locate(|change| change.old.as_ref(), old.sources);
            after = locate(|change| change.new.as_ref(), new.sources);
        }
        let find = |locate: &Option<Origin>, all: &HashMap<Origin, Located>| {
            locate.as_ref().and_then(|origin| all.get(origin)).cloned()
        };
        let cut = count - listed.len();
        let rows = listed.into_iter().map(|change| Row {
            change,
            old: find(&change.old, &before),
            new: find(&change.new, &after),
            fails: view.fails(change),
        });
        let file = new.sources.paths().next();
        Self {
            report,
            view,
            rows: rows.collect(),
            lowest,
            folded,
            cut,
            start: Located {
                file: file.map_or_else(String::new, |path| path.display().to_string()),
                line: 1,
                column: 1,
                pointer: String::new(),
            },
        }
    }

    /// Returns the number of changes that fail the comparison, whether they are listed or not.
    pub(super) fn failing(&self) -> usize {
        let all = self.report.changes.iter();
        all.filter(|change| self.view.fails(change)).count()
    }

    /// Returns the shown audiences, with the number of their changes by level, the highest first.
    pub(super) fn counts(&self) -> impl Iterator<Item = (Audience, [usize; 3])> + '_ {
        self.view.shown().map(|audience| {
            let levels = [Level::Breaking, Level::Attention, Level::Safe];
            (
                audience,
                levels.map(|level| self.report.count(audience, level)),
            )
        })
    }

    /// Returns the sections of the listed changes, the most important first.
    pub(super) fn sections(&self) -> Vec<(&'static str, Vec<&Row<'r>>)> {
        let mut sections: Vec<(&str, Vec<&Row<'_>>)> = Vec::new();
        for row in &self.rows {
            let title = match (row.fails, self.view.level(row.change)) {
                (true, _) => "fails",
                (false, level) => level.name(),
            };
            match sections.last_mut() {
                Some((last, rows)) if *last == title => rows.push(row),
                _ => sections.push((title, vec![row])),
            }
        }
        sections
    }

    /// Returns the number of changes below the lowest level, with the most frequent ones, and how
    /// to list them.
    pub(super) fn folded(&self) -> Option<String> {
        let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
        for change in &self.folded {
            *titles.entry(super::title(change)).or_default() += 1;
        }
        let mut titles: Vec<_> = titles.into_iter().collect();
        titles.sort_by_key(|(_, count)| Reverse(*count));
        let first = titles.iter().take(3);
        let first: Vec<String> = first.map(|(title, n)| format!("{n} {title}")).collect();
        let more = if titles.len() > 3 { ", ..." } else { "" };
        let safe = self.lowest == Level::Attention;
        let safe = safe && self.view.audiences.len() == Audience::ALL.len();
        let kind = match safe {
            true => "safe",
            false => "less severe",
        };
        let changes = plural(self.folded.len(), &format!("{kind} change"));
        (!self.folded.is_empty()).then(|| {
            let first = first.join(", ");
            format!("{changes} not listed ({first}{more}); `--min-severity safe` lists them")
        })
    }
}

/// Returns a count with its noun: `1 change`, `2 changes`.
pub(super) fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Searches each file once for all its positions.
fn positions<'o>(
    origins: impl Iterator<Item = &'o Origin>,
    sources: &Sources,
) -> HashMap<Origin, Located> {
    let mut files: BTreeMap<FileId, Vec<(&Origin, Pointer)>> = BTreeMap::new();
    for origin in origins {
        let written = sources.written(origin);
        let file = files.entry(written.file).or_default();
        file.push((origin, written.pointer));
    }
    let mut found = HashMap::new();
    for (id, mut origins) in files {
        let Some(file) = sources.get(id) else {
            continue;
        };
        origins.sort();
        origins.dedup();
        let (origins, pointers): (Vec<&Origin>, Vec<Pointer>) = origins.into_iter().unzip();
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
