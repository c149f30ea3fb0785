//! The open deliveries of an owner, changes of their due times, and repairs of times.

use super::clock::now;
use super::place::{Values, forget_low, lock, query, refresh};
use super::{failure, get};
use crate::store::{Backlog, Shift};
use crate::{StoreError, Timestamp};
use deadpool_postgres::{Object, Transaction};

/// Counts the deliveries of an owner's endpoints by whether they are active: pending deliveries, by
/// the endpoints; deliveries that have lost workers, and leases that expired; and the leases.
const BACKLOG: &str = concat!(
    "
WITH clock AS MATERIALIZED (SELECT ",
    now!("$2"),
    " AS now
), other AS MATERIALIZED (
    SELECT endpoint, due FROM bothends_delivery WHERE state = -1
    UNION ALL
    SELECT d.endpoint, d.due FROM clock JOIN bothends_delivery AS d
        ON d.state = 1 AND d.due <= clock.now
)
SELECT e.active, sum(d.count)::bigint, min(greatest(d.due, e.closed_until, (e.rate_free + 999) / 1000))
FROM bothends_subscription AS s
JOIN bothends_endpoint AS e ON e.subscription = s.id AND e.removed IS NULL
CROSS JOIN LATERAL (
    SELECT count(*) AS count, min(due) AS due FROM bothends_delivery
    WHERE endpoint = e.id AND state = 0
    UNION ALL
    SELECT count(*), min(due) FROM bothends_delivery WHERE endpoint = e.id AND state = -2
) AS d
WHERE s.owner = $1 AND d.count > 0 GROUP BY e.active
UNION ALL
SELECT e.active, count(*), min(greatest(other.due, e.closed_until, (e.rate_free + 999) / 1000))
FROM other
JOIN bothends_endpoint AS e ON e.id = other.endpoint AND e.removed IS NULL
JOIN bothends_subscription AS s ON s.id = e.subscription
WHERE s.owner = $1 GROUP BY e.active
UNION ALL
SELECT NULL, count(*), NULL
FROM clock JOIN bothends_delivery AS d ON d.state = 1 AND d.due > clock.now
JOIN bothends_endpoint AS e ON e.id = d.endpoint
LEFT JOIN bothends_subscription AS s ON s.id = e.subscription AND e.removed IS NULL
WHERE coalesce(s.owner, d.owner) = $1"
);

pub(super) async fn backlog(
    client: &Object,
    owner: &str,
    given: Option<i64>,
) -> Result<Backlog, StoreError> {
    let statement = client.prepare_cached(BACKLOG).await.map_err(failure)?;
    let rows = client.query(&statement, &[&owner, &given]).await;
    let mut backlog = Backlog::default();
    for row in &rows.map_err(failure)? {
        backlog.add(get(row, 0)?, get(row, 1)?, get(row, 2)?);
    }
    Ok(backlog)
}

/// The number of deliveries that are not finished, and of the rows that it is the sum of. Deliveries that wait
/// for a removed endpoint are finished, and are counted until they are pruned: from the few endpoints that are
/// removed (`OFFSET 0` keeps this order without statistics).
const DEPTH: &str = "
SELECT sum(open)::bigint
    - (SELECT coalesce(sum(d.count), 0)::bigint
        FROM (SELECT id FROM bothends_endpoint WHERE removed IS NOT NULL OFFSET 0) AS e
        CROSS JOIN LATERAL (
            SELECT (SELECT count(*) FROM bothends_delivery WHERE endpoint = e.id AND state = 0)
                + (SELECT count(*) FROM bothends_delivery WHERE endpoint = e.id AND state = -2) AS count OFFSET 0
        ) AS d)
    - (SELECT count(*) FROM (SELECT endpoint FROM bothends_delivery WHERE state = -1 OFFSET 0) AS d
        JOIN bothends_endpoint AS e ON e.id = d.endpoint WHERE e.removed IS NOT NULL), count(*)
FROM bothends_depth";

/// The number of rows from which [`depth`] replaces them by their sum.
const MANY_CHANGES: i64 = 1000;

pub(super) async fn depth(client: &Object) -> Result<u64, StoreError> {
    let statement = client.prepare_cached(DEPTH).await.map_err(failure)?;
    let row = client.query_one(&statement, &[]).await.map_err(failure)?;
    let depth: Option<i64> = get(&row, 0)?;
    if get::<i64>(&row, 1)? > MANY_CHANGES {
        add_up(client).await;
    }
    Ok(depth.unwrap_or(0).unsigned_abs())
}

