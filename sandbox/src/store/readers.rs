//! Connections that read from a SQLite file, and the documents that are kept between reads.
//!
//! A read of few rows takes microseconds, less than handing it to another thread. It runs on the thread
//! of its caller, which holds a connection only meanwhile, so that there are as many as threads.

use super::{Document, Look, Row, StorageError, Stored};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::any::Any;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// The number of idle connections that are kept.
const IDLE: usize = 8;
/// The number of documents that are kept.
const KEPT: usize = 1024;
/// How long a read waits for a lock. Reads wait for no writes, only for the recovery of a file.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) struct Readers {
    pub(super) file: PathBuf,
    idle: Mutex<Vec<Reader>>,
    /// The number of looks that have found changes.
    changes: AtomicU64,
    kept: Mutex<HashMap<String, Kept>>,
    /// The directory of a database in memory, removed with the last clone.
    _directory: Option<TempDir>,
}

/// A connection.
pub(super) struct Reader {
    pub(super) connection: Connection,
    /// What SQLite calls the version of the data: it changes with commits of other connections.
    version: i64,
    /// The look at which the connection has found this version.
    look: Look,
    /// How long a statement waits for locks.
    patience: Duration,
}

/// A document that was read.
struct Kept {
    /// The document was read after this look: it is current for those that are not later.
    look: Look,
    row: Row,
    /// The [`Stored`] document.
    value: Arc<dyn Any + Send + Sync>,
}

impl Readers {
    pub(super) fn new(file: PathBuf, directory: Option<TempDir>) -> Self {
        Self {
            file,
            idle: Mutex::default(),
            changes: AtomicU64::new(0),
            kept: Mutex::default(),
            _directory: directory,
        }
    }

    /// Runs a short read on this thread. If it would have to wait, it runs on another.
    pub(super) async fn here<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl Fn(&mut Reader) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, StorageError> {
        match self.run(Duration::ZERO, &work) {
            Err(Failed::Sqlite(error)) if is_busy(&error) => self.blocking(work).await,
            result => result.map_err(StorageError::from),
        }
    }

    /// Runs a read on a thread for work that takes long.
    pub(super) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl Fn(&mut Reader) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, StorageError> {
        let readers = Arc::clone(self);
        let reading = tokio::task::spawn_blocking(move || readers.run(PATIENCE, &work));
        let result = reading.await.map_err(StorageError::new)?;
        result.map_err(StorageError::from)
    }

    /// Looks whether anything has been committed.
    pub(super) async fn look(self: &Arc<Self>) -> Result<Look, StorageError> {
        let readers = Arc::clone(self);
        self.here(move |reader| {
            let mut statement = reader.connection.prepare_cached("PRAGMA data_version")?;
            let version = statement.query_row([], |row| row.get(0))?;
            if reader.version != version {
                reader.version = version;
                reader.look = Look(readers.changes.fetch_add(1, Ordering::SeqCst) + 1);
            }
            Ok(reader.look)
        })
        .await
    }

    /// Returns a document that is kept under a key, if it is current. Otherwise its row is read by what
    /// `read` returns, and the document is decoded only if the row is another.
    pub(super) async fn keep<T, R>(
        self: &Arc<Self>,
        look: Look,
        key: String,
        read: impl FnOnce() -> R,
    ) -> Result<Option<Arc<Stored<T>>>, StorageError>
    where
        T: Document + Sync,
        R: Fn(&Connection) -> rusqlite::Result<Option<Row>> + Send + 'static,
    {
        if let Some(kept) = self.kept().get(&key)
            && kept.look >= look
        {
            return Ok(Arc::clone(&kept.value).downcast().ok());
        }
        let read = read();
        let row = self
            .here(move |reader| Ok(read(&reader.connection)?))
            .await?;
        let Some(row) = row else {
            self.kept().remove(&key);
            return Ok(None);
        };
        if let Some(kept) = self.kept().get_mut(&key)
            && kept.row == row
        {
            kept.look = kept.look.max(look);
            return Ok(Arc::clone(&kept.value).downcast().ok());
        }
        let value = Arc::new(row.read::<T>()?);
        let read = Kept {
            look,
            row,
            value: Arc::<Stored<T>>::clone(&value),
        };
        let mut kept = self.kept();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, read);
        Ok(Some(value))
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
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
        if reader.patience != patience {
            reader.connection.busy_timeout(patience)?;
            reader.patience = patience;
        }
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
        // Plans do not depend on values. Otherwise many statements are compiled again at each use.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.busy_timeout(PATIENCE)?;
        Ok(Self {
            connection,
            patience: PATIENCE,
            version: 0,
            look: Look::default(),
        })
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
