//! The open deliveries of an owner, and changes of their due times.

use crate::Timestamp;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use std::ops::{Bound, RangeBounds};
use std::time::Duration;

/// The deliveries of an owner's subscriptions that are not finished, at one moment.
///
/// A subscription that was [put](super::DeliveryStore::put_subscription) with another owner takes
/// its open deliveries along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Backlog {
    /// The number of deliveries of active subscriptions that are not leased. A delivery whose lease
    /// expired without an outcome waits as well: its worker was lost.
    pub waiting: u64,
    /// The number of deliveries of inactive subscriptions that are not leased.
    pub held: u64,
    /// The number of leased deliveries, including those of removed subscriptions.
    pub in_progress: u64,
    /// The earliest time at which a waiting delivery can be claimed: its due time, or the time at
    /// which the circuit of its endpoint closes, if that is later. A time in the past means now.
    /// `None` if there are no waiting deliveries.
    pub next_due: Option<Timestamp>,
}

impl Backlog {
    /// Adds a number of deliveries: those of active or inactive subscriptions, or leased deliveries.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn add(&mut self, active: Option<bool>, count: i64, next: Option<i64>) {
        let count = count.unsigned_abs();
        match active {
            Some(true) => {
                self.waiting += count;
                let next = next.map(Timestamp::from_millis);
                self.next_due = self.next_due.into_iter().chain(next).min();
            }
            Some(false) => self.held += count,
            None => self.in_progress += count,
        }
    }
}

/// A change of due times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reschedule {
    /// This much earlier. The new time may be in the past: the delivery is then due.
    Earlier(Duration),
    /// This much later.
    Later(Duration),
    /// Immediately. Deliveries that are due already are not changed.
    Now,
}

/// A [`Reschedule`] of times in a range as numbers, in milliseconds. A time in the range is set to
/// `max(min(time, high), low) + by`, which cannot overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct Shift {
    /// The first time that is moved.
    pub(crate) from: i64,
    /// The last time that is moved.
    pub(crate) until: i64,
    pub(crate) low: i64,
    pub(crate) high: i64,
    pub(crate) by: i64,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl Shift {
    /// Returns the shift at `now`, or `None` if no time is in the range.
    pub(crate) fn new(
        due: &impl RangeBounds<Timestamp>,
        change: Reschedule,
        now: Timestamp,
    ) -> Option<Self> {
        let from = match due.start_bound() {
            Bound::Included(from) => from.as_millis(),
            Bound::Excluded(before) => before.as_millis().checked_add(1)?,
            Bound::Unbounded => i64::MIN,
        };
        let until = match due.end_bound() {
            Bound::Included(until) => until.as_millis(),
            Bound::Excluded(after) => after.as_millis().checked_sub(1)?,
            Bound::Unbounded => i64::MAX,
        };
        let millis = |by: Duration| i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        let now = now.as_millis();
        let moved = |from, low, high, by| Self {
            from,
            until,
            low,
            high,
            by,
        };
        let shift = match change {
            Reschedule::Earlier(by) => {
                let by = millis(by);
                moved(from, i64::MIN + by, i64::MAX, -by)
            }
            Reschedule::Later(by) => {
                let by = millis(by);
                moved(from, i64::MIN, i64::MAX - by, by)
            }
            Reschedule::Now => moved(from.max(now.checked_add(1)?), now, now, 0),
        };
        (shift.from <= shift.until).then_some(shift)
    }
}

#[cfg(test)]
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1000);

    /// Moves a time as the stores do.
    fn moved(shift: Option<Shift>, time: i64) -> i64 {
        match shift {
            Some(shift) if (shift.from..=shift.until).contains(&time) => {
                time.min(shift.high).max(shift.low) + shift.by
            }
            _ => time,
        }
    }

    #[test]
    fn times_in_the_range_are_moved() {
        let at = Timestamp::from_millis;
        let later = Reschedule::Later(Duration::from_millis(5));
        let shift = Shift::new(&(at(10)..at(20)), later, NOW);
        let times = [9, 10, 19, 20].map(|time| moved(shift, time));
        assert_eq!(times, [9, 15, 24, 20]);
        let shift = Shift::new(&(at(10)..=at(20)), later, NOW);
        assert_eq!([20, 21].map(|time| moved(shift, time)), [25, 21]);
        let range = (Bound::Excluded(at(10)), Bound::Unbounded);
        let earlier = Reschedule::Earlier(Duration::from_millis(5));
        let shift = Shift::new(&range, earlier, NOW);
        assert_eq!([10, 11].map(|time| moved(shift, time)), [10, 6]);
        assert_eq!(Shift::new(&(at(20)..at(20)), later, NOW), None);
        assert_eq!(Shift::new(&(..at(i64::MIN)), later, NOW), None);
    }

    #[test]
    fn what_is_due_keeps_its_place() {
        let shift = Shift::new(&.., Reschedule::Now, NOW);
        let times = [999, 1000, 1001, i64::MAX].map(|time| moved(shift, time));
        assert_eq!(times, [999, 1000, 1000, 1000]);
        assert_eq!(Shift::new(&..NOW, Reschedule::Now, NOW), None);
    }

    #[test]
    fn times_do_not_overflow() {
        for by in [Duration::MAX, Duration::from_millis(7)] {
            let shift = Shift::new(&.., Reschedule::Later(by), NOW);
            assert_eq!(moved(shift, i64::MAX - 3), i64::MAX);
            let shift = Shift::new(&.., Reschedule::Earlier(by), NOW);
            assert_eq!(moved(shift, i64::MIN + 3), i64::MIN);
        }
    }
}
