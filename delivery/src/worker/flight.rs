//! What a worker has under way, and how much of it is slow.

use crate::store::Lease;
use crate::{DeliveryId, EndpointId};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

/// Everything that was leased and is not recorded yet.
#[derive(Debug, Default)]
pub(super) struct Flights(Mutex<HashMap<(DeliveryId, u32), Flight>>);

#[derive(Debug)]
struct Flight {
    endpoint: EndpointId,
    began: Instant,
    /// Whether the endpoint was slow when the lease was given.
    slow: bool,
}

/// How much of what is under way is slow.
#[derive(Debug, Default)]
pub(super) struct Slowness {
    /// Requests to endpoints that are slow, and requests that take long.
    pub(super) slots: usize,
    /// Endpoints that were quick and have not answered for long.
    pub(super) hanging: Vec<EndpointId>,
}

impl Flights {
    pub(super) fn is_empty(&self) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_empty()
    }

    /// What is slow of all this; a request takes long from this time on.
    pub(super) fn slowness(&self, long: Duration) -> Slowness {
        let flights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut slots = 0;
        let mut hanging = BTreeSet::new();
        for flight in flights.values() {
            let hangs = flight.began.elapsed() >= long;
            if hangs && !flight.slow {
                hanging.insert(flight.endpoint);
            }
            slots += usize::from(flight.slow || hangs);
        }
        Slowness {
            slots,
            hanging: hanging.into_iter().collect(),
        }
    }

    /// Holds these permits until the lease is recorded.
    pub(super) fn begin(
        self: &Arc<Self>,
        lease: &Lease,
        slot: OwnedSemaphorePermit,
        suspect: Option<OwnedSemaphorePermit>,
    ) -> Slot {
        let key = (lease.delivery, lease.generation);
        let flight = Flight {
            endpoint: lease.endpoint,
            began: Instant::now(),
            slow: lease.slow,
        };
        let mut flights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        flights.insert(key, flight);
        Slot {
            flights: Arc::clone(self),
            key,
            _permits: (slot, suspect),
        }
    }
}

/// One of all slots and, for what is suspect, one of those that all such share. It ends with the record.
#[derive(Debug)]
pub(super) struct Slot {
    flights: Arc<Flights>,
    key: (DeliveryId, u32),
    _permits: (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>),
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut flights = self
            .flights
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        flights.remove(&self.key);
    }
}
