//! What a worker counts.

use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! metrics {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What a worker counts, from its start.
        #[derive(Debug, Default)]
        pub struct Metrics { $(pub(super) $name: Counter,)* }

        /// What a worker had counted at some time.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[non_exhaustive]
        pub struct Snapshot { $($(#[$doc])* pub $name: u64,)* }

        impl Metrics {
            /// What was counted until now.
            pub fn snapshot(&self) -> Snapshot {
                Snapshot { $($name: self.$name.get(),)* }
            }
        }
    };
}

metrics! {
    /// Requests that were begun.
    sent,
    /// Requests that are under way, or whose outcome is not written down yet.
    in_flight,
    /// Deliveries that the receiver has.
    delivered,
    /// Attempts that will be followed by another.
    retried,
    /// Deliveries that were given up.
    dead,
    /// Leases that were given back with nothing sent.
    released,
    /// Outcomes that came after the lease was over.
    fenced,
    /// Requests that were not answered in time.
    timed_out,
    /// Times the store could not be claimed from or recorded to.
    store_errors,
    /// Deliveries that were forgotten because they were finished long ago.
    pruned,
}

/// A number that only threads of one worker change.
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
