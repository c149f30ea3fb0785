//! Documents in a SQLite file. Writes go through the delivery store, whose writer commits
//! concurrent transactions together; reads have connections of their own.

use super::changes::Write;
use super::{Changes, CommitError, Page, Row, StorageError, private, schema};
use bothends_delivery::sqlite::{SqliteStore, enqueue_in};
use bothends_delivery::{StoreError, StoreErrorKind};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params, params_from_iter};
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

const COLUMNS: &str = "project, kind, id, version, tag, parent, due, body";
/// The number of idle connections that are kept for reads.
const READERS: usize = 4;

#[derive(Clone)]
pub(super) struct Sqlite {
    delivery: SqliteStore,
    readers: Arc<Readers>,
}

struct Readers {
    file: PathBuf,
    idle: Mutex<Vec<Connection>>,
    /// The directory of a database in memory, removed with the last clone.
    _directory: Option<TempDir>,
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite")
            .field("file", &self.readers.file)
            .finish_non_exhaustive()
    }
}

/// Why a write was refused.
#[derive(Debug)]
struct Conflict;

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the document has changed")
    }
}

impl Error for Conflict {}

type Work = Box<dyn Error + Send + Sync>;

impl Sqlite {
    /// Opens a file. `:memory:` is a file in a temporary directory, because a database in memory
    /// has one connection only.
    pub(super) async fn open(file: &str) -> Result<Self, StorageError> {
        let directory = match file {
            ":memory:" => Some(TempDir::with_prefix("sandbox-").map_err(StorageError::new)?),
            _ => None,
        };
        let file = match &directory {
            Some(directory) => directory.path().join("sandbox.db"),
            None => PathBuf::from(file),
        };
        private::create(&file).map_err(StorageError::new)?;
        let delivery = SqliteStore::open(&file).await.map_err(StorageError::new)?;
        delivery
            .transaction(migrate)
            .await
            .map_err(StorageError::new)?;
        let readers = Readers {
            file,
            idle: Mutex::default(),
            _directory: directory,
        };
        Ok(Self {
            delivery,
            readers: Arc::new(readers),
        })
    }

    pub(super) const fn delivery(&self) -> &SqliteStore {
        &self.delivery
    }

    pub(super) async fn get(
        &self,
        kind: &'static str,
        project: &str,
        id: &str,
    ) -> Result<Option<Row>, StorageError> {
        let values = [text(project), text(kind), text(id)];
        let condition = "project = ?1 AND kind = ?2 AND id = ?3";
        Ok(self
            .select(condition.to_owned(), values.to_vec())
            .await?
            .pop())
    }

    pub(super) async fn find(
        &self,
        kind: &'static str,
        tag: &str,
    ) -> Result<Option<Row>, StorageError> {
        let values = vec![text(kind), text(tag)];
        Ok(self
            .select("kind = ?1 AND tag = ?2".to_owned(), values)
            .await?
            .pop())
    }

    pub(super) async fn list(
        &self,
        kind: &'static str,
        project: &str,
        page: Page<'_>,
    ) -> Result<Vec<Row>, StorageError> {
        let (comparison, order) = if page.newest_first {
            ("<", "DESC")
        } else {
            (">", "ASC")
        };
        let mut condition = "project = ?1 AND kind = ?2".to_owned();
        let mut values = vec![text(project), text(kind)];
        if let Some(parent) = page.parent {
            values.push(text(parent));
            condition += &format!(" AND parent = ?{}", values.len());
        }
        if let Some(after) = page.after {
            values.push(text(after));
            condition += &format!(" AND id {comparison} ?{}", values.len());
        }
        condition += &format!(
            " ORDER BY id {order} LIMIT {} OFFSET {}",
            page.limit, page.skip
        );
        self.select(condition, values).await
    }

    pub(super) async fn due(
        &self,
        kind: &'static str,
        project: &str,
        now: i64,
        limit: u32,
    ) -> Result<Vec<Row>, StorageError> {
        let condition =
            format!("project = ?1 AND kind = ?2 AND due <= ?3 ORDER BY due, id LIMIT {limit}");
        self.select(condition, vec![text(project), text(kind), Value::from(now)])
            .await
    }

