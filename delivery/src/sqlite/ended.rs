//! Endpoints of leases that ended.

use super::cache::{Cache, Reading};
use super::place::{Pending, Stored, Storing};
use crate::store::Endpoint;
use crate::{StoreError, Timestamp};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The endpoints of leases that ended, each read and written once.
pub(super) struct Ended<'a> {
    connection: &'a Connection,
    cache: &'a Cache,
    reading: Reading<'a>,
    endpoints: BTreeMap<i64, (Stored, Pending)>,
}

impl<'a> Ended<'a> {
    pub(super) fn new(connection: &'a Connection, cache: &'a Cache) -> Result<Self, StoreError> {
        Ok(Self {
            connection,
            cache,
            reading: Reading::new(connection, cache)?,
            endpoints: BTreeMap::new(),
        })
    }

    /// Returns the endpoint of a lease. `reopens`: its delivery is pending again.
    pub(super) fn find(
        &mut self,
        id: i64,
        reopens: bool,
    ) -> Result<Option<&mut Endpoint>, StoreError> {
        if let Entry::Vacant(vacant) = self.endpoints.entry(id)
            && let Some(known) = self.reading.known(id)?
        {
            // The position is read when it is needed, which it rarely is.
            vacant.insert((Stored::new(known, None), Pending::Unchanged));
        }
        Ok(self.endpoints.get_mut(&id).map(|(stored, pending)| {
            if reopens {
                *pending = Pending::Unknown;
            }
            &mut stored.endpoint
        }))
    }

    /// Stores the endpoints.
    pub(super) fn store(mut self, now: Timestamp) -> Result<(), StoreError> {
        let mut storing = Storing::new(self.connection)?;
        for (mut stored, pending) in self.endpoints.into_values() {
            let is_unchanged = matches!(pending, Pending::Unchanged);
            let known = if is_unchanged && stored.may_stay(now) {
                storing.stay(stored, now)?
            } else {
                let position = self.reading.stored(stored.endpoint.id)?;
                stored.ready = position.and_then(|stored| stored.ready);
                storing.refresh(&stored, pending, now)?
            };
            self.cache.put(known);
        }
        Ok(())
    }
}
