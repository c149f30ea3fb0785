//! Files in, trees out: reading JSON and YAML, and knowing where every node came from.
//!
//! [`load()`] reads the root document and every file it refers to, directly or not. What it
//! returns holds plain [`Value`]s; the texts stay in [`Sources`] for the listings of diagnostics.

use std::path::Path;
use std::time::Duration;

use crate::diagnostic::Diagnostics;

mod decode;
#[cfg(feature = "remote")]
mod fetch;
mod json;
mod load;
mod loader;
mod locate;
mod read;
mod remote;
mod repair;
mod sources;
#[cfg(test)]
mod tests;
mod tree;
mod url;
mod value;
mod yaml;

pub use loader::{FileLoader, LoadError, Loader, MemoryLoader};
pub(crate) use locate::Lines;
pub use locate::{Position, locate};
pub use sources::{Format, SourceFile, Sources};
pub use tree::{Failure, Link, Tree};
pub(crate) use url::{join, percent_decode};
pub use value::{Number, Object, Value};

/// What is read, and how much of it.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Whether relative references may leave the folder of the root document.
    pub allow_outside: bool,
    /// Largest size of one file, in bytes.
    pub file_bytes: u64,
    /// Largest number of files of one document.
    pub files: usize,
    /// Whether references to `https:` URLs are fetched.
    pub allow_remote: bool,
    /// Largest size of one fetched document, in bytes.
    pub remote_bytes: u64,
    /// Largest number of documents that are fetched.
    pub remote_files: usize,
    /// How long fetching may take, all in all.
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

/// Reads the document at `path` and every file it refers to.
///
/// `None` when the root cannot be read; the reason is then among the diagnostics. A file that is
/// referred to and cannot be read is told when the reference is followed.
pub fn load(
    path: &Path,
    limits: &Limits,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Tree> {
    load::load(&FileLoader, path, limits, sources, diagnostics)
}

/// Like [`load()`], with files from anywhere.
pub fn load_with(
    loader: &dyn Loader,
    path: &Path,
    limits: &Limits,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Tree> {
    load::load(loader, path, limits, sources, diagnostics)
}

/// Reads a document of one file from its text; `name` is the path that diagnostics show.
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
        sources,
        diagnostics,
    )
}
