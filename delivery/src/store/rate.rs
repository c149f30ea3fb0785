//! The state of rate limits.

#[cfg(any(feature = "sqlite", feature = "postgres"))]
use crate::Timestamp;

/// The stored state of a rate limit, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct Rate {
    /// The distance between requests, or 0 without a limit.
    pub(crate) every: i64,
    /// How many requests may start at once after a pause.
    pub(crate) burst: i64,
    /// The time from which the next request may start.
    pub(crate) free: i64,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl Rate {
    /// Returns the time from which the next request may start. After a clock that ran ahead was set back,
    /// it is at most the distance of two requests away.
    pub(crate) fn free_at(&self, now: Timestamp) -> i64 {
        self.free.min(micros(now).saturating_add(self.every))
    }

    /// Returns how many requests may start now.
    pub(super) fn allowance(&self, now: Timestamp) -> i64 {
        if self.every == 0 {
            return i64::MAX;
        }
        let passed = micros(now).saturating_sub(self.free_at(now));
        match passed {
            ..0 => 0,
            _ => (passed / self.every).saturating_add(1).min(self.burst),
        }
    }

    /// Counts requests that start now.
    pub(super) fn take(&mut self, count: i64, now: Timestamp) {
        if self.every > 0 && count > 0 {
            let pause = (self.burst - 1).saturating_mul(self.every);
            let free = self.free_at(now).max(micros(now).saturating_sub(pause));
            self.free = free.saturating_add(count.saturating_mul(self.every));
        }
    }

    /// Returns the millisecond from which the next request may start.
    pub(super) fn opens(&self, now: Timestamp) -> i64 {
        if self.every == 0 {
            return i64::MIN;
        }
        self.free_at(now).saturating_add(999).div_euclid(1000)
    }
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
const fn micros(time: Timestamp) -> i64 {
    time.as_millis().saturating_mul(1000)
}

#[cfg(test)]
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod tests {
    use super::*;
    use crate::RateLimit;
    use std::collections::VecDeque;
    use std::time::Duration;

    /// Takes whatever is allowed, at irregular times; no window has more than the limit, and an endpoint
    /// with enough to send gets nine tenths of it.
    #[test]
    fn no_window_has_more_than_the_limit() {
        let mut rng = fastrand::Rng::with_seed(7);
        for (requests, period) in [
            (1, 1000),
            (3, 1000),
            (10, 60_000),
            (25, 1000),
            (1000, 1000),
            (7, 1),
        ] {
            let limit = RateLimit::new(requests, Duration::from_millis(period)).unwrap();
            let mut rate = Rate {
                every: limit.every(),
                burst: limit.burst(),
                free: 0,
            };
            let period = i64::try_from(period).unwrap();
            let mut window = VecDeque::new();
            let (mut now, mut all) = (5_000_000, 0);
            let end = now + period * 50;
            while now < end {
                let at = Timestamp::from_millis(now);
                let allowance = rate.allowance(at);
                let taken = if rng.bool() {
                    allowance
                } else {
                    rng.i64(0..=allowance)
                };
                rate.take(taken, at);
                window.extend((0..taken).map(|_| now));
                while window.front().is_some_and(|first| *first <= now - period) {
                    window.pop_front();
                }
                assert!(window.len() <= requests as usize, "{limit:?} {window:?}");
                all += taken;
                now += rng.i64(1..=(period / 20).max(1));
            }
            let (full, requests) = (i64::from(requests) * 50, i64::from(requests));
            assert!(all <= full + requests, "{all} of {full}: {limit:?}");
        }
    }

    #[test]
    fn an_endpoint_with_enough_to_send_gets_nine_tenths() {
        for requests in [1, 10, 100, 1000] {
            let limit = RateLimit::new(requests, Duration::from_secs(10)).unwrap();
            let mut rate = Rate {
                every: limit.every(),
                burst: limit.burst(),
                free: 0,
            };
            let mut all = 0;
            for now in 0..100_000 {
                let at = Timestamp::from_millis(now);
                let allowance = rate.allowance(at);
                assert_eq!(allowance > 0, rate.opens(at) <= now);
                rate.take(allowance, at);
                all += allowance;
            }
            let full = i64::from(requests) * 10;
            assert!(
                all >= full * 9 / 10 && all <= full + limit.burst(),
                "{all} of {full}"
            );
        }
    }

    #[test]
    fn a_clock_that_was_set_back_does_not_stop_an_endpoint() {
        let limit = RateLimit::new(1, Duration::from_secs(1)).unwrap();
        let mut rate = Rate {
            every: limit.every(),
            burst: limit.burst(),
            free: 0,
        };
        rate.take(1, Timestamp::from_millis(1_000_000));
        assert_eq!(rate.allowance(Timestamp::from_millis(0)), 0);
        assert_eq!(rate.opens(Timestamp::from_millis(0)), 1000);
    }
}
