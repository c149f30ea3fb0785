//! Claims: the requests of workers for deliveries, and the leases that stores grant.

use crate::delivery::{DeliveryId, EndpointId};
use crate::{Message, Subscription, Timestamp};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The request of a worker for deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    /// The duration of each lease.
    pub lease: Duration,
    /// The maximum number of deliveries.
    pub limit: usize,
    /// The maximum number of requests that the worker sends at once.
    pub slots: usize,
    /// Whether the worker has no request in progress.
    pub idle: bool,
    /// The maximum number of deliveries for endpoints whose last attempt failed or that had a
    /// request in progress when a worker was lost.
    pub suspect_limit: usize,
    /// The maximum number of deliveries for slow endpoints.
    pub slow_limit: usize,
    /// The maximum number of concurrent requests to an endpoint that has not responded yet.
    pub probe_limit: usize,
    /// Endpoints that count as slow because a request to them has been in progress for long.
    pub unresponsive: Vec<EndpointId>,
    /// The number of leases in a row that a delivery may lose while sent alone, before it counts as
    /// poisonous.
    pub lost: u32,
}

/// Returns how many deliveries are sent together that have lost `lost` leases in a row. A smaller
/// group leaves fewer suspects after the next loss.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn group_size(slots: usize, lost: u32) -> usize {
    let shift = lost.saturating_mul(2);
    slots.checked_shr(shift).unwrap_or(0).max(1)
}

/// The number of lost leases in a row from which a delivery is sent only together with others of
/// its group. A single loss is weak evidence: most lost workers were stopped deliberately.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) const ISOLATED: u32 = 2;

/// The isolation of claimed deliveries from other deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// The leases may be used concurrently with others.
    #[default]
    None,
    /// Deliveries were not leased. Some deliveries have lost workers, and are sent when the worker
    /// has no other request in progress.
    Wait,
    /// The leased deliveries were in progress when a worker was lost. The worker must record their
    /// outcomes before it claims others.
    Exclusive,
}

/// The response of the store to a [`ClaimRequest`].
#[derive(Debug, Clone, Default)]
pub struct Claimed {
    /// The time of the store's clock.
    pub now: Timestamp,
    /// Whether the leases may be used concurrently with others.
    pub isolation: Isolation,
    /// The deliveries to send now.
    pub leases: Vec<Lease>,
    /// The time of the next due delivery, if the store knows it.
    pub next: Option<Timestamp>,
}

/// The exclusive right to send one delivery once.
#[derive(Debug, Clone)]
pub struct Lease {
    /// The delivery.
    pub delivery: DeliveryId,
    /// The number of the lease, which is the number of the attempt.
    pub generation: u32,
    /// The start of the lease, by the store's clock.
    pub since: Timestamp,
    /// The end of the lease, by the store's clock.
    pub until: Timestamp,
    /// The number of earlier attempts that count towards the limit of the policy.
    pub tries: u32,
    /// The time at which the message was enqueued, by the store's clock. `None` for a replay.
    pub enqueued: Option<Timestamp>,
    /// The endpoint that receives the request.
    pub endpoint: EndpointId,
    /// The number of failing rounds in a row that the endpoint had when the lease was granted.
    pub epoch: u32,
    /// The number of leases in a row that the delivery has lost.
    pub lost: u32,
    /// Whether the endpoint was slow when the lease was granted.
    pub slow: bool,
    /// The message to send.
    pub message: Arc<Message>,
    /// The URL of the endpoint.
    pub url: Url,
    /// The subscription, with its headers and signature.
    pub subscription: Arc<Subscription>,
}
