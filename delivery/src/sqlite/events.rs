//! Events for operators.

use super::{corrupt, enqueue, execute, failure, find};
use crate::delivery::DeadReason;
use crate::store::{Failed, Incidents, OperatorEvent, OperatorSettings};
use crate::{StoreError, Timestamp};
use rusqlite::{Connection, Row, params};

pub(super) fn set(connection: &Connection, settings: &OperatorSettings) -> Result<(), StoreError> {
    execute(
        connection,
        "INSERT INTO bothends_operator (id, owner, failures) VALUES (1, ?1, ?2)
         ON CONFLICT (id) DO UPDATE SET owner = ?1, failures = ?2",
        params![settings.owner, settings.failures],
    )
    .map(drop)
}

pub(super) fn settings(connection: &Connection) -> Result<OperatorSettings, StoreError> {
    let sql = "SELECT owner, failures FROM bothends_operator WHERE id = 1";
    let found = find(connection, sql, &[], |row| {
        Ok(OperatorSettings {
            owner: row.get(0)?,
            failures: row.get(1)?,
        })
    })?;
    Ok(found.unwrap_or_default())
}

pub(super) fn list(
    connection: &Connection,
    after: Option<i64>,
    limit: u32,
) -> Result<Vec<OperatorEvent>, StoreError> {
    let rows = || -> rusqlite::Result<Vec<(i64, String)>> {
        let mut statement = connection.prepare_cached(
            "SELECT id, body FROM bothends_event WHERE id > ?1 ORDER BY id LIMIT ?2",
        )?;
        let after = after.unwrap_or(i64::MIN);
        let columns = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        statement
            .query_map(params![after, limit], columns)?
            .collect()
    };
    let event = |(id, body): (i64, String)| OperatorEvent::from_json(id, &body).map_err(corrupt);
    rows().map_err(failure)?.into_iter().map(event).collect()
}

/// Records the events of incidents, and enqueues their webhooks.
pub(super) fn report(
    connection: &Connection,
    mut incidents: Incidents,
    now: Timestamp,
) -> Result<(), StoreError> {
    if incidents.is_empty() {
        return Ok(());
    }
    let settings = settings(connection)?;
    incidents.retain(&settings);
    let mut events = Vec::new();
    for delivery in incidents.failed {
        events.push(failed(connection, delivery)?.event(now));
    }
    for round in incidents.rounds {
        if let Some((subscription, owner)) = owner_of(connection, round.endpoint)? {
            events.extend(round.events(&settings, now, (&subscription, &owner)));
        }
    }
    events.retain(|event| settings.owner.as_ref() != Some(&event.owner));
    for mut event in events {
        let sql = "INSERT INTO bothends_event (at, body) VALUES (?1, ?2)";
        execute(connection, sql, params![now.as_millis(), event.to_json()])?;
        event.id = connection.last_insert_rowid();
        if let Some(owner) = &settings.owner {
            enqueue::enqueue(connection, &event.webhook(owner), now)?;
        }
    }
    Ok(())
}

fn failed(connection: &Connection, delivery: i64) -> Result<Failed, StoreError> {
    let found = connection
        .prepare_cached(
            "SELECT d.owner, m.id, m.kind, e.subscription, d.endpoint, d.tries, d.reason
             FROM bothends_delivery AS d
             CROSS JOIN bothends_message AS m ON m.key = d.message
             CROSS JOIN bothends_endpoint AS e ON e.id = d.endpoint WHERE d.id = ?1",
        )
        .and_then(|mut statement| {
            statement.query_row([delivery], |row| {
                let reason: String = row.get(6)?;
                let reason = DeadReason::from_word(&reason);
                Ok(reason.map(|reason| {
                    Ok(Failed {
                        delivery,
                        owner: row.get(0)?,
                        message: row.get(1)?,
                        kind: row.get(2)?,
                        subscription: row.get(3)?,
                        endpoint: row.get(4)?,
                        attempts: row.get(5)?,
                        reason,
                    })
                }))
            })
        })
        .map_err(failure)?;
    let found: rusqlite::Result<Failed> =
        found.ok_or_else(|| corrupt("a reason that is not known"))?;
    found.map_err(failure)
}

/// Returns the subscription of an endpoint and its owner, if it was not removed.
fn owner_of(
    connection: &Connection,
    endpoint: i64,
) -> Result<Option<(String, String)>, StoreError> {
    let sql = "SELECT s.id, s.owner FROM bothends_endpoint AS e
        CROSS JOIN bothends_subscription AS s ON s.id = e.subscription
        WHERE e.id = ?1 AND e.removed IS NULL";
    find(connection, sql, params![endpoint], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

pub(super) fn prune(
    connection: &Connection,
    before: Timestamp,
    limit: u32,
) -> Result<(), StoreError> {
    execute(
        connection,
        "DELETE FROM bothends_event WHERE id IN (
            SELECT id FROM bothends_event WHERE at < ?1 ORDER BY at, id LIMIT ?2)",
        params![before.as_millis(), limit],
    )
    .map(drop)
}
