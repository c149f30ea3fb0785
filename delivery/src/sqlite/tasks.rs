//! The tasks of a server, in the database of a store.

use super::{SqliteStore, enqueue, execute, failure, find};
use crate::{Message, StoreError};
use bothends_runtime::OutgoingWebhook;
use bothends_runtime::tasks::TaskStore;
use bytes::Bytes;
use rusqlite::{Connection, params};
use std::fmt;
use std::time::Duration;

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS bothends_task (
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        owner TEXT NOT NULL,
        status BLOB NOT NULL,
        ended INTEGER,
        PRIMARY KEY (kind, id)
    );
    CREATE INDEX IF NOT EXISTS bothends_task_ended ON bothends_task (ended) WHERE ended IS NOT NULL;";

/// Tasks of a server ([`Tasks`](bothends_runtime::tasks::Tasks)) in the database of a [`SqliteStore`]. The
/// end of a task and its webhook are one transaction. Clones share the tasks.
#[derive(Clone)]
pub struct SqliteTasks(SqliteStore);

impl fmt::Debug for SqliteTasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteTasks").finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Returns the tasks of a server in this database, and creates their table `bothends_task` if it is
    /// missing.
    ///
    /// # Errors
    /// Returns an error if the table cannot be created.
    pub async fn tasks(&self) -> Result<SqliteTasks, StoreError> {
        let create = |connection: &Connection| connection.execute_batch(TABLE).map_err(failure);
        self.writer.call(false, create).await?;
        Ok(SqliteTasks(self.clone()))
    }
}

impl SqliteTasks {
    /// Deletes tasks that ended more than `age` ago, at most `limit` of them. Returns how many were
    /// deleted.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub async fn prune(&self, age: Duration, limit: u32) -> Result<u64, StoreError> {
        let prune = move |connection: &Connection, now: crate::Timestamp| {
            let until = now.before(age).as_millis();
            let sql = "DELETE FROM bothends_task WHERE rowid IN (
                SELECT rowid FROM bothends_task WHERE ended < ?1 ORDER BY ended LIMIT ?2)";
            let deleted = execute(connection, sql, params![until, limit])?;
            Ok(u64::try_from(deleted).unwrap_or(u64::MAX))
        };
        self.0.write(false, prune).await
    }
}

impl TaskStore for SqliteTasks {
    type Error = StoreError;

    async fn start(
        &self,
        kind: &str,
        id: &str,
        owner: &str,
        status: Bytes,
    ) -> Result<bool, StoreError> {
        let (kind, id, owner) = (kind.to_owned(), id.to_owned(), owner.to_owned());
        let insert = move |connection: &Connection| {
            let sql = "INSERT INTO bothends_task (kind, id, owner, status) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (kind, id) DO NOTHING";
            Ok(execute(connection, sql, params![kind, id, owner, &*status])? > 0)
        };
        self.0.writer.call(false, insert).await
    }

    async fn status(&self, kind: &str, id: &str) -> Result<Option<Bytes>, StoreError> {
        let (kind, id) = (kind.to_owned(), id.to_owned());
        let read = move |connection: &Connection| {
            let sql = "SELECT status FROM bothends_task WHERE kind = ?1 AND id = ?2";
            let found = find(connection, sql, params![kind, id], |row| {
                row.get::<_, Vec<u8>>(0)
            })?;
            Ok(found.map(Bytes::from))
        };
        self.0.reader.call(false, read).await
    }

    async fn update(&self, kind: &str, id: &str, status: Bytes) -> Result<bool, StoreError> {
        let (kind, id) = (kind.to_owned(), id.to_owned());
        let update = move |connection: &Connection| {
            let sql = "UPDATE bothends_task SET status = ?3
                WHERE kind = ?1 AND id = ?2 AND ended IS NULL";
            Ok(execute(connection, sql, params![kind, id, &*status])? > 0)
        };
        self.0.writer.call(false, update).await
    }

    async fn end(
        &self,
        kind: &str,
        id: &str,
        status: Bytes,
        webhook: Option<OutgoingWebhook>,
    ) -> Result<bool, StoreError> {
        let (kind, id) = (kind.to_owned(), id.to_owned());
        let webhook = webhook.map(Message::from);
        let end = move |connection: &Connection, now: crate::Timestamp| {
            let sql = "UPDATE bothends_task SET status = ?3, ended = ?4
                WHERE kind = ?1 AND id = ?2 AND ended IS NULL RETURNING owner";
            let values = params![kind, id, &*status, now.as_millis()];
            let owner = find(connection, sql, values, |row| row.get::<_, String>(0))?;
            let Some(owner) = owner else {
                return Ok(false);
            };
            if let Some(webhook) = webhook.clone() {
                enqueue::enqueue(connection, &webhook.owner(owner), now)?;
            }
            Ok(true)
        };
        self.0.write(false, end).await
    }
}
