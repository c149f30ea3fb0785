//! Diagnostics: codes, and a collector.
//!
//! A stage reports into [`Diagnostics`] and continues; the caller drains the collector between
//! stages. A diagnostic has the file and the pointer of its node; the line and the column are
//! determined when the diagnostic is rendered (see [`crate::report`]).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::position::{FileId, Origin};

mod code;
pub mod codes;
mod repair;
#[cfg(test)]
mod tests;

pub use code::{Code, Severity};
pub(crate) use repair::{Change, Repair};

/// One problem of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of problem.
    pub code: &'static Code,
    /// Severity after allowances.
    pub severity: Severity,
    /// The problem in this document.
    pub message: String,
    /// The node with the problem; `None` for a problem without a place in a document.
    pub origin: Option<Origin>,
    /// The next places of the same warning or note, at most [`FURTHER`] of them.
    pub further: Vec<Origin>,
    /// How many places the same warning or note has after the first.
    pub repeated: usize,
    /// Byte offset in the text, for files that could not be parsed and so have no nodes.
    pub offset: Option<usize>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Option<String>,
    /// The number of further diagnostics of this code that are only counted. Non-zero only in the
    /// last listed diagnostic of a code.
    pub omitted: usize,
}

/// The number of places after the first one that are listed for a repeated warning or note.
pub const FURTHER: usize = 2;

impl Diagnostic {
    /// Sets the help text: what to write instead.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a note, unless the diagnostic already has the same note.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        self
    }
}

/// An unknown code in `--allow` or in the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCode(pub String);

impl std::fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown diagnostic code `{}`", self.0)
    }
}

impl std::error::Error for UnknownCode {}

/// The number of warnings of one code that are listed; further ones are counted.
const WARNINGS: usize = 50;
/// The number of errors of one code that are listed; further ones are counted.
const ERRORS: usize = 200;

