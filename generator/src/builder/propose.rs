//! Proposing an overlay that repairs the document.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::api::Use;
use super::{Builder, Plan, Timings};
use crate::diagnostic::Diagnostics;
use crate::failure::Failure;
use crate::proposal;
use crate::source::{FileLoader, LoadError, Loader, Sources};

/// The number of times that the document is read. A repair may show further problems.
const STEPS: usize = 16;

/// An overlay that repairs a document as far as each repair has one meaning.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Proposal {
    /// The text of the overlay. `None` if nothing can be repaired.
    pub text: Option<String>,
    /// The number of its actions.
    pub actions: usize,
    /// What is wrong with the document after the overlay is applied.
    pub remaining: Diagnostics,
}

/// A loader for the file system and one file that is not written yet.
struct Beside<'a> {
    path: &'a Path,
    text: String,
}

impl Loader for Beside<'_> {
    fn canonical(&self, path: &Path) -> Result<PathBuf, LoadError> {
        match path == self.path {
            true => Ok(path.to_path_buf()),
            false => FileLoader.canonical(path),
        }
    }

    fn read(&self, canonical: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
        match canonical == self.path {
            true => Ok(self.text.clone().into_bytes()),
            false => FileLoader.read(canonical, limit),
        }
    }

    fn fetch(&self, url: &str, limit: u64, timeout: Duration) -> Result<Vec<u8>, LoadError> {
        FileLoader.fetch(url, limit, timeout)
    }
}

impl Builder {
    /// Returns an overlay for the path `path` that repairs what is wrong with the root file of the
    /// document, given the plan without it.
    ///
    /// # Errors
    /// Returns an error if a setting is invalid, or the overlay cannot be written as text.
    #[doc(hidden)]
    pub fn propose_overlay(&self, plan: &Plan, path: &Path) -> Result<Proposal, Failure> {
        let json = path.extension().is_some_and(|end| end == "json");
        let name = self.spec.file_name().unwrap_or_default();
        let title = format!("Repairs of {}", name.to_string_lossy());
        let overlaid = self.clone().overlay(path);
        let filter = self.filter()?;
        let mut actions = Vec::new();
        let mut remaining = plan.diagnostics.clone();
        let mut text = None;
        for _ in 0..STEPS {
            let loader = Beside {
                path,
                text: text.clone().unwrap_or_default(),
            };
            let builder = if text.is_some() { &overlaid } else { self };
            let mut sources = Sources::new();
            let mut found = Diagnostics::new();
            for code in &self.config.allow {
                found.allow(code)?;
            }
            let tree = builder.tree(&loader, None, false, &mut sources, &mut found);
            let Some(tree) = tree else {
                remaining = found;
                break;
            };
            builder.read(
                Cow::Borrowed(&tree),
                &filter,
                Use::Code,
                &mut found,
                &mut Timings::default(),
            );
            let root = tree.value(tree.root());
            let next = root.map(|root| proposal::step(tree.root(), root, found.repairs()));
            remaining = found;
            let next = next.unwrap_or_default();
            // A repair without an effect would be proposed again.
            if next.is_empty() || next.iter().any(|action| actions.contains(action)) {
                break;
            }
            actions.extend(next);
            text = Some(proposal::text(&title, &actions, json).map_err(Failure::Setting)?);
        }
        Ok(Proposal {
            text,
            actions: actions.len(),
            remaining,
        })
    }
}
