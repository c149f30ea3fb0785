//! Why a store could not do what it was asked for.

use std::error::Error;
use std::fmt;

/// Why a store could not do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// There is nothing with this id.
    NotFound,
    /// The delivery is not finished, so it cannot be repeated.
    NotFinished,
    /// There is no room left.
    Full,
    /// The database cannot be reached, or is busy. Later it may be.
    Unavailable,
    /// What lies in the database was not put there by us.
    Corrupt,
    /// The tables were made by a newer version of this crate.
    Schema,
    /// The user's part of a transaction failed, and nothing of it was committed.
    Aborted,
    /// Anything else the database says.
    Database,
}

/// A store could not do what it was asked for. Nothing of it was done, except where the connection
/// broke while committing: then nobody knows.
#[derive(Debug)]
pub struct StoreError {
    kind: StoreErrorKind,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl StoreError {
    /// An error of this kind.
    pub const fn new(kind: StoreErrorKind) -> Self {
        Self { kind, source: None }
    }

    /// An error of this kind, with what caused it.
    pub fn because(kind: StoreErrorKind, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            kind,
            source: Some(source.into()),
        }
    }

    /// What kind of error it is.
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
            StoreErrorKind::Corrupt => "the database holds what was not put there by us",
            StoreErrorKind::Schema => "the tables are those of a newer version",
            StoreErrorKind::Aborted => "the transaction was given up",
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
