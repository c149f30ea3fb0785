//! What is told to the user: codes, and a collector.
//!
//! A stage reports into [`Diagnostics`] and reads on; the front function drains them between
//! stages. A diagnostic knows the node it is about by file and pointer; the line and the column
//! are found when it is shown (see [`crate::report`]).

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::position::{FileId, Origin};

mod code;
pub mod codes;
#[cfg(test)]
mod tests;

pub use code::{Code, Severity};

/// One thing to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of problem.
    pub code: &'static Code,
    /// Error or warning, allowances applied.
    pub severity: Severity,
    /// What is wrong with this very document.
    pub message: String,
    /// The node it is about; `None` when it is about no place in a document.
    pub origin: Option<Origin>,
    /// Byte offset in the text, for files that could not be parsed and so have no nodes.
    pub offset: Option<usize>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// How many more of this code were found after this one and are only counted. Not zero only in
    /// the last one of a code that is listed.
    pub omitted: usize,
}

impl Diagnostic {
    /// Says what to do about it.
    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a fact, once.
    pub fn note(&mut self, note: impl Into<String>) -> &mut Self {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        self
    }
}

/// A code that `--allow` or the configuration names and that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCode(pub String);

impl std::fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no diagnostic code `{}`", self.0)
    }
}

impl std::error::Error for UnknownCode {}

/// How many warnings of one code are listed; further ones are counted.
const WARNINGS: usize = 50;
/// How many errors of one code are listed; further ones are counted.
const ERRORS: usize = 200;

/// Collects diagnostics, and applies allowances as they come.
///
/// A large document repeats a mistake in thousands of places. Of each code the first 200 errors and
/// the first 50 warnings are listed; the last of them says how many more there are
/// ([`Diagnostic::omitted`]).
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// The last one that is not shown; kept because `report` hands out a reference.
    silenced: Option<Diagnostic>,
    /// One problem found along two ways is told once.
    seen: BTreeMap<(&'static str, Option<Origin>, String), usize>,
    /// Hashes of those that are only counted, for the same reason.
    counted: HashSet<u64>,
    /// How many of a code are listed, and the last one's index.
    listed: BTreeMap<&'static str, (usize, usize)>,
    allowed: BTreeSet<&'static str>,
    used: BTreeSet<&'static str>,
}

impl Diagnostics {
    /// An empty collector that allows nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows a code: its errors become warnings, its warnings are not shown.
    ///
    /// # Errors
    /// When there is no such code. A code that may not be allowed is accepted here; its errors
    /// stay errors, and [`Self::finish`] tells that the allowance did nothing.
    pub fn allow(&mut self, code: &str) -> Result<(), UnknownCode> {
        let code = codes::find(code).ok_or_else(|| UnknownCode(code.to_owned()))?;
        self.allowed.insert(code.id);
        Ok(())
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

    /// Whether another problem of this code would be listed, and not only counted. What is costly to
    /// say of it, such as the name that was probably meant, need not be found out otherwise.
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
            silent = severity == Severity::Warning;
            severity = Severity::Warning;
        }
        let told = Diagnostic {
            code,
            severity,
            message,
            origin,
            offset,
            notes: vec![],
            help: None,
            omitted: 0,
        };
        if silent {
            return self.silenced.insert(told);
        }
        let key = (code.id, told.origin.clone(), told.message.clone());
        if let Some(index) = self.seen.get(&key) {
            return &mut self.list[*index];
        }
        let most = match severity {
            Severity::Error => ERRORS,
            Severity::Warning => WARNINGS,
        };
        let next = self.list.len();
        let (listed, last) = self.listed.entry(code.id).or_insert((0, next));
        if *listed >= most {
            let mut hasher = DefaultHasher::new();
            key.hash(&mut hasher);
            if self.counted.insert(hasher.finish()) {
                self.list[*last].omitted += 1;
            }
            return self.silenced.insert(told);
        }
        *listed += 1;
        *last = next;
        self.seen.insert(key, next);
        self.list.push(told);
        &mut self.list[next]
    }

    /// Whether anything found so far stops the generation.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// How many errors or warnings were found, those included that are only counted.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        let of = self.list.iter().filter(|one| one.severity == severity);
        of.map(|one| 1 + one.omitted).sum()
    }

    /// What was found, in the order it was found. Of a code with very many only the first ones are
    /// listed, see [`Diagnostic::omitted`].
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// How many are listed.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing was found.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes over what another collector found, this one's allowances applied.
    pub(crate) fn absorb(&mut self, found: &[Diagnostic]) {
        for one in found {
            let told = self.push(
                one.code,
                one.origin.clone(),
                one.offset,
                one.message.clone(),
            );
            for note in &one.notes {
                told.note(note.clone());
            }
            told.help.clone_from(&one.help);
            if one.omitted > 0 {
                self.omit(one);
            }
        }
    }

    /// Counts what another collector counted behind this one.
    fn omit(&mut self, one: &Diagnostic) {
        if let Some((_, last)) = self.listed.get(one.code.id) {
            self.list[*last].omitted += one.omitted;
        }
    }

    /// Ends a run: reports every allowance that nothing needed.
    ///
    /// Call it once all stages ran without errors. After an error later stages did not run, and
    /// what they would have needed is not known.
    pub fn finish(&mut self) {
        let unused: Vec<_> = self.allowed.difference(&self.used).copied().collect();
        for id in unused {
            let allowable = codes::find(id).is_some_and(|code| code.allowable);
            let told = self.report_general(
                codes::UNUSED_ALLOWANCE,
                format!("`{id}` is allowed, but nothing needed it"),
            );
            if allowable {
                told.help(format!("remove the allowance of `{id}`"));
            } else {
                told.help(format!("`{id}` cannot be allowed; remove the allowance"));
            }
        }
    }
}
