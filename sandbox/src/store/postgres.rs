//! Documents in PostgreSQL.

use super::batches::Rows;
use super::changes::Write;
use super::{Changes, CommitError, Page, Row, StorageError, schema};
use bothends_delivery::postgres::{PostgresStore, enqueue_in};
use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime, Transaction,
};
use std::fmt;
use std::time::Duration;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, NoTls};

const COLUMNS: &str = "project, kind, id, version, tag, parent, due, body";
/// The number of pooled connections.
const CONNECTIONS: usize = 16;
/// The timeout for connecting, and for waiting for a pooled connection.
const PATIENCE: Duration = Duration::from_secs(5);
/// The number of the advisory lock under which tables are upgraded.
const LOCK: i64 = 0x0073_616e_6462_6f78;

#[derive(Clone)]
pub(super) struct Postgres {
    delivery: PostgresStore,
    pool: Pool,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}

impl Postgres {
    pub(super) async fn connect(url: &str) -> Result<Self, StorageError> {
        let mut config: Config = url.parse().map_err(StorageError::new)?;
        config.application_name("financial-data-sandbox");
        config.connect_timeout(PATIENCE);
        let manager = Manager::from_config(
            config.clone(),
            NoTls,
            ManagerConfig {
                recycling_method: RecyclingMethod::Fast,
            },
        );
        let pool = Pool::builder(manager)
            .max_size(CONNECTIONS)
            .wait_timeout(Some(PATIENCE))
            .create_timeout(Some(PATIENCE))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(StorageError::new)?;
        let delivery = PostgresStore::connect(config, NoTls)
            .await
            .map_err(StorageError::new)?;
        let store = Self { delivery, pool };
        store.migrate().await?;
        Ok(store)
    }

    pub(super) const fn delivery(&self) -> &PostgresStore {
        &self.delivery
    }

    async fn client(&self) -> Result<Object, StorageError> {
        self.pool.get().await.map_err(StorageError::new)
    }

