//! Comparing two versions of a document.

use std::borrow::Cow;
use std::path::Path;

use super::api::Use;
use super::{Builder, Timings};
use crate::diagnostic::Diagnostics;
use crate::diff::{self, Day, Format, Report, Side, View};
use crate::failure::Failure;
use crate::ir::Api;
use crate::position::Keys;
use crate::report::{Style, render_human};
use crate::source::{FileLoader, Loader, Sources, Tree};
use crate::stack::on_large_stack;

/// The changes between two versions of a document.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The changes. `None` if one of the documents has errors.
    #[doc(hidden)]
    pub report: Option<Report>,
    /// The intermediate representation of the old document.
    #[doc(hidden)]
    pub old: Document,
    /// The intermediate representation of the new document.
    #[doc(hidden)]
    pub new: Document,
}

/// A document that was read for a comparison.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Document {
    /// The intermediate representation, with names. `None` if the document has errors.
    pub api: Option<Api>,
    /// The diagnostics of the document.
    pub diagnostics: Diagnostics,
    /// All files that were read, in the order of reading.
    pub sources: Sources,
    /// The keys by which settings name nodes of the document.
    pub keys: Keys,
}

impl Comparison {
    /// Returns whether one of the documents has errors, so that they could not be compared.
    #[must_use]
    pub const fn has_errors(&self) -> bool {
        self.report.is_none()
    }

    /// Returns all changes with their details as text for people, or the errors of the documents.
    #[must_use]
    pub fn report(&self) -> String {
        let view = View {
            details: true,
            ..View::of_all()
        };
        match self.render(Format::Human, &view) {
            Some(text) => text,
            None => [&self.old, &self.new]
                .map(|read| render_human(&read.diagnostics, &read.sources, Style::Plain))
                .concat(),
        }
    }

    /// Returns the changes in a format, or `None` if one of the documents has errors.
    #[doc(hidden)]
    #[must_use]
    pub fn render(&self, format: Format, view: &View) -> Option<String> {
        let report = self.report.as_ref()?;
        Some(diff::render(
            report,
            Side {
                sources: &self.old.sources,
            },
            Side {
                sources: &self.new.sources,
            },
            format,
            view,
        ))
    }
}

impl Builder {
    /// Compares this document with the document at the path `old`, which is the previous version.
    ///
    /// Both are read with the settings of this builder. A name of the configuration may be missing
    /// in the old document.
    ///
    /// # Errors
    /// Returns an error if a setting is invalid. Errors in the documents are part of the result.
    pub fn compare(&self, old: impl AsRef<Path>) -> Result<Comparison, Failure> {
        let old = old.as_ref();
        on_large_stack(|| {
            let old = self.read_from(&FileLoader, Some(old), true)?;
            let new = self.read_from(&FileLoader, None, false)?;
            Ok(self.comparison(old, new, None))
        })
    }

    /// Compares two documents that were read. `today` is the day of the comparison.
    #[doc(hidden)]
    #[must_use]
    pub fn comparison(&self, old: Document, new: Document, today: Option<Day>) -> Comparison {
        let options = diff::Options {
            unimplemented_handlers: self.config.unimplemented_handlers == Some(true),
            today,
            deprecation_days: self.config.deprecation_days.clone(),
            stable_from: self.config.stable_from,
            rust: match self.config.module {
                Some(true) => diff::Rust::Module,
                _ => diff::Rust::Crate,
            },
        };
        let report = match (&old.api, &new.api) {
            (Some(a), Some(b)) => {
                let mut report = diff::compare(a, b, &options);
                report.name_types(&self.config.types, [&old.keys, &new.keys]);
                for (file, import) in &self.config.imports {
                    report.name_import(file, &import.module, [&old.keys, &new.keys]);
                }
                report.rate(&self.config.severities, options.rust);
                report.accept(&self.config.accepted_changes);
                Some(report)
            }
            _ => None,
        };
        Comparison { report, old, new }
    }

    /// Reads a document for a comparison: the document at a path through a loader, or the document
    /// of the builder. The old document may lack what the configuration mentions.
    ///
    /// # Errors
    /// Returns an error if an allowance names an unknown code.
    #[doc(hidden)]
    pub fn read_from(
        &self,
        loader: &dyn Loader,
        path: Option<&Path>,
        old: bool,
    ) -> Result<Document, Failure> {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        for code in &self.config.allow {
            diagnostics.allow(code)?;
        }
        let tree = self.tree(loader, path, old, &mut sources, &mut diagnostics);
        let keys = tree.as_ref().map(Tree::keys).unwrap_or_default();
        let filter = self.filter()?;
        let purpose = Use::Comparison { is_old: old };
        let read = tree.and_then(|tree| {
            self.read(
                Cow::Owned(tree),
                &filter,
                purpose,
                &mut diagnostics,
                &mut Timings::default(),
            )
        });
        let api = read.map(|(api, _)| api);
        Ok(Document {
            api,
            diagnostics,
            sources,
            keys,
        })
    }
}
