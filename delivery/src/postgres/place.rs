//! Endpoints, and their positions in the queues.
//!
//! Transactions wait only for rows of endpoints, in the order of their ids, and hold no deliveries
//! for which others wait. This prevents deadlocks.

use super::clock::now;
use super::flush::commit_early;
use super::{failure, get, get_u32};
use crate::store::{Endpoint, Order, Rate};
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

/// The columns of an endpoint `e`.
macro_rules! endpoint_columns {
    () => {
        "e.id, e.active, e.cap, e.busy, e.failures, e.closed_until, e.pace, e.class, e.rate_every,
    e.rate_burst, e.rate_free, e.ordered, e.head"
    };
}
pub(super) use endpoint_columns;

/// The number of columns of an endpoint.
pub(super) const COLUMNS: usize = 13;

/// Reads the columns of an endpoint, starting at `from`.
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
        rate: Rate {
            every: get(row, from + 8)?,
            burst: get(row, from + 9)?,
            free: get(row, from + 10)?,
        },
        order: Order::from_number(get(row, from + 11)?),
        head: get(row, from + 12)?,
    })
}

/// Locks these endpoints, waiting if necessary.
pub(super) async fn lock(
    transaction: &Transaction<'_>,
    ids: &[i64],
) -> Result<BTreeMap<i64, Endpoint>, StoreError> {
    let sql = concat!(
        "SELECT ",
        endpoint_columns!(),
        " FROM bothends_endpoint AS e WHERE e.id = ANY ($1) ORDER BY e.id FOR NO KEY UPDATE"
    );
    let rows = query(transaction, sql, &[&ids]).await?;
    let endpoints = rows
        .iter()
        .map(|row| endpoint(row, 0).map(|found| (found.id, found)));
    endpoints.collect()
}

const PROMOTE: &str = "
WITH next AS MATERIALIZED (
    SELECT d.id FROM unnest($1::bigint[]) AS e (id) CROSS JOIN LATERAL (
        SELECT id FROM bothends_delivery WHERE endpoint = e.id AND state = -2 ORDER BY id LIMIT 1
    ) AS d
)
UPDATE bothends_delivery AS d SET state = 0 FROM next WHERE d.id = next.id RETURNING d.endpoint, d.id";

/// Ends the waiting of the first attempts that are next in turn, or of all if they are no longer ordered.
async fn promote(
    transaction: &Transaction<'_>,
    endpoints: &mut [Endpoint],
) -> Result<(), StoreError> {
    let ids = |of: fn(&Endpoint) -> bool| -> Vec<i64> {
        let endpoints = endpoints.iter().filter(|endpoint| of(endpoint));
        endpoints.map(|endpoint| endpoint.id).collect()
    };
    let idle = ids(|endpoint| endpoint.order == Order::Line && endpoint.head.is_none());
    let dissolved = ids(|endpoint| endpoint.order == Order::Dissolved);
    if !dissolved.is_empty() {
        let sql = "UPDATE bothends_delivery SET state = 0 WHERE endpoint = ANY ($1) AND state = -2";
        query(transaction, sql, &[&dissolved]).await?;
        forget_low(transaction, &dissolved).await?;
    }
    if !idle.is_empty() {
        let mut heads: BTreeMap<i64, i64> = BTreeMap::new();
        for row in &query(transaction, PROMOTE, &[&idle]).await? {
            heads.insert(get(row, 0)?, get(row, 1)?);
        }
        // They may have been due long ago.
        let promoted: Vec<i64> = heads.keys().copied().collect();
        forget_low(transaction, &promoted).await?;
        for endpoint in endpoints {
            endpoint.head = heads.remove(&endpoint.id).or(endpoint.head);
        }
    }
    Ok(())
}

