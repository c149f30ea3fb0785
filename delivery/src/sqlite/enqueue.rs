//! New deliveries.

use super::{failure, lease};
use crate::{DeliveryId, Enqueued, Message, StoreError, StoreErrorKind, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

/// Enqueues a message in a transaction of the user's, on any connection to the database of a store:
/// it is sent if, and only if, the transaction is committed.
///
/// # Errors
/// Where the database refuses.
pub fn enqueue_in(
    connection: &Connection,
    message: &Message,
    now: Timestamp,
) -> Result<Enqueued, StoreError> {
    let mut enqueued = Enqueued {
        message: message.id.clone(),
        deliveries: Vec::new(),
        duplicate: false,
    };
    let endpoints = endpoints_for(connection, message).map_err(failure)?;
    if endpoints.is_empty() {
        return Ok(enqueued);
    }
    let key: Option<i64> = connection
        .prepare_cached(
            "INSERT INTO bothends_message (id, kind, body, created) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (id) DO NOTHING RETURNING key",
        )
        .and_then(|mut statement| {
            let body: &[u8] = &message.body;
            let values = params![message.id.as_str(), message.kind, body, now.as_millis()];
            statement.query_row(values, |row| row.get(0)).optional()
        })
        .map_err(failure)?;
    let Some(key) = key else {
        enqueued.duplicate = true;
        return Ok(enqueued);
    };
    for endpoint in endpoints {
        let new = New {
            message: key,
            endpoint,
            due: message.due.unwrap_or(now).max(now),
            replay_of: None,
        };
        enqueued.deliveries.push(insert(connection, &new, now)?);
    }
    Ok(enqueued)
}

/// Where a message goes: one endpoint of each subscription, that of its kind before that of every
/// kind.
fn endpoints_for(connection: &Connection, message: &Message) -> rusqlite::Result<Vec<i64>> {
    // The bare column is that of the row with the least `every`, as SQLite documents.
    let mut statement = connection.prepare_cached(
        "SELECT endpoint, min(every) FROM bothends_selected
         WHERE owner = ?1 AND (kind = ?2 AND every = 0 OR kind = '' AND every = 1)
         GROUP BY subscription ORDER BY subscription",
    )?;
    let found = statement.query_map(params![message.owner, message.kind], |row| row.get(0))?;
    found.collect()
}

struct New {
    message: i64,
    endpoint: i64,
    due: Timestamp,
    replay_of: Option<i64>,
}

fn insert(connection: &Connection, new: &New, now: Timestamp) -> Result<DeliveryId, StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO bothends_delivery (message, endpoint, due, since, replay_of)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )
        .and_then(|mut statement| {
            let (due, since) = (new.due.as_millis(), now.as_millis());
            statement.execute(params![
                new.message,
                new.endpoint,
                due,
                since,
                new.replay_of
            ])
        })
        .map_err(failure)?;
    let id = connection.last_insert_rowid();
    // Mostly there is something to do for the endpoint already, and its place in the queue is good.
    let ready: Option<Option<i64>> = connection
        .prepare_cached(
            "SELECT ready FROM bothends_endpoint
             WHERE id = ?1 AND active AND (ready IS NULL OR ready > ?2)",
        )
        .and_then(|mut statement| {
            let values = params![new.endpoint, new.due.as_millis()];
            statement.query_row(values, |row| row.get(0)).optional()
        })
        .map_err(failure)?;
    if let Some(before) = ready
        && let Some(endpoint) = lease::endpoint(connection, new.endpoint)?
        && let Some(ready) = endpoint.ready(Some(new.due.as_millis()), now)
        && before.is_none_or(|before| ready < before)
    {
        connection
            .prepare_cached("UPDATE bothends_endpoint SET ready = ?2 WHERE id = ?1")
            .and_then(|mut statement| statement.execute(params![new.endpoint, ready]))
            .map_err(failure)?;
    }
    Ok(DeliveryId(id))
}

pub(super) fn replay(
    connection: &Connection,
    id: DeliveryId,
    now: Timestamp,
) -> Result<DeliveryId, StoreError> {
    let found = connection
        .query_row(
            "SELECT d.message, d.endpoint, d.state FROM bothends_delivery AS d
             JOIN bothends_endpoint AS e ON e.id = d.endpoint
             WHERE d.id = ?1 AND e.removed IS NULL",
            [id.0],
            |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?)),
        )
        .optional()
        .map_err(failure)?;
    let Some((message, endpoint, state)) = found else {
        return Err(StoreError::new(StoreErrorKind::NotFound));
    };
    if state < 2 {
        return Err(StoreError::new(StoreErrorKind::NotFinished));
    }
    let new = New {
        message,
        endpoint,
        due: now,
        replay_of: Some(id.0),
    };
    insert(connection, &new, now)
}
