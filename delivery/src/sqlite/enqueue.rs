//! Creation of deliveries.

use super::place::Pending;
use super::{clock, corrupt, execute, failure, owned, place, read};
use crate::delivery::DeadReason;
use crate::message::{headers_to_json, trace_to_json};
use crate::subscription::{Content, selectors};
use crate::{
    DeliveryId, EnqueueStatus, Enqueued, Message, MessageId, StoreError, StoreErrorKind,
    SystemClock, Timestamp,
};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeMap;

/// Enqueues a message in a transaction of the caller, on any connection to the database of a store.
/// The message is sent if and only if the transaction is committed.
///
/// # Errors
/// Returns an error if a database operation fails.
pub fn enqueue_in(connection: &Connection, message: &Message) -> Result<Enqueued, StoreError> {
    enqueue(connection, message, clock::now(connection, &SystemClock)?)
}

pub(super) fn enqueue(
    connection: &Connection,
    message: &Message,
    now: Timestamp,
) -> Result<Enqueued, StoreError> {
    let mut enqueued = Enqueued {
        message: message.id.clone(),
        deliveries: Vec::new(),
        status: EnqueueStatus::NoSubscription,
    };
    let endpoints = endpoints_for(connection, message)?;
    if endpoints.is_empty() {
        return Ok(enqueued);
    }
    let sql = "INSERT INTO bothends_message
            (owner, id, kind, method, headers, body, created, trace)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (owner, id) DO NOTHING";
    let body: &[u8] = &message.body;
    let values = params![
        message.owner,
        message.id.as_str(),
        message.kind,
        message.method.as_str(),
        headers_to_json(message.headers()),
        body,
        now.as_millis(),
        trace_to_json(&message.trace),
    ];
    if execute(connection, sql, values)? == 0 {
        let there = read::message(connection, &message.owner, &message.id)?;
        enqueued.status = EnqueueStatus::Duplicate {
            differs: there.is_some_and(|there| !there.is_same_content(message)),
        };
        enqueued.deliveries =
            deliveries_of(connection, &message.owner, &message.id).map_err(failure)?;
        return Ok(enqueued);
    }
    let key = connection.last_insert_rowid();
    enqueued.status = EnqueueStatus::Created;
    for selected in endpoints {
        let new = New {
            message: key,
            endpoint: selected.endpoint,
            ordered: selected.ordered,
            owner: &message.owner,
            due: message.due_from(now),
            replay_of: None,
        };
        enqueued.deliveries.push(insert(connection, &new, now)?);
    }
    Ok(enqueued)
}

fn deliveries_of(
    connection: &Connection,
    owner: &str,
    id: &MessageId,
) -> rusqlite::Result<Vec<DeliveryId>> {
    let mut statement = connection.prepare_cached(
        "SELECT d.id FROM bothends_message AS m JOIN bothends_delivery AS d ON d.message = m.key
         WHERE m.owner = ?1 AND m.id = ?2 ORDER BY d.id",
    )?;
    let found = statement.query_map(params![owner, id.as_str()], |row| {
        row.get(0).map(DeliveryId)
    })?;
    found.collect()
}

/// A lookup by the whole key: with `OR`, SQLite reads all subscriptions of the owner.
const SELECTED: &str = "SELECT subscription, endpoint, ordered, filter FROM bothends_selected
    WHERE owner = ?1 AND kind = ?2 AND every = ?3";

/// An endpoint that a subscription selects for a kind.
struct Selected {
    endpoint: i64,
    ordered: bool,
    filter: Option<String>,
}

/// Returns the endpoints of a message, one per subscription, in the order of their ids. An endpoint for the
/// message's kind takes precedence over those for patterns, and these over an endpoint for every kind.
fn endpoints_for(connection: &Connection, message: &Message) -> Result<Vec<Selected>, StoreError> {
    let selected = || -> rusqlite::Result<BTreeMap<String, Selected>> {
        let mut statement = connection.prepare_cached(SELECTED)?;
        let mut endpoints = BTreeMap::new();
        let mut add = |kind: &str, every: bool| -> rusqlite::Result<()> {
            let columns = |row: &Row<'_>| {
                let selected = Selected {
                    endpoint: row.get(1)?,
                    ordered: row.get(2)?,
                    filter: row.get(3)?,
                };
                Ok((row.get(0)?, selected))
            };
            for row in statement.query_map(params![message.owner, kind, every], columns)? {
                let (subscription, selected) = row?;
                endpoints.entry(subscription).or_insert(selected);
            }
            Ok(())
        };
        selectors(&message.kind).try_for_each(|(kind, every)| add(&kind, every))?;
        Ok(endpoints)
    };
    let mut content = Content::new(&message.body);
    let mut met = Vec::new();
    for selected in selected().map_err(failure)?.into_values() {
        let meets = selected
            .filter
            .as_deref()
            .map(|filter| content.meets(filter));
        if meets.transpose().map_err(corrupt)?.unwrap_or(true) {
            met.push(selected);
        }
    }
    Ok(met)
}

