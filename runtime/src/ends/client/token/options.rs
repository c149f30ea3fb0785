//! The options of a token source.

use std::time::Duration;

/// Options for refreshing tokens: times and timeouts.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RefreshOptions {
    /// The share of its lifetime after which a token is refreshed while it is still valid. The
    /// default is 0.8.
    pub refresh_after: f64,
    /// The largest share of its lifetime by which the refresh is advanced at random, so that clients
    /// that started together do not refresh together. The default is 0.1.
    pub jitter: f64,
    /// The timeout of a token request. The default is 10 s.
    pub timeout: Duration,
    /// How long calls receive the error of a failed token request before the next one is made. The
    /// default is 1 s.
    pub error_hold: Duration,
}

impl Default for RefreshOptions {
    fn default() -> Self {
        Self {
            refresh_after: 0.8,
            jitter: 0.1,
            timeout: Duration::from_secs(10),
            error_hold: Duration::from_secs(1),
        }
    }
}
