//! Storage: documents with versions, in the database of the delivery store.
//!
//! The rules of the service are written once, over documents. A change is read, decided and
//! committed: [`Store::commit`] applies all writes and enqueues all webhooks in one transaction, or
//! fails with [`CommitError::Conflict`] if one of the documents has changed since it was read. Any
//! number of instances can therefore work on one database without locks of their own.

mod batches;
mod body;
mod changes;
mod delivery;
mod postgres;
mod private;
mod readers;
mod schema;
mod sqlite;

pub use batches::Written;
pub use changes::{Changes, CommitError};
pub use delivery::Delivery;

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::Arc;

/// A type of document.
pub trait Document: Serialize + DeserializeOwned + Send + 'static {
    /// The word that distinguishes documents of this type.
    const KIND: &'static str;

    /// Whether documents of this type are those of a log: many are stored in one row, and none is changed
    /// or found by a tag.
    const IS_LOG: bool = false;

    /// Returns the id of the project that the document belongs to; empty for documents of the
    /// whole sandbox.
    fn project(&self) -> &str;

    /// Returns the id, unique among the documents of this type in a project.
    fn id(&self) -> &str;

    /// Returns a text by which the document is found without its project, unique among all
    /// documents of this type.
    fn tag(&self) -> Option<String> {
        None
    }

    /// Returns the id of the document under which this one is listed.
    fn parent(&self) -> Option<&str> {
        None
    }

    /// Returns the time at which the scheduler has to look at the document, in milliseconds since
    /// 1970-01-01 by the clock of the project.
    fn due(&self) -> Option<i64> {
        None
    }
}

/// A document as stored.
#[derive(Debug, Clone)]
pub struct Stored<T> {
    version: i64,
    /// The document.
    pub value: T,
}

impl<T> std::ops::Deref for Stored<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// The columns of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Row {
    /// The project.
    pub project: String,
    /// The type of the document.
    pub kind: String,
    /// The id.
    pub id: String,
    /// The number of writes so far.
    pub version: i64,
    /// See [`Document::tag`].
    pub tag: Option<String>,
    /// See [`Document::parent`].
    pub parent: Option<String>,
    /// See [`Document::due`].
    pub due: Option<i64>,
    /// The document in JSON.
    pub body: String,
}

impl Row {
    fn new<T: Document>(document: &T, version: i64) -> Result<Self, StorageError> {
        if T::IS_LOG {
            return Self::batch(&[&Written::new(document)?]);
        }
        Ok(Self {
            project: document.project().to_owned(),
            kind: T::KIND.to_owned(),
            id: document.id().to_owned(),
            version,
            tag: document.tag(),
            parent: document.parent().map(str::to_owned),
            due: document.due(),
            body: serde_json::to_string(document).map_err(StorageError::new)?,
        })
    }

    /// Reads the document.
    ///
    /// # Errors
    /// Returns an error if the row is not that of such a document.
    pub fn read<T: Document>(&self) -> Result<Stored<T>, StorageError> {
        let value = serde_json::from_str(&self.body).map_err(|error| {
            StorageError::new(format!(
                "the {} {} is not readable: {error}",
                self.kind, self.id
            ))
        })?;
        Ok(Stored {
            version: self.version,
            value,
        })
    }
}

/// A part of a list, ordered by id.
#[derive(Debug, Clone, Default)]
pub struct Page<'a> {
    /// Only documents under this one; see [`Document::parent`].
    pub parent: Option<&'a str>,
    /// Only documents with ids after this one; in a list from the last to the first: before this
    /// one.
    pub after: Option<&'a str>,
    /// How many of these documents are skipped.
    pub skip: u32,
    /// The maximum number of documents.
    pub limit: u32,
    /// Whether the list goes from the last id to the first.
    pub newest_first: bool,
}

impl<'a> Page<'a> {
    /// Returns the first `limit` documents.
    pub const fn first(limit: u32) -> Self {
        Self {
            parent: None,
            after: None,
            skip: 0,
            limit,
            newest_first: false,
        }
    }

    /// Returns the last `limit` documents, the last first.
    pub const fn last(limit: u32) -> Self {
        Self {
            parent: None,
            after: None,
            skip: 0,
            limit,
            newest_first: true,
        }
    }

    /// Selects documents under another document.
    #[must_use]
    pub const fn under(self, parent: &'a str) -> Self {
        Self {
            parent: Some(parent),
            ..self
        }
    }

    /// Skips the first `skip` documents of the list.
    #[must_use]
    pub const fn skip(self, skip: u32) -> Self {
        Self { skip, ..self }
    }

    /// Continues after this id.
    #[must_use]
    pub const fn after(self, after: Option<&'a str>) -> Self {
        Self { after, ..self }
    }
}

/// An error of the database, or a document that cannot be read.
#[derive(Debug, Clone)]
pub struct StorageError(Arc<dyn std::error::Error + Send + Sync>);

impl StorageError {
    /// Creates an error with a cause.
    pub fn new(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(Arc::from(cause.into()))
    }
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cause: Option<&dyn std::error::Error> = Some(&*self.0);
        let mut first = true;
        while let Some(error) = cause {
            if !first {
                f.write_str(": ")?;
            }
            write!(f, "{error}")?;
            first = false;
            cause = error.source();
        }
        Ok(())
    }
}

impl std::error::Error for StorageError {}

/// A look at the database. A document that is kept between reads is returned if it was read after this
/// look, or has not changed between.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Look(u64);

/// The store of the sandbox. Clones share the connections.
#[derive(Debug, Clone)]
pub struct Store {
    backend: Backend,
    delivery: Delivery,
}

#[derive(Debug, Clone)]
enum Backend {
    Sqlite(sqlite::Sqlite),
    Postgres(postgres::Postgres),
}

