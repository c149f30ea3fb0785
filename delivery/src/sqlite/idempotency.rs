//! Responses to requests with idempotency keys.

use super::{SqliteStore, execute, failure};
use crate::idempotency::{DurableIdempotencyStore, EXPIRED_AT_ONCE, Reserved, Terms, columns};
use crate::{StoreError, Timestamp};
use bothends_runtime::server::{
    BodyError, BoxFuture, IdempotencyKey, IdempotencyState, IdempotencyStore, StoredResponse,
};
use rusqlite::{Connection, params};

impl SqliteStore {
    /// Returns a store of responses to requests with idempotency keys, in this database.
    pub fn idempotency(&self) -> DurableIdempotencyStore<Self> {
        DurableIdempotencyStore::new(self.clone())
    }
}

impl IdempotencyStore for DurableIdempotencyStore<SqliteStore> {
    fn begin<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        fingerprint: &'a IdempotencyKey,
    ) -> BoxFuture<'a, Result<IdempotencyState, BodyError>> {
        let (key, fingerprint, terms) = (*key, *fingerprint, self.terms);
        let begin =
            move |connection: &Connection, now| begin(connection, &key, &fingerprint, terms, now);
        Box::pin(async move { Ok(self.store.write(false, begin).await?) })
    }

    fn finish<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        response: Option<StoredResponse>,
    ) -> BoxFuture<'a, Result<(), BodyError>> {
        let (key, terms) = (*key, self.terms);
        let finish = move |connection: &Connection, now| {
            finish(connection, &key, response.as_ref(), terms, now)
        };
        Box::pin(async move { Ok(self.store.write(false, finish).await?) })
    }
}

const EXPIRED: &str = "DELETE FROM bothends_idempotency WHERE key IN (
    SELECT key FROM bothends_idempotency WHERE until <= ?1 ORDER BY until LIMIT ?2)";

fn begin(
    connection: &Connection,
    key: &IdempotencyKey,
    fingerprint: &IdempotencyKey,
    terms: Terms,
    now: Timestamp,
) -> Result<IdempotencyState, StoreError> {
    execute(
        connection,
        EXPIRED,
        params![now.as_millis(), EXPIRED_AT_ONCE],
    )?;
    let reserve = "INSERT INTO bothends_idempotency (key, fingerprint, holder, until)
        VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (key) DO UPDATE SET fingerprint = ?2, holder = ?3, until = ?4,
            status = NULL, headers = NULL, body = NULL
        WHERE until <= ?5";
    let values = params![
        key.as_bytes(),
        fingerprint.as_bytes(),
        terms.holder.as_bytes(),
        now.after(terms.lease).as_millis(),
        now.as_millis(),
    ];
    if execute(connection, reserve, values)? > 0 {
        return Ok(IdempotencyState::New);
    }
    let reserved = "SELECT fingerprint, status, headers, body FROM bothends_idempotency
        WHERE key = ?1";
    let mut statement = connection.prepare_cached(reserved).map_err(failure)?;
    let reserved = statement.query_row([key.as_bytes()], |row| {
        Ok(Reserved {
            fingerprint: row.get(0)?,
            status: row.get(1)?,
            headers: row.get(2)?,
            body: row.get(3)?,
        })
    });
    reserved.map_err(failure)?.state(fingerprint)
}

fn finish(
    connection: &Connection,
    key: &IdempotencyKey,
    response: Option<&StoredResponse>,
    terms: Terms,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (key, holder) = (key.as_bytes(), terms.holder.as_bytes());
    let Some(response) = response else {
        let release = "DELETE FROM bothends_idempotency
            WHERE key = ?1 AND holder = ?2 AND status IS NULL";
        return execute(connection, release, params![key, holder]).map(drop);
    };
    let (status, headers, body) = columns(response);
    let complete = "UPDATE bothends_idempotency
        SET until = ?3, status = ?4, headers = ?5, body = ?6
        WHERE key = ?1 AND holder = ?2 AND status IS NULL";
    let until = now.after(terms.keep).as_millis();
    let values = params![key, holder, until, status, headers, body];
    execute(connection, complete, values).map(drop)
}
