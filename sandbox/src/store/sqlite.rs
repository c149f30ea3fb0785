//! Documents in a SQLite file. Writes go through the delivery store, whose writer commits
//! concurrent transactions together; reads have connections of their own.

use super::batches::Rows;
use super::body::{Body, Text};
use super::changes::Write;
use super::readers::{Failed, Reader, Readers};
use super::{
    Changes, CommitError, Document, Look, Page, Row, StorageError, Stored, private, schema,
};
use bothends_delivery::sqlite::{SqliteOptions, SqliteStore, enqueue_in};
use bothends_delivery::{StoreError, StoreErrorKind};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};
use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

const COLUMNS: &str = "project, kind, id, version, tag, parent, due, body";
const BY_ID: &str = "SELECT project, kind, id, version, tag, parent, due, body FROM sandbox_records
    WHERE project = ?1 AND kind = ?2 AND id = ?3";
const BY_TAG: &str =
    "SELECT project, kind, id, version, tag, parent, due, body FROM sandbox_records
    WHERE kind = ?1 AND tag = ?2";
/// The longest list that is read on the thread of its caller, unless the list is that of one document,
/// which is short.
const SHORT: u32 = 100;

#[derive(Clone)]
pub(super) struct Sqlite {
    delivery: SqliteStore,
    readers: Arc<Readers>,
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
        let mut options = SqliteOptions::new();
        if directory.is_some() {
            // The database is gone with the process, so nothing has to outlive a crash of the system.
            options = options.without_sync();
        }
        let delivery = options.open(&file).await.map_err(StorageError::new)?;
        delivery
            .transaction(migrate)
            .await
            .map_err(StorageError::new)?;
        Ok(Self {
            delivery,
            readers: Arc::new(Readers::new(file, directory)),
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
        self.readers
            .here(move |reader| Ok(find_row(&reader.connection, BY_ID, &values)?))
            .await
    }

    pub(super) async fn find(
        &self,
        kind: &'static str,
        tag: &str,
    ) -> Result<Option<Row>, StorageError> {
        let values = [text(kind), text(tag)];
        self.readers
            .here(move |reader| Ok(find_row(&reader.connection, BY_TAG, &values)?))
            .await
    }

    pub(super) async fn look(&self) -> Result<Look, StorageError> {
        self.readers.look().await
    }

    pub(super) async fn get_shared<T: Document + Sync>(
        &self,
        look: Look,
        project: &str,
        id: &str,
    ) -> Result<Option<Arc<Stored<T>>>, StorageError> {
        let key = [T::KIND, " ", project, " ", id].concat();
        let read = || {
            let values = [text(project), text(T::KIND), text(id)];
            move |connection: &Connection| find_row(connection, BY_ID, &values)
        };
        self.readers.keep(look, key, read).await
    }

    pub(super) async fn find_shared<T: Document + Sync>(
        &self,
        look: Look,
        tag: &str,
    ) -> Result<Option<Arc<Stored<T>>>, StorageError> {
        let key = [T::KIND, " #", tag].concat();
        let read = || {
            let values = [text(T::KIND), text(tag)];
            move |connection: &Connection| find_row(connection, BY_TAG, &values)
        };
        self.readers.keep(look, key, read).await
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
        let is_short = page.parent.is_some() || page.limit <= SHORT;
        self.select(is_short, condition, values).await
    }

    pub(super) async fn batches(
        &self,
        kind: &'static str,
        project: &str,
        rows: &Rows<'_>,
    ) -> Result<Vec<Row>, StorageError> {
        // Rows with large documents are not sorted, but read in the order of an index.
        let (beyond, after, order) = match rows.newest_first {
            true => ("+parent <", "id <", "id DESC"),
            false => ("+id >", "parent >", "parent"),
        };
        let mut condition = "project = ?1 AND kind = ?2 AND parent IS NOT NULL".to_owned();
        let mut values = vec![text(project), text(kind)];
        for (comparison, id) in [(beyond, rows.beyond), (after, rows.after)] {
            if let Some(id) = id {
                values.push(text(id));
                condition += &format!(" AND {comparison} ?{}", values.len());
            }
        }
        condition += &format!(" ORDER BY {order} LIMIT {}", rows.limit);
        self.select(rows.limit == 1, condition, values).await
    }

    pub(super) async fn due(
        &self,
        project: &str,
        now: i64,
        limit: u32,
    ) -> Result<Vec<Row>, StorageError> {
        let condition = format!("project = ?1 AND due <= ?2 ORDER BY due, id LIMIT {limit}");
        let values = vec![text(project), Value::from(now)];
        self.select(true, condition, values).await
    }

    pub(super) async fn next_due(&self) -> Result<Vec<(String, i64)>, StorageError> {
        let work = |reader: &mut Reader| -> Result<_, Failed> {
            let mut statement = reader.connection.prepare_cached(schema::NEXT_DUE)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        };
        self.readers.here(work).await
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
        self.select(false, condition, values).await
    }

    pub(super) async fn trim(
        &self,
        kind: &'static str,
        is_log: bool,
        project: &str,
        keep: u32,
    ) -> Result<u64, StorageError> {
        let project = project.to_owned();
        let work = move |connection: &Connection| -> Result<u64, Work> {
            let sql = match is_log {
                true => {
                    "DELETE FROM sandbox_records WHERE project = ?1 AND kind = ?2 AND id <= (
                    SELECT id FROM (
                        SELECT id, SUM(version) OVER (ORDER BY id DESC) - version AS newer
                        FROM sandbox_records WHERE project = ?1 AND kind = ?2
                    ) WHERE newer >= ?3 ORDER BY id DESC LIMIT 1)"
                }
                false => {
                    "DELETE FROM sandbox_records WHERE project = ?1 AND kind = ?2 AND id <= (
                    SELECT id FROM sandbox_records WHERE project = ?1 AND kind = ?2
                    ORDER BY id DESC LIMIT 1 OFFSET ?3)"
                }
            };
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.execute(params![project, kind, keep])? as u64)
        };
        self.delivery
            .transaction(work)
            .await
            .map_err(StorageError::new)
    }

    async fn select(
        &self,
        is_short: bool,
        condition: String,
        values: Vec<Value>,
    ) -> Result<Vec<Row>, StorageError> {
        let sql = format!("SELECT {COLUMNS} FROM sandbox_records WHERE {condition}");
        let work = move |reader: &mut Reader| -> Result<Vec<Row>, Failed> {
            let mut statement = reader.connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params_from_iter(&values), row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        };
        match is_short {
            true => self.readers.here(work).await,
            false => self.readers.blocking(work).await,
        }
    }
}