/// Collects diagnostics, and applies allowances to each.
///
/// A large document repeats a mistake in thousands of places. A warning or note with the same message is
/// listed once, with its first places and their number ([`Diagnostic::repeated`]). Of each code the first
/// 200 errors and the first 50 warnings are listed; the last of them has the number of the others
/// ([`Diagnostic::omitted`]).
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// The last diagnostic that is not shown. Stored because `report` returns a reference.
    silenced: Option<Diagnostic>,
    /// The indices of listed diagnostics. A problem found in two ways is reported once.
    seen: BTreeMap<(&'static str, Option<Origin>, String), usize>,
    /// Warnings and notes by their message.
    alike: BTreeMap<(&'static str, String), usize>,
    /// Hashes of diagnostics that are only counted, so that each problem is counted once.
    counted: HashSet<u64>,
    /// The number of listed diagnostics of each code, and the index of the last one.
    listed: BTreeMap<&'static str, (usize, usize)>,
    allowed: BTreeSet<&'static str>,
    used: BTreeSet<&'static str>,
    /// Whether every diagnostic is listed, for another collector that receives some of them.
    lists_all: bool,
    /// Changes that end problems, in the order of the problems.
    repairs: Vec<Repair>,
}

impl Diagnostics {
    /// Creates an empty collector without allowances.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a collector that lists every diagnostic, for [`Self::absorb`].
    pub(crate) fn of_all() -> Self {
        Self {
            lists_all: true,
            ..Self::default()
        }
    }

    /// Allows a code: its errors become warnings, its warnings and notes are not shown.
    ///
    /// # Errors
    /// Returns an error if the code does not exist. A code that cannot be allowed is accepted here; its
    /// errors stay errors, and [`Self::finish`] reports the allowance as unused.
    pub fn allow(&mut self, code: &str) -> Result<(), UnknownCode> {
        let code = codes::find(code).ok_or_else(|| UnknownCode(code.to_owned()))?;
        self.allowed.insert(code.id);
        Ok(())
    }

    /// Returns an empty list that leaves out the same codes.
    #[must_use]
    pub(crate) fn fresh(&self) -> Self {
        Self {
            allowed: self.allowed.clone(),
            ..Self::default()
        }
    }

    /// Reports a problem of the node at `origin`.
    pub fn report(
        &mut self,
        code: &'static Code,
        origin: &Origin,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(code, Some(origin.clone()), None, message.into())
    }

    /// Reports a problem that has no place in a document.
    pub fn report_general(
        &mut self,
        code: &'static Code,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(code, None, None, message.into())
    }

    /// Reports a problem at a byte of a file that could not be parsed.
    pub fn report_at(
        &mut self,
        code: &'static Code,
        file: FileId,
        offset: usize,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let origin = Origin {
            file,
            ..Origin::default()
        };
        self.push(code, Some(origin), Some(offset), message.into())
    }

    /// Adds a change that ends a problem. A problem found in two ways is repaired once.
    pub(crate) fn propose(&mut self, place: &Origin, change: Change, description: String) {
        let is_known = |repair: &Repair| repair.place == *place && repair.change == change;
        if self.repairs.len() < ERRORS && !self.repairs.iter().any(is_known) {
            let place = place.clone();
            self.repairs.push(Repair {
                place,
                change,
                description,
            });
        }
    }

    /// Returns the changes that end problems.
    pub(crate) fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// Returns whether another problem of this code would be listed, and not only counted.
    /// Otherwise, costly parts of a message, such as suggestions for misspelled names, are not
    /// computed.
    pub(crate) fn wants(&self, code: &'static Code) -> bool {
        let listed = self.listed.get(code.id).map_or(0, |(listed, _)| *listed);
        listed < WARNINGS || (code.severity() == Severity::Error && listed < ERRORS)
    }

    fn push(
        &mut self,
        code: &'static Code,
        origin: Option<Origin>,
        offset: Option<usize>,
        message: String,
    ) -> &mut Diagnostic {
        let mut severity = code.severity();
        let mut silent = false;
        if self.allowed.contains(code.id) && code.allowable {
            self.used.insert(code.id);
            silent = severity != Severity::Error;
            severity = severity.max(Severity::Warning);
        }
        let reported = Diagnostic {
            code,
            severity,
            message,
            origin,
            further: vec![],
            repeated: 0,
            offset,
            notes: vec![],
            help: code.help.map(str::to_owned),
            omitted: 0,
        };
        if silent {
            return self.silenced.insert(reported);
        }
        if self.lists_all {
            let next = self.list.len();
            self.listed.entry(code.id).or_insert((0, next)).0 += 1;
            self.list.push(reported);
            return &mut self.list[next];
        }
        let key = (code.id, reported.origin.clone(), reported.message.clone());
        if let Some(index) = self.seen.get(&key) {
            return &mut self.list[*index];
        }
        if severity != Severity::Error
            && let Some(&index) = self.alike.get(&(code.id, reported.message.clone()))
        {
            if self.is_new(&key) {
                let first = &mut self.list[index];
                first.repeated += 1;
                let room = first.further.len() < FURTHER;
                first
                    .further
                    .extend(reported.origin.clone().filter(|_| room));
            }
            return self.silenced.insert(reported);
        }
        let most = match severity {
            Severity::Error => ERRORS,
            Severity::Warning | Severity::Note => WARNINGS,
        };
        let next = self.list.len();
        let (listed, last) = self.listed.entry(code.id).or_insert((0, next));
        if *listed >= most {
            let last = *last;
            if self.is_new(&key) {
                self.list[last].omitted += 1;
            }
            return self.silenced.insert(reported);
        }
        *listed += 1;
        *last = next;
        if severity != Severity::Error {
            self.alike.insert((code.id, reported.message.clone()), next);
        }
        self.seen.insert(key, next);
        self.list.push(reported);
        &mut self.list[next]
    }

    /// Returns whether a problem that is only counted was not counted before.
    fn is_new(&mut self, key: &(&'static str, Option<Origin>, String)) -> bool {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        self.counted.insert(hasher.finish())
    }

    /// Returns whether something was reported with a code.
    pub(crate) fn contains(&self, code: &'static Code) -> bool {
        self.iter().any(|found| found.code == code)
    }

    /// Returns whether any diagnostic so far is an error, which stops the generation.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Returns the number of errors, warnings or notes, including those that are only counted. A warning
    /// that repeats counts once.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        let listed = self.list.iter().filter(|entry| entry.severity == severity);
        listed.map(|entry| 1 + entry.omitted).sum()
    }

    /// Returns an iterator over the listed diagnostics, in the order of their reports. Only the
    /// first diagnostics of a code are listed, see [`Diagnostic::omitted`].
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Returns a copy without notes, to be rendered where only problems are shown.
    pub(crate) fn without_notes(&self) -> Self {
        let mut problems = self.clone();
        problems.list.retain(|it| it.severity != Severity::Note);
        problems
    }

    /// Returns a copy with the diagnostics of one code.
    #[must_use]
    #[doc(hidden)]
    pub fn only(&self, code: &'static Code) -> Self {
        let mut some = self.clone();
        some.list.retain(|entry| entry.code == code);
        some
    }

    /// Returns the number of listed diagnostics.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether no diagnostic was reported.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds the diagnostics of another collector, with the allowances of this collector.
    pub(crate) fn absorb<'a>(&mut self, found: impl IntoIterator<Item = &'a Diagnostic>) {
        for diagnostic in found {
            let reported = self.push(
                diagnostic.code,
                diagnostic.origin.clone(),
                diagnostic.offset,
                diagnostic.message.clone(),
            );
            for note in &diagnostic.notes {
                reported.note(note.clone());
            }
            reported.help.clone_from(&diagnostic.help);
            for origin in &diagnostic.further {
                self.push(
                    diagnostic.code,
                    Some(origin.clone()),
                    None,
                    diagnostic.message.clone(),
                );
            }
            if let Some(first) = self
                .alike
                .get(&(diagnostic.code.id, diagnostic.message.clone()))
            {
                self.list[*first].repeated += diagnostic.repeated - diagnostic.further.len();
            }
            if diagnostic.omitted > 0 {
                self.omit(diagnostic);
            }
        }
    }

    /// Adds the number of diagnostics that another collector only counted.
    fn omit(&mut self, diagnostic: &Diagnostic) {
        if let Some((_, last)) = self.listed.get(diagnostic.code.id) {
            self.list[*last].omitted += diagnostic.omitted;
        }
    }

    /// Ends a run: reports every unused allowance.
    ///
    /// Must be called only after all stages ran without errors. After an error, later stages did
    /// not run, and the allowances that they need are unknown.
    pub fn finish(&mut self) {
        let unused: Vec<_> = self.allowed.difference(&self.used).copied().collect();
        for id in unused {
            let allowable = codes::find(id).is_some_and(|code| code.allowable);
            let reported = self.report_general(
                codes::UNUSED_ALLOWANCE,
                format!("`{id}` is allowed, but was not reported"),
            );
            if allowable {
                reported.help(format!("remove the allowance of `{id}`"));
            } else {
                reported.help(format!("`{id}` cannot be allowed; remove the allowance"));
            }
        }
    }
}

/// Returns a text of the document for a message, or its first characters.
pub(crate) fn beginning(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