    pub(super) async fn next_due(&self) -> Result<Vec<(String, i64)>, StorageError> {
        self.read(|connection| {
            let sql = "SELECT project, MIN(due) FROM sandbox_records WHERE due IS NOT NULL GROUP BY project";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
        .await
    }

    pub(super) async fn commit(&self, changes: Changes) -> Result<(), CommitError> {
        let Changes {
            writes,
            messages,
            failed,
        } = changes;
        if let Some(error) = failed {
            return Err(error.into());
        }
        let work = move |connection: &Connection| -> Result<(), Work> {
            for write in &writes {
                apply(connection, write)?;
            }
            for message in &messages {
                enqueue_in(connection, message)?;
            }
            Ok(())
        };
        self.delivery.transaction(work).await.map_err(refused)
    }

    pub(super) async fn export(
        &self,
        project: &str,
        kinds: &[&str],
    ) -> Result<Vec<Row>, StorageError> {
        let mut values = vec![text(project)];
        values.extend(kinds.iter().map(|kind| text(kind)));
        let condition = format!(
            "project = ?1 AND kind IN ({}) ORDER BY kind, id",
            places(kinds.len())
        );
        self.select(condition, values).await
    }

    pub(super) async fn trim(
        &self,
        kind: &'static str,
        project: &str,
        keep: u32,
    ) -> Result<u64, StorageError> {
        let project = project.to_owned();
        let work = move |connection: &Connection| -> Result<u64, Work> {
            let sql = "DELETE FROM sandbox_records WHERE project = ?1 AND kind = ?2 AND id <= (
                SELECT id FROM sandbox_records WHERE project = ?1 AND kind = ?2
                ORDER BY id DESC LIMIT 1 OFFSET ?3)";
            Ok(connection.execute(sql, params![project, kind, keep])? as u64)
        };
        self.delivery
            .transaction(work)
            .await
            .map_err(StorageError::new)
    }

    async fn select(
        &self,
        condition: String,
        values: Vec<Value>,
    ) -> Result<Vec<Row>, StorageError> {
        self.read(move |connection| {
            let sql = format!("SELECT {COLUMNS} FROM sandbox_records WHERE {condition}");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params_from_iter(&values), |row| {
                Ok(Row {
                    project: row.get(0)?,
                    kind: row.get(1)?,
                    id: row.get(2)?,
                    version: row.get(3)?,
                    tag: row.get(4)?,
                    parent: row.get(5)?,
                    due: row.get(6)?,
                    body: row.get(7)?,
                })
            })?;
            rows.collect()
        })
        .await
    }

    /// Runs a read on a connection of its own.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StorageError> {
        let readers = Arc::clone(&self.readers);
        let reading = tokio::task::spawn_blocking(move || {
            let idle = readers
                .idle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop();
            let connection = match idle {
                Some(connection) => connection,
                None => reader(&readers.file)?,
            };
            let result = work(&connection)?;
            let mut idle = readers.idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < READERS {
                idle.push(connection);
            }
            Ok(result)
        });
        let result: rusqlite::Result<T> = reading.await.map_err(StorageError::new)?;
        result.map_err(StorageError::new)
    }
}

fn reader(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    Ok(connection)
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

/// The parameters from the second on.
fn places(count: usize) -> String {
    let places: Vec<String> = (0..count).map(|at| format!("?{}", at + 2)).collect();
    places.join(", ")
}

fn migrate(connection: &Connection) -> Result<(), Work> {
    connection.execute_batch(schema::VERSION_TABLE)?;
    let found: Option<i64> = connection
        .query_row(
            "SELECT version FROM sandbox_schema WHERE singleton = 1",
            [],
            |row| row.get(0),
        )
        .optional()?;
    for step in schema::upgrade(found.unwrap_or(0))? {
        connection.execute_batch(step)?;
    }
    connection.execute(
        "INSERT INTO sandbox_schema VALUES (1, ?1) ON CONFLICT (singleton) DO UPDATE SET version = ?1",
        [schema::VERSION],
    )?;
    Ok(())
}

fn apply(connection: &Connection, write: &Write) -> Result<(), Work> {
    let changed = match write {
        Write::Insert(row) => {
            let sql =
                "INSERT INTO sandbox_records (project, kind, id, version, tag, parent, due, body)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING";
            let mut statement = connection.prepare_cached(sql)?;
            let Row {
                project,
                kind,
                id,
                version,
                tag,
                parent,
                due,
                body,
            } = row;
            statement.execute(params![project, kind, id, version, tag, parent, due, body])?
        }
        Write::Update(row) => {
            let sql = "UPDATE sandbox_records SET version = ?4, tag = ?5, parent = ?6, due = ?7, body = ?8
                WHERE project = ?1 AND kind = ?2 AND id = ?3 AND version = ?4 - 1";
            let mut statement = connection.prepare_cached(sql)?;
            let Row {
                project,
                kind,
                id,
                version,
                tag,
                parent,
                due,
                body,
            } = row;
            statement.execute(params![project, kind, id, version, tag, parent, due, body])?
        }
        Write::Remove {
            project,
            kind,
            id,
            version,
        } => {
            let sql = "DELETE FROM sandbox_records
                WHERE project = ?1 AND kind = ?2 AND id = ?3 AND version = ?4";
            connection
                .prepare_cached(sql)?
                .execute(params![project, kind, id, version])?
        }
        Write::Clear { project, kinds } => {
            let sql = format!(
                "DELETE FROM sandbox_records WHERE project = ?1 AND kind IN ({})",
                places(kinds.len())
            );
            let kinds = kinds.iter().copied();
            let values = std::iter::once(project.as_str()).chain(kinds);
            connection.execute(&sql, params_from_iter(values))?;
            return Ok(());
        }
    };
    if changed == 1 {
        Ok(())
    } else {
        Err(Conflict.into())
    }
}

/// Distinguishes a conflict from an error of the database.
fn refused(error: StoreError) -> CommitError {
    if error.kind() == StoreErrorKind::Aborted
        && error.source().is_some_and(|source| source.is::<Conflict>())
    {
        return CommitError::Conflict;
    }
    CommitError::Storage(StorageError::new(error))
}
