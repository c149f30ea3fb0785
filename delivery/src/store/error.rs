//! Errors of delivery stores.

use std::error::Error;
use std::fmt;

/// The kind of a [`StoreError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// No item has this id.
    NotFound,
    /// The delivery is not finished, so it cannot be replayed.
    NotFinished,
    /// The storage is full.
    Full,
    /// The database is busy or cannot be reached. A later call may succeed.
    Unavailable,
    /// The database contains data that this crate did not write.
    Corrupt,
    /// The tables were created by a newer version of this crate.
    Schema,
    /// The store does not have this.
    Unsupported,
    /// The caller's part of a transaction failed, and the transaction was rolled back.
    Aborted,
    /// Any other database error.
    Database,
}

/// An error from a store. The operation had no effect, unless the connection broke during the
/// commit: then the effect is unknown.
#[derive(Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl StoreError {
    /// Creates an error of this kind.
    pub const fn new(kind: StoreErrorKind) -> Self {
        Self { kind, source: None }
    }

    /// Creates an error of this kind with a source.
    pub fn because(kind: StoreErrorKind, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            kind,
            source: Some(source.into()),
        }
    }

    /// Returns the kind of the error.
    pub const fn kind(&self) -> StoreErrorKind {
        self.kind
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            StoreErrorKind::NotFound => "there is nothing with this id",
            StoreErrorKind::NotFinished => "the delivery is not finished",
            StoreErrorKind::Full => "there is no room left for the database",
            StoreErrorKind::Unavailable => "the database cannot be reached",
            StoreErrorKind::Corrupt => "the database contains unexpected data",
            StoreErrorKind::Schema => "the tables are those of a newer version",
            StoreErrorKind::Unsupported => "the store does not have this",
            StoreErrorKind::Aborted => "the transaction was aborted",
            StoreErrorKind::Database => "the database refused",
        })?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
