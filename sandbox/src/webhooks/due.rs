//! Due times of retries, in the time of a project.
//!
//! The delivery store has one clock, that of the system. A project has its own clock, which can
//! stand and jump. The due time of a retry is therefore stored as a number far beyond any time of
//! the system: the project's time, multiplied. The store alone never finds it due. When the clock
//! of the project has reached it, [`DeliveryStore::reschedule`] makes the retry due.
//!
//! The stored number does not change when the clock is frozen, resumed or advanced. Nothing has to
//! be converted at these moments, so no failure between two steps can lose or repeat a conversion,
//! and instances cannot disagree about it.
//!
//! [`DeliveryStore::reschedule`]: bothends_delivery::DeliveryStore::reschedule

use crate::app::App;
use crate::model::{Millis, Project};
use bothends_delivery::Timestamp;
use std::ops::Range;
use std::time::Duration;

/// The factor. The store adds a pause to its own time when it records an outcome, some milliseconds
/// away from the time for which the pause was computed. The factor is larger than this distance, so
/// that the division yields exactly the project's time again.
const SCALE: i64 = 1 << 14;
/// The first number that is not a time of the system, in the year 37,648.
const FIRST: i64 = 1 << 50;
/// The latest time of a project, in the year 4199.
pub(crate) const LATEST: Millis = 1 << 46;

/// Returns the stored due time for a time of a project: the middle of the numbers that stand for it.
pub(super) fn stored(project_time: Millis) -> Timestamp {
    let first = FIRST / SCALE;
    Timestamp::from_millis(project_time.clamp(first, LATEST) * SCALE + SCALE / 2)
}

/// Returns the project's time of a stored due time. `None` for a time of the system.
pub(crate) fn project_time(due: Timestamp) -> Option<Millis> {
    let due = due.as_millis();
    (due >= FIRST).then_some(due / SCALE)
}

/// Returns the stored due times that a project's clock has reached.
pub(super) fn reached(now: Millis) -> Range<Timestamp> {
    let next = now.clamp(0, LATEST) + 1;
    Timestamp::from_millis(FIRST)..Timestamp::from_millis((next * SCALE).max(FIRST))
}

/// Returns the pause after `now`, a time of the store, that ends at a time of a project.
pub(super) fn pause(now: Timestamp, project_time: Millis) -> Duration {
    stored(project_time).since(now)
}

/// Returns when a delivery with this due time is sent, by the clock of the project.
pub fn in_project(project: &Project, due: Timestamp) -> Millis {
    project_time(due).unwrap_or_else(|| {
        // A time of the system: of a first attempt, or of a retry that was made due.
        let ahead = due.as_millis().saturating_sub(App::system_now()).max(0);
        App::now(project).saturating_add(ahead)
    })
}

/// Returns the pause before a retry, in milliseconds: the base, doubled with each retry, up to the
/// cap. The first retry has the number 1.
pub(super) fn backoff(base_seconds: u32, cap_seconds: u32, retry: u32) -> Millis {
    let base = i64::from(base_seconds) * 1000;
    let cap = i64::from(cap_seconds.max(base_seconds)) * 1000;
    // The document has ten retries; the limit only prevents an overflow.
    let doublings = retry.saturating_sub(1).min(20);
    base.saturating_mul(1 << doublings).min(cap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_time_survives_the_delay_of_the_store() {
        for time in [1_700_000_000_000, 2_000_000_000_000, LATEST - 1, LATEST] {
            assert_eq!(project_time(stored(time)), Some(time));
            let now = Timestamp::from_millis(1_795_000_000_000);
            for delay in [-5_000, -1, 0, 1, 40, 5_000] {
                let recorded = Timestamp::from_millis(now.as_millis() + delay);
                let due = recorded.after(pause(now, time));
                assert_eq!(project_time(due), Some(time), "{delay}");
                assert!(reached(time).contains(&due));
                assert!(!reached(time - 1).contains(&due));
            }
        }
    }

    #[test]
    fn times_of_the_system_are_not_times_of_a_project() {
        let now = Timestamp::from_millis(App::system_now());
        assert_eq!(project_time(now), None);
        assert!(!reached(i64::MAX).contains(&now));
        assert_eq!(project_time(stored(i64::MIN)), Some(FIRST / SCALE));
        assert!(project_time(stored(i64::MAX)).is_some());
    }

    #[test]
    fn pauses_double_up_to_the_cap() {
        let pauses: Vec<Millis> = (1..=10).map(|retry| backoff(5, 3600, retry)).collect();
        let seconds = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560];
        assert_eq!(pauses, seconds.map(|second| second * 1000));
        assert_eq!(backoff(5, 60, 9), 60_000);
        assert_eq!(backoff(60, 5, 1), 60_000, "a cap below the base");
        assert_eq!(backoff(0, 5, 30), 0);
        assert_eq!(
            backoff(u32::MAX, u32::MAX, u32::MAX),
            i64::from(u32::MAX) * 1000
        );
    }
}