/// Returns the row that a statement selects.
fn find_row(connection: &Connection, sql: &str, values: &[Value]) -> rusqlite::Result<Option<Row>> {
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params_from_iter(values), row);
    found.optional()
}

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        project: row.get(0)?,
        kind: row.get(1)?,
        id: row.get(2)?,
        version: row.get(3)?,
        tag: row.get(4)?,
        parent: row.get(5)?,
        due: row.get(6)?,
        body: row.get::<_, Text>(7)?.0,
    })
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

/// Executes a statement with all columns of a row.
fn write_row(connection: &Connection, sql: &str, row: &Row) -> rusqlite::Result<usize> {
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
    let body = Body(body);
    let values = params![project, kind, id, version, tag, parent, due, body];
    connection.prepare_cached(sql)?.execute(values)
}

fn apply(connection: &Connection, write: &Write) -> Result<(), Work> {
    let changed = match write {
        Write::Insert(row) => {
            let sql =
                "INSERT INTO sandbox_records (project, kind, id, version, tag, parent, due, body)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING";
            write_row(connection, sql, row)?
        }
        Write::Update(row) => {
            let sql = "UPDATE sandbox_records SET version = ?4, tag = ?5, parent = ?6, due = ?7, body = ?8
                WHERE project = ?1 AND kind = ?2 AND id = ?3 AND version = ?4 - 1";
            write_row(connection, sql, row)?
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
