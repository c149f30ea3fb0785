//! The state of endpoints, for operators.

use crate::Timestamp;
use crate::delivery::EndpointId;
use std::time::Duration;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use url::Url;

/// The state of an endpoint: one URL of one subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EndpointStatus {
    /// The endpoint.
    pub id: EndpointId,
    /// The subscription.
    pub subscription: String,
    /// The kind with this URL of its own, or `None` for the URL of all other kinds.
    pub kind: Option<String>,
    /// Scheme, host and port of the URL. The rest may contain secrets of the receiver.
    pub origin: String,
    /// Whether the subscription is active.
    pub active: bool,
    /// The number of requests in progress.
    pub in_progress: u64,
    /// The number of failing rounds in a row.
    pub failures: u32,
    /// The time until which the circuit is or was open. The endpoint gets no requests before it.
    pub open_until: Timestamp,
    /// The recent duration of attempts, if there were any.
    pub pace: Option<Duration>,
}

impl EndpointStatus {
    /// Returns `true` if the circuit is open at a time of the store's clock.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.open_until > now
    }

    /// Reads the stored route, URL and duration.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn stored(
        (id, subscription, route): (i64, String, String),
        url: &str,
        (active, busy, failures): (bool, i64, u32),
        (closed_until, pace): (i64, Option<i64>),
    ) -> Self {
        let origin = Url::parse(url).map(|url| url.origin().ascii_serialization());
        Self {
            id: EndpointId(id),
            subscription,
            kind: Some(route).filter(|route| !route.is_empty()),
            origin: origin.unwrap_or_default(),
            active,
            in_progress: u64::try_from(busy).unwrap_or_default(),
            failures,
            open_until: Timestamp::from_millis(closed_until),
            pace: pace.map(|pace| Duration::from_millis(pace.unsigned_abs())),
        }
    }
}