/// Stores locked endpoints with their current positions in the queue. The transaction may have made deliveries
/// pending that are due at `now` or later.
pub(super) async fn refresh(
    transaction: &Transaction<'_>,
    endpoints: impl IntoIterator<Item = &Endpoint>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut endpoints: Vec<Endpoint> = endpoints.into_iter().copied().collect();
    if endpoints.is_empty() {
        return Ok(());
    }
    promote(transaction, &mut endpoints).await?;
    let of = |value: fn(&Endpoint) -> i64| -> Vec<i64> { endpoints.iter().map(value).collect() };
    let free: Vec<i64> = endpoints
        .iter()
        .map(|endpoint| endpoint.rate.free_at(now))
        .collect();
    let opens: Vec<i64> = endpoints
        .iter()
        .map(|endpoint| endpoint.opens(now))
        .collect();
    let heads: Vec<Option<i64>> = endpoints.iter().map(|endpoint| endpoint.head).collect();
    let pace: Vec<Option<i64>> = endpoints.iter().map(|endpoint| endpoint.pace).collect();
    let has_room: Vec<bool> = endpoints
        .iter()
        .map(|endpoint| endpoint.room() > 0)
        .collect();
    query(
        transaction,
        "UPDATE bothends_endpoint AS e SET busy = i.busy, failures = i.failures,
            class = i.class, pace = i.pace, closed_until = i.closed_until, has_room = i.has_room,
            rate_free = i.free, head = i.head,
            closed_since = CASE WHEN e.closed_until = i.closed_until THEN e.closed_since ELSE $6 END,
            ready = CASE WHEN i.has_room AND f.due IS NOT NULL
                THEN greatest(f.due, i.opens, $6) END,
            low = coalesce(f.due, 9223372036854775807)
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[],
                $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])
            AS i (id, busy, failures, closed_until, has_room, class, pace, free, opens, head)
         JOIN bothends_endpoint AS before ON before.id = i.id
         LEFT JOIN LATERAL (
            SELECT d.due FROM bothends_delivery AS d
            WHERE d.endpoint = i.id AND d.state = 0 AND d.due >= least(before.low, $6)
            ORDER BY d.due, d.id LIMIT 1) AS f ON TRUE
         WHERE e.id = i.id",
        &[
            &of(|endpoint| endpoint.id),
            &of(|endpoint| endpoint.busy),
            &of(|endpoint| i64::from(endpoint.failures)),
            &of(|endpoint| endpoint.closed_until),
            &has_room,
            &now.as_millis(),
            &of(|endpoint| endpoint.class),
            &pace,
            &free,
            &opens,
            &heads,
        ],
    )
    .await
    .map(drop)
}

