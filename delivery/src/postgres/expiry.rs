//! When claims look for leases that have expired.
//!
//! While any transaction of the database has an earlier snapshot, the entries of ended leases remain in their index, and
//! a search for expired leases passes them. Claims therefore look from time to time, and only for leases that
//! expired since the previous look.

use super::absorb::Absorbed;
use super::clock::millis;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The minimum interval between two looks.
const INTERVAL: Duration = Duration::from_millis(500);
/// How long after its expiry a lease may become visible, because its transaction was committed late.
const MARGIN: Duration = Duration::from_secs(5);
/// The interval of looks for all leases, which find those that became visible even later.
const COMPLETE: Duration = Duration::from_secs(600);

/// The last look of this store.
#[derive(Clone, Default)]
pub(super) struct Expiry(Arc<Mutex<State>>);

struct State {
    /// No lease expired before, unless it became visible after the last complete look.
    since: i64,
    /// The time of the last complete look, in milliseconds.
    complete: i64,
    /// The last look that found nothing, and its time in milliseconds.
    last: Option<(Instant, i64)>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            since: i64::MIN,
            complete: i64::MIN,
            last: None,
        }
    }
}

impl Expiry {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the time after which a lease must have expired to be found now. After [`i64::MAX`], none has.
    pub(super) fn since(&self, given: Option<i64>) -> i64 {
        let state = self.state();
        let Some((at, before)) = state.last else {
            return state.since;
        };
        let elapsed = at.elapsed();
        // The clock of a test is independent of the time that has elapsed.
        if given.is_none() && elapsed < INTERVAL {
            return i64::MAX;
        }
        let now = given.unwrap_or_else(|| before.saturating_add(millis(elapsed)));
        let was_set_back = now < state.since;
        match was_set_back || now.saturating_sub(state.complete) >= millis(COMPLETE) {
            true => i64::MIN,
            false => state.since,
        }
    }

    /// Notes the result of a look for leases that expired after `since`.
    pub(super) fn looked(&self, since: i64, absorbed: &Absorbed) {
        let mut state = self.state();
        let now = absorbed.now.as_millis();
        if now < state.since {
            // The clock was set back, which only the clock of a test tells before.
            *state = State::default();
        } else if absorbed.over {
            state.last = None;
        } else if since != i64::MAX {
            if since == i64::MIN {
                state.complete = now;
            }
            state.since = now.saturating_sub(millis(MARGIN));
            state.last = Some((Instant::now(), now));
        }
    }
}
