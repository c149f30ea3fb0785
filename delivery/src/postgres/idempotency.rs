//! Responses to requests with idempotency keys.

use super::clock::{millis, now};
use super::{PostgresStore, failure, get};
use crate::StoreError;
use crate::idempotency::{DurableIdempotencyStore, EXPIRED_AT_ONCE, Reserved, columns};
use bothends_runtime::server::{
    BodyError, BoxFuture, IdempotencyKey, IdempotencyState, IdempotencyStore, StoredResponse,
};
use tokio_postgres::types::ToSql;

impl PostgresStore {
    /// Returns a store of responses to requests with idempotency keys, in this database.
    pub fn idempotency(&self) -> DurableIdempotencyStore<Self> {
        DurableIdempotencyStore::new(self.clone())
    }
}

impl IdempotencyStore for DurableIdempotencyStore<PostgresStore> {
    fn begin<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        fingerprint: &'a IdempotencyKey,
    ) -> BoxFuture<'a, Result<IdempotencyState, BodyError>> {
        Box::pin(async move {
            loop {
                if self.reserve(key, fingerprint).await? {
                    if let Err(error) = self.delete_expired().await {
                        tracing::warn!(%error, "expired idempotency keys were not deleted");
                    }
                    return Ok(IdempotencyState::New);
                }
                // A key that was released in the meantime is reserved.
                if let Some(reserved) = self.reserved(key).await? {
                    return Ok(reserved.state(fingerprint)?);
                }
            }
        })
    }

    fn finish<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        response: Option<StoredResponse>,
    ) -> BoxFuture<'a, Result<(), BodyError>> {
        Box::pin(async move { Ok(self.end(key, response.as_ref()).await?) })
    }
}

/// Reserves a key unless another request has it. One statement, which is a transaction of its own: of
/// two processes, the second waits for the first, and then sees its row.
const RESERVE: &str = concat!(
    "INSERT INTO bothends_idempotency AS i (key, fingerprint, holder, until)
    SELECT $1::bytea, $2::bytea, $3::bytea, clock.now + $5 FROM (SELECT ",
    now!("$4"),
    " AS now) AS clock
ON CONFLICT (key) DO UPDATE SET fingerprint = excluded.fingerprint, holder = excluded.holder,
    until = excluded.until, status = NULL, headers = NULL, body = NULL
WHERE i.until <= excluded.until - $5"
);

/// Deletes expired keys, in a transaction of its own, so that it never waits for a reservation.
const EXPIRED: &str = concat!(
    "DELETE FROM bothends_idempotency WHERE key IN (
    SELECT key FROM bothends_idempotency WHERE until <= ",
    now!("$1"),
    " ORDER BY until LIMIT $2 FOR UPDATE SKIP LOCKED)"
);

const COMPLETE: &str = concat!(
    "UPDATE bothends_idempotency SET until = ",
    now!("$4"),
    " + $3, status = $5, headers = $6, body = $7 WHERE key = $1 AND holder = $2 AND status IS NULL"
);

impl DurableIdempotencyStore<PostgresStore> {
    /// Reserves a key. Returns `false` if another request has it.
    async fn reserve(
        &self,
        key: &IdempotencyKey,
        fingerprint: &IdempotencyKey,
    ) -> Result<bool, StoreError> {
        let (now, lease) = (self.store.clock.given(), millis(self.terms.lease));
        let (key, fingerprint) = (&key.as_bytes()[..], &fingerprint.as_bytes()[..]);
        let holder = &self.terms.holder.as_bytes()[..];
        let values: [&(dyn ToSql + Sync); 5] = [&key, &fingerprint, &holder, &now, &lease];
        Ok(self.store.execute(RESERVE, &values).await? > 0)
    }

    async fn delete_expired(&self) -> Result<(), StoreError> {
        let now = self.store.clock.given();
        let values: [&(dyn ToSql + Sync); 2] = [&now, &EXPIRED_AT_ONCE];
        self.store.execute(EXPIRED, &values).await.map(drop)
    }

    async fn reserved(&self, key: &IdempotencyKey) -> Result<Option<Reserved>, StoreError> {
        let sql = "SELECT fingerprint, status, headers, body FROM bothends_idempotency
            WHERE key = $1";
        let client = self.store.client().await?;
        let statement = client.prepare_cached(sql).await.map_err(failure)?;
        let found = client.query_opt(&statement, &[&&key.as_bytes()[..]]).await;
        let reserved = |row| {
            Ok(Reserved {
                fingerprint: get(&row, 0)?,
                status: get(&row, 1)?,
                headers: get(&row, 2)?,
                body: get(&row, 3)?,
            })
        };
        found.map_err(failure)?.map(reserved).transpose()
    }

    /// Stores the response of a reserved key, or releases the key.
    async fn end(
        &self,
        key: &IdempotencyKey,
        response: Option<&StoredResponse>,
    ) -> Result<(), StoreError> {
        let (key, holder) = (&key.as_bytes()[..], &self.terms.holder.as_bytes()[..]);
        let Some(response) = response else {
            let release = "DELETE FROM bothends_idempotency
                WHERE key = $1 AND holder = $2 AND status IS NULL";
            return self
                .store
                .execute(release, &[&key, &holder])
                .await
                .map(drop);
        };
        let (status, headers, body) = columns(response);
        let (keep, now) = (millis(self.terms.keep), self.store.clock.given());
        let values: [&(dyn ToSql + Sync); 7] =
            [&key, &holder, &keep, &now, &status, &headers, &body];
        self.store.execute(COMPLETE, &values).await.map(drop)
    }
}
