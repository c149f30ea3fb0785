//! What a store has to do.

mod endpoint;
mod error;

pub use endpoint::CircuitPolicy;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use endpoint::Endpoint;
pub use error::{StoreError, StoreErrorKind};

use crate::delivery::{Attempt, AttemptEnd, DeadReason, Delivery, DeliveryId, EndpointId};
use crate::{Message, MessageId, Subscription, Timestamp};
use bytes::Bytes;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use url::Url;

/// Keeps messages, who receives them, and how far each delivery came.
///
/// Every change is committed, and lasts, when its future is ready. Time comes in from outside, so
/// that a store does the same for the same commands; `conformance` tells what that is.
pub trait DeliveryStore: Clone + Send + Sync + 'static {
    /// Adds a subscription, or replaces the one with its id: URLs, headers, signature, concurrency
    /// and whether it is active are those of the new one, for what waits already, too. What waits
    /// for a URL that is gone goes to the URL for all kinds, if there is one, and otherwise to where
    /// it was to go. What the new one does not select any more is sent still.
    fn put_subscription(
        &self,
        subscription: Subscription,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The subscription with this id.
    fn subscription(
        &self,
        id: &str,
    ) -> impl Future<Output = Result<Option<Subscription>, StoreError>> + Send;

    /// All subscriptions of an owner, by id.
    fn subscriptions(
        &self,
        owner: &str,
    ) -> impl Future<Output = Result<Vec<Subscription>, StoreError>> + Send;

    /// Activates or deactivates a subscription, whichever it is now. Its deliveries are held while it
    /// is inactive: what is enqueued meanwhile is sent when it is active again.
    ///
    /// # Errors
    /// [`StoreErrorKind::NotFound`] where there is none with this id.
    fn set_active(
        &self,
        id: &str,
        active: bool,
        now: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Removes a subscription: it gets nothing new, and what waits for it is given up as
    /// [`DeadReason::Removed`], at once and however much it is. What is under way ends as it ends,
    /// but is not sent again. Its deliveries and their attempts stay until they are
    /// [pruned](Self::prune), and cannot be [replayed](Self::replay). One that is put with the same id
    /// later is another subscription.
    ///
    /// # Errors
    /// [`StoreErrorKind::NotFound`] where there is none with this id.
    fn remove_subscription(
        &self,
        id: &str,
        now: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Enqueues a message in a transaction of its own. Each store has a way to do it in one of the
    /// user's, too.
    fn enqueue(
        &self,
        message: Message,
        now: Timestamp,
    ) -> impl Future<Output = Result<Enqueued, StoreError>> + Send;

    /// Takes what is due, and takes back what was lost.
    fn claim(
        &self,
        request: ClaimRequest,
    ) -> impl Future<Output = Result<Claimed, StoreError>> + Send;

    /// Records what came of leases, and tells of each whether it still was one: an outcome of a
    /// lease that somebody else has since changes nothing.
    fn record(
        &self,
        outcomes: Vec<Outcome>,
        now: Timestamp,
        circuit: CircuitPolicy,
    ) -> impl Future<Output = Result<Vec<Recorded>, StoreError>> + Send;

    /// Sends a finished delivery once more: a new delivery of the same message.
    ///
    /// # Errors
    /// [`StoreErrorKind::NotFound`] where there is no such delivery or its subscription was removed,
    /// [`StoreErrorKind::NotFinished`] where it is still to be sent.
    fn replay(
        &self,
        delivery: DeliveryId,
        now: Timestamp,
    ) -> impl Future<Output = Result<DeliveryId, StoreError>> + Send;

    /// One delivery.
    fn delivery(
        &self,
        id: DeliveryId,
    ) -> impl Future<Output = Result<Option<Delivery>, StoreError>> + Send;

    /// Deliveries with an id after this one, in order, at most so many.
    fn deliveries(
        &self,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Delivery>, StoreError>> + Send;

    /// The attempts of a delivery, in order.
    fn attempts(
        &self,
        delivery: DeliveryId,
    ) -> impl Future<Output = Result<Vec<Attempt>, StoreError>> + Send;

    /// The bytes of a message.
    fn message_body(
        &self,
        id: &MessageId,
    ) -> impl Future<Output = Result<Option<Bytes>, StoreError>> + Send;

    /// Forgets deliveries that were finished before this time, with their attempts and messages: at
    /// most so many at once. Returns how many.
    fn prune(
        &self,
        before: Timestamp,
        limit: u32,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Brings back what was put off by a clock that ran ahead: what was stamped more than `slack`
    /// after `now` becomes as if it had been stamped now. Returns how many deliveries it was.
    fn mend(
        &self,
        now: Timestamp,
        slack: Duration,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Changes when there may be something to claim. It need not tell of everything: workers look
    /// for themselves, too, only later.
    fn changes(&self) -> watch::Receiver<u64>;

    /// What the store's own clock says, where workers on several machines share it.
    fn time(&self) -> impl Future<Output = Result<Option<Timestamp>, StoreError>> + Send {
        async { Ok(None) }
    }
}

/// What became of a message that was to be enqueued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enqueued {
    /// The message.
    pub message: MessageId,
    /// One delivery for each endpoint that takes it; none if nobody wants it.
    pub deliveries: Vec<DeliveryId>,
    /// The message was there already, so nothing was done.
    pub duplicate: bool,
}

/// What a worker wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimRequest {
    /// The time now.
    pub now: Timestamp,
    /// How long each lease lasts.
    pub lease: Duration,
    /// How many deliveries at most.
    pub limit: usize,
    /// How many of these may go to endpoints that failed last.
    pub suspects: usize,
    /// How many leases in a row a delivery may lose before it is taken for poisonous.
    pub lost: u32,
}

/// What a worker got.
#[derive(Debug, Clone, Default)]
pub struct Claimed {
    /// What to send now.
    pub leases: Vec<Lease>,
    /// When there is more, as far as the store knows.
    pub next: Option<Timestamp>,
}

/// The right to send one delivery once.
#[derive(Debug, Clone)]
pub struct Lease {
    /// Which delivery.
    pub delivery: DeliveryId,
    /// Which lease of it; the number of the attempt.
    pub generation: u32,
    /// Until when.
    pub until: Timestamp,
    /// How many attempts counted before.
    pub tries: u32,
    /// Where it goes.
    pub endpoint: EndpointId,
    /// How many rounds in a row the endpoint had failed when the lease was given.
    pub epoch: u32,
    /// The id of the message.
    pub message: MessageId,
    /// The kind of the message.
    pub kind: String,
    /// What to send.
    pub body: Bytes,
    /// Where to.
    pub url: Url,
    /// With which headers, and signed how.
    pub subscription: Arc<Subscription>,
}

/// What came of a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Which delivery.
    pub delivery: DeliveryId,
    /// Which lease of it.
    pub generation: u32,
    /// The endpoint's failures when the lease was given, as [`Lease::epoch`] says.
    pub epoch: u32,
    /// What becomes of the delivery.
    pub verdict: Verdict,
    /// What it says of the endpoint.
    pub health: Health,
    /// What is kept of the attempt. Nothing if nothing was sent.
    pub attempt: Option<AttemptLog>,
}

/// What is kept of an attempt, apart from which it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptLog {
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// How it ended.
    pub end: AttemptEnd,
    /// The status of the answer.
    pub status: Option<u16>,
    /// What there is to tell.
    pub detail: String,
}

/// What becomes of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The receiver has it.
    Delivered,
    /// It is sent again, and the attempt counts.
    Retry {
        /// Not before.
        due: Timestamp,
    },
    /// It is given up.
    Dead(DeadReason),
    /// Nothing was sent, and nothing counts.
    Release {
        /// Not before.
        due: Timestamp,
    },
}

/// What an attempt says of its endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// It answers.
    Good,
    /// It does not.
    Bad,
    /// Nothing.
    Unknown,
}

/// Whether an outcome was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recorded {
    /// It was.
    Applied,
    /// Its lease is over, so it was not.
    Fenced,
}
