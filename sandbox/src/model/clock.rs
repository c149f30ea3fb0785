//! The clock of a project.

use super::Millis;
use serde::{Deserialize, Serialize};

/// The clock of a project, which decides when tokens and consents expire, when tasks complete and
/// when webhooks are retried. It runs with the system clock, possibly ahead of it, or is frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectClock {
    /// The distance to the system clock, in milliseconds, while the clock runs.
    pub offset: i64,
    /// The time at which the clock stands, if it is frozen.
    pub frozen_at: Option<Millis>,
    /// The system time at which the clock was frozen.
    pub frozen_since: Option<Millis>,
}

impl ProjectClock {
    /// Returns the time of the project at this system time.
    pub fn now(&self, system: Millis) -> Millis {
        self.frozen_at
            .unwrap_or_else(|| system.saturating_add(self.offset))
    }

    /// Returns `true` if the clock stands.
    pub const fn is_frozen(&self) -> bool {
        self.frozen_at.is_some()
    }

    /// Stops the clock. A frozen clock remains as it is.
    pub fn freeze(&mut self, system: Millis) {
        if self.frozen_at.is_none() {
            self.frozen_at = Some(self.now(system));
            self.frozen_since = Some(system);
        }
    }

    /// Lets the clock run on from where it stands.
    pub fn resume(&mut self, system: Millis) {
        if let Some(at) = self.frozen_at.take() {
            self.offset = at.saturating_sub(system);
            self.frozen_since = None;
        }
    }

    /// Moves the clock forward.
    pub fn advance(&mut self, by: i64) {
        match &mut self.frozen_at {
            Some(at) => *at = at.saturating_add(by),
            None => self.offset = self.offset.saturating_add(by),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_stands_moves_and_runs_on() {
        let mut clock = ProjectClock::default();
        assert_eq!(clock.now(1_000), 1_000);
        clock.freeze(1_000);
        clock.freeze(1_500);
        assert_eq!(clock.now(2_000), 1_000);
        clock.advance(10_000);
        assert_eq!(clock.now(2_500), 11_000);
        clock.resume(3_000);
        assert_eq!(clock.now(3_000), 11_000);
        clock.advance(5);
        assert_eq!(clock.now(3_100), 11_105);
    }
}
