//! The open deliveries of an owner, and changes of their due times.

use super::{execute, failure, place};
use crate::store::{Backlog, Shift};
use crate::{StoreError, Timestamp};
use rusqlite::{Connection, params};

/// Counts the deliveries of an owner's endpoints by whether they are active: pending deliveries, by
/// the endpoints; deliveries that have lost workers, and leases that expired; and the leases.
const BACKLOG: &str = "
WITH other AS MATERIALIZED (
    SELECT endpoint, due FROM bothends_delivery WHERE state = -1
    UNION ALL SELECT endpoint, due FROM bothends_delivery WHERE state = 1 AND due <= ?2
)
SELECT e.active, count(*), min(max(d.due, e.closed_until, (e.rate_free + 999) / 1000))
FROM bothends_subscription AS s
CROSS JOIN bothends_endpoint AS e ON e.subscription = s.id AND e.removed IS NULL
CROSS JOIN bothends_delivery AS d ON d.endpoint = e.id AND d.state = 0
WHERE s.owner = ?1 GROUP BY e.active
UNION ALL
SELECT e.active, count(*), min(max(d.due, e.closed_until, (e.rate_free + 999) / 1000))
FROM bothends_subscription AS s
CROSS JOIN bothends_endpoint AS e ON e.subscription = s.id AND e.removed IS NULL
CROSS JOIN bothends_delivery AS d ON d.endpoint = e.id AND d.state = -2
WHERE s.owner = ?1 GROUP BY e.active
UNION ALL
SELECT e.active, count(*), min(max(other.due, e.closed_until, (e.rate_free + 999) / 1000))
FROM other
CROSS JOIN bothends_endpoint AS e ON e.id = other.endpoint AND e.removed IS NULL
CROSS JOIN bothends_subscription AS s ON s.id = e.subscription
WHERE s.owner = ?1 GROUP BY e.active
UNION ALL
SELECT NULL, count(*), NULL
FROM bothends_delivery AS d
CROSS JOIN bothends_endpoint AS e ON e.id = d.endpoint
LEFT JOIN bothends_subscription AS s ON s.id = e.subscription AND e.removed IS NULL
WHERE d.state = 1 AND d.due > ?2 AND coalesce(s.owner, d.owner) = ?1";

pub(super) fn backlog(
    connection: &Connection,
    owner: &str,
    now: Timestamp,
) -> Result<Backlog, StoreError> {
    let count = || -> rusqlite::Result<Backlog> {
        let mut backlog = Backlog::default();
        let mut statement = connection.prepare_cached(BACKLOG)?;
        let mut rows = statement.query(params![owner, now.as_millis()])?;
        while let Some(row) = rows.next()? {
            backlog.add(row.get(0)?, row.get(1)?, row.get(2)?);
        }
        Ok(backlog)
    };
    count().map_err(failure)
}

/// The number of deliveries that are not finished: of all that there ever were, as the last id says, those that were
/// not closed. Those that wait for a removed endpoint are finished, and are closed when they are pruned.
const DEPTH: &str = "
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'bothends_delivery'), 0)
    - (SELECT deliveries FROM bothends_closed WHERE id = 1)
    - (SELECT count(*) FROM bothends_endpoint AS e
        CROSS JOIN bothends_delivery AS d ON d.endpoint = e.id AND d.state = 0
        WHERE e.removed IS NOT NULL)
    - (SELECT count(*) FROM bothends_endpoint AS e
        CROSS JOIN bothends_delivery AS d ON d.endpoint = e.id AND d.state = -2
        WHERE e.removed IS NOT NULL)
    - (SELECT count(*) FROM bothends_delivery AS d
        CROSS JOIN bothends_endpoint AS e ON e.id = d.endpoint
        WHERE d.state = -1 AND e.removed IS NOT NULL)";

pub(super) fn depth(connection: &Connection) -> Result<u64, StoreError> {
    let mut statement = connection.prepare_cached(DEPTH).map_err(failure)?;
    let depth = statement.query_row([], |row| row.get::<_, i64>(0));
    Ok(depth.map_err(failure)?.unsigned_abs())
}

/// Counts deliveries that were delivered, failed permanently, or were deleted before.
pub(super) fn close(connection: &Connection, count: usize) -> Result<(), StoreError> {
    if count == 0 {
        return Ok(());
    }
    let sql = "UPDATE bothends_closed SET deliveries = deliveries + ?1 WHERE id = 1";
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    execute(connection, sql, params![count]).map(drop)
}

/// Moves the pending deliveries of an endpoint.
const PENDING: &str = "UPDATE bothends_delivery SET due = max(min(due, ?5), ?4) + ?6
    WHERE endpoint = ?1 AND state = 0 AND due BETWEEN ?2 AND ?3";
/// Moves the deliveries of an endpoint that wait for their turn.
const LINE: &str = "UPDATE bothends_delivery SET due = max(min(due, ?5), ?4) + ?6
    WHERE endpoint = ?1 AND state = -2 AND due BETWEEN ?2 AND ?3";
/// Moves the deliveries of an owner that have lost workers.
const SUSPECTS: &str = "UPDATE bothends_delivery SET due = max(min(due, ?5), ?4) + ?6
    WHERE state = -1 AND due BETWEEN ?2 AND ?3 AND endpoint IN (
        SELECT e.id FROM bothends_subscription AS s
        CROSS JOIN bothends_endpoint AS e ON e.subscription = s.id AND e.removed IS NULL
        WHERE s.owner = ?1)";

pub(super) fn reschedule(
    connection: &Connection,
    owner: &str,
    shift: &Shift,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let mut moved = 0;
    let mut shift_all = || -> rusqlite::Result<Vec<i64>> {
        let sql = "SELECT e.id FROM bothends_subscription AS s
            CROSS JOIN bothends_endpoint AS e ON e.subscription = s.id AND e.removed IS NULL
            WHERE s.owner = ?1 ORDER BY e.id";
        let mut statement = connection.prepare_cached(sql)?;
        let ids = statement.query_map([owner], |row| row.get(0))?;
        let ids: Vec<i64> = ids.collect::<rusqlite::Result<_>>()?;
        let Shift {
            from,
            until,
            low,
            high,
            by,
        } = shift;
        for id in &ids {
            let values = params![id, from, until, low, high, by];
            moved += connection.prepare_cached(PENDING)?.execute(values)?;
            moved += connection.prepare_cached(LINE)?.execute(values)?;
            let sql =
                "UPDATE bothends_endpoint SET closed_until = max(min(closed_until, ?5), ?4) + ?6
                WHERE id = ?1 AND closed_until > ?7 AND closed_until BETWEEN ?2 AND ?3";
            let values = params![id, from, until, low, high, by, now.as_millis()];
            connection.prepare_cached(sql)?.execute(values)?;
        }
        let values = params![owner, from, until, low, high, by];
        moved += connection.prepare_cached(SUSPECTS)?.execute(values)?;
        Ok(ids)
    };
    let ids = shift_all().map_err(failure)?;
    for id in ids {
        place::refresh_id(connection, id, now)?;
    }
    Ok(moved as u64)
}
