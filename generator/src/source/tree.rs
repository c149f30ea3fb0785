//! A document in all its files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Code, Diagnostic};

use super::Value;
use crate::position::FileId;

/// The root document and every file it refers to.
#[derive(Debug, Clone)]
pub struct Tree {
    /// By [`FileId`]; `Null` for a file that could not be read.
    pub(super) values: Vec<Value>,
    /// By [`FileId`], as shown to people.
    pub(super) paths: Vec<PathBuf>,
    pub(super) root: FileId,
    /// What the file parts of references lead to, as written, by the file they stand in.
    pub(super) links: HashMap<(FileId, String), Link>,
}

/// What the file part of a reference leads to.
#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    /// A file that was read.
    File(FileId),
    /// Nothing that could be read.
    Failed(Failure),
}

/// Why a file that is referred to was not read.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The problem when it belongs to the reference.
    pub code: &'static Code,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// What was found in the file itself; the reference is then only a note.
    pub found: Vec<Diagnostic>,
}

impl Tree {
    /// The root document.
    #[must_use]
    pub const fn root(&self) -> FileId {
        self.root
    }

    /// The tree of a file.
    #[must_use]
    pub fn value(&self, file: FileId) -> Option<&Value> {
        self.values.get(file.0 as usize)
    }

    /// The path of a file, as shown to people.
    #[must_use]
    pub fn path(&self, file: FileId) -> Option<&Path> {
        self.paths.get(file.0 as usize).map(PathBuf::as_path)
    }

    /// All files with their trees.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &Value)> {
        (0..).map(FileId).zip(&self.values)
    }

    /// What the file part of a reference in `file` leads to.
    #[must_use]
    pub fn link(&self, file: FileId, part: &str) -> Option<&Link> {
        self.links.get(&(file, part.to_owned()))
    }
}
