//! A document with all its files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::diagnostic::{Code, Diagnostic};

use super::Value;
use crate::position::{FileId, Keys};

/// The root document and every file that it refers to.
#[derive(Debug, Clone)]
pub struct Tree {
    /// By [`FileId`]; `Null` for a file that could not be read.
    pub(super) values: Vec<Value>,
    /// By [`FileId`], as displayed.
    pub(super) paths: Vec<PathBuf>,
    pub(super) root: FileId,
    /// The targets of the file parts of references, as written, by the referring file.
    pub(super) links: HashMap<(FileId, String), Link>,
}

/// The target of a reference's file part.
#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    /// A file that was read.
    File(FileId),
    /// A file that could not be read.
    Failed(Failure),
}

/// The reason why a referenced file was not read.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The code, if the problem belongs to the reference.
    pub code: &'static Code,
    /// The problem.
    pub message: String,
    /// The suggested solution.
    pub help: Option<String>,
    /// The diagnostics of the file itself. The reference is then reported as a note.
    pub found: Vec<Diagnostic>,
}

impl Tree {
    /// Returns the id of the root document.
    #[must_use]
    pub const fn root(&self) -> FileId {
        self.root
    }

    /// Returns the tree of a file.
    #[must_use]
    pub fn value(&self, file: FileId) -> Option<&Value> {
        self.values.get(file.0 as usize)
    }

    /// Returns the displayed path of a file.
    #[must_use]
    pub fn path(&self, file: FileId) -> Option<&Path> {
        self.paths.get(file.0 as usize).map(PathBuf::as_path)
    }

    /// Returns the keys by which settings name nodes.
    pub(crate) fn keys(&self) -> Keys {
        let files = (0..).map(FileId).take(self.values.len());
        Keys::new(
            self.root,
            files.map(|file| self.path_from_root(file)).collect(),
        )
    }

    /// Returns the path of a file from the folder of the root document, with `/` between its parts.
    fn path_from_root(&self, file: FileId) -> String {
        let path = self.path(file).unwrap_or_else(|| Path::new(""));
        let folder = self.path(self.root).and_then(Path::parent);
        let mut around = folder.into_iter().flat_map(Path::ancestors).enumerate();
        let below = around
            .find_map(|(folders, ancestor)| Some((folders, path.strip_prefix(ancestor).ok()?)));
        let (folders, path) = below.unwrap_or((0, path));
        let up = std::iter::repeat_n("..".to_owned(), folders);
        let parts = path.iter().map(|part| part.to_string_lossy().into_owned());
        up.chain(parts).collect::<Vec<_>>().join("/")
    }

    /// Returns all files with their trees.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &Value)> {
        (0..).map(FileId).zip(&self.values)
    }

    /// Returns the number of referenced files that were not read for a reason.
    pub(crate) fn failures(&self, code: &'static Code) -> usize {
        let failures = self.links.values().filter_map(|link| match link {
            Link::Failed(failure) if failure.code == code => Some(failure.message.as_str()),
            _ => None,
        });
        failures.collect::<HashSet<_>>().len()
    }

    /// Returns the target of a reference's file part in `file`.
    #[must_use]
    pub fn link(&self, file: FileId, part: &str) -> Option<&Link> {
        self.links.get(&(file, part.to_owned()))
    }
}
