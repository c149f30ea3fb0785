//! The list of what was written into a folder.

use std::collections::BTreeMap;
use std::path::Path;

use super::paths::{self, There};
use super::{MANIFEST, MARK, OutputError, OutputFile, Record};

/// Paths, and a digest of what each file held.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest(BTreeMap<String, String>);

impl Manifest {
    /// The list of what is to be written.
    pub(super) fn of(files: &[OutputFile]) -> Self {
        Self(
            files
                .iter()
                .map(|file| (file.path.clone(), digest(&file.text)))
                .collect(),
        )
    }

    /// The list that lies in a folder. Lines that lead elsewhere do not count.
    pub(super) fn read(dir: &Path, record: Record) -> Result<Self, OutputError> {
        if record == Record::None {
            return Ok(Self::default());
        }
        let There::Text(text) = paths::read(&dir.join(MANIFEST))? else {
            return Ok(Self::default());
        };
        let entries = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| {
                let (digest, path) = line.split_once(' ')?;
                (paths::is_inside(path) && path != MANIFEST)
                    .then(|| (path.to_owned(), digest.to_owned()))
            });
        Ok(Self(entries.collect()))
    }

    /// Whether a path is on the list.
    pub(super) fn lists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// What is on this list and not on the other: each path, and whether the digest is of `text`.
    pub(super) fn beyond<'m>(
        &'m self,
        other: &'m Self,
    ) -> impl Iterator<Item = (&'m str, &'m str)> {
        self.0
            .iter()
            .filter(|(path, _)| !other.lists(path))
            .map(|(path, digest)| (path.as_str(), digest.as_str()))
    }

    /// The list as a file.
    pub(super) fn to_file(&self) -> OutputFile {
        let mut text = format!(
            "# @{MARK}: what it wrote here. Keep this file beside them under version control.\n"
        );
        for (path, digest) in &self.0 {
            text.push_str(digest);
            text.push(' ');
            text.push_str(path);
            text.push('\n');
        }
        OutputFile {
            path: MANIFEST.to_owned(),
            text,
        }
    }
}

/// A digest that tells whether somebody changed a file, by accident or by hand (FNV-1a, 64 bits).
pub(super) fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
