//! Outcomes of leases.

use crate::Timestamp;
use crate::delivery::{AttemptEnd, DeadReason, DeliveryId};
use std::time::Duration;

/// The outcome of a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The delivery.
    pub delivery: DeliveryId,
    /// The number of the lease.
    pub generation: u32,
    /// The number of failing rounds of the endpoint when the lease was granted; see
    /// [`Lease::epoch`](super::Lease::epoch).
    pub epoch: u32,
    /// The decision about the delivery.
    pub verdict: Decision,
    /// The health of the endpoint.
    pub health: Health,
    /// The log of the attempt, or `None` if no request was sent.
    pub attempt: Option<AttemptLog>,
}

impl Outcome {
    /// Returns the duration of the attempt, if a request was sent.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn took(&self) -> Option<Duration> {
        let attempt = self.attempt.as_ref()?;
        Some(attempt.ended.since(attempt.started))
    }

    /// Returns whether the delivery is delivered or dead afterwards.
    #[cfg(feature = "sqlite")]
    pub(crate) const fn is_final(&self) -> bool {
        matches!(self.verdict, Decision::Delivered | Decision::Dead(_))
    }

    /// Returns the stored number of the next state, the pause until the delivery is due, and the
    /// reason if it is dead.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) const fn settled(&self) -> (i64, Duration, Option<&'static str>) {
        match self.verdict {
            Decision::Delivered => (2, Duration::ZERO, None),
            Decision::Dead(reason) => (3, Duration::ZERO, Some(reason.as_str())),
            Decision::Retry { pause } | Decision::Release { pause } => (0, pause, None),
        }
    }
}

/// The log of an attempt, without its delivery and number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptLog {
    /// The start time.
    pub started: Timestamp,
    /// The time at which the head of the response was received, if the sender knows it.
    pub responded: Option<Timestamp>,
    /// The end time.
    pub ended: Timestamp,
    /// The result.
    pub end: AttemptEnd,
    /// The status of the response, if one was received.
    pub status: Option<u16>,
    /// Details for people.
    pub detail: String,
}

/// The decision about a delivery after a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The receiver accepted the message.
    Delivered,
    /// The delivery is retried, and the attempt counts.
    Retry {
        /// The pause before the retry.
        pause: Duration,
    },
    /// The delivery failed for good.
    Dead(DeadReason),
    /// The delivery is released without an attempt, and no attempt is counted.
    Release {
        /// The pause before the delivery is due again.
        pause: Duration,
    },
}

/// The health of an endpoint, as observed by one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// The endpoint responds.
    Good,
    /// The attempt failed.
    Bad,
    /// The attempt allows no conclusion.
    Unknown,
}

/// The result of recording an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// The outcome was applied.
    Applied,
    /// The outcome was discarded, because its lease had ended.
    Fenced,
}