/// Replaces the changes of the number of open deliveries by their sum. Two calls at once are each other's
/// complement: a row is deleted by one of them.
pub(super) async fn add_up(client: &Object) {
    let sql = "WITH gone AS (DELETE FROM bothends_depth RETURNING open)
        INSERT INTO bothends_depth SELECT sum(open) FROM gone HAVING count(*) > 0";
    if let Err(error) = client.execute(sql, &[]).await {
        // The rows remain, and have the same sum.
        tracing::debug!(%error, "adding up the number of open deliveries");
    }
}

const OWN: &str = "
SELECT e.id FROM bothends_subscription AS s
JOIN bothends_endpoint AS e ON e.subscription = s.id AND e.removed IS NULL
WHERE s.owner = $1 ORDER BY e.id FOR NO KEY UPDATE OF e";

pub(super) async fn reschedule(
    client: &mut Object,
    owner: &str,
    shift: &Shift,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    // A large backlog takes longer than any other statement.
    let patient = "SET LOCAL statement_timeout = 0";
    transaction.batch_execute(patient).await.map_err(failure)?;
    // While the endpoints are locked, their pending deliveries cannot be leased.
    let ids = ids(&query(&transaction, OWN, &[&owner]).await?)?;
    let Shift {
        from,
        until,
        low,
        high,
        by,
    } = shift;
    let mut moved = 0;
    for sql in [
        "UPDATE bothends_delivery SET due = greatest(least(due, $5), $4) + $6
         WHERE endpoint = ANY ($1) AND state = 0 AND due BETWEEN $2 AND $3",
        "UPDATE bothends_delivery SET due = greatest(least(due, $5), $4) + $6
         WHERE endpoint = ANY ($1) AND state = -1 AND due BETWEEN $2 AND $3",
        "UPDATE bothends_delivery SET due = greatest(least(due, $5), $4) + $6
         WHERE endpoint = ANY ($1) AND state = -2 AND due BETWEEN $2 AND $3",
    ] {
        moved += execute(&transaction, sql, &[&ids, from, until, low, high, by]).await?;
    }
    let now_ms = now.as_millis();
    execute(
        &transaction,
        "UPDATE bothends_endpoint SET closed_until = greatest(least(closed_until, $5), $4) + $6
         WHERE id = ANY ($1) AND closed_until > $7 AND closed_until BETWEEN $2 AND $3",
        &[&ids, from, until, low, high, by, &now_ms],
    )
    .await?;
    let endpoints = lock(&transaction, &ids).await?;
    forget_low(&transaction, &ids).await?;
    refresh(&transaction, endpoints.values(), now).await?;
    transaction.commit().await.map_err(failure)?;
    Ok(moved)
}

/// Sets deliveries and circuits that entered their state after `limit` as if they had entered it
/// now. Times that are far ahead for another reason do not change.
pub(super) async fn repair_times(
    client: &mut Object,
    now: Timestamp,
    limit: Timestamp,
) -> Result<u64, StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    let values: Values<'_> = &[&now.as_millis(), &limit.as_millis()];
    // The lease of a worker whose clock ran ahead ends too late by the same amount.
    let mut ids_of = ids(&query(
        &transaction,
        "UPDATE bothends_delivery SET due = due - (since - $1), since = $1
         WHERE state IN (-2, -1, 0, 1) AND due > $2 AND since > $2 RETURNING endpoint",
        values,
    )
    .await?)?;
    let moved = ids_of.len() as u64;
    // Endpoints served while the clock ran ahead are also too late in the queue.
    let late = "SELECT id FROM bothends_endpoint
         WHERE removed IS NULL AND closed_until > $1 AND closed_since > $1 OR ready > $1
            OR rate_free > $1 * 1000";
    ids_of.extend(ids(
        &query(&transaction, late, &[&limit.as_millis()]).await?
    )?);
    lock(&transaction, &ids_of).await?;
    execute(
        &transaction,
        "UPDATE bothends_endpoint
         SET closed_until = closed_until - (closed_since - $1), closed_since = $1
         WHERE id = ANY ($3) AND closed_until > $2 AND closed_since > $2 AND removed IS NULL",
        &[&now.as_millis(), &limit.as_millis(), &ids_of],
    )
    .await?;
    let endpoints = lock(&transaction, &ids_of).await?;
    forget_low(&transaction, &ids_of).await?;
    refresh(&transaction, endpoints.values(), now).await?;
    transaction.commit().await.map_err(failure)?;
    Ok(moved)
}

/// Reads ids, which are the first column.
fn ids(rows: &[tokio_postgres::Row]) -> Result<Vec<i64>, StoreError> {
    rows.iter().map(|row| get(row, 0)).collect()
}

async fn execute(
    transaction: &Transaction<'_>,
    sql: &str,
    values: Values<'_>,
) -> Result<u64, StoreError> {
    let statement = transaction.prepare_cached(sql).await.map_err(failure)?;
    let executed = transaction.execute(&statement, values).await;
    executed.map_err(failure)
}
