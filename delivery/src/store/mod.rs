//! What a store has to do.

mod endpoint;
mod error;

pub use endpoint::CircuitPolicy;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use endpoint::{Endpoint, class};
pub use error::{StoreError, StoreErrorKind};

use crate::delivery::{Attempt, AttemptEnd, DeadReason, Delivery, DeliveryId, EndpointId};
use crate::{Message, MessageId, Subscription, Timestamp};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use url::Url;

/// Keeps messages, who receives them, and how far each delivery came.
///
/// Every change is committed, and lasts, when its future is ready. A store has one clock for all that
/// use it ([`DeliveryStore::now`]): when something is due and how long a lease lasts is decided by this
/// clock alone, and never by that of a process which enqueues or sends.
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
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Removes a subscription: it gets nothing new, and what waits for it is given up as
    /// [`DeadReason::Removed`], at once and however much it is. What is under way ends as it ends,
    /// but is not sent again. Its deliveries and their attempts stay until they are
    /// [pruned](Self::prune), and cannot be [replayed](Self::replay). One that is put with the same id
    /// later is another subscription.
    ///
    /// # Errors
    /// [`StoreErrorKind::NotFound`] where there is none with this id.
    fn remove_subscription(&self, id: &str) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Enqueues a message in a transaction of its own. Each store has a way to do it in one of the
    /// user's, too.
    ///
    /// Ids of messages are unique within an owner: a second message of the same owner with the same id
    /// is a [duplicate](EnqueueStatus::Duplicate) and changes nothing, even if its content differs.
    fn enqueue(
        &self,
        message: Message,
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
        circuit: CircuitPolicy,
    ) -> impl Future<Output = Result<Vec<Recorded>, StoreError>> + Send;

    /// Sends a finished delivery once more: a new delivery of the same message. One that was
    /// [poisonous](DeadReason::Poisonous) is sent apart from all others again.
    ///
    /// # Errors
    /// [`StoreErrorKind::NotFound`] where there is no such delivery or its subscription was removed,
    /// [`StoreErrorKind::NotFinished`] where it is still to be sent.
    fn replay(
        &self,
        delivery: DeliveryId,
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

    /// A message of this owner, as it was enqueued, but for [when](Message::due) it was to be sent.
    fn message(
        &self,
        owner: &str,
        id: &MessageId,
    ) -> impl Future<Output = Result<Option<Message>, StoreError>> + Send;

    /// Forgets deliveries that were finished longer ago than this, with their attempts and messages: at
    /// most so many at once. Returns how many.
    fn prune(
        &self,
        age: Duration,
        limit: u32,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Brings back what was put off while the store's clock ran ahead and was set back since: what was
    /// stamped more than `slack` from now becomes as if it had been stamped now. Returns how many
    /// deliveries it was.
    fn mend(&self, slack: Duration) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Changes when there may be something to claim. It need not tell of everything: workers look
    /// for themselves, too, only later.
    fn changes(&self) -> watch::Receiver<u64>;

    /// What the store's clock says.
    fn now(&self) -> impl Future<Output = Result<Timestamp, StoreError>> + Send;
}

/// What became of a message that was to be enqueued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enqueued {
    /// The message.
    pub message: MessageId,
    /// One delivery for each endpoint that takes it. Of a duplicate, those of the message that is
    /// there, replays among them.
    pub deliveries: Vec<DeliveryId>,
    /// Whether this call created them.
    pub status: EnqueueStatus,
}

impl Enqueued {
    /// Whether the message is new and has deliveries.
    pub const fn is_created(&self) -> bool {
        matches!(self.status, EnqueueStatus::Created)
    }

    /// Whether the owner had a message with this id already, so that nothing was done.
    pub const fn is_duplicate(&self) -> bool {
        matches!(self.status, EnqueueStatus::Duplicate { .. })
    }
}

