//! The requests in progress of a worker, and their share of slow requests.

use super::measure::Measured;
use crate::store::Lease;
use crate::{DeliveryId, EndpointId};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

/// The leases whose outcomes are not recorded yet.
#[derive(Debug, Default)]
pub(super) struct Flights(Mutex<HashMap<(DeliveryId, u32), Flight>>);

#[derive(Debug)]
struct Flight {
    endpoint: EndpointId,
    began: Instant,
    /// Whether the endpoint was slow when the lease was granted.
    slow: bool,
}

/// The share of slow requests among those in progress.
#[derive(Debug, Default)]
pub(super) struct Slowness {
    /// The number of requests that are slow or go to slow endpoints.
    pub(super) slots: usize,
    /// The endpoints that counted as fast, but have a slow request in progress.
    pub(super) unresponsive: Vec<EndpointId>,
}

impl Flights {
    pub(super) fn is_empty(&self) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_empty()
    }

    /// Returns the share of slow requests. A request that has been in progress for `long` is slow.
    pub(super) fn slowness(&self, long: Duration) -> Slowness {
        let flights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut slots = 0;
        let mut unresponsive = BTreeSet::new();
        for flight in flights.values() {
            let hangs = flight.began.elapsed() >= long;
            if hangs && !flight.slow {
                unresponsive.insert(flight.endpoint);
            }
            slots += usize::from(flight.slow || hangs);
        }
        Slowness {
            slots,
            unresponsive: unresponsive.into_iter().collect(),
        }
    }

    /// Registers a lease. The returned slot keeps the permits until the outcome is recorded.
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
            measured: Measured::new(lease),
            _permits: (slot, suspect),
        }
    }
}

/// A slot of the worker, with a permit of the shared limit for suspect deliveries if the delivery
/// is suspect. The slot is released when the outcome is recorded.
#[derive(Debug)]
pub(super) struct Slot {
    flights: Arc<Flights>,
    key: (DeliveryId, u32),
    pub(super) measured: Measured,
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
