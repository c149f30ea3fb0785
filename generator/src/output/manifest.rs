//! The list of files written to a folder.
//!
//! The list contains file names without digests. Digests would change with every regeneration, and
//! cause a merge conflict between any two of them. The header of a file shows whether the file
//! still belongs to the generator.

use std::collections::BTreeSet;
use std::path::Path;

use super::paths::{self, There};
use super::{MANIFEST, MARK, OutputError, OutputFile, Record};

/// A set of paths relative to the folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest(BTreeSet<String>);

impl Manifest {
    /// Creates the list of the files to write.
    pub(super) fn new(files: &[OutputFile]) -> Self {
        Self(files.iter().map(|file| file.path.clone()).collect())
    }

    /// Reads the list of a folder. Lines with paths outside of the folder are ignored.
    pub(super) fn read(dir: &Path, record: Record) -> Result<Self, OutputError> {
        if record == Record::None {
            return Ok(Self::default());
        }
        let There::Text(text) = paths::read(&dir.join(MANIFEST))? else {
            return Ok(Self::default());
        };
        let is_entry = |path: &&str| paths::is_inside(path) && *path != MANIFEST;
        let entries = text.lines().filter(|line| !line.starts_with('#'));
        Ok(Self(entries.filter(is_entry).map(str::to_owned).collect()))
    }

    /// Returns `true` if the list contains the path.
    pub(super) fn lists(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    /// Returns the paths in this list that are not in the other list.
    pub(super) fn beyond<'m>(&'m self, other: &'m Self) -> impl Iterator<Item = &'m str> {
        self.0.difference(&other.0).map(String::as_str)
    }

    /// Returns the list as a file.
    pub(super) fn to_file(&self) -> OutputFile {
        let mut text = format!("# @{MARK}: what it wrote here. Keep this list beside the files.\n");
        for path in &self.0 {
            text.push_str(path);
            text.push('\n');
        }
        OutputFile {
            path: MANIFEST.to_owned(),
            text,
        }
    }
}