/// Forgets before which time nothing is due at these locked endpoints, after due times were moved. The next
/// [`refresh`] finds it.
pub(super) async fn forget_low(
    transaction: &Transaction<'_>,
    ids: &[i64],
) -> Result<(), StoreError> {
    let sql = "UPDATE bothends_endpoint SET low = '-9223372036854775808' WHERE id = ANY ($1)";
    query(transaction, sql, &[&ids]).await.map(drop)
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

/// The time of the next due delivery after the given one.
macro_rules! next {
    ($now:literal) => {
        concat!(
            "least(
    (SELECT min(ready) FROM bothends_endpoint WHERE class = 0 AND ready > ",
            $now,
            "),
    (SELECT min(ready) FROM bothends_endpoint WHERE class = 1 AND ready > ",
            $now,
            "),
    (SELECT min(ready) FROM bothends_endpoint WHERE class = 2 AND ready > ",
            $now,
            "),
    (SELECT min(due) FROM bothends_delivery WHERE state = -1 AND due > ",
            $now,
            "))"
        )
    };
}
pub(super) use next;

/// Absorbs wake notes, half of them the oldest and half the newest. When there are more notes than
/// claims absorb, old notes do not wait forever, and an endpoint that was idle does not wait for
/// all earlier notes. Most endpoints have earlier deliveries, and their position is already
/// correct. An endpoint is read only after it is locked.
///
/// The statement does not wait for locks: notes of endpoints that another transaction has locked
/// remain for the next time. Only the transaction that has locked an endpoint deletes its notes.
/// The commit does not wait for the disk: a crash undoes the whole statement, which is then
/// repeated.
///
/// The statement also says whether there is anything to claim, so that a claim without work is a
/// single round trip. It says so of the moment before the notes were absorbed.
const ABSORB: &str = concat!(
    "
WITH clock AS MATERIALIZED (SELECT ",
    now!("$2"),
    " AS now
), note AS MATERIALIZED (
    SELECT id, endpoint, at, line FROM (
        SELECT id, endpoint, at, line FROM bothends_wake ORDER BY id LIMIT $1) AS oldest
    UNION SELECT id, endpoint, at, line FROM (
        SELECT id, endpoint, at, line FROM bothends_wake ORDER BY id DESC LIMIT $1) AS newest
), held AS MATERIALIZED (
    SELECT e.id, e.has_room, e.ready, e.low,
        greatest(e.closed_until, (e.rate_free + 999) / 1000) AS opens
    FROM bothends_endpoint AS e
    WHERE e.id = ANY (ARRAY(SELECT endpoint FROM note)) ORDER BY e.id
    FOR NO KEY UPDATE OF e SKIP LOCKED
), gone AS (
    DELETE FROM bothends_wake WHERE id = ANY (ARRAY(
        SELECT note.id FROM held JOIN note ON note.endpoint = held.id WHERE NOT note.line))
    RETURNING endpoint, at
), place AS (
    SELECT endpoint, min(at) AS at FROM gone GROUP BY endpoint
), placed AS (
    UPDATE bothends_endpoint AS e SET low = least(held.low, p.at), ready = CASE
        WHEN held.has_room THEN least(held.ready, greatest(p.at, held.opens)) END
    FROM place AS p JOIN held ON held.id = p.endpoint
    WHERE e.id = p.endpoint AND (p.at < held.low OR held.has_room
        AND (held.ready IS NULL OR held.ready > greatest(p.at, held.opens)))
)
SELECT (SELECT count(*) FROM note), (SELECT count(*) FROM gone), clock.now,
    EXISTS (SELECT 1 FROM bothends_delivery WHERE state = 1 AND due <= clock.now),
    EXISTS (SELECT 1 FROM bothends_delivery WHERE state = -1 AND due <= clock.now),
    EXISTS (SELECT 1 FROM bothends_endpoint WHERE class = 0 AND ready <= clock.now)
        OR EXISTS (SELECT 1 FROM bothends_endpoint WHERE class = 1 AND ready <= clock.now)
        OR EXISTS (SELECT 1 FROM bothends_endpoint WHERE class = 2 AND ready <= clock.now),
    ",
    next!("clock.now"),
    ",
    extract(epoch FROM clock_timestamp() - statement_timestamp())::double precision * 1000,
    ARRAY(SELECT DISTINCT held.id FROM held JOIN note ON note.endpoint = held.id WHERE note.line),
    ARRAY(SELECT note.id FROM held JOIN note ON note.endpoint = held.id WHERE note.line), ",
    commit_early!(),
    " FROM clock"
);

/// The result of absorbing notes.
pub(super) struct Absorbed {
    /// The number of notes found.
    pub(super) found: usize,
    /// Whether some of them remain.
    pub(super) left: bool,
    pub(super) now: Timestamp,
    /// Whether leases have expired.
    pub(super) over: bool,
    /// Whether deliveries that have lost workers are due.
    pub(super) lost_before: bool,
    /// Whether endpoints may have become ready.
    pub(super) ready: bool,
    /// The time of the next due delivery, apart from those of the notes.
    pub(super) next: Option<Timestamp>,
    /// How long the server took, in milliseconds.
    pub(super) millis: f64,
}

/// Updates the queue positions of endpoints with new deliveries, from at most `most` notes.
///
/// A note becomes visible together with its delivery, because both are committed together. The
/// endpoint is locked while the position is computed, so that a claim with an older snapshot cannot
/// overwrite the position.
pub(super) async fn absorb(
    client: &mut Object,
    most: usize,
    given: Option<i64>,
) -> Result<Absorbed, StoreError> {
    let half = i64::try_from(most / 2).unwrap_or(i64::MAX);
    let statement = client.prepare_cached(ABSORB).await.map_err(failure)?;
    let row = client.query_one(&statement, &[&half, &given]).await;
    let row = row.map_err(failure)?;
    let (found, mut taken): (i64, i64) = (get(&row, 0)?, get(&row, 1)?);
    let now = Timestamp::from_millis(get(&row, 2)?);
    let ordered: Vec<i64> = get(&row, 8)?;
    if !ordered.is_empty() {
        taken = taken.saturating_add(line_up(client, &ordered, get(&row, 9)?, now).await?);
    }
    Ok(Absorbed {
        found: usize::try_from(found).unwrap_or_default(),
        left: taken < found,
        now,
        over: get(&row, 3)?,
        lost_before: get(&row, 4)?,
        ready: taken > 0 || get(&row, 5)?,
        next: get::<Option<i64>>(&row, 6)?.map(Timestamp::from_millis),
        millis: get(&row, 7)?,
    })
}

/// Absorbs the notes of deliveries that wait for their turn, and returns how many there were. Which
/// delivery is next is read after the endpoint is locked, by a statement that sees what was committed
/// before.
async fn line_up(
    client: &mut Object,
    ids: &[i64],
    notes: Vec<i64>,
    now: Timestamp,
) -> Result<i64, StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    let endpoints = lock(&transaction, ids).await?;
    let sql = "DELETE FROM bothends_wake WHERE id = ANY ($1)";
    query(&transaction, sql, &[&notes]).await?;
    // An endpoint whose turn is taken keeps its place.
    let idle = endpoints.values().filter(|one| one.head.is_none());
    refresh(&transaction, idle, now).await?;
    transaction.commit().await.map_err(failure)?;
    Ok(i64::try_from(notes.len()).unwrap_or(i64::MAX))
}
