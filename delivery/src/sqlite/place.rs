//! Endpoints, and their positions in the queues.
//!
//! The position of an endpoint is the time from which it is claimed, or null. An endpoint that may be sent a request, and has
//! pending deliveries, has a position that is no later than the first of them is due. The opposite is not true: a claim that
//! leases all pending deliveries of an endpoint, and has not reached its limit, leaves the endpoint in the queue, so that the
//! next enqueue need not add it again. A later claim removes it if no delivery has come.

use super::{execute, failure, find};
use crate::store::{Endpoint, Order, Rate};
use crate::{StoreError, Timestamp};
use rusqlite::{CachedStatement, Connection, Row, params};

/// A statement that selects endpoints.
macro_rules! endpoints {
    ($which:literal) => {
        concat!(
            "SELECT id, active, cap, busy, failures, closed_until, pace, class,
                rate_every, rate_burst, rate_free, ordered, head, ready, revision
             FROM bothends_endpoint CROSS JOIN bothends_load ON endpoint = id WHERE ",
            $which
        )
    };
}

/// Selects an endpoint.
pub(super) const BY_ID: &str = endpoints!("id = ?1");

pub(super) fn endpoint(connection: &Connection, id: i64) -> Result<Option<Stored>, StoreError> {
    find(connection, BY_ID, params![id], Stored::read)
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

/// An endpoint as its row has it, without its position in the queue, which each enqueue may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) endpoint: Endpoint,
    pub(super) revision: i64,
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

    /// Returns an endpoint with this position.
    pub(super) fn new(known: Known, ready: Option<i64>) -> Self {
        let Known { endpoint, revision } = known;
        Self {
            endpoint,
            before: endpoint,
            ready,
            revision,
        }
    }

    /// Returns what does not depend on the position.
    pub(super) fn known(&self) -> Known {
        Known {
            endpoint: self.endpoint,
            revision: self.revision,
        }
    }

    /// Returns `true` if the endpoint may stay wherever it is, in the queue or not, after leases have ended whose deliveries
    /// are finished: it could be sent requests before, and can be now.
    pub(super) fn may_stay(&self, now: Timestamp) -> bool {
        let opens = self.endpoint.ready(now);
        opens.is_some_and(|opens| opens <= now.as_millis())
            && self.endpoint.order == Order::None
            && self.before.free_slots() > 0
            && self.is_same_queue()
    }

    fn is_same_queue(&self) -> bool {
        self.endpoint.class == self.before.class
            && self.endpoint.closed_until == self.before.closed_until
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
    Storing::new(connection)?
        .refresh(stored, pending, now)
        .map(drop)
}

/// Stores endpoints, and returns what is then known of them.
pub(super) struct Storing<'a> {
    connection: &'a Connection,
    load: CachedStatement<'a>,
}

impl<'a> Storing<'a> {
    pub(super) fn new(connection: &'a Connection) -> Result<Self, StoreError> {
        let sql = "UPDATE bothends_load SET busy = ?2, pace = ?3 WHERE endpoint = ?1";
        Ok(Self {
            connection,
            load: connection.prepare_cached(sql).map_err(failure)?,
        })
    }

    /// Stores an endpoint with its current position in the queue.
    pub(super) fn refresh(
        &mut self,
        stored: &Stored,
        pending: Pending,
        now: Timestamp,
    ) -> Result<Known, StoreError> {
        let mut stored = *stored;
        let pending = match stored.endpoint.order {
            Order::None => pending,
            Order::FirstAttempts | Order::Ended => {
                promote(self.connection, &mut stored.endpoint)?;
                Pending::Unknown
            }
        };
        let ready = stored.position(self.connection, pending, now)?;
        if ready == stored.ready && stored.is_same_queue() {
            return self.stay(stored, now);
        }
        stored.endpoint.rate.free = stored.endpoint.rate.free_at(now);
        let endpoint = &stored.endpoint;
        let values = params![
            endpoint.id,
            endpoint.failures,
            endpoint.class,
            endpoint.closed_until,
            ready,
            now.as_millis(),
            endpoint.rate.free,
            endpoint.head,
        ];
        let sql = "UPDATE bothends_endpoint
            SET failures = ?2, class = ?3, closed_until = ?4, ready = ?5, rate_free = ?7, head = ?8,
                closed_since = CASE WHEN closed_until = ?4 THEN closed_since ELSE ?6 END
            WHERE id = ?1";
        execute(self.connection, sql, values)?;
        self.store_load(&stored)
    }

    /// Stores an endpoint without its position.
    pub(super) fn stay(&mut self, mut stored: Stored, now: Timestamp) -> Result<Known, StoreError> {
        stored.endpoint.rate.free = stored.endpoint.rate.free_at(now);
        let rare = |endpoint: &Endpoint| (endpoint.failures, endpoint.rate.free, endpoint.head);
        let (failures, free, head) = rare(&stored.endpoint);
        if rare(&stored.before) != (failures, free, head) {
            let sql = "UPDATE bothends_endpoint SET failures = ?2, rate_free = ?3, head = ?4
                WHERE id = ?1";
            let values = params![stored.endpoint.id, failures, free, head];
            execute(self.connection, sql, values)?;
        }
        self.store_load(&stored)
    }

    fn store_load(&mut self, stored: &Stored) -> Result<Known, StoreError> {
        let load = |endpoint: &Endpoint| (endpoint.busy, endpoint.pace);
        let (busy, pace) = load(&stored.endpoint);
        if load(&stored.before) != (busy, pace) {
            let values = params![stored.endpoint.id, busy, pace];
            self.load.execute(values).map_err(failure)?;
        }
        Ok(stored.known())
    }
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