/// Whether a message was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EnqueueStatus {
    /// It was, with its deliveries.
    Created,
    /// No subscription of its owner takes its kind, so it was not. The id is free still.
    NoSubscription,
    /// The owner has a message with this id, so nothing was done.
    Duplicate {
        /// The two differ in kind, method, headers or body: most likely one id is used for two events.
        /// The message that was there first is the one that is sent.
        differs: bool,
    },
}

/// What a worker wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    /// How long each lease lasts.
    pub lease: Duration,
    /// How many deliveries at most.
    pub limit: usize,
    /// How many requests the worker has under way at once.
    pub slots: usize,
    /// Whether the worker has nothing under way.
    pub idle: bool,
    /// How many of these may go to endpoints that failed last, or were under way when a worker was
    /// lost.
    pub suspects: usize,
    /// How many may go to endpoints that are slow.
    pub slow: usize,
    /// How many requests an endpoint gets at once that has not answered any yet.
    pub probes: usize,
    /// Endpoints that have not answered for so long that they are slow.
    pub hanging: Vec<EndpointId>,
    /// How many leases in a row a delivery may lose while nothing else is sent beside it, before it is
    /// taken for poisonous.
    pub lost: u32,
}

/// The version of the tables that this code works with, of both stores.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) const SCHEMA: i64 = 2;

/// The error for tables of a version that this code does not know.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn newer_schema(found: i64) -> StoreError {
    StoreError::because(
        StoreErrorKind::Schema,
        format!(
            "they have version {found}, and bothends-delivery {} knows versions up to {SCHEMA}: use \
             the version of bothends-delivery that made them, or a newer one",
            env!("CARGO_PKG_VERSION")
        ),
    )
}

/// How many deliveries are sent at once that a worker was lost with this often in a row. The fewer they
/// are, the fewer are under suspicion after the next loss.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn group_size(slots: usize, lost: u32) -> usize {
    let shift = lost.saturating_mul(2);
    slots.checked_shr(shift).unwrap_or(0).max(1)
}

/// From how many losses in a row on a delivery is sent with nothing but others of its group beside it.
/// One loss says little: most workers that are lost are stopped by somebody.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) const APART: u32 = 2;

/// Whether what was claimed may be sent beside anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// It may.
    #[default]
    None,
    /// Nothing was leased: there are deliveries that workers were lost with, and they are sent when
    /// nothing else is under way.
    Wait,
    /// These were under way when a worker was lost. Nothing else is to be claimed before they are
    /// recorded.
    Apart,
}

/// What a worker got.
#[derive(Debug, Clone, Default)]
pub struct Claimed {
    /// The time by the clock of the store.
    pub now: Timestamp,
    /// Whether the leases may be used beside others.
    pub isolation: Isolation,
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
    /// Since when, by the clock of the store.
    pub since: Timestamp,
    /// Until when.
    pub until: Timestamp,
    /// How many attempts counted before.
    pub tries: u32,
    /// Where it goes.
    pub endpoint: EndpointId,
    /// How many rounds in a row the endpoint had failed when the lease was given.
    pub epoch: u32,
    /// How many leases of it were lost in a row.
    pub lost: u32,
    /// Whether the endpoint was slow when the lease was given.
    pub slow: bool,
    /// What to send.
    pub message: Arc<Message>,
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

impl Outcome {
    /// How long the attempt took, if there was one.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn took(&self) -> Option<Duration> {
        let attempt = self.attempt.as_ref()?;
        Some(attempt.ended.since(attempt.started))
    }

    /// The state that the delivery comes to, as stores keep it; when it is due; why it is given up.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) const fn settled(&self) -> (i64, Duration, Option<&'static str>) {
        match self.verdict {
            Verdict::Delivered => (2, Duration::ZERO, None),
            Verdict::Dead(reason) => (3, Duration::ZERO, Some(reason.as_str())),
            Verdict::Retry { pause } | Verdict::Release { pause } => (0, pause, None),
        }
    }
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
        /// After this pause.
        pause: Duration,
    },
    /// It is given up.
    Dead(DeadReason),
    /// Nothing was sent, and nothing counts.
    Release {
        /// After this pause.
        pause: Duration,
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
