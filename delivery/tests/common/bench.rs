//! What tests of receivers share: a store, a worker with a short timeout, and what came of it.

use super::receiver::{Act, Receiver};
use bothends_delivery::send::{HttpSenderBuilder, Sender};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    Attempt, AttemptEnd, Delivery, DeliveryId, DeliveryStore, Destinations, Message, Policy, State,
    Subscription, Worker, WorkerBuilder,
};
use std::time::Duration;
use tempfile::TempDir;

/// Shortened, so that a receiver that hangs is seen to hang in little more than a second.
pub const TIMEOUT: Duration = Duration::from_millis(1500);
const BODY: &str = r#"{"data":{}}"#;

/// A store with a worker, and receivers of all kinds.
pub struct Bench {
    _folder: TempDir,
    pub store: SqliteStore,
}

impl Bench {
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
        Self {
            _folder: folder,
            store,
        }
    }

    pub async fn subscribe(&self, id: &str, url: &str) {
        let subscription = Subscription::builder(id).url_for(id, url).build().unwrap();
        self.store.put_subscription(subscription).await.unwrap();
    }

    pub async fn enqueue(&self, kind: &str) -> DeliveryId {
        let message = Message::new(kind, BODY);
        let enqueued = self.store.enqueue(message).await.unwrap();
        enqueued.deliveries[0]
    }

    pub fn worker(&self) -> WorkerBuilder<SqliteStore, HttpSenderBuilder> {
        Worker::builder(self.store.clone())
            .policy(Policy {
                timeout: TIMEOUT,
                // Whatever is to be sent again is sent after the test.
                first_pause: Duration::from_secs(3600),
                ..Policy::default()
            })
            .destinations(Destinations::public().allow_loopback())
            .poll(Duration::from_millis(50))
            .seed(1)
    }

    /// Runs a worker until every delivery had an attempt.
    pub async fn attempt_all<N: Sender>(&self, worker: Worker<SqliteStore, N>) {
        let attempted = async {
            let mut changes = self.store.changes();
            loop {
                changes.borrow_and_update();
                let all = self.store.deliveries(None, 10_000).await.unwrap();
                if all.iter().all(|delivery| delivery.tries > 0) {
                    return;
                }
                changes.changed().await.unwrap();
            }
        };
        worker.run(attempted).await;
    }

    pub async fn of(&self, kind: &str) -> (Delivery, Attempt) {
        let all = self.store.deliveries(None, 10_000).await.unwrap();
        let found = all
            .into_iter()
            .find(|delivery| delivery.kind == kind)
            .unwrap();
        let mut attempts = self.store.attempts(found.id).await.unwrap();
        assert_eq!(attempts.len(), 1, "{kind}");
        (found, attempts.remove(0))
    }

    pub async fn retried(&self, kind: &str, end: AttemptEnd) {
        let (delivery, attempt) = self.of(kind).await;
        assert!(
            matches!(delivery.state, State::Pending { .. }),
            "{kind}: {delivery:?} {attempt:?}"
        );
        assert_eq!(attempt.end, end, "{kind}: {attempt:?}");
        let took = attempt.ended.since(attempt.started);
        assert!(took < TIMEOUT + Duration::from_secs(2), "{kind}: {took:?}");
    }

    /// A receiver that does everything right, and what it is to get while others do not.
    pub async fn bystander(&self, host: &str) -> Receiver {
        let good = Receiver::start_at(host, |_| Act::Status(200)).await;
        self.subscribe("good", &good.url()).await;
        for _ in 0..20 {
            self.enqueue("good").await;
        }
        good
    }

    /// The bystander got everything, before any attempt ran out of time.
    pub async fn nobody_waited(&self) {
        let (mut good, mut hung) = (Vec::new(), Vec::new());
        for delivery in self.store.deliveries(None, 10_000).await.unwrap() {
            for attempt in self.store.attempts(delivery.id).await.unwrap() {
                if delivery.kind == "good" {
                    let delivered = matches!(delivery.state, State::Delivered { .. });
                    assert!(delivered, "{delivery:?} {attempt:?}");
                    good.push(attempt.ended);
                } else if attempt.end == AttemptEnd::TimedOut {
                    hung.push(attempt.ended);
                }
            }
        }
        assert_eq!(good.len(), 20, "each in one attempt");
        let (last, first) = (good.into_iter().max(), hung.into_iter().min());
        assert!(
            first.is_none_or(|first| last < Some(first)),
            "the last good one ended at {last:?}, the first bad one at {first:?}"
        );
    }
}
