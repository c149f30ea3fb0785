//! The tasks of a server, in the database of a store.

use super::clock::now;
use super::{PostgresStore, enqueue, failure, get, schema};
use crate::{Message, StoreError};
use bothends_runtime::OutgoingWebhook;
use bothends_runtime::tasks::TaskStore;
use bytes::Bytes;
use std::fmt;
use std::time::Duration;
use tokio_postgres::types::ToSql;

const TABLE: &str = r#"
CREATE TABLE IF NOT EXISTS bothends_task (
    kind TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    status BYTEA NOT NULL,
    ended BIGINT,
    PRIMARY KEY (kind, id)
);
CREATE INDEX IF NOT EXISTS bothends_task_ended ON bothends_task (ended) WHERE ended IS NOT NULL;
"#;

/// Tasks of a server ([`Tasks`](bothends_runtime::tasks::Tasks)) in the database of a [`PostgresStore`].
/// The end of a task and its webhook are one transaction. Clones share the tasks.
#[derive(Clone)]
pub struct PostgresTasks(PostgresStore);

impl fmt::Debug for PostgresTasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresTasks").finish_non_exhaustive()
    }
}

impl PostgresStore {
    /// Returns the tasks of a server in this database, and creates their table `bothends_task` if it is
    /// missing.
    ///
    /// # Errors
    /// Returns an error if the database cannot be reached, or if the table cannot be created.
    pub async fn tasks(&self) -> Result<PostgresTasks, StoreError> {
        schema::create_if_missing(&mut self.client().await?, TABLE).await?;
        Ok(PostgresTasks(self.clone()))
    }
}

impl PostgresTasks {
    /// Deletes tasks that ended more than `age` ago, at most `limit` of them. Returns how many were
    /// deleted.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub async fn prune(&self, age: Duration, limit: u32) -> Result<u64, StoreError> {
        let sql = "DELETE FROM bothends_task WHERE (kind, id) IN (
            SELECT kind, id FROM bothends_task WHERE ended < $1 ORDER BY ended LIMIT $2)";
        let now = self.0.clock.now(&self.0.client().await?).await?;
        let until = now.before(age).as_millis();
        self.0.execute(sql, &[&until, &i64::from(limit)]).await
    }
}

impl TaskStore for PostgresTasks {
    type Error = StoreError;

    async fn start(
        &self,
        kind: &str,
        id: &str,
        owner: &str,
        status: Bytes,
    ) -> Result<bool, StoreError> {
        let sql = "INSERT INTO bothends_task (kind, id, owner, status) VALUES ($1, $2, $3, $4)
            ON CONFLICT (kind, id) DO NOTHING";
        Ok(self
            .0
            .execute(sql, &[&kind, &id, &owner, &&*status])
            .await?
            > 0)
    }

    async fn status(&self, kind: &str, id: &str) -> Result<Option<Bytes>, StoreError> {
        let client = self.0.client().await?;
        let sql = "SELECT status FROM bothends_task WHERE kind = $1 AND id = $2";
        let statement = client.prepare_cached(sql).await.map_err(failure)?;
        let found = client.query_opt(&statement, &[&kind, &id]).await;
        let found = found.map_err(failure)?;
        let status = found.map(|row| get::<Vec<u8>>(&row, 0)).transpose()?;
        Ok(status.map(Bytes::from))
    }

    async fn update(&self, kind: &str, id: &str, status: Bytes) -> Result<bool, StoreError> {
        let sql = "UPDATE bothends_task SET status = $3
            WHERE kind = $1 AND id = $2 AND ended IS NULL";
        Ok(self.0.execute(sql, &[&kind, &id, &&*status]).await? > 0)
    }

    async fn end(
        &self,
        kind: &str,
        id: &str,
        status: Bytes,
        webhook: Option<OutgoingWebhook>,
    ) -> Result<bool, StoreError> {
        let mut client = self.0.client().await?;
        let transaction = client.transaction().await.map_err(failure)?;
        let sql = concat!(
            "UPDATE bothends_task SET status = $3, ended = ",
            now!("$4"),
            " WHERE kind = $1 AND id = $2 AND ended IS NULL RETURNING owner"
        );
        let statement = transaction.prepare_cached(sql).await.map_err(failure)?;
        let given = self.0.clock.given();
        let values: [&(dyn ToSql + Sync); 4] = [&kind, &id, &&*status, &given];
        let ended = transaction.query_opt(&statement, &values).await;
        let Some(ended) = ended.map_err(failure)? else {
            return Ok(false);
        };
        let message = webhook.map(|webhook| {
            let owner: String = get(&ended, 0)?;
            Ok::<_, StoreError>(Message::from(webhook).owner(owner))
        });
        let message = message.transpose()?;
        if let Some(message) = &message {
            enqueue::enqueue_at(&*transaction, message, given).await?;
        }
        transaction.commit().await.map_err(failure)?;
        drop(client);
        if message.is_some() {
            // The end is committed. Workers poll, so a lost notification delays the webhook only.
            let _ = self.0.wake().await;
        }
        Ok(true)
    }
}
