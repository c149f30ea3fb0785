//! Queries of deliveries, and pruning.

use super::{corrupt, execute, failure, find, owned, upkeep};
use crate::delivery::{Attempt, AttemptEnd, DeadReason, Delivery, DeliveryId, State};
use crate::message::{headers_from_json, method_from, trace_from_json};
use crate::store::DeliveryFilter;
use crate::{Due, Message, MessageId, StoreError, Timestamp};
use bytes::Bytes;
use rusqlite::{Connection, Row, ToSql, params};

/// A statement that selects deliveries `d` of a source. The order of the joins is that of the page.
macro_rules! deliveries {
    ($source:literal, $($page:tt)+) => {
        concat!(
            "SELECT d.id, m.id, m.kind, e.subscription, d.state, d.due, d.generation, d.tries,
                d.lost, d.reason, d.replay_of, e.active, e.removed, d.since, m.owner
             FROM ",
            $source,
            " CROSS JOIN bothends_message AS m ON m.key = d.message
             CROSS JOIN bothends_endpoint AS e ON e.id = d.endpoint ",
            $($page)+
        )
    };
}

/// The two statements that select deliveries of an owner whose ids are between others: those in `bothends_owned`, and
/// those that are not yet.
macro_rules! deliveries_of {
    ($conditions:literal, $order:literal) => {
        [
            deliveries!(
                "bothends_owned AS o CROSS JOIN bothends_delivery AS d ON d.id = o.id",
                concat!(
                    "WHERE o.owner = ?1 AND o.id > ?2 AND o.id < ?3",
                    $conditions,
                    " ORDER BY o.id",
                    $order
                )
            ),
            deliveries!(
                "bothends_delivery AS d",
                concat!(
                    "WHERE d.owner = ?1 AND d.id > ?2 AND d.id < ?3",
                    $conditions,
                    " ORDER BY d.id",
                    $order
                )
            ),
        ]
    };
}

pub(super) const OLDEST: [&str; 2] = deliveries_of!("", " LIMIT ?4");

pub(super) const FOUND: [&str; 2] = deliveries_of!(
    " AND (?5 IS NULL OR ?5 =
        CASE WHEN d.state > 0 THEN d.state WHEN e.removed IS NULL THEN 0 ELSE 3 END)
     AND (?6 IS NULL OR e.subscription = ?6) AND (?7 IS NULL OR m.kind = ?7)
     AND (?8 IS NULL OR ?8 <= CASE WHEN d.state > 0 THEN d.since
        ELSE max(d.since, coalesce(e.removed, 0)) END)
     AND (?9 IS NULL OR ?9 > CASE WHEN d.state > 0 THEN d.since
        ELSE max(d.since, coalesce(e.removed, 0)) END)",
    " DESC LIMIT ?4"
);

/// Returns how many more rows a page has.
fn left<T>(limit: u32, found: &[T]) -> u32 {
    limit.saturating_sub(u32::try_from(found.len()).unwrap_or(limit))
}

