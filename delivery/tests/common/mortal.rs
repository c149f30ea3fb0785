//! A store and a sender that kill their process at a step that was chosen before.

use bothends_delivery::delivery::{Attempt, Delivery, DeliveryId};
use bothends_delivery::send::{OutgoingRequest, Sender, Sent};
use bothends_delivery::store::{
    Backlog, CircuitPolicy, ClaimRequest, Claimed, DeliveryFilter, DeliveryStore, EndpointStatus,
    Enqueued, OperatorEvent, OperatorSettings, Outcome, Recorded, Reschedule, StoreError,
};
use bothends_delivery::{Message, MessageId, Subscription, Timestamp};
use std::ops::RangeBounds;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// Counts steps, and ends the process with SIGKILL at one of them.
#[derive(Debug)]
pub struct Fate {
    step: AtomicU64,
    last: u64,
}

impl Fate {
    pub fn at(last: u64) -> Self {
        Self {
            step: AtomicU64::new(0),
            last,
        }
    }

    pub fn step(&self) {
        if self.step.fetch_add(1, Ordering::SeqCst) == self.last {
            let this = rustix::process::getpid();
            rustix::process::kill_process(this, rustix::process::Signal::KILL).unwrap();
            // The signal takes a moment; nothing more is done meanwhile.
            loop {
                std::thread::park();
            }
        }
    }
}

/// Dies before a request is sent, or after it was answered.
pub struct MortalSender<N>(pub N, pub Arc<Fate>);

impl<N: Sender> Sender for MortalSender<N> {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        self.1.step();
        let sent = self.0.send(request).await;
        self.1.step();
        sent
    }
}

/// Dies before a change, or after it was committed.
#[derive(Clone)]
pub struct MortalStore<S>(pub S, pub Arc<Fate>);

impl<S: DeliveryStore> DeliveryStore for MortalStore<S> {
    async fn put_subscription(&self, subscription: Subscription) -> Result<(), StoreError> {
        self.0.put_subscription(subscription).await
    }

    async fn subscription(&self, id: &str) -> Result<Option<Subscription>, StoreError> {
        self.0.subscription(id).await
    }

    async fn subscriptions(&self, owner: &str) -> Result<Vec<Subscription>, StoreError> {
        self.0.subscriptions(owner).await
    }

    async fn owners(&self, after: Option<&str>, limit: u32) -> Result<Vec<String>, StoreError> {
        self.0.owners(after, limit).await
    }

    async fn endpoints(&self, owner: &str) -> Result<Vec<EndpointStatus>, StoreError> {
        self.0.endpoints(owner).await
    }

    async fn set_active(&self, id: &str, active: bool) -> Result<(), StoreError> {
        self.0.set_active(id, active).await
    }

    async fn remove_subscription(&self, id: &str) -> Result<(), StoreError> {
        self.0.remove_subscription(id).await
    }

    async fn enqueue(&self, message: Message) -> Result<Enqueued, StoreError> {
        self.0.enqueue(message).await
    }

    async fn claim(&self, request: ClaimRequest) -> Result<Claimed, StoreError> {
        self.1.step();
        let claimed = self.0.claim(request).await;
        self.1.step();
        claimed
    }

    async fn record(
        &self,
        outcomes: Vec<Outcome>,
        circuit: CircuitPolicy,
    ) -> Result<Vec<Recorded>, StoreError> {
        self.1.step();
        let recorded = self.0.record(outcomes, circuit).await;
        self.1.step();
        recorded
    }

    async fn replay(&self, id: DeliveryId) -> Result<DeliveryId, StoreError> {
        self.0.replay(id).await
    }

    async fn delivery(&self, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        self.0.delivery(id).await
    }

    async fn deliveries(
        &self,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.0.deliveries(after, limit).await
    }

    async fn deliveries_of(
        &self,
        owner: &str,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.0.deliveries_of(owner, after, limit).await
    }

    async fn latest_deliveries_of(
        &self,
        owner: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.0.latest_deliveries_of(owner, before, limit).await
    }

    async fn replay_failed(
        &self,
        owner: &str,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<DeliveryId>, StoreError> {
        self.0.replay_failed(owner, since, limit).await
    }

    async fn find_deliveries(
        &self,
        owner: &str,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        self.0.find_deliveries(owner, filter, before, limit).await
    }

    async fn attempts(&self, delivery: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
        self.0.attempts(delivery).await
    }

    async fn message(&self, owner: &str, id: &MessageId) -> Result<Option<Message>, StoreError> {
        self.0.message(owner, id).await
    }

    async fn backlog(&self, owner: &str) -> Result<Backlog, StoreError> {
        self.0.backlog(owner).await
    }

    async fn depth(&self) -> Result<u64, StoreError> {
        self.0.depth().await
    }

    async fn reschedule(
        &self,
        owner: &str,
        due: impl RangeBounds<Timestamp> + Send,
        change: Reschedule,
    ) -> Result<u64, StoreError> {
        self.0.reschedule(owner, due, change).await
    }

    async fn set_operator(&self, settings: OperatorSettings) -> Result<(), StoreError> {
        self.0.set_operator(settings).await
    }

    async fn operator(&self) -> Result<OperatorSettings, StoreError> {
        self.0.operator().await
    }

    async fn operator_events(
        &self,
        after: Option<i64>,
        limit: u32,
    ) -> Result<Vec<OperatorEvent>, StoreError> {
        self.0.operator_events(after, limit).await
    }

    async fn prune(&self, age: Duration, limit: u32) -> Result<u64, StoreError> {
        self.0.prune(age, limit).await
    }

    async fn repair_times(&self, slack: Duration) -> Result<u64, StoreError> {
        self.0.repair_times(slack).await
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes()
    }

    async fn now(&self) -> Result<Timestamp, StoreError> {
        self.0.now().await
    }
}