struct New<'a> {
    message: i64,
    endpoint: i64,
    /// Whether the first attempt waits for its turn.
    ordered: bool,
    owner: &'a str,
    due: Timestamp,
    replay_of: Option<i64>,
}

fn insert(
    connection: &Connection,
    new: &New<'_>,
    now: Timestamp,
) -> Result<DeliveryId, StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO bothends_delivery (message, endpoint, due, since, replay_of, owner, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )
        .and_then(|mut statement| {
            let (due, since) = (new.due.as_millis(), now.as_millis());
            statement.execute(params![
                new.message,
                new.endpoint,
                due,
                since,
                new.replay_of,
                new.owner,
                if new.ordered { -2 } else { 0 },
            ])
        })
        .map_err(failure)?;
    let id = connection.last_insert_rowid();
    owned::add(connection, id)?;
    if new.ordered {
        if let Some(stored) = place::endpoint(connection, new.endpoint)?
            && stored.endpoint.head.is_none()
        {
            place::refresh(connection, &stored, Pending::Unknown, now)?;
        }
        return Ok(DeliveryId(id));
    }
    // Most endpoints have earlier deliveries, and their place in the queue is already correct.
    let due = new.due.as_millis();
    if let Some(stored) = place::endpoint_after(connection, new.endpoint, due)?
        && let Some(ready) = stored.endpoint.ready(now)
    {
        let sql = "UPDATE bothends_endpoint SET ready = ?2
            WHERE id = ?1 AND (ready IS NULL OR ready > ?2)";
        execute(connection, sql, params![new.endpoint, ready.max(due)])?;
    }
    Ok(DeliveryId(id))
}

/// Failed deliveries without a replay, by the index of finished ones: those of the time in question, and
/// not all that the owner ever had.
const FAILED: &str = "
    SELECT d.id FROM bothends_delivery AS d INDEXED BY bothends_delivery_finished
    CROSS JOIN bothends_endpoint AS e ON e.id = d.endpoint
    WHERE d.state >= 2 AND d.due >= ?2 AND d.state = 3 AND d.owner = ?1 AND e.removed IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM bothends_delivery AS r WHERE r.message = d.message AND r.replay_of = d.id)
    ORDER BY d.due, d.id LIMIT ?3";

pub(super) fn replay_failed(
    connection: &Connection,
    owner: &str,
    since: Timestamp,
    limit: u32,
    now: Timestamp,
) -> Result<Vec<DeliveryId>, StoreError> {
    let failed = || -> rusqlite::Result<Vec<DeliveryId>> {
        let mut statement = connection.prepare_cached(FAILED)?;
        let values = params![owner, since.as_millis(), limit];
        let failed = statement.query_map(values, |row| row.get(0).map(DeliveryId))?;
        failed.collect()
    };
    let failed = failed().map_err(failure)?.into_iter();
    failed.map(|id| replay(connection, id, now)).collect()
}

pub(super) fn replay(
    connection: &Connection,
    id: DeliveryId,
    now: Timestamp,
) -> Result<DeliveryId, StoreError> {
    let found = connection
        .query_row(
            "SELECT d.message, d.endpoint, d.state, d.reason, d.lost, d.owner
             FROM bothends_delivery AS d
             JOIN bothends_endpoint AS e ON e.id = d.endpoint
             WHERE d.id = ?1 AND e.removed IS NULL",
            [id.0],
            |row| {
                let reason: Option<String> = row.get(3)?;
                let place = (row.get(0)?, row.get(1)?, row.get::<_, String>(5)?);
                Ok((place, row.get::<_, i64>(2)?, reason, row.get::<_, u32>(4)?))
            },
        )
        .optional()
        .map_err(failure)?;
    let Some(((message, endpoint, owner), state, reason, lost)) = found else {
        return Err(StoreError::new(StoreErrorKind::NotFound));
    };
    if state < 2 {
        return Err(StoreError::new(StoreErrorKind::NotFinished));
    }
    let new = New {
        message,
        endpoint,
        ordered: false,
        owner: &owner,
        due: now,
        replay_of: Some(id.0),
    };
    let replay = insert(connection, &new, now)?;
    if reason.as_deref() == Some(DeadReason::Poisonous.as_str()) {
        // The replay keeps the isolation that the delivery had last.
        let sql = "UPDATE bothends_delivery SET state = -1, lost = ?2 WHERE id = ?1";
        execute(connection, sql, params![replay.0, lost])?;
    }
    Ok(replay)
}
