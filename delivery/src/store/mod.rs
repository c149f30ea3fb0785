//! The interface of delivery stores.

mod backlog;
mod claim;
mod endpoint;
mod error;
mod filter;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod kept;
mod operator;
mod outcome;
mod rate;
mod status;

#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use backlog::Shift;
pub use backlog::{Backlog, Reschedule};
pub use claim::{ClaimRequest, Claimed, Isolation, Lease};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use claim::{ISOLATED, group_size};
pub use endpoint::CircuitPolicy;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use endpoint::{Endpoint, Order, class};
pub use error::{StoreError, StoreErrorKind};
pub use filter::{DeliveryFilter, Phase};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use kept::Kept;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use operator::{Failed, Incidents};
pub use operator::{OperatorEvent, OperatorEventKind, OperatorSettings, operator_events};
pub use outcome::{AttemptLog, Decision, Health, Outcome, Recorded};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use rate::Rate;
pub use status::EndpointStatus;

#[cfg(doc)]
use crate::delivery::DeadReason;
use crate::delivery::{Attempt, Delivery, DeliveryId};
use crate::{Message, MessageId, Subscription, Timestamp};
use std::future::Future;
use std::ops::RangeBounds;
use std::time::Duration;
use tokio::sync::watch;

/// Storage of messages, subscriptions and the progress of deliveries.
///
/// Every change is committed durably when its future completes. A store has one clock for all its
/// users ([`DeliveryStore::now`]). Only this clock decides when a delivery is due and when a lease
/// expires; the clocks of processes that enqueue or send are not used.
pub trait DeliveryStore: Clone + Send + Sync + 'static {
    /// Adds a subscription, or replaces the subscription with the same id.
    ///
    /// The new URLs, headers, signature, concurrency and active flag also apply to waiting
    /// deliveries. Deliveries that wait for a removed URL go to the URL for all kinds, if the
    /// subscription has one, and otherwise to the removed URL. Waiting deliveries of kinds that the
    /// new subscription no longer selects are still sent. Failures and durations of earlier attempts
    /// no longer count, and circuits are closed.
    fn put_subscription(
        &self,
        subscription: Subscription,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Returns the subscription with this id.
    fn subscription(
        &self,
        id: &str,
    ) -> impl Future<Output = Result<Option<Subscription>, StoreError>> + Send;

    /// Returns all subscriptions of an owner, ordered by id.
    fn subscriptions(
        &self,
        owner: &str,
    ) -> impl Future<Output = Result<Vec<Subscription>, StoreError>> + Send;

    /// Returns at most `limit` owners of subscriptions after this one, ordered by name.
    fn owners(
        &self,
        after: Option<&str>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<String>, StoreError>> + Send;

    /// Returns the endpoints of an owner's subscriptions, ordered by subscription and kind, with their
    /// circuits.
    fn endpoints(
        &self,
        owner: &str,
    ) -> impl Future<Output = Result<Vec<EndpointStatus>, StoreError>> + Send;

    /// Activates or deactivates a subscription. The call has no effect if the subscription has that
    /// state already. Deliveries are held while their subscription is inactive, and sent when it
    /// becomes active again.
    ///
    /// # Errors
    /// Returns [`StoreErrorKind::NotFound`] if no subscription has this id.
    fn set_active(
        &self,
        id: &str,
        active: bool,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Removes a subscription. The subscription receives no new deliveries, and its waiting
    /// deliveries fail as [`DeadReason::Removed`], at once and regardless of their number.
    ///
    /// Attempts in progress are completed, but not retried. The deliveries and their attempts
    /// remain until [pruned](Self::prune), and cannot be [replayed](Self::replay). A subscription
    /// added later with the same id is a different subscription.
    ///
    /// # Errors
    /// Returns [`StoreErrorKind::NotFound`] if no subscription has this id.
    fn remove_subscription(&self, id: &str) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Enqueues a message in its own transaction. Each store also has a method that enqueues in a
    /// transaction of the caller.
    ///
    /// Message ids are unique per owner: a second message with the same owner and id is a
    /// [duplicate](EnqueueStatus::Duplicate) and has no effect, even if its content differs.
    fn enqueue(
        &self,
        message: Message,
    ) -> impl Future<Output = Result<Enqueued, StoreError>> + Send;

    /// Leases deliveries that are due, and reclaims deliveries whose leases expired.
    fn claim(
        &self,
        request: ClaimRequest,
    ) -> impl Future<Output = Result<Claimed, StoreError>> + Send;

    /// Records the outcomes of leases. Returns for each outcome whether its lease was still valid.
    /// An outcome has no effect if the delivery has been leased again since.
    fn record(
        &self,
        outcomes: Vec<Outcome>,
        circuit: CircuitPolicy,
    ) -> impl Future<Output = Result<Vec<Recorded>, StoreError>> + Send;

    /// Replays a finished delivery: creates a new delivery of the same message. The replay of a
    /// [poisonous](DeadReason::Poisonous) delivery is sent in isolation again.
    ///
    /// # Errors
    /// Returns [`StoreErrorKind::NotFound`] if the delivery does not exist or its subscription was
    /// removed, and [`StoreErrorKind::NotFinished`] if the delivery is not finished.
    fn replay(
        &self,
        delivery: DeliveryId,
    ) -> impl Future<Output = Result<DeliveryId, StoreError>> + Send;

    /// Replays the deliveries of an owner's messages that failed at this time or later, as
    /// [`replay`](Self::replay) does: the earliest first, and at most `limit` of them. Deliveries that have
    /// been replayed already, and those of removed subscriptions, are left out, so that repeated calls
    /// replay all. Returns the new deliveries.
    fn replay_failed(
        &self,
        owner: &str,
        since: Timestamp,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<DeliveryId>, StoreError>> + Send;

    /// Returns one delivery.
    fn delivery(
        &self,
        id: DeliveryId,
    ) -> impl Future<Output = Result<Option<Delivery>, StoreError>> + Send;

    /// Returns at most `limit` deliveries with ids after `after`, ordered by id.
    fn deliveries(
        &self,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Delivery>, StoreError>> + Send;

    /// Returns at most `limit` deliveries of an owner's messages with ids after `after`, ordered by
    /// id.
    fn deliveries_of(
        &self,
        owner: &str,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Delivery>, StoreError>> + Send;

    /// Returns at most `limit` deliveries of an owner's messages with ids before `before`, the
    /// newest first.
    fn latest_deliveries_of(
        &self,
        owner: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Delivery>, StoreError>> + Send;

    /// Returns at most `limit` deliveries of an owner's messages that meet the conditions of a filter, with
    /// ids before `before`, the newest first. The store reads the deliveries of the owner until it has found
    /// enough.
    fn find_deliveries(
        &self,
        owner: &str,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<Delivery>, StoreError>> + Send;

    /// Returns the attempts of a delivery, in order.
    fn attempts(
        &self,
        delivery: DeliveryId,
    ) -> impl Future<Output = Result<Vec<Attempt>, StoreError>> + Send;

    /// Returns a message of this owner as enqueued, except for its [due time](Message::due).
    fn message(
        &self,
        owner: &str,
        id: &MessageId,
    ) -> impl Future<Output = Result<Option<Message>, StoreError>> + Send;

    /// Returns how many deliveries of an owner's subscriptions are not finished, and when the next
    /// of them can be claimed. The numbers are those of one moment.
    ///
    /// The store counts the deliveries, so the call takes longer with more of them.
    fn backlog(&self, owner: &str) -> impl Future<Output = Result<Backlog, StoreError>> + Send;

    /// Returns how many deliveries of all owners are not finished. A worker reports the number once a
    /// minute with the feature `metrics`. The stores keep the number, so the call takes as long with many
    /// deliveries as with few. Only deliveries that wait for removed subscriptions are counted, until they
    /// are pruned.
    fn depth(&self) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Moves the due times of an owner's waiting and held deliveries that are due within a range.
    /// Returns how many due times were moved.
    ///
    /// If the circuit of an endpoint is open, and closes again at a time within the range, this
    /// time is moved as well. Leased deliveries and the numbers of tries do not change. All
    /// deliveries are moved in one transaction, and workers are woken.
    ///
    /// ```
    /// # use bothends_delivery::{DeliveryStore, StoreError, store::Reschedule};
    /// # async fn retry_now(store: &impl DeliveryStore) -> Result<(), StoreError> {
    /// store.reschedule("project-7", .., Reschedule::Now).await?;
    /// # Ok(())
    /// # }
    /// ```
    fn reschedule(
        &self,
        owner: &str,
        due: impl RangeBounds<Timestamp> + Send,
        change: Reschedule,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Sets what the store reports to operators, for all workers of the store and until it is set again.
    ///
    /// A store without events for operators returns an error of kind
    /// [`Unsupported`](StoreErrorKind::Unsupported), as this method does unless it is implemented.
    fn set_operator(
        &self,
        settings: OperatorSettings,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        let _ = settings;
        async { Err(StoreError::new(StoreErrorKind::Unsupported)) }
    }

    /// Returns what the store reports to operators.
    fn operator(&self) -> impl Future<Output = Result<OperatorSettings, StoreError>> + Send {
        async { Err(StoreError::new(StoreErrorKind::Unsupported)) }
    }

    /// Returns at most `limit` events for operators after the one with this number, the oldest first. The
    /// function [`operator_events`] returns them as a stream.
    ///
    /// Each event is recorded in the transaction of its cause, together with its webhook if the
    /// [settings](OperatorSettings::owner) have an owner. Events are [pruned](Self::prune) like deliveries.
    fn operator_events(
        &self,
        after: Option<i64>,
        limit: u32,
    ) -> impl Future<Output = Result<Vec<OperatorEvent>, StoreError>> + Send {
        let _ = (after, limit);
        async { Ok(Vec::new()) }
    }

    /// Deletes deliveries that finished more than `age` ago, with their attempts and messages.
    /// Deletes at most `limit` deliveries per call, and returns how many were deleted.
    fn prune(
        &self,
        age: Duration,
        limit: u32,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Repairs times after the store's clock ran ahead and was set back. Returns how many deliveries
    /// were repaired. A worker calls this method when it starts.
    ///
    /// A delivery that entered its state more than `slack` in the future is treated as if it had
    /// entered the state now, and keeps its pause. The due time alone is no reason for a repair: a
    /// delivery may be due years ahead, because of [`Message::due`], [`Decision::Retry`] or
    /// [`reschedule`](Self::reschedule). The same applies to the circuits of endpoints.
    fn repair_times(&self, slack: Duration)
    -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Returns a receiver that changes when deliveries may have become due. Notifications are
    /// optional: workers also poll the store, only later.
    fn changes(&self) -> watch::Receiver<u64>;

    /// Returns the current time of the store's clock.
    fn now(&self) -> impl Future<Output = Result<Timestamp, StoreError>> + Send;
}

/// The result of enqueueing a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enqueued {
    /// The id of the message.
    pub message: MessageId,
    /// One delivery per endpoint that receives the message. For a duplicate, the deliveries of the
    /// stored message, including replays.
    pub deliveries: Vec<DeliveryId>,
    /// Whether this call stored the message.
    pub status: EnqueueStatus,
}

impl Enqueued {
    /// Returns `true` if the message is new and has deliveries.
    pub const fn is_created(&self) -> bool {
        matches!(self.status, EnqueueStatus::Created)
    }

    /// Returns `true` if the owner already had a message with this id, so that the call had no
    /// effect.
    pub const fn is_duplicate(&self) -> bool {
        matches!(self.status, EnqueueStatus::Duplicate { .. })
    }
}

/// The status of a message after enqueueing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EnqueueStatus {
    /// The message was stored, with its deliveries.
    Created,
    /// The message was not stored, because no subscription of its owner selects its kind. The id
    /// remains free.
    NoSubscription,
    /// The owner already has a message with this id, so the call had no effect.
    Duplicate {
        /// Whether the two messages differ in kind, method, headers or body. If so, the id was most
        /// likely used for two events. The message stored first is the one sent.
        differs: bool,
    },
}

/// The schema version of both stores.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) const SCHEMA: i64 = 9;

/// Returns the error for tables with an unknown schema version.
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
