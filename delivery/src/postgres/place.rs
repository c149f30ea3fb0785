//! Endpoints, and their places in the queue.
//!
//! Whoever waits for rows waits for those of endpoints, in the order of their ids, and holds no
//! deliveries that others wait for: nobody waits in a circle.

use super::{failure, get, get_u32};
use crate::store::Endpoint;
use crate::{StoreError, Timestamp};
use deadpool_postgres::{Object, Transaction};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

pub(super) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

pub(super) async fn query(
    transaction: &Transaction<'_>,
    sql: &str,
    values: Values<'_>,
) -> Result<Vec<Row>, StoreError> {
    let statement = transaction.prepare_cached(sql).await.map_err(failure)?;
    transaction.query(&statement, values).await.map_err(failure)
}

/// The six columns of an endpoint, from this one on.
pub(super) fn endpoint(row: &Row, from: usize) -> Result<Endpoint, StoreError> {
    Ok(Endpoint {
        id: get(row, from)?,
        active: get(row, from + 1)?,
        cap: get(row, from + 2)?,
        busy: get(row, from + 3)?,
        failures: get_u32(row, from + 4)?,
        closed_until: get(row, from + 5)?,
    })
}

/// Waits for these endpoints, and holds them.
pub(super) async fn lock(
    transaction: &Transaction<'_>,
    ids: &[i64],
) -> Result<BTreeMap<i64, Endpoint>, StoreError> {
    let sql = "SELECT id, active, cap, busy, failures, closed_until FROM bothends_endpoint
        WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE";
    let rows = query(transaction, sql, &[&ids]).await?;
    let endpoints = rows
        .iter()
        .map(|row| endpoint(row, 0).map(|found| (found.id, found)));
    endpoints.collect()
}

/// Writes endpoints down that are held, with the places in the queue that are due to them.
pub(super) async fn refresh(
    transaction: &Transaction<'_>,
    endpoints: impl IntoIterator<Item = &Endpoint>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let endpoints: Vec<&Endpoint> = endpoints.into_iter().collect();
    if endpoints.is_empty() {
        return Ok(());
    }
    let of = |value: fn(&Endpoint) -> i64| -> Vec<i64> {
        endpoints.iter().map(|endpoint| value(endpoint)).collect()
    };
    let has_room: Vec<bool> = endpoints
        .iter()
        .map(|endpoint| endpoint.room() > 0)
        .collect();
    query(
        transaction,
        "UPDATE bothends_endpoint AS e SET busy = i.busy, failures = i.failures,
            suspect = i.failures > 0, closed_until = i.closed_until, has_room = i.has_room,
            ready = CASE WHEN i.has_room THEN (
                SELECT greatest(d.due, i.closed_until, $6) FROM bothends_delivery AS d
                WHERE d.endpoint = i.id AND d.state = 0 ORDER BY d.due, d.id LIMIT 1) END
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
            AS i (id, busy, failures, closed_until, has_room) WHERE e.id = i.id",
        &[
            &of(|endpoint| endpoint.id),
            &of(|endpoint| endpoint.busy),
            &of(|endpoint| i64::from(endpoint.failures)),
            &of(|endpoint| endpoint.closed_until),
            &has_room,
            &now.as_millis(),
        ],
    )
    .await
    .map(drop)
}

/// Finds the places in the queue of all endpoints of a subscription.
pub(super) async fn refresh_all(
    transaction: &Transaction<'_>,
    subscription: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "SELECT id FROM bothends_endpoint WHERE subscription = $1 AND removed IS NULL";
    let rows = query(transaction, sql, &[&subscription]).await?;
    let ids: Vec<i64> = rows
        .iter()
        .map(|row| get(row, 0))
        .collect::<Result<_, _>>()?;
    let endpoints = lock(transaction, &ids).await?;
    refresh(transaction, endpoints.values(), now).await
}

/// Takes notes, half of them the oldest and half the newest: under a load that leaves more notes
/// than claims collect, old ones do not wait for ever, and an endpoint that was idle does not wait
/// for all that was noted before. Mostly an endpoint had something to do already, and its place is
/// good. What is held is looked at as it is then: nothing is asked of it before.
const ABSORB: &str = "
WITH note AS (
    DELETE FROM bothends_wake WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM (
            SELECT ctid FROM bothends_wake ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED) AS oldest
        UNION SELECT ctid FROM (
            SELECT ctid FROM bothends_wake ORDER BY id DESC LIMIT $1 FOR UPDATE SKIP LOCKED) AS newest))
    RETURNING endpoint, at
), woken AS (
    SELECT endpoint, min(at) AS at FROM note GROUP BY endpoint
), held AS (
    SELECT e.id, e.has_room, e.ready, greatest(w.at, e.closed_until) AS place
    FROM woken AS w JOIN bothends_endpoint AS e ON e.id = w.endpoint
    ORDER BY e.id FOR NO KEY UPDATE OF e
), placed AS (
    UPDATE bothends_endpoint AS e SET ready = held.place FROM held
    WHERE e.id = held.id AND held.has_room AND (held.ready IS NULL OR held.ready > held.place)
)
SELECT count(*) FROM note";

/// Gives endpoints their places in the queue for what was enqueued since, by at most so many notes;
/// returns how many it were.
///
/// A note is seen only after its delivery: they were committed together. Its endpoint is held
/// when the place is computed, so that no claim that saw less comes after.
pub(super) async fn absorb(
    transaction: &Transaction<'_>,
    most: usize,
) -> Result<usize, StoreError> {
    let half = i64::try_from(most / 2).unwrap_or(i64::MAX);
    let rows = query(transaction, ABSORB, &[&half]).await?;
    let taken: i64 = rows.first().map_or(Ok(0), |row| get(row, 0))?;
    Ok(usize::try_from(taken).unwrap_or_default())
}

pub(super) async fn mend(
    client: &mut Object,
    now: Timestamp,
    slack: Duration,
) -> Result<u64, StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    let (now_ms, limit) = (now.as_millis(), now.after(slack).as_millis());
    // The lease of a worker whose clock ran ahead ends as much too late.
    let moved = query(
        &transaction,
        "UPDATE bothends_delivery SET due = due - (since - $1), since = $1
         WHERE state IN (0, 1) AND due > $2 AND since > $2 RETURNING endpoint",
        &[&now_ms, &limit],
    )
    .await?;
    let ids: Vec<i64> = moved
        .iter()
        .map(|row| get(row, 0))
        .collect::<Result<_, _>>()?;
    let endpoints = lock(&transaction, &ids).await?;
    refresh(&transaction, endpoints.values(), now).await?;
    transaction.commit().await.map_err(failure)?;
    Ok(moved.len() as u64)
}
