//! The endpoint rules that both stores share: the share of requests, and the circuit breaker.

#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::operator::Round;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::rate::Rate;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::{Decision, Health, Outcome};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use crate::{DeliveryId, Timestamp};
use std::time::Duration;

/// A circuit breaker policy: when the circuit of a failing endpoint opens, and which endpoints
/// count as slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CircuitPolicy {
    /// The number of failing rounds in a row after which the circuit opens. 5 by default.
    pub rounds: u32,
    /// The first time the circuit stays open, doubled with each further failure. 10 seconds by
    /// default.
    pub pause: Duration,
    /// The longest time the circuit stays open. 5 minutes by default.
    pub max_backoff: Duration,
    /// The duration of attempts from which an endpoint counts as slow. All slow endpoints together
    /// use at most half of a worker's slots. 1 second by default.
    pub slow: Duration,
}

impl Default for CircuitPolicy {
    fn default() -> Self {
        Self {
            rounds: 5,
            pause: Duration::from_secs(10),
            max_backoff: Duration::from_secs(5 * 60),
            slow: Duration::from_secs(1),
        }
    }
}

/// The classes of endpoints, as both stores number them. Each class has its own queue and its own
/// share of a worker's slots.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) mod class {
    /// Endpoints that respond quickly, and new endpoints.
    pub(crate) const FAST: i64 = 0;
    /// Endpoints that respond slowly or have a request that has been in progress for long.
    pub(crate) const SLOW: i64 = 1;
    /// Endpoints whose last attempt failed.
    pub(crate) const SUSPECT: i64 = 2;
}

/// The order of first attempts of an endpoint, as both stores number it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) enum Order {
    /// First attempts start when they are due.
    None = 0,
    /// First attempts start one after the other, in the order of enqueue. Deliveries that wait for
    /// their turn have the state -2.
    FirstAttempts = 1,
    /// First attempts are no longer ordered. Deliveries that wait for their turn need not.
    Ended = 2,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl Order {
    pub(crate) const fn from_number(number: i64) -> Self {
        match number {
            0 => Self::None,
            1 => Self::FirstAttempts,
            _ => Self::Ended,
        }
    }
}

/// The stored state of an endpoint, with the rules that both stores apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct Endpoint {
    pub(crate) id: i64,
    pub(crate) active: bool,
    pub(crate) cap: i64,
    pub(crate) busy: i64,
    pub(crate) failures: u32,
    pub(crate) closed_until: i64,
    /// The recent duration of attempts, in milliseconds.
    pub(crate) pace: Option<i64>,
    pub(crate) class: i64,
    pub(crate) rate: Rate,
    pub(crate) order: Order,
    /// The delivery whose first attempt is the next one or in progress, if first attempts are ordered.
    pub(crate) head: Option<i64>,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl Endpoint {
    /// Returns how many more requests the endpoint may receive now. Each failing round halves the
    /// cap, so that a receiver that hangs soon occupies one slot of a worker.
    pub(crate) fn free_slots(&self) -> i64 {
        let cap = self.cap.checked_shr(self.failures).unwrap_or(0).max(1);
        if self.active {
            (cap - self.busy).max(0)
        } else {
            0
        }
    }

    /// Returns how many more requests the endpoint may receive at `now`, also by its rate limit.
    pub(crate) fn free_slots_at(&self, now: Timestamp) -> i64 {
        self.free_slots().min(self.rate.allowance(now))
    }

    /// Returns how many more requests the endpoint may receive at `now`, if an endpoint without any
    /// response so far may receive `probes` at once.
    pub(crate) fn free_slots_for(&self, probes: usize, now: Timestamp) -> i64 {
        match self.pace {
            Some(_) => self.free_slots_at(now),
            None => {
                let probes = i64::try_from(probes).unwrap_or(i64::MAX);
                self.free_slots_at(now).min((probes - self.busy).max(0))
            }
        }
    }

    /// Counts leases granted at `now`.
    pub(crate) fn start(&mut self, count: i64, now: Timestamp) {
        self.busy += count;
        self.rate.take(count, now);
    }

    /// Returns the time from which the circuit and the rate limit allow a request.
    pub(crate) fn opens(&self, now: Timestamp) -> i64 {
        self.closed_until.max(self.rate.opens(now))
    }

    /// Ends a lease. If it was that of the first attempt in turn, the next one takes its turn.
    pub(crate) fn end(&mut self, delivery: DeliveryId, attempted: bool) {
        self.busy -= 1;
        if attempted && self.head == Some(delivery.0) {
            self.head = None;
        }
    }

    /// Returns the time from which the endpoint can be claimed if a delivery is due, which is its
    /// position in the queue of endpoints. The time is never before `now`, so that an endpoint just
    /// served goes to the end of the queue.
    #[cfg(feature = "sqlite")]
    pub(crate) fn ready(&self, now: Timestamp) -> Option<i64> {
        (self.free_slots() > 0).then(|| self.opens(now).max(now.as_millis()))
    }

    /// Updates the endpoint for one outcome. Failures are counted per round: all requests in
    /// progress when the endpoint failed count once.
    ///
    /// Returns the failing round, if the outcome began one.
    pub(crate) fn notice(
        &mut self,
        outcome: &Outcome,
        now: Timestamp,
        circuit: CircuitPolicy,
    ) -> Option<Round> {
        let mut round = None;
        let released = matches!(outcome.verdict, Decision::Release { .. });
        self.end(outcome.delivery, !released);
        match outcome.health {
            Health::Good => {
                self.failures = 0;
                self.closed_until = 0;
            }
            Health::Bad if outcome.epoch == self.failures => {
                self.failures = self.failures.saturating_add(1);
                round = Some(self.failures);
                if let Some(beyond) = self.failures.checked_sub(circuit.rounds) {
                    let doubled = 2u32.checked_pow(beyond).unwrap_or(u32::MAX);
                    let pause = circuit.pause.saturating_mul(doubled);
                    self.closed_until = now.after(pause.min(circuit.max_backoff)).as_millis();
                }
            }
            Health::Bad | Health::Unknown => {}
        }
        if let Some(took) = outcome.took() {
            let took = i64::try_from(took.as_millis()).unwrap_or(i64::MAX / 4);
            let took = took.min(i64::MAX / 4);
            // A moving average: four attempts have more weight than one, and recent attempts the
            // most.
            let pace = self.pace.map_or(took, |pace| (3 * pace + took) / 4);
            self.pace = Some(pace);
            self.class = if self.failures > 0 {
                class::SUSPECT
            } else if pace >= i64::try_from(circuit.slow.as_millis()).unwrap_or(i64::MAX) {
                class::SLOW
            } else {
                class::FAST
            };
        }
        round.map(|failures| Round {
            endpoint: self.id,
            failures,
            opened: (failures == circuit.rounds).then_some(self.closed_until),
        })
    }
}