    async fn migrate(&self) -> Result<(), StorageError> {
        let mut client = self.client().await?;
        let transaction = client.transaction().await.map_err(StorageError::new)?;
        let migrating = async {
            transaction
                .execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])
                .await?;
            transaction.batch_execute(schema::VERSION_TABLE).await?;
            let sql = "SELECT version FROM sandbox_schema WHERE singleton = 1";
            transaction.query_opt(sql, &[]).await
        };
        let found = migrating.await.map_err(StorageError::new)?;
        for step in schema::upgrade(found.map_or(0, |row| row.get(0)))? {
            transaction
                .batch_execute(step)
                .await
                .map_err(StorageError::new)?;
        }
        let sql = "INSERT INTO sandbox_schema VALUES (1, $1) ON CONFLICT (singleton) DO UPDATE SET version = $1";
        transaction
            .execute(sql, &[&schema::VERSION])
            .await
            .map_err(StorageError::new)?;
        transaction.commit().await.map_err(StorageError::new)
    }

    pub(super) async fn get(
        &self,
        kind: &'static str,
        project: &str,
        id: &str,
    ) -> Result<Option<Row>, StorageError> {
        let condition = "project = $1 AND kind = $2 AND id = $3";
        Ok(self.select(condition, &[&project, &kind, &id]).await?.pop())
    }

    pub(super) async fn find(
        &self,
        kind: &'static str,
        tag: &str,
    ) -> Result<Option<Row>, StorageError> {
        Ok(self
            .select("kind = $1 AND tag = $2", &[&kind, &tag])
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
        let mut condition = "project = $1 AND kind = $2".to_owned();
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&project, &kind];
        if let Some(parent) = &page.parent {
            values.push(parent);
            condition += &format!(" AND parent = ${}", values.len());
        }
        if let Some(after) = &page.after {
            values.push(after);
            // Ids are compared by their bytes, as SQLite does.
            condition += &format!(" AND id COLLATE \"C\" {comparison} ${}", values.len());
        }
        condition += &format!(
            " ORDER BY id COLLATE \"C\" {order} LIMIT {} OFFSET {}",
            page.limit, page.skip
        );
        self.select(&condition, &values).await
    }

    pub(super) async fn batches(
        &self,
        kind: &'static str,
        project: &str,
        rows: &Rows<'_>,
    ) -> Result<Vec<Row>, StorageError> {
        let (beyond, after, order) = match rows.newest_first {
            true => (
                "parent COLLATE \"C\" <",
                "id COLLATE \"C\" <",
                "id COLLATE \"C\" DESC",
            ),
            false => (
                "id COLLATE \"C\" >",
                "parent COLLATE \"C\" >",
                "parent COLLATE \"C\"",
            ),
        };
        let mut condition = "project = $1 AND kind = $2".to_owned();
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&project, &kind];
        for (comparison, id) in [(beyond, &rows.beyond), (after, &rows.after)] {
            if let Some(id) = id {
                values.push(id);
                condition += &format!(" AND {comparison} ${}", values.len());
            }
        }
        condition += &format!(" ORDER BY {order} LIMIT {}", rows.limit);
        self.select(&condition, &values).await
    }

    pub(super) async fn due(
        &self,
        project: &str,
        now: i64,
        limit: u32,
    ) -> Result<Vec<Row>, StorageError> {
        let condition = format!("project = $1 AND due <= $2 ORDER BY due, id LIMIT {limit}");
        self.select(&condition, &[&project, &now]).await
    }

    pub(super) async fn next_due(&self) -> Result<Vec<(String, i64)>, StorageError> {
        let client = self.client().await?;
        let statement = client
            .prepare_cached(schema::NEXT_DUE)
            .await
            .map_err(StorageError::new)?;
        let rows = client
            .query(&statement, &[])
            .await
            .map_err(StorageError::new)?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
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
        let mut client = self.client().await?;
        let transaction = client.transaction().await.map_err(StorageError::new)?;
        for write in &writes {
            apply(&transaction, write).await?;
        }
        for message in &messages {
            enqueue_in(&*transaction, message)
                .await
                .map_err(StorageError::new)?;
        }
        transaction.commit().await.map_err(StorageError::new)?;
        Ok(())
    }

    pub(super) async fn export(
        &self,
        project: &str,
        kinds: &[&str],
    ) -> Result<Vec<Row>, StorageError> {
        let condition = "project = $1 AND kind = ANY($2) ORDER BY kind, id COLLATE \"C\"";
        self.select(condition, &[&project, &kinds]).await
    }

    pub(super) async fn trim(
        &self,
        kind: &'static str,
        is_log: bool,
        project: &str,
        keep: u32,
    ) -> Result<u64, StorageError> {
        let sql = match is_log {
            true => {
                "DELETE FROM sandbox_records WHERE project = $1 AND kind = $2 AND id COLLATE \"C\" <= (
                SELECT id FROM (
                    SELECT id, SUM(version) OVER (ORDER BY id COLLATE \"C\" DESC) - version AS newer
                    FROM sandbox_records WHERE project = $1 AND kind = $2
                ) AS counted WHERE newer >= $3::bigint ORDER BY id COLLATE \"C\" DESC LIMIT 1)"
            }
            false => {
                "DELETE FROM sandbox_records WHERE project = $1 AND kind = $2 AND id COLLATE \"C\" <= (
                SELECT id FROM sandbox_records WHERE project = $1 AND kind = $2
                ORDER BY id COLLATE \"C\" DESC LIMIT 1 OFFSET $3)"
            }
        };
        let client = self.client().await?;
        let values: [&(dyn ToSql + Sync); 3] = [&project, &kind, &i64::from(keep)];
        client
            .execute(sql, &values)
            .await
            .map_err(StorageError::new)
    }

    async fn select(
        &self,
        condition: &str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StorageError> {
        let client = self.client().await?;
        let sql = format!("SELECT {COLUMNS} FROM sandbox_records WHERE {condition}");
        let statement = client
            .prepare_cached(&sql)
            .await
            .map_err(StorageError::new)?;
        let rows = client
            .query(&statement, values)
            .await
            .map_err(StorageError::new)?;
        Ok(rows
            .iter()
            .map(|row| Row {
                project: row.get(0),
                kind: row.get(1),
                id: row.get(2),
                version: row.get(3),
                tag: row.get(4),
                parent: row.get(5),
                due: row.get(6),
                body: row.get(7),
            })
            .collect())
    }
}

/// Returns all columns of a row.
fn columns(row: &Row) -> [&(dyn ToSql + Sync); 8] {
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
    [project, kind, id, version, tag, parent, due, body]
}

async fn apply(transaction: &Transaction<'_>, write: &Write) -> Result<(), CommitError> {
    let execute = async |sql: &str, values: &[&(dyn ToSql + Sync)]| {
        let statement = transaction.prepare_cached(sql).await?;
        transaction.execute(&statement, values).await
    };
    let changed = match write {
        Write::Insert(row) => {
            let sql =
                "INSERT INTO sandbox_records (project, kind, id, version, tag, parent, due, body)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
            execute(sql, &columns(row)).await
        }
        Write::Update(row) => {
            let sql = "UPDATE sandbox_records SET version = $4::bigint, tag = $5, parent = $6, due = $7, body = $8
                WHERE project = $1 AND kind = $2 AND id = $3 AND version = $4::bigint - 1";
            execute(sql, &columns(row)).await
        }
        Write::Remove {
            project,
            kind,
            id,
            version,
        } => {
            let sql = "DELETE FROM sandbox_records
                WHERE project = $1 AND kind = $2 AND id = $3 AND version = $4";
            execute(sql, &[project, kind, id, version]).await
        }
        Write::Clear { project, kinds } => {
            let sql = "DELETE FROM sandbox_records WHERE project = $1 AND kind = ANY($2)";
            let cleared = execute(sql, &[project, kinds]).await;
            cleared.map_err(StorageError::new)?;
            return Ok(());
        }
    };
    match changed.map_err(StorageError::new)? {
        1 => Ok(()),
        _ => Err(CommitError::Conflict),
    }
}
