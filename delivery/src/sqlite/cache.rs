//! What claims and records have read or written of endpoints, kept in memory.
//!
//! They change the same endpoints again and again. What they know of them is right until anything else changes the tables:
//! another connection (`PRAGMA data_version`), another statement of this one (`sqlite3_total_changes`), or a rollback.

use super::failure;
use super::place::{BY_ID, Known, Stored};
use super::target::Targets;
use crate::StoreError;
use crate::store::{Kept, Order};
use rusqlite::{CachedStatement, Connection, OptionalExtension};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub(super) struct Cache {
    pub(super) targets: Targets,
    endpoints: Kept<i64, Known>,
    /// The state in which `endpoints` are right, if there is any.
    valid_for: Mutex<Option<Version>>,
}

/// A state of the tables, which no other has.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Version {
    /// Changes when another connection has committed.
    data: i64,
    /// How many rows this connection has ever changed.
    changes: u64,
}

/// Returns a number that changes when another connection has committed.
pub(super) fn data_version(connection: &Connection) -> Result<i64, StoreError> {
    connection
        .prepare_cached("PRAGMA data_version")
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .map_err(failure)
}

impl Cache {
    /// Runs `work`, which reads endpoints from this cache and tells it of all that it changes of them.
    pub(super) fn read<T>(
        &self,
        connection: &Connection,
        work: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let version = Some(Version {
            data: data_version(connection)?,
            changes: connection.total_changes(),
        });
        let mut valid_for = self.valid_for();
        if *valid_for != version {
            self.endpoints.clear();
            *valid_for = version;
        }
        drop(valid_for);
        self.keep(connection, work)
    }

    /// Runs `work`, which changes positions of endpoints at most.
    pub(super) fn keep<T>(
        &self,
        connection: &Connection,
        work: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let before = connection.total_changes();
        // After an error, which undoes the changes, the number of changed rows is another.
        let done = work()?;
        if let Some(version) = self.valid_for().as_mut()
            && version.changes == before
        {
            version.changes = connection.total_changes();
        }
        Ok(done)
    }

    /// Ends the validity of everything, after a rollback of changes that were known.
    pub(super) fn invalidate(&self) {
        *self.valid_for() = None;
    }

    pub(super) fn get(&self, endpoint: i64) -> Option<Known> {
        self.endpoints.get(&endpoint)
    }

    /// Keeps an endpoint that was read or written. Enqueues change more than the position of those with ordered first
    /// attempts.
    pub(super) fn put(&self, known: Known) {
        if known.endpoint.order == Order::None {
            self.endpoints.put(known.endpoint.id, known);
        } else {
            self.remove(known.endpoint.id);
        }
    }

    pub(super) fn remove(&self, endpoint: i64) {
        self.endpoints.remove(&endpoint);
    }

    fn valid_for(&self) -> MutexGuard<'_, Option<Version>> {
        self.valid_for
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads endpoints, unless they are known.
pub(super) struct Reading<'a> {
    cache: &'a Cache,
    by_id: CachedStatement<'a>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(connection: &'a Connection, cache: &'a Cache) -> Result<Self, StoreError> {
        let by_id = connection.prepare_cached(BY_ID).map_err(failure)?;
        Ok(Self { cache, by_id })
    }

    pub(super) fn known(&mut self, id: i64) -> Result<Option<Known>, StoreError> {
        if let Some(known) = self.cache.get(id) {
            return Ok(Some(known));
        }
        let known = self.stored(id)?.map(|stored| stored.known());
        if let Some(known) = known {
            self.cache.put(known);
        }
        Ok(known)
    }

    /// Reads an endpoint with its position.
    pub(super) fn stored(&mut self, id: i64) -> Result<Option<Stored>, StoreError> {
        let stored = self.by_id.query_row([id], Stored::read);
        stored.optional().map_err(failure)
    }
}
