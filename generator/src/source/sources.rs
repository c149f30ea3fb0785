//! The table of the files that were read.

use std::path::{Path, PathBuf};

use crate::position::FileId;

/// What a file is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON
    Json,
    /// YAML 1.2, with YAML 1.1's merge keys
    Yaml,
}

/// One file that was read.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The path as a person would write it: as given for the root, beside it for the others.
    pub path: PathBuf,
    /// Its text, without a byte order mark.
    pub text: String,
    /// What it is written in.
    pub format: Format,
    /// Whether it was fetched; its path is then a URL.
    pub remote: bool,
}

/// All files that were read, in the order they were opened.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The file of an id that this table gave out.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files, in the order they were opened.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The paths of all files of this machine, in the order they were opened: what a build script
    /// watches.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let here = self.files.iter().filter(|file| !file.remote);
        here.map(|file| file.path.as_path())
    }

    /// How many files were opened.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether no file was opened.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub(crate) fn add(&mut self, file: SourceFile) -> FileId {
        // A document of 2^32 files would need as many reads; the limit on loads comes first.
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(file);
        id
    }
}
