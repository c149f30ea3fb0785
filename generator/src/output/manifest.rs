//! The list of what was written into a folder.
//!
//! It names files and holds no digests: those would make every regeneration a change of the list,
//! and every two of them a merge conflict. Whether a file is still the generator's is told by its
//! header.

use std::collections::BTreeSet;
use std::path::Path;

use super::paths::{self, There};
use super::{MANIFEST, MARK, OutputError, OutputFile, Record};

/// Paths below the folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest(BTreeSet<String>);

impl Manifest {
    /// The list of what is to be written.
    pub(super) fn of(files: &[OutputFile]) -> Self {
        Self(files.iter().map(|file| file.path.clone()).collect())
    }

    /// The list that lies in a folder. Lines that lead elsewhere do not count.
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

    /// Whether a path is on the list.
    pub(super) fn lists(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    /// What is on this list and not on the other.
    pub(super) fn beyond<'m>(&'m self, other: &'m Self) -> impl Iterator<Item = &'m str> {
        self.0.difference(&other.0).map(String::as_str)
    }

    /// The list as a file.
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