pub(super) fn find_deliveries(
    connection: &Connection,
    owner: &str,
    filter: &DeliveryFilter,
    before: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>, StoreError> {
    let before = before.map_or(i64::MAX, |id| id.0);
    let (phase, since, until) = filter.numbers();
    let (subscription, kind) = (&filter.subscription, &filter.kind);
    let part = |sql, (after, before): (i64, i64), limit: u32| {
        let values = params![
            owner,
            after,
            before,
            limit,
            phase,
            subscription,
            kind,
            since,
            until
        ];
        select(connection, sql, values)
    };
    let [owned, recent] = FOUND;
    let last = owned::until(connection)?;
    let mut found = part(recent, (last, before), limit)?;
    let rest = (i64::MIN, before.min(last.saturating_add(1)));
    found.extend(part(owned, rest, left(limit, &found))?);
    Ok(found)
}

pub(super) fn deliveries(
    connection: &Connection,
    after: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>, StoreError> {
    let sql = deliveries!(
        "bothends_delivery AS d",
        "WHERE d.id > ?1 ORDER BY d.id LIMIT ?2"
    );
    let after = after.map_or(i64::MIN, |id| id.0);
    select(connection, sql, params![after, limit])
}

pub(super) fn deliveries_of(
    connection: &Connection,
    owner: &str,
    after: Option<DeliveryId>,
    limit: u32,
) -> Result<Vec<Delivery>, StoreError> {
    let after = after.map_or(i64::MIN, |id| id.0);
    let part = |sql, (after, before): (i64, i64), limit: u32| {
        select(connection, sql, params![owner, after, before, limit])
    };
    let [owned, recent] = OLDEST;
    let last = owned::until(connection)?;
    let mut found = part(owned, (after, last.saturating_add(1)), limit)?;
    let rest = (after.max(last), i64::MAX);
    found.extend(part(recent, rest, left(limit, &found))?);
    Ok(found)
}

fn select(
    connection: &Connection,
    sql: &str,
    values: &[&dyn ToSql],
) -> Result<Vec<Delivery>, StoreError> {
    let rows = || -> rusqlite::Result<Vec<Result<Delivery, StoreError>>> {
        let mut statement = connection.prepare_cached(sql)?;
        statement.query_map(values, delivery)?.collect()
    };
    rows().map_err(failure)?.into_iter().collect()
}

fn delivery(row: &Row<'_>) -> rusqlite::Result<Result<Delivery, StoreError>> {
    let reason: Option<String> = row.get(9)?;
    let at = Timestamp::from_millis(row.get(5)?);
    let (removed, since): (Option<i64>, i64) = (row.get(12)?, row.get(13)?);
    let state = match (row.get(4)?, row.get(11)?, removed) {
        (..=0, _, Some(removed)) => State::removed(removed, since),
        (..=0, true, None) => State::Pending { due: at },
        (..=0, false, None) => State::Held { due: at },
        (1, ..) => State::Leased { until: at },
        (2, ..) => State::Delivered { at },
        _ => match reason.as_deref().and_then(DeadReason::from_word) {
            Some(reason) => State::Dead { at, reason },
            None => return Ok(Err(corrupt("a reason that is not known"))),
        },
    };
    Ok(Ok(Delivery {
        id: DeliveryId(row.get(0)?),
        owner: row.get(14)?,
        message: MessageId::stored(row.get(1)?),
        kind: row.get(2)?,
        subscription: row.get(3)?,
        state,
        generation: row.get(6)?,
        tries: row.get(7)?,
        lost: row.get(8)?,
        replay_of: row.get::<_, Option<i64>>(10)?.map(DeliveryId),
    }))
}

pub(super) fn attempts(
    connection: &Connection,
    delivery: DeliveryId,
) -> Result<Vec<Attempt>, StoreError> {
    let rows = || -> rusqlite::Result<Vec<(Option<AttemptEnd>, Attempt)>> {
        let mut statement = connection.prepare_cached(
            "SELECT n, started, ended, outcome, status, detail, responded FROM bothends_attempt
             WHERE delivery = ?1 ORDER BY n",
        )?;
        let columns = |row: &Row<'_>| {
            let end = AttemptEnd::from_word(&row.get::<_, String>(3)?);
            let attempt = Attempt {
                delivery,
                n: row.get(0)?,
                started: Timestamp::from_millis(row.get(1)?),
                responded: row.get::<_, Option<i64>>(6)?.map(Timestamp::from_millis),
                ended: Timestamp::from_millis(row.get(2)?),
                end: end.unwrap_or(AttemptEnd::Lost),
                status: row.get(4)?,
                detail: row.get(5)?,
            };
            Ok((end, attempt))
        };
        statement.query_map([delivery.0], columns)?.collect()
    };
    let known = |(end, attempt): (Option<AttemptEnd>, Attempt)| match end {
        Some(_) => Ok(attempt),
        None => Err(corrupt("an outcome that is not known")),
    };
    rows().map_err(failure)?.into_iter().map(known).collect()
}

pub(super) fn message(
    connection: &Connection,
    owner: &str,
    id: &MessageId,
) -> Result<Option<Message>, StoreError> {
    let sql = "SELECT owner, id, kind, method, headers, body, trace FROM bothends_message
        WHERE owner = ?1 AND id = ?2";
    let values = params![owner, id.as_str()];
    find(connection, sql, values, |row| message_at(row, 0))?.transpose()
}

/// Reads the seven columns of a message, starting at `from`.
pub(super) fn message_at(
    row: &Row<'_>,
    from: usize,
) -> rusqlite::Result<Result<Message, StoreError>> {
    let headers: Option<String> = row.get(from + 4)?;
    let method: String = row.get(from + 3)?;
    let trace: Option<String> = row.get(from + 6)?;
    let parts = || -> Result<_, String> {
        Ok((
            method_from(&method)?,
            headers_from_json(headers.as_deref())?,
            trace_from_json(trace.as_deref())?,
        ))
    };
    let (method, headers, trace) = match parts() {
        Ok(found) => found,
        Err(wrong) => return Ok(Err(corrupt(wrong))),
    };
    Ok(Ok(Message {
        owner: row.get(from)?,
        id: MessageId::stored(row.get(from + 1)?),
        kind: row.get(from + 2)?,
        method,
        headers,
        trace,
        body: Bytes::from(row.get::<_, Vec<u8>>(from + 5)?),
        due: Due::Now,
    }))
}

pub(super) fn prune(
    connection: &Connection,
    before: Timestamp,
    limit: u32,
) -> Result<u64, StoreError> {
    let find = |sql, limit| -> rusqlite::Result<Vec<(i64, i64)>> {
        connection
            .prepare_cached(sql)?
            .query_map(params![before.as_millis(), limit], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?
            .collect()
    };
    let finished = find(
        "SELECT id, message FROM bothends_delivery WHERE state >= 2 AND due < ?1
         ORDER BY due, id LIMIT ?2",
        limit,
    );
    let finished = finished.map_err(failure)?;
    let mut open = Vec::new();
    for sql in REMOVED {
        let left = left(left(limit, &finished), &open);
        open.extend(find(sql, left).map_err(failure)?);
    }
    for (delivery, message) in finished.iter().chain(&open) {
        delete(connection, *delivery, *message)?;
    }
    upkeep::close(connection, open.len())?;
    Ok((finished.len() + open.len()) as u64)
}

/// Selects deliveries that waited for an endpoint when it was removed.
const REMOVED: [&str; 3] = [
    "SELECT d.id, d.message FROM bothends_endpoint AS e
     CROSS JOIN bothends_delivery AS d ON d.endpoint = e.id AND d.state = 0
     WHERE e.removed < ?1 AND d.since < ?1 ORDER BY e.removed, e.id, d.due, d.id LIMIT ?2",
    "SELECT d.id, d.message FROM bothends_delivery AS d
     CROSS JOIN bothends_endpoint AS e ON e.id = d.endpoint
     WHERE d.state = -1 AND e.removed < ?1 AND d.since < ?1 ORDER BY d.due, d.id LIMIT ?2",
    "SELECT d.id, d.message FROM bothends_endpoint AS e
     CROSS JOIN bothends_delivery AS d ON d.endpoint = e.id AND d.state = -2
     WHERE e.removed < ?1 AND d.since < ?1 ORDER BY e.removed, e.id, d.id LIMIT ?2",
];

/// Deletes a delivery with its attempts, and its message if it was the last delivery of it.
pub(super) fn delete(
    connection: &Connection,
    delivery: i64,
    message: i64,
) -> Result<(), StoreError> {
    let execute = |sql, id: i64| execute(connection, sql, params![id]).map(drop);
    owned::remove(connection, delivery)?;
    execute("DELETE FROM bothends_attempt WHERE delivery = ?1", delivery)?;
    execute("DELETE FROM bothends_delivery WHERE id = ?1", delivery)?;
    execute(
        "DELETE FROM bothends_message WHERE key = ?1
         AND NOT EXISTS (SELECT 1 FROM bothends_delivery WHERE message = ?1)",
        message,
    )
}
