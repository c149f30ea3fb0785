//! Metrics of a worker.

use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! metrics {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Counters of a worker since its start.
        #[derive(Debug, Default)]
        pub struct Metrics { $(pub(super) $name: Counter,)* }

        /// The values of a worker's counters at one time.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[non_exhaustive]
        pub struct MetricsSnapshot { $($(#[$doc])* pub $name: u64,)* }

        impl Metrics {
            /// Returns the current values.
            pub fn snapshot(&self) -> MetricsSnapshot {
                MetricsSnapshot { $($name: self.$name.get(),)* }
            }
        }
    };
}

metrics! {
    /// Requests started.
    sent,
    /// Requests in progress, or with an outcome not recorded yet.
    in_flight,
    /// Deliveries accepted by the receiver.
    delivered,
    /// Attempts that are followed by a retry.
    retried,
    /// Deliveries that failed for good.
    dead,
    /// Leases released before a request was sent.
    released,
    /// Outcomes discarded because their lease had ended.
    fenced,
    /// Requests that timed out.
    timed_out,
    /// Failed claims and records of the store.
    store_errors,
    /// Finished deliveries deleted after their retention.
    pruned,
}

/// A counter that only the threads of one worker change.
#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub(super) fn sub(&self, count: u64) {
        self.0.fetch_sub(count, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