/// Calls the method of the backend.
macro_rules! backend {
    ($self:ident, $name:ident($($argument:expr),*)) => {
        match &$self.backend {
            Backend::Sqlite(backend) => backend.$name($($argument),*).await,
            Backend::Postgres(backend) => backend.$name($($argument),*).await,
        }
    };
}

impl Store {
    /// Opens a database: `sqlite::memory:`, `sqlite:FILE` or `postgres://…`. Missing tables are
    /// created, and tables of earlier versions are upgraded.
    ///
    /// # Errors
    /// Returns an error if the URL is none of these, if the database cannot be opened, or if its
    /// tables have a newer version.
    pub async fn open(url: &str) -> Result<Self, StorageError> {
        if let Some(file) = url.strip_prefix("sqlite:") {
            let backend = sqlite::Sqlite::open(file).await?;
            let delivery = Delivery::Sqlite(backend.delivery().clone());
            return Ok(Self {
                backend: Backend::Sqlite(backend),
                delivery,
            });
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let backend = postgres::Postgres::connect(url).await?;
            let delivery = Delivery::Postgres(backend.delivery().clone());
            return Ok(Self {
                backend: Backend::Postgres(backend),
                delivery,
            });
        }
        Err(StorageError::new(format!(
            "`{url}` is not a database: use sqlite::memory:, sqlite:FILE or postgres://…"
        )))
    }

    /// Returns the delivery store in the same database.
    pub const fn delivery(&self) -> &Delivery {
        &self.delivery
    }

    /// Returns a document.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn get<T: Document>(
        &self,
        project: &str,
        id: &str,
    ) -> Result<Option<Stored<T>>, StorageError> {
        if T::IS_LOG {
            return batches::get(self, project, id).await;
        }
        let row = backend!(self, get(T::KIND, project, id))?;
        row.map(|row| row.read()).transpose()
    }

    /// Returns the document with this [tag](Document::tag), of whichever project.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn find<T: Document>(&self, tag: &str) -> Result<Option<Stored<T>>, StorageError> {
        let row = backend!(self, find(T::KIND, tag))?;
        row.map(|row| row.read()).transpose()
    }

    /// Looks whether anything has changed: one look is enough for all documents of a request that are read
    /// far more often than they change.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn look(&self) -> Result<Look, StorageError> {
        match &self.backend {
            Backend::Sqlite(backend) => backend.look().await,
            // A notification of a change may arrive after a read that has to see it.
            Backend::Postgres(_) => Ok(Look::default()),
        }
    }

    /// Returns a document as it was at the look or later. Where a look shows whether anything has changed,
    /// the document is kept between reads.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn get_shared<T: Document + Sync>(
        &self,
        look: Look,
        project: &str,
        id: &str,
    ) -> Result<Option<Arc<Stored<T>>>, StorageError> {
        match &self.backend {
            Backend::Sqlite(backend) => backend.get_shared(look, project, id).await,
            Backend::Postgres(_) => Ok(self.get(project, id).await?.map(Arc::new)),
        }
    }

    /// Returns the document with this [tag](Document::tag), as [`Store::get_shared`] does.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn find_shared<T: Document + Sync>(
        &self,
        look: Look,
        tag: &str,
    ) -> Result<Option<Arc<Stored<T>>>, StorageError> {
        match &self.backend {
            Backend::Sqlite(backend) => backend.find_shared(look, tag).await,
            Backend::Postgres(_) => Ok(self.find(tag).await?.map(Arc::new)),
        }
    }

    /// Returns documents of a project, ordered by id.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn list<T: Document>(
        &self,
        project: &str,
        page: Page<'_>,
    ) -> Result<Vec<Stored<T>>, StorageError> {
        if T::IS_LOG {
            return batches::list(self, project, page).await;
        }
        let rows = backend!(self, list(T::KIND, project, page))?;
        rows.iter().map(Row::read).collect()
    }

    async fn batches(
        &self,
        kind: &'static str,
        project: &str,
        rows: &batches::Rows<'_>,
    ) -> Result<Vec<Row>, StorageError> {
        backend!(self, batches(kind, project, rows))
    }

    /// Returns at most `limit` documents of a project, of whichever type, that are due at `now` or
    /// before, by the clock of the project. The first to be due is first.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn due(&self, project: &str, now: i64, limit: u32) -> Result<Vec<Row>, StorageError> {
        backend!(self, due(project, now, limit))
    }

    /// Returns for each project with due documents the first time at which one is due, by the clock
    /// of the project.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn next_due(&self) -> Result<Vec<(String, i64)>, StorageError> {
        backend!(self, next_due())
    }

    /// Applies all changes in one transaction, or none.
    ///
    /// # Errors
    /// Returns [`CommitError::Conflict`] if a document was changed, removed or inserted since it was
    /// read, and [`CommitError::Storage`] for an error of the database.
    pub async fn commit(&self, changes: Changes) -> Result<(), CommitError> {
        if changes.is_empty() {
            return Ok(());
        }
        backend!(self, commit(changes))
    }

    /// Returns all documents of a project, of the given types.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn export(&self, project: &str, kinds: &[&str]) -> Result<Vec<Row>, StorageError> {
        backend!(self, export(project, kinds))
    }

    /// Removes the oldest documents of a type (by id) from a project, except for the last `keep`. Of a
    /// [log](Document::IS_LOG), a whole row is kept as long as one of its documents is. Returns the number
    /// of removed rows.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn trim<T: Document>(&self, project: &str, keep: u32) -> Result<u64, StorageError> {
        backend!(self, trim(T::KIND, T::IS_LOG, project, keep))
    }

    /// Reads from the database, to see whether it is available.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn ping(&self) -> Result<(), StorageError> {
        backend!(self, get("project", "", "")).map(drop)
    }
}
