//! The table of the files that were read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::overlay::Trace;
use crate::position::{FileId, Origin};

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON
    Json,
    /// YAML 1.2, with YAML 1.1's merge keys
    Yaml,
}

/// A file that was read.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The path for diagnostics: as given for the root, relative to the referring file for others.
    pub path: PathBuf,
    /// The text, without a byte order mark.
    pub text: String,
    /// The format of the text.
    pub format: Format,
    /// Whether the file was fetched. Its path is then a URL.
    pub remote: bool,
}

/// All files that were read, in the order of opening.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    overlays: BTreeSet<FileId>,
    /// The places of nodes in files that overlays changed.
    traces: BTreeMap<FileId, Trace>,
}

impl Sources {
    /// Creates an empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the file of an id from this table.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// Returns all files, in the order of opening.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// Returns the paths of all local files, in the order of opening. A build script watches these
    /// paths.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let here = self.files.iter().filter(|file| !file.remote);
        here.map(|file| file.path.as_path())
    }

    /// Returns the number of opened files.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns whether no file was opened.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the place where a node is written: in its file, or in an overlay.
    #[must_use]
    pub fn written(&self, node: &Origin) -> Origin {
        let trace = self.traces.get(&node.file);
        trace.map_or_else(
            || node.clone(),
            |trace| trace.written(node.file, &node.pointer),
        )
    }

    /// Returns the number of the action that wrote the text at a place in an overlay, from 1.
    #[must_use]
    pub fn overlay_action(&self, place: &Origin) -> Option<usize> {
        let mut steps = place.pointer.segments();
        let is_action = self.overlays.contains(&place.file) && steps.next()? == "actions";
        let index: usize = steps.next().filter(|_| is_action)?.parse().ok()?;
        Some(index + 1)
    }

    pub(super) fn add_overlay(&mut self, file: FileId) {
        self.overlays.insert(file);
    }

    pub(super) fn trace_mut(&mut self, file: FileId) -> &mut Trace {
        self.traces.entry(file).or_default()
    }

    pub(crate) fn add(&mut self, file: SourceFile) -> FileId {
        // A document of 2^32 files would need as many reads; the limit on files applies first.
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(file);
        id
    }
}
