//! Endpoints as both stores keep them: how much they get, and when they are left alone.

#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::{Health, Outcome};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use crate::Timestamp;
use std::time::Duration;

/// When an endpoint that fails is left alone, and which endpoints are slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CircuitPolicy {
    /// After how many rounds of failures in a row.
    pub rounds: u32,
    /// For how long at first; it doubles with every further failure.
    pub pause: Duration,
    /// For how long at most.
    pub longest_pause: Duration,
    /// An endpoint whose attempts take at least this long is slow. All slow endpoints together have at
    /// most half the slots of a worker.
    pub slow: Duration,
}

impl Default for CircuitPolicy {
    fn default() -> Self {
        Self {
            rounds: 5,
            pause: Duration::from_secs(10),
            longest_pause: Duration::from_secs(5 * 60),
            slow: Duration::from_secs(1),
        }
    }
}

/// What is known of an endpoint, as both stores keep it. Each class has a queue of its own, and a share
/// of a worker's slots.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) mod class {
    /// It answers quickly, or nothing is known of it yet.
    pub(crate) const FAST: i64 = 0;
    /// It answers slowly, or has something under way that is not answered for long.
    pub(crate) const SLOW: i64 = 1;
    /// It failed last.
    pub(crate) const SUSPECT: i64 = 2;
}

/// An endpoint as both stores keep it, and the rules for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct Endpoint {
    pub(crate) id: i64,
    pub(crate) active: bool,
    pub(crate) cap: i64,
    pub(crate) busy: i64,
    pub(crate) failures: u32,
    pub(crate) closed_until: i64,
    /// How long its attempts take of late, in milliseconds.
    pub(crate) pace: Option<i64>,
    pub(crate) class: i64,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl Endpoint {
    /// How many more requests it may get now: every round that fails halves what it may have, so a
    /// receiver that hangs soon holds one slot of a worker.
    pub(crate) fn room(&self) -> i64 {
        let cap = self.cap.checked_shr(self.failures).unwrap_or(0).max(1);
        if self.active {
            (cap - self.busy).max(0)
        } else {
            0
        }
    }

    /// How many more it may get where one that has not answered yet gets so many at once.
    pub(crate) fn room_for(&self, probes: usize) -> i64 {
        match self.pace {
            Some(_) => self.room(),
            None => {
                let probes = i64::try_from(probes).unwrap_or(i64::MAX);
                self.room().min((probes - self.busy).max(0))
            }
        }
    }

    /// When it can be claimed from: its place in the queue of endpoints. Never before `now`, so one
    /// that was just served goes to the end.
    #[cfg(feature = "sqlite")]
    pub(crate) fn ready(&self, first_due: Option<i64>, now: Timestamp) -> Option<i64> {
        let due = first_due.filter(|_| self.room() > 0)?;
        Some(due.max(self.closed_until).max(now.as_millis()))
    }

    /// Takes notice of one outcome. Failures are counted by round: all that was under way when the
    /// endpoint failed counts once.
    pub(crate) fn notice(&mut self, outcome: &Outcome, now: Timestamp, circuit: CircuitPolicy) {
        self.busy -= 1;
        match outcome.health {
            Health::Good => {
                self.failures = 0;
                self.closed_until = 0;
            }
            Health::Bad if outcome.epoch == self.failures => {
                self.failures = self.failures.saturating_add(1);
                if let Some(beyond) = self.failures.checked_sub(circuit.rounds) {
                    let doubled = 2u32.checked_pow(beyond).unwrap_or(u32::MAX);
                    let pause = circuit.pause.saturating_mul(doubled);
                    self.closed_until = now.after(pause.min(circuit.longest_pause)).as_millis();
                }
            }
            Health::Bad | Health::Unknown => {}
        }
        if let Some(took) = outcome.took() {
            let took = i64::try_from(took.as_millis()).unwrap_or(i64::MAX / 4);
            let took = took.min(i64::MAX / 4);
            // An average that forgets: four attempts say more than one, and the last ones most.
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
    }
}
