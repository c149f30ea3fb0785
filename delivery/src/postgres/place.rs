//! Endpoints, and their positions in the queues.
//!
//! Transactions wait only for rows of endpoints, in the order of their ids, and hold no deliveries
//! for which others wait. This prevents deadlocks.

use super::{failure, get, get_u32};
use crate::store::Endpoint;
use crate::{StoreError, Timestamp};
use deadpool_postgres::{Object, Transaction};
use std::collections::BTreeMap;
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

/// Reads the eight columns of an endpoint, starting at `from`.
pub(super) fn endpoint(row: &Row, from: usize) -> Result<Endpoint, StoreError> {
    Ok(Endpoint {
        id: get(row, from)?,
        active: get(row, from + 1)?,
        cap: get(row, from + 2)?,
        busy: get(row, from + 3)?,
        failures: get_u32(row, from + 4)?,
        closed_until: get(row, from + 5)?,
        pace: get(row, from + 6)?,
        class: get(row, from + 7)?,
    })
}

/// Locks these endpoints, waiting if necessary.
pub(super) async fn lock(
    transaction: &Transaction<'_>,
    ids: &[i64],
) -> Result<BTreeMap<i64, Endpoint>, StoreError> {
    let sql = "SELECT id, active, cap, busy, failures, closed_until, pace, class
        FROM bothends_endpoint WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE";
    let rows = query(transaction, sql, &[&ids]).await?;
    let endpoints = rows
        .iter()
        .map(|row| endpoint(row, 0).map(|found| (found.id, found)));
    endpoints.collect()
}

/// Stores locked endpoints with their current positions in the queue.
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
    let pace: Vec<Option<i64>> = endpoints.iter().map(|endpoint| endpoint.pace).collect();
    let has_room: Vec<bool> = endpoints
        .iter()
        .map(|endpoint| endpoint.room() > 0)
        .collect();
    query(
        transaction,
        "UPDATE bothends_endpoint AS e SET busy = i.busy, failures = i.failures,
            class = i.class, pace = i.pace, closed_until = i.closed_until, has_room = i.has_room,
            closed_since = CASE WHEN e.closed_until = i.closed_until THEN e.closed_since ELSE $6 END,
            ready = CASE WHEN i.has_room THEN (
                SELECT greatest(d.due, i.closed_until, $6) FROM bothends_delivery AS d
                WHERE d.endpoint = i.id AND d.state = 0 ORDER BY d.due, d.id LIMIT 1) END
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[],
                $7::bigint[], $8::bigint[])
            AS i (id, busy, failures, closed_until, has_room, class, pace) WHERE e.id = i.id",
        &[
            &of(|endpoint| endpoint.id),
            &of(|endpoint| endpoint.busy),
            &of(|endpoint| i64::from(endpoint.failures)),
            &of(|endpoint| endpoint.closed_until),
            &has_room,
            &now.as_millis(),
            &of(|endpoint| endpoint.class),
            &pace,
        ],
    )
    .await
    .map(drop)
}

/// Recomputes the queue positions of all endpoints of a subscription.
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

/// Absorbs wake notes, half of them the oldest and half the newest. When there are more notes than
/// claims absorb, old notes do not wait forever, and an endpoint that was idle does not wait for
/// all earlier notes. Most endpoints have earlier deliveries, and their position is already
/// correct. An endpoint is read only after it is locked.
///
/// The statement does not wait for locks: notes of endpoints that another transaction has locked
/// remain for the next time. Only the transaction that has locked an endpoint deletes its notes.
/// The commit does not wait for the disk: a crash undoes the whole statement, which is then
/// repeated.
const ABSORB: &str = "
WITH note AS MATERIALIZED (
    SELECT id, endpoint, at FROM (
        SELECT id, endpoint, at FROM bothends_wake ORDER BY id LIMIT $1) AS oldest
    UNION SELECT id, endpoint, at FROM (
        SELECT id, endpoint, at FROM bothends_wake ORDER BY id DESC LIMIT $1) AS newest
), held AS MATERIALIZED (
    SELECT e.id, e.has_room, e.ready, e.closed_until FROM bothends_endpoint AS e
    WHERE e.id = ANY (ARRAY(SELECT endpoint FROM note)) ORDER BY e.id
    FOR NO KEY UPDATE OF e SKIP LOCKED
), gone AS (
    DELETE FROM bothends_wake WHERE id = ANY (ARRAY(
        SELECT note.id FROM held JOIN note ON note.endpoint = held.id))
    RETURNING endpoint, at
), place AS (
    SELECT endpoint, min(at) AS at FROM gone GROUP BY endpoint
), placed AS (
    UPDATE bothends_endpoint AS e SET ready = greatest(p.at, held.closed_until)
    FROM place AS p JOIN held ON held.id = p.endpoint
    WHERE e.id = p.endpoint AND held.has_room
        AND (held.ready IS NULL OR held.ready > greatest(p.at, held.closed_until))
)
SELECT (SELECT count(*) FROM note), (SELECT count(*) FROM gone),
    set_config('synchronous_commit', 'off', true)";

/// The number of notes found, and whether some of them remain.
pub(super) struct Absorbed {
    pub(super) found: usize,
    pub(super) left: bool,
}

/// Updates the queue positions of endpoints with new deliveries, from at most `most` notes.
///
/// A note becomes visible together with its delivery, because both are committed together. The
/// endpoint is locked while the position is computed, so that a claim with an older snapshot cannot
/// overwrite the position.
pub(super) async fn absorb(client: &Object, most: usize) -> Result<Absorbed, StoreError> {
    let half = i64::try_from(most / 2).unwrap_or(i64::MAX);
    let statement = client.prepare_cached(ABSORB).await.map_err(failure)?;
    let row = client.query_one(&statement, &[&half]).await;
    let row = row.map_err(failure)?;
    let (found, taken): (i64, i64) = (get(&row, 0)?, get(&row, 1)?);
    Ok(Absorbed {
        found: usize::try_from(found).unwrap_or_default(),
        left: taken < found,
    })
}
