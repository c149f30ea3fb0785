//! Connections that read from a SQLite file, and the documents that each keeps.
//!
//! A read of few rows takes microseconds, less than handing it to another thread. It runs on the thread
//! of its caller, which holds a connection only meanwhile, so that there are as many as threads.

use super::{Document, Row, StorageError, Stored};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::any::Any;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// The number of idle connections that are kept.
const IDLE: usize = 8;
/// The number of documents that a connection keeps.
const KEPT: usize = 1024;
/// How long a read waits for a lock. Reads wait for no writes, only for the recovery of a file.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) struct Readers {
    pub(super) file: PathBuf,
    idle: Mutex<Vec<Reader>>,
    /// The directory of a database in memory, removed with the last clone.
    _directory: Option<TempDir>,
}

/// A connection with the documents that it keeps.
pub(super) struct Reader {
    pub(super) connection: Connection,
    /// What SQLite calls the version of the data: it changes with commits of other connections.
    version: i64,
    /// The number of versions seen so far.
    seen: u64,
    kept: HashMap<String, Kept>,
}

/// A document that was read.
struct Kept {
    /// The version of the data for which the document is known to be current.
    seen: u64,
    row: Row,
    /// The [`Stored`] document.
    value: Arc<dyn Any + Send + Sync>,
}

impl Readers {
    pub(super) fn new(file: PathBuf, directory: Option<TempDir>) -> Self {
        Self {
            file,
            idle: Mutex::default(),
            _directory: directory,
        }
    }

    /// Runs a short read on this thread. If it would have to wait, it runs on another.
    pub(super) async fn here<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl Fn(&mut Reader) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, StorageError> {
        match self.run(Duration::ZERO, &work) {
            Err(Failed::Sqlite(error)) if is_busy(&error) => self.apart(work).await,
            result => result.map_err(StorageError::from),
        }
    }

    /// Runs a read on a thread for work that takes long.
    pub(super) async fn apart<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl Fn(&mut Reader) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, StorageError> {
        let readers = Arc::clone(self);
        let reading = tokio::task::spawn_blocking(move || readers.run(PATIENCE, &work));
        let result = reading.await.map_err(StorageError::new)?;
        result.map_err(StorageError::from)
    }

    fn run<T>(
        &self,
        patience: Duration,
        work: impl Fn(&mut Reader) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let found = idle().pop();
        let mut reader = match found {
            Some(reader) => reader,
            None => Reader::open(&self.file)?,
        };
        reader.connection.busy_timeout(patience)?;
        let result = work(&mut reader)?;
        let mut idle = idle();
        if idle.len() < IDLE {
            idle.push(reader);
        }
        Ok(result)
    }
}

impl Reader {
    fn open(file: &Path) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Self {
            connection,
            version: 0,
            seen: 0,
            kept: HashMap::new(),
        })
    }

    /// Returns a document that is kept under a key, after a look at whether anything has been committed
    /// since it was read. If so, its row is read again, and the document only if the row is another.
    pub(super) fn keep<T: Document + Sync>(
        &mut self,
        key: &str,
        read: impl FnOnce(&Connection) -> rusqlite::Result<Option<Row>>,
    ) -> Result<Option<Arc<Stored<T>>>, Failed> {
        let mut statement = self.connection.prepare_cached("PRAGMA data_version")?;
        let version = statement.query_row([], |row| row.get(0))?;
        drop(statement);
        if self.version != version {
            self.version = version;
            self.seen += 1;
        }
        if let Some(kept) = self.kept.get(key)
            && kept.seen == self.seen
        {
            return Ok(Arc::clone(&kept.value).downcast().ok());
        }
        let Some(row) = read(&self.connection)? else {
            self.kept.remove(key);
            return Ok(None);
        };
        if let Some(kept) = self.kept.get_mut(key)
            && kept.row == row
        {
            kept.seen = self.seen;
            return Ok(Arc::clone(&kept.value).downcast().ok());
        }
        let value = Arc::new(row.read::<T>()?);
        let kept = Kept {
            seen: self.seen,
            row,
            value: Arc::<Stored<T>>::clone(&value),
        };
        if self.kept.len() >= KEPT {
            self.kept.clear();
        }
        self.kept.insert(key.to_owned(), kept);
        Ok(Some(value))
    }
}

/// Why a read failed.
pub(super) enum Failed {
    Sqlite(rusqlite::Error),
    /// The document is not readable.
    Document(StorageError),
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StorageError> for Failed {
    fn from(error: StorageError) -> Self {
        Self::Document(error)
    }
}

impl From<Failed> for StorageError {
    fn from(error: Failed) -> Self {
        match error {
            Failed::Sqlite(error) => Self::new(error),
            Failed::Document(error) => error,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}
