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

/// So long that no receiver which answers runs out of time, however busy the machine is. A test that
/// waits for a timeout sets the clock forward ([`time_out`]).
pub const TIMEOUT: Duration = Duration::from_secs(3600);
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
                initial_backoff: Duration::from_secs(3600),
                ..Policy::default()
            })
            .destinations(Destinations::public().allow_loopback())
            .poll(Duration::from_millis(50))
            .seed(1)
    }

    /// Runs a worker until every delivery had an attempt. Those to which `hangs` applies are timed out
    /// once all others had theirs.
    pub async fn attempt_all<N: Sender>(
        &self,
        worker: Worker<SqliteStore, N>,
        hangs: impl Fn(&str) -> bool,
    ) {
        let metrics = worker.metrics();
        let attempted = async {
            self.until(|delivery| delivery.tries > 0 || hangs(&delivery.kind))
                .await;
            let hanging = self
                .all()
                .await
                .iter()
                .filter(|delivery| delivery.tries == 0)
                .count();
            while hanging > 0 && metrics.snapshot().sent < self.all().await.len() as u64 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            if hanging > 0 {
                time_out().await;
            }
            self.until(|delivery| delivery.tries > 0).await;
        };
        worker.run(attempted).await;
    }

    pub async fn all(&self) -> Vec<Delivery> {
        self.store.deliveries(None, 10_000).await.unwrap()
    }

    /// Waits until this is so for every delivery.
    pub async fn until(&self, done: impl Fn(&Delivery) -> bool) {
        let mut changes = self.store.changes();
        loop {
            changes.borrow_and_update();
            if self.all().await.iter().all(&done) {
                return;
            }
            changes.changed().await.unwrap();
        }
    }

    pub async fn attempt_of(&self, kind: &str) -> (Delivery, Attempt) {
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
        let (delivery, attempt) = self.attempt_of(kind).await;
        assert!(
            matches!(delivery.state, State::Pending { .. }),
            "{kind}: {delivery:?} {attempt:?}"
        );
        assert_eq!(attempt.end, end, "{kind}: {attempt:?}");
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

    /// The bystander got everything, each in one attempt.
    pub async fn nobody_waited(&self) {
        let good: Vec<_> = self.all().await;
        let good: Vec<_> = good
            .iter()
            .filter(|delivery| delivery.kind == "good")
            .collect();
        assert_eq!(good.len(), 20);
        for delivery in good {
            let delivered = matches!(delivery.state, State::Delivered { .. });
            assert!(delivered && delivery.tries == 1, "{delivery:?}");
        }
    }
}

/// Everything that is under way runs out of time.
pub async fn time_out() {
    tokio::time::pause();
    tokio::time::advance(TIMEOUT + Duration::from_secs(1)).await;
    tokio::time::resume();
}
