//! Endpoints, and their positions in the queues.

use super::{execute, find};
use crate::store::{Endpoint, Order, Rate};
use crate::{StoreError, Timestamp};
use rusqlite::{Connection, Row, params};
use std::collections::BTreeMap;

/// A statement that selects endpoints, with their subscriptions and URLs.
macro_rules! places {
    ($which:literal) => {
        concat!(
            "SELECT id, active, cap, busy, failures, closed_until, pace, class,
                rate_every, rate_burst, rate_free, ordered, head, subscription, url
             FROM bothends_endpoint WHERE ",
            $which
        )
    };
}
pub(super) use places;

/// An endpoint with what a lease needs.
pub(super) struct Place {
    pub(super) endpoint: Endpoint,
    pub(super) subscription: String,
    pub(super) url: String,
}

impl Place {
    /// Reads a row of [`places!`].
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            endpoint: columns(row)?,
            subscription: row.get(13)?,
            url: row.get(14)?,
        })
    }

    pub(super) fn find(connection: &Connection, id: i64) -> Result<Option<Self>, StoreError> {
        find(connection, BY_ID, params![id], Self::read)
    }
}

const BY_ID: &str = places!("id = ?1");

pub(super) fn endpoint(connection: &Connection, id: i64) -> Result<Option<Endpoint>, StoreError> {
    find(connection, BY_ID, params![id], columns)
}

/// Returns an endpoint if it is active, and its position in the queue is after `due` or it has none.
pub(super) fn endpoint_after(
    connection: &Connection,
    id: i64,
    due: i64,
) -> Result<Option<Endpoint>, StoreError> {
    let sql = places!("id = ?1 AND active AND (ready IS NULL OR ready > ?2)");
    find(connection, sql, params![id, due], columns)
}

fn columns(row: &Row<'_>) -> rusqlite::Result<Endpoint> {
    Ok(Endpoint {
        id: row.get(0)?,
        active: row.get(1)?,
        cap: row.get(2)?,
        busy: row.get(3)?,
        failures: row.get(4)?,
        closed_until: row.get(5)?,
        pace: row.get(6)?,
        class: row.get(7)?,
        rate: Rate {
            every: row.get(8)?,
            burst: row.get(9)?,
            free: row.get(10)?,
        },
        order: Order::from_number(row.get(11)?),
        head: row.get(12)?,
    })
}

/// Ends the waiting of the first attempt that is next in turn, or of all if they are no longer ordered.
fn promote(connection: &Connection, endpoint: &mut Endpoint) -> Result<(), StoreError> {
    match endpoint.order {
        Order::FirstAttempts if endpoint.head.is_none() => {
            let sql = "UPDATE bothends_delivery SET state = 0 WHERE id = (
                    SELECT id FROM bothends_delivery WHERE endpoint = ?1 AND state = -2
                    ORDER BY id LIMIT 1)
                RETURNING id";
            endpoint.head = find(connection, sql, params![endpoint.id], |row| row.get(0))?;
        }
        Order::Ended => {
            let sql = "UPDATE bothends_delivery SET state = 0 WHERE endpoint = ?1 AND state = -2";
            execute(connection, sql, params![endpoint.id])?;
        }
        Order::None | Order::FirstAttempts => {}
    }
    Ok(())
}

/// Stores an endpoint with its current position in the queue.
pub(super) fn refresh(
    connection: &Connection,
    endpoint: &Endpoint,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut endpoint = *endpoint;
    promote(connection, &mut endpoint)?;
    let values = params![
        endpoint.id,
        endpoint.busy,
        endpoint.failures,
        endpoint.class,
        endpoint.closed_until,
        endpoint.ready(now),
        endpoint.pace,
        now.as_millis(),
        endpoint.rate.free_at(now),
        endpoint.head,
    ];
    let sql = "UPDATE bothends_endpoint
        SET busy = ?2, failures = ?3, class = ?4, closed_until = ?5, pace = ?7,
            rate_free = ?9, head = ?10,
            ready = CASE WHEN ?6 IS NOT NULL THEN (
                SELECT max(due, ?6) FROM (SELECT due FROM bothends_delivery
                    WHERE endpoint = ?1 AND state = 0 ORDER BY due, id LIMIT 1)) END,
            closed_since = CASE WHEN closed_until = ?5 THEN closed_since ELSE ?8 END
        WHERE id = ?1";
    execute(connection, sql, values).map(drop)
}

/// Recomputes the queue positions of these endpoints.
pub(super) fn refresh_ids(
    connection: &Connection,
    ids: &[i64],
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut endpoints = Endpoints::default();
    for id in ids {
        endpoints.find(connection, *id)?;
    }
    endpoints.refresh(connection, now)
}

/// Endpoints that changed, each read and written once.
#[derive(Default)]
pub(super) struct Endpoints(BTreeMap<i64, Endpoint>);

impl Endpoints {
    pub(super) fn find(
        &mut self,
        connection: &Connection,
        id: i64,
    ) -> Result<Option<&mut Endpoint>, StoreError> {
        if let std::collections::btree_map::Entry::Vacant(vacant) = self.0.entry(id)
            && let Some(found) = endpoint(connection, id)?
        {
            vacant.insert(found);
        }
        Ok(self.0.get_mut(&id))
    }

    pub(super) fn refresh(
        &self,
        connection: &Connection,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.0
            .values()
            .try_for_each(|endpoint| refresh(connection, endpoint, now))
    }
}
