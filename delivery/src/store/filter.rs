//! Filters of deliveries.

use crate::Timestamp;

/// The phase of a delivery: its [`State`](crate::State) without times and reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Waiting to be sent, also while its subscription is inactive.
    Waiting,
    /// Leased by a worker.
    Leased,
    /// Accepted by the receiver.
    Delivered,
    /// Failed for good.
    Dead,
}

/// A filter of deliveries, which have to meet all of its conditions. The default has none.
///
/// ```
/// use bothends_delivery::store::{DeliveryFilter, Phase};
///
/// let failed = DeliveryFilter::new().phase(Phase::Dead).kind("order.shipped");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeliveryFilter {
    pub(crate) phase: Option<Phase>,
    pub(crate) subscription: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) since: Option<Timestamp>,
    pub(crate) until: Option<Timestamp>,
}

impl DeliveryFilter {
    /// Creates a filter without conditions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Requires a phase.
    #[must_use]
    pub fn phase(mut self, phase: Phase) -> Self {
        self.phase = Some(phase);
        self
    }

    /// Requires the subscription with this id.
    #[must_use]
    pub fn subscription(mut self, id: impl Into<String>) -> Self {
        self.subscription = Some(id.into());
        self
    }

    /// Requires messages of this kind.
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    /// Requires that the delivery entered its phase at this time or later: was delivered, failed, or began
    /// to wait.
    #[must_use]
    pub fn since(mut self, since: Timestamp) -> Self {
        self.since = Some(since);
        self
    }

    /// Requires that the delivery entered its phase before this time.
    #[must_use]
    pub fn until(mut self, until: Timestamp) -> Self {
        self.until = Some(until);
        self
    }

    /// Returns the stored number of the phase, and the two times in milliseconds.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn numbers(&self) -> (Option<i64>, Option<i64>, Option<i64>) {
        let millis = |time: Option<Timestamp>| time.map(Timestamp::as_millis);
        let phase = self.phase.map(|phase| match phase {
            Phase::Waiting => 0,
            Phase::Leased => 1,
            Phase::Delivered => 2,
            Phase::Dead => 3,
        });
        (phase, millis(self.since), millis(self.until))
    }
}
