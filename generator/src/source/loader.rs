//! Where the bytes of files come from.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// Why a file could not be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// There is no such file.
    NotFound,
    /// The file has more bytes than are read.
    TooLarge,
    /// Anything else, in the words of the system.
    Other(String),
}

/// Gives the bytes of files by path.
pub trait Loader {
    /// The one path that stands for a file, however it was reached: links and `..` resolved.
    ///
    /// # Errors
    /// When there is no such file or it cannot be looked at.
    fn canonical(&self, path: &Path) -> Result<PathBuf, LoadError>;

    /// The bytes of a file, given by its canonical path.
    ///
    /// # Errors
    /// When it cannot be read, or is larger than `limit` bytes.
    fn read(&self, canonical: &Path, limit: u64) -> Result<Vec<u8>, LoadError>;

    /// The bytes of a document at an `https:` URL; asked for only when remote references are
    /// allowed.
    ///
    /// # Errors
    /// When it cannot be fetched within the time, or is larger than `limit` bytes. Without the
    /// feature `remote`, always.
    fn fetch(&self, url: &str, limit: u64, timeout: Duration) -> Result<Vec<u8>, LoadError> {
        let _ = (url, limit, timeout);
        Err(LoadError::Other(
            "this build of bothends is without its feature `remote` (`cargo install bothends \
             --features remote`)"
                .to_owned(),
        ))
    }
}

/// Reads from the file system.
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
        // Looked at before it is opened: opening a pipe would wait for a writer.
        let metadata = std::fs::metadata(canonical)?;
        if !metadata.is_file() {
            return Err(LoadError::Other("it is not a file".to_owned()));
        }
        if metadata.len() > limit {
            return Err(LoadError::TooLarge);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
        // The file may have grown since, so the limit holds while reading as well.
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

/// Files held in memory: for tests, and for documents that never were files.
#[derive(Debug, Clone, Default)]
pub struct MemoryLoader {
    files: BTreeMap<PathBuf, Vec<u8>>,
    remote: BTreeMap<String, Vec<u8>>,
}

impl MemoryLoader {
    /// No files.
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

/// Removes `.` and resolves `..` as far as the path itself tells.
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
