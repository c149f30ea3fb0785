//! Loaders: the sources of file contents.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// An error of a [`Loader`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// The file does not exist.
    NotFound,
    /// The file is larger than the limit.
    TooLarge,
    /// Any other error, with the message of the system.
    Other(String),
}

/// A source of file contents.
pub trait Loader {
    /// Returns the canonical path of a file: with links and `..` resolved, and the same for all
    /// paths of the file.
    ///
    /// # Errors
    /// Returns an error if the file does not exist or cannot be accessed.
    fn canonical(&self, path: &Path) -> Result<PathBuf, LoadError>;

    /// Returns the bytes of a file, given its canonical path.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is larger than `limit` bytes.
    fn read(&self, canonical: &Path, limit: u64) -> Result<Vec<u8>, LoadError>;

    /// Returns the bytes of a document at an `https:` URL. Called only if remote references are
    /// allowed.
    ///
    /// # Errors
    /// Returns an error if the document cannot be fetched within the time limit, or is larger than
    /// `limit` bytes. Always returns an error without the feature `remote`.
    fn fetch(&self, url: &str, limit: u64, timeout: Duration) -> Result<Vec<u8>, LoadError> {
        let _ = (url, limit, timeout);
        Err(LoadError::Other(
            "this build of bothends is without its feature `remote` (`cargo install bothends \
             --features remote`)"
                .to_owned(),
        ))
    }
}

/// A loader for the file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct FileLoader;

impl From<std::io::Error> for LoadError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Self::NotFound,
            _ => Self::Other(error.to_string()),
        }
    }
}

impl Loader for FileLoader {
    fn canonical(&self, path: &Path) -> Result<PathBuf, LoadError> {
        Ok(path.canonicalize()?)
    }

    fn read(&self, canonical: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
        // The metadata is read first: opening a named pipe would wait for a writer.
        let metadata = std::fs::metadata(canonical)?;
        if !metadata.is_file() {
            return Err(LoadError::Other("it is not a file".to_owned()));
        }
        if metadata.len() > limit {
            return Err(LoadError::TooLarge);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
        // The file may have grown since then, so the limit applies to reading too.
        File::open(canonical)?
            .take(limit + 1)
            .read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(LoadError::TooLarge);
        }
        Ok(bytes)
    }

    #[cfg(feature = "remote")]
    fn fetch(&self, url: &str, limit: u64, timeout: Duration) -> Result<Vec<u8>, LoadError> {
        super::fetch::get(url, limit, timeout)
    }
}

/// A loader for files in memory: for tests, and for documents without a file.
#[derive(Debug, Clone, Default)]
pub struct MemoryLoader {
    files: BTreeMap<PathBuf, Vec<u8>>,
    remote: BTreeMap<String, Vec<u8>>,
}

impl MemoryLoader {
    /// Creates an empty loader.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn add(&mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) -> &mut Self {
        self.files.insert(normalize(path.as_ref()), bytes.into());
        self
    }

    /// Adds a document at a URL.
    pub fn add_remote(&mut self, url: impl Into<String>, bytes: impl Into<Vec<u8>>) -> &mut Self {
        self.remote.insert(url.into(), bytes.into());
        self
    }
}

impl Loader for MemoryLoader {
    fn canonical(&self, path: &Path) -> Result<PathBuf, LoadError> {
        let path = normalize(path);
        if self.files.contains_key(&path) {
            Ok(path)
        } else {
            Err(LoadError::NotFound)
        }
    }

    fn read(&self, canonical: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
        let bytes = self.files.get(canonical).ok_or(LoadError::NotFound)?;
        if bytes.len() as u64 > limit {
            Err(LoadError::TooLarge)
        } else {
            Ok(bytes.clone())
        }
    }

    fn fetch(&self, url: &str, limit: u64, _: Duration) -> Result<Vec<u8>, LoadError> {
        let bytes = self.remote.get(url).ok_or(LoadError::NotFound)?;
        if bytes.len() as u64 > limit {
            Err(LoadError::TooLarge)
        } else {
            Ok(bytes.clone())
        }
    }
}

/// Removes `.` and resolves `..` by the path alone, without access to the file system.
pub(super) fn normalize(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(normal.components().next_back(), Some(Component::Normal(_))) =>
            {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}
