//! Rate limits of endpoints.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The longest period of a rate limit.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// A rate limit: how many requests an endpoint gets within any period, by the store's clock at the time at
/// which they are leased.
///
/// At most a tenth of the requests, and at least one, start at once. The others are spread over the period,
/// so that an endpoint with more to send than the limit gets at least nine tenths of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RateLimit {
    requests: u32,
    period: Duration,
}

impl RateLimit {
    /// Creates a limit of `requests` within any `period`. Returns `None` if `requests` is 0, or if the
    /// period is shorter than a millisecond or longer than 366 days.
    pub fn new(requests: u32, period: Duration) -> Option<Self> {
        let is_valid = requests > 0 && period >= Duration::from_millis(1) && period <= LONGEST;
        is_valid.then_some(Self { requests, period })
    }

    /// Returns the number of requests.
    pub const fn requests(&self) -> u32 {
        self.requests
    }

    /// Returns the period.
    pub const fn period(&self) -> Duration {
        self.period
    }

    /// Returns how many requests may start at once.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn burst(&self) -> i64 {
        i64::from(self.requests.div_ceil(10))
    }

    /// Returns the distance between requests, in microseconds: a window of the period that begins with
    /// a burst has room for the limit and not more.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn every(&self) -> i64 {
        let spread = u128::from(self.requests) - u128::from(self.requests.div_ceil(10)) + 1;
        let every = self.period.as_micros().div_ceil(spread);
        i64::try_from(every).unwrap_or(i64::MAX / 4).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_requests_and_a_period() {
        let second = Duration::from_secs(1);
        assert_eq!(RateLimit::new(0, second), None);
        assert_eq!(RateLimit::new(1, Duration::ZERO), None);
        assert_eq!(RateLimit::new(1, LONGEST + second), None);
        let limit = RateLimit::new(5, second).unwrap();
        assert_eq!((limit.requests(), limit.period()), (5, second));
    }
}
