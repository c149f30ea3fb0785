//! The files that a run reads.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bothends::source::{FileLoader, LoadError, Loader};
use serde::{Deserialize, Serialize};

use super::digest;

/// A loader for the file system that keeps its results.
#[derive(Debug, Default)]
pub(in crate::cli) struct Recording {
    inputs: RefCell<Inputs>,
    /// Whether a result cannot be kept: it is an error of the system, or the content of a URL.
    is_partial: Cell<bool>,
}

/// What a run has learnt from the file system.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// The canonical paths; `None` for paths without a file.
    pub(super) canonical: BTreeMap<PathBuf, Option<PathBuf>>,
    /// The digests of the files that were read.
    pub(super) files: BTreeMap<PathBuf, String>,
}

impl Recording {
    /// Results that change during a run are not kept.
    fn compare<T: PartialEq>(&self, before: Option<&T>, now: &T) {
        if before.is_some_and(|before| before != now) {
            self.is_partial.set(true);
        }
    }

    /// Returns all results, unless one cannot be kept.
    pub(super) fn finish(self) -> Option<Inputs> {
        (!self.is_partial.get()).then(|| self.inputs.into_inner())
    }
}

impl Loader for Recording {
    fn canonical(&self, path: &Path) -> Result<PathBuf, LoadError> {
        let found = FileLoader.canonical(path);
        let result = match &found {
            Ok(canonical) => Some(canonical.clone()),
            Err(LoadError::NotFound) => None,
            Err(_) => {
                self.is_partial.set(true);
                None
            }
        };
        let mut inputs = self.inputs.borrow_mut();
        let before = inputs.canonical.insert(path.to_path_buf(), result.clone());
        self.compare(before.as_ref(), &result);
        found
    }

    fn read(&self, canonical: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
        let found = FileLoader.read(canonical, limit);
        match &found {
            Ok(bytes) => {
                let digest = digest(bytes);
                let mut inputs = self.inputs.borrow_mut();
                let before = inputs.files.insert(canonical.to_path_buf(), digest.clone());
                self.compare(before.as_ref(), &digest);
            }
            Err(_) => self.is_partial.set(true),
        }
        found
    }

    fn fetch(&self, url: &str, limit: u64, timeout: Duration) -> Result<Vec<u8>, LoadError> {
        self.is_partial.set(true);
        FileLoader.fetch(url, limit, timeout)
    }
}

impl Inputs {
    /// Returns whether the file system gives the same results now.
    pub(super) fn are_as_before(&self) -> bool {
        let canonical = |(path, before): (&PathBuf, &Option<PathBuf>)| match (
            FileLoader.canonical(path),
            before,
        ) {
            (Ok(now), Some(before)) => now == *before,
            (Err(LoadError::NotFound), None) => true,
            _ => false,
        };
        let content = |(path, before): (&PathBuf, &String)| {
            let now = FileLoader.read(path, u64::MAX - 1);
            now.is_ok_and(|bytes| digest(&bytes) == *before)
        };
        self.canonical.iter().all(canonical) && self.files.iter().all(content)
    }
}
