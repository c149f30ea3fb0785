//! Endpoints, and their positions in the queues.
//!
//! The position of an endpoint is the time from which it is claimed, or null. An endpoint that may be sent a request, and has
//! pending deliveries, has a position that is no later than the first of them is due. The opposite is not true: a claim that
//! leases all pending deliveries of an endpoint, and has not reached its limit, leaves the endpoint in the queue, so that the
//! next enqueue need not add it again. A later claim removes it if no delivery has come.

use super::{execute, find};
use crate::store::{Endpoint, Order, Rate};
use crate::{StoreError, Timestamp};
use rusqlite::{Connection, Row, params};
use std::collections::BTreeMap;

/// A statement that selects endpoints.
macro_rules! endpoints {
    ($which:literal) => {
        concat!(
            "SELECT id, active, cap, busy, failures, closed_until, pace, class,
                rate_every, rate_burst, rate_free, ordered, head, ready, revision
             FROM bothends_endpoint WHERE ",
            $which
        )
    };
}
pub(super) use endpoints;

pub(super) fn endpoint(connection: &Connection, id: i64) -> Result<Option<Stored>, StoreError> {
    find(connection, endpoints!("id = ?1"), params![id], Stored::read)
}

/// Returns an endpoint if it is active, and its position in the queue is after `due` or it has none.
pub(super) fn endpoint_after(
    connection: &Connection,
    id: i64,
    due: i64,
) -> Result<Option<Stored>, StoreError> {
    let sql = endpoints!("id = ?1 AND active AND (ready IS NULL OR ready > ?2)");
    find(connection, sql, params![id, due], Stored::read)
}

/// An endpoint as it is stored, and with its changes.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    pub(super) endpoint: Endpoint,
    before: Endpoint,
    /// The position in the queue.
    pub(super) ready: Option<i64>,
    /// Which version of its subscription and URL the endpoint has.
    pub(super) revision: i64,
}

/// What is known of the pending deliveries of an endpoint.
#[derive(Clone, Copy)]
pub(super) enum Pending {
    /// Nothing.
    Unknown,
    /// They are those that were pending before.
    Unchanged,
    /// The due time of the first of them, if there is any.
    First(Option<i64>),
    /// A claim has leased all of them, and has not reached its limit.
    AllLeased,
}

impl Stored {
    /// Reads a row of [`endpoints!`].
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let endpoint = Endpoint {
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
        };
        Ok(Self {
            endpoint,
            before: endpoint,
            ready: row.get(13)?,
            revision: row.get(14)?,
        })
    }

    /// Returns the position in the queue.
    fn position(
        &self,
        connection: &Connection,
        pending: Pending,
        now: Timestamp,
    ) -> Result<Option<i64>, StoreError> {
        let Some(opens) = self.endpoint.ready(now) else {
            return Ok(None);
        };
        let is_reached = |ready: Option<i64>| {
            let now = now.as_millis();
            opens <= now && ready.is_some_and(|ready| ready <= now)
        };
        let first = match pending {
            Pending::First(first) => first,
            Pending::AllLeased | Pending::Unchanged if is_reached(self.ready) => {
                return Ok(self.ready);
            }
            // Without a position, it has no pending deliveries, or could not be sent any.
            Pending::Unchanged if self.ready.is_none() && self.before.free_slots() > 0 => None,
            Pending::AllLeased | Pending::Unchanged | Pending::Unknown => {
                let sql = "SELECT due FROM bothends_delivery
                    WHERE endpoint = ?1 AND state = 0 ORDER BY due, id LIMIT 1";
                find(connection, sql, params![self.endpoint.id], |row| row.get(0))?
            }
        };
        Ok(first.map(|due: i64| due.max(opens)))
    }
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
    stored: &Stored,
    pending: Pending,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut stored = *stored;
    let pending = match stored.endpoint.order {
        Order::None => pending,
        Order::FirstAttempts | Order::Ended => {
            promote(connection, &mut stored.endpoint)?;
            Pending::Unknown
        }
    };
    let ready = stored.position(connection, pending, now)?;
    let Stored {
        endpoint, before, ..
    } = &stored;
    let free = endpoint.rate.free_at(now);
    let is_in_place = ready == stored.ready
        && endpoint.class == before.class
        && endpoint.closed_until == before.closed_until;
    if is_in_place {
        // No index changes.
        let values = params![
            endpoint.id,
            endpoint.busy,
            endpoint.failures,
            endpoint.pace,
            free,
            endpoint.head,
        ];
        let sql = "UPDATE bothends_endpoint
            SET busy = ?2, failures = ?3, pace = ?4, rate_free = ?5, head = ?6 WHERE id = ?1";
        return execute(connection, sql, values).map(drop);
    }
    let values = params![
        endpoint.id,
        endpoint.busy,
        endpoint.failures,
        endpoint.class,
        endpoint.closed_until,
        ready,
        endpoint.pace,
        now.as_millis(),
        free,
        endpoint.head,
    ];
    let sql = "UPDATE bothends_endpoint
        SET busy = ?2, failures = ?3, class = ?4, closed_until = ?5, ready = ?6, pace = ?7,
            rate_free = ?9, head = ?10,
            closed_since = CASE WHEN closed_until = ?5 THEN closed_since ELSE ?8 END
        WHERE id = ?1";
    execute(connection, sql, values).map(drop)
}

/// Recomputes the position of an endpoint in the queue, whatever has become of its deliveries.
pub(super) fn refresh_id(
    connection: &Connection,
    id: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    match endpoint(connection, id)? {
        Some(stored) => refresh(connection, &stored, Pending::Unknown, now),
        None => Ok(()),
    }
}

/// The endpoints of leases that ended, each read and written once.
#[derive(Default)]
pub(super) struct Endpoints(BTreeMap<i64, (Stored, Pending)>);

impl Endpoints {
    /// Returns the endpoint of a lease. `reopens`: its delivery is pending again.
    pub(super) fn find(
        &mut self,
        connection: &Connection,
        id: i64,
        reopens: bool,
    ) -> Result<Option<&mut Endpoint>, StoreError> {
        if let std::collections::btree_map::Entry::Vacant(vacant) = self.0.entry(id)
            && let Some(found) = endpoint(connection, id)?
        {
            vacant.insert((found, Pending::Unchanged));
        }
        Ok(self.0.get_mut(&id).map(|(stored, pending)| {
            if reopens {
                *pending = Pending::Unknown;
            }
            &mut stored.endpoint
        }))
    }

    pub(super) fn refresh(
        &self,
        connection: &Connection,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.0
            .values()
            .try_for_each(|(stored, pending)| refresh(connection, stored, *pending, now))
    }
}
