//! Reading of JSON and YAML files into trees, with the origin of every node.
//!
//! [`load()`] reads the root document and every file that it refers to, directly or indirectly. The
//! result contains plain [`Value`]s; the texts stay in [`Sources`] for the listings of diagnostics.

use std::path::Path;
use std::time::Duration;

use crate::diagnostic::Diagnostics;

mod decode;
#[cfg(feature = "remote")]
mod fetch;
mod json;
mod jsonpath;
mod lines;
mod load;
mod loader;
mod locate;
mod overlay;
mod project;
mod read;
mod reader;
mod repair;
mod search;
mod sources;
#[cfg(test)]
mod tests;
mod tree;
mod url;
mod value;
mod yaml;

pub(crate) use lines::Lines;
pub use lines::Position;
pub use loader::{FileLoader, LoadError, Loader, MemoryLoader};
pub use locate::locate;
pub use overlay::Overlays;
pub(crate) use project::is_document_of;
pub use sources::{Format, SourceFile, Sources};
pub use tree::{Failure, Link, Tree};
pub(crate) use url::{join, percent_decode};
pub use value::{Number, Object, Value};

/// Limits for reading a document.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Whether relative references may leave the project of the root document.
    pub allow_outside: bool,
    /// The maximum size of a file, in bytes.
    pub file_bytes: u64,
    /// The maximum number of files of a document.
    pub files: usize,
    /// Whether references to `https:` URLs are fetched.
    pub allow_remote: bool,
    /// The maximum size of a fetched document, in bytes.
    pub remote_bytes: u64,
    /// The maximum number of fetched documents.
    pub remote_files: usize,
    /// The maximum total time for fetching.
    pub remote_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            allow_outside: false,
            file_bytes: 64 << 20,
            files: 20_000,
            allow_remote: false,
            remote_bytes: 8 << 20,
            remote_files: 100,
            remote_time: Duration::from_secs(60),
        }
    }
}

/// Reads the document at `path` and every file that it refers to.
///
/// Returns `None` if the root document cannot be read; the diagnostics then contain the reason. An
/// unreadable file that a reference names is reported when the reference is resolved.
pub fn load(
    path: &Path,
    limits: &Limits,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Tree> {
    load::load(&FileLoader, path, limits, None, sources, diagnostics)
}

/// Like [`load()`], with a custom loader.
pub fn load_with(
    loader: &dyn Loader,
    path: &Path,
    limits: &Limits,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Tree> {
    load::load(loader, path, limits, None, sources, diagnostics)
}

/// Like [`load_with()`], with overlays that are applied to the files before references are followed.
pub fn load_overlaid(
    loader: &dyn Loader,
    path: &Path,
    limits: &Limits,
    overlays: &Overlays<'_>,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Tree> {
    load::load(loader, path, limits, Some(overlays), sources, diagnostics)
}

/// Reads a document that consists of one file from its text. `name` is the path in diagnostics.
pub fn load_text(
    name: &str,
    text: &str,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Tree> {
    let mut loader = MemoryLoader::new();
    loader.add(name, text);
    load::load(
        &loader,
        Path::new(name),
        &Limits::default(),
        None,
        sources,
        diagnostics,
    )
}
