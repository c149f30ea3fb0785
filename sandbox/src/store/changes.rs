//! Changes that are committed together.

use super::{Document, Row, StorageError, Stored, Written};
use bothends_delivery::Message;
use std::fmt;

/// Changes that are committed in one transaction: writes of documents, and webhooks.
#[derive(Debug, Default)]
pub struct Changes {
    pub(super) writes: Vec<Write>,
    pub(super) messages: Vec<Message>,
    /// The first document that could not be written as JSON.
    pub(super) failed: Option<StorageError>,
}

/// One write.
#[derive(Debug)]
pub(super) enum Write {
    /// The document must not exist.
    Insert(Row),
    /// The stored version must be the one before.
    Update(Row),
    /// The stored version must be this one.
    Remove {
        project: String,
        kind: &'static str,
        id: String,
        version: i64,
    },
    /// Removes all documents of these types.
    Clear {
        project: String,
        kinds: Vec<&'static str>,
    },
}

impl Changes {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a new document.
    pub fn insert<T: Document>(&mut self, document: &T) -> &mut Self {
        match Row::new(document, 1) {
            Ok(row) => self.writes.push(Write::Insert(row)),
            Err(error) => self.failed = self.failed.take().or(Some(error)),
        }
        self
    }

    /// Adds new documents of a [log](Document::IS_LOG), all of the same project, in one row.
    pub fn append<T: Document>(&mut self, documents: &[&Written<T>]) -> &mut Self {
        const { assert!(T::IS_LOG, "only a log is stored in batches") };
        match Row::batch(documents) {
            Ok(row) => self.writes.push(Write::Insert(row)),
            Err(error) => self.failed = self.failed.take().or(Some(error)),
        }
        self
    }

    /// Changes a document that was read.
    pub fn update<T: Document>(&mut self, document: &Stored<T>) -> &mut Self {
        const { assert!(!T::IS_LOG, "a log does not change") };
        match Row::new(&document.value, document.version + 1) {
            Ok(row) => self.writes.push(Write::Update(row)),
            Err(error) => self.failed = self.failed.take().or(Some(error)),
        }
        self
    }

    /// Removes a document that was read.
    pub fn remove<T: Document>(&mut self, document: &Stored<T>) -> &mut Self {
        const { assert!(!T::IS_LOG, "a log does not change") };
        self.writes.push(Write::Remove {
            project: document.value.project().to_owned(),
            kind: T::KIND,
            id: document.value.id().to_owned(),
            version: document.version,
        });
        self
    }

    /// Removes all documents of a project of the given types, and inserts others. The commit conflicts
    /// if a tag belongs to another project.
    pub fn replace(&mut self, project: &str, kinds: &[&'static str], rows: Vec<Row>) -> &mut Self {
        self.writes.push(Write::Clear {
            project: project.to_owned(),
            kinds: kinds.to_vec(),
        });
        self.writes.extend(rows.into_iter().map(Write::Insert));
        self
    }

    /// Enqueues a webhook.
    pub fn enqueue(&mut self, message: Message) -> &mut Self {
        self.messages.push(message);
        self
    }

    /// Returns `true` if there is nothing to commit.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.messages.is_empty() && self.failed.is_none()
    }
}

/// An error of a commit. Nothing was changed.
#[derive(Debug)]
pub enum CommitError {
    /// A document was changed since it was read: read it again, and decide anew.
    Conflict,
    /// An error of the database.
    Storage(StorageError),
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict => f.write_str("another request has changed the same data"),
            Self::Storage(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CommitError {}

impl From<StorageError> for CommitError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}
