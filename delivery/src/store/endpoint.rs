//! Endpoints as both stores keep them: how much they get, and when they are left alone.

#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::Health;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use crate::Timestamp;
use std::time::Duration;

/// When an endpoint that fails is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CircuitPolicy {
    /// After how many rounds of failures in a row.
    pub rounds: u32,
    /// For how long at first; it doubles with every further failure.
    pub pause: Duration,
    /// For how long at most.
    pub longest_pause: Duration,
}

impl Default for CircuitPolicy {
    fn default() -> Self {
        Self {
            rounds: 5,
            pause: Duration::from_secs(10),
            longest_pause: Duration::from_secs(5 * 60),
        }
    }
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

    /// When it can be claimed from: its place in the queue of endpoints. Never before `now`, so one
    /// that was just served goes to the end.
    pub(crate) fn ready(&self, first_due: Option<i64>, now: Timestamp) -> Option<i64> {
        let due = first_due.filter(|_| self.room() > 0)?;
        Some(due.max(self.closed_until).max(now.as_millis()))
    }

    /// Takes notice of one outcome. Failures are counted by round: all that was under way when the
    /// endpoint failed counts once.
    pub(crate) fn notice(
        &mut self,
        health: Health,
        epoch: u32,
        now: Timestamp,
        circuit: CircuitPolicy,
    ) {
        self.busy -= 1;
        match health {
            Health::Good => {
                self.failures = 0;
                self.closed_until = 0;
            }
            Health::Bad if epoch == self.failures => {
                self.failures = self.failures.saturating_add(1);
                if let Some(beyond) = self.failures.checked_sub(circuit.rounds) {
                    let doubled = 2u32.checked_pow(beyond).unwrap_or(u32::MAX);
                    let pause = circuit.pause.saturating_mul(doubled);
                    self.closed_until = now.after(pause.min(circuit.longest_pause)).as_millis();
                }
            }
            Health::Bad | Health::Unknown => {}
        }
    }
}
