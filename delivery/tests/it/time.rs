//! Clocks that jump, and workers that sleep through their leases.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::conformance::{outcome, request};
use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::sqlite::SqliteOptions;
use bothends_delivery::store::{CircuitPolicy, Decision, Recorded};
use bothends_delivery::{Clock, DeliveryStore, ManualClock, Timestamp, Worker};
use common::load::{Taking, delivered, enqueue, reconcile, subscribe};
use common::postgres::Postgres;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

const HOUR: i64 = 3_600_000;

/// Sets the clock of the store while it sends, as if the machine had slept or the clock of a database's
/// server been corrected.
struct Jumping {
    clock: ManualClock,
    by: i64,
    inner: Taking,
}

impl Sender for Jumping {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        let jumped = self.clock.now().as_millis() + self.by;
        self.clock.set(Timestamp::from_millis(jumped));
        self.inner.send(request).await
    }
}

/// The clock jumps by so much with every request.
async fn jump(store: impl DeliveryStore, clock: ManualClock, by: i64) {
    subscribe(&store, 4).await;
    for number in 0..4 {
        enqueue(&store, number).await.unwrap();
    }
    let sent = Taking::default();
    let open = async || {
        let all = store.deliveries(None, 10).await.unwrap();
        all.iter().any(|delivery| !delivery.state.is_finished())
    };
    // A worker starts after each jump, as a service does that is restarted.
    while open().await {
        let sender = Jumping {
            clock: clock.clone(),
            by,
            inner: sent.clone(),
        };
        let worker = Worker::builder(store.clone())
            .retention(None)
            .poll(Duration::from_millis(10))
            .sender(sender)
            .build();
        let metrics = worker.metrics();
        let begun = async {
            while metrics.snapshot().sent == 0 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        worker.run(begun).await;
    }
    delivered(&store, 4).await;
    reconcile(&store, &sent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_that_jump_an_hour_lose_nothing() {
    for by in [HOUR, -HOUR] {
        let folder = tempfile::tempdir().unwrap();
        let clock = ManualClock::new(Timestamp::now());
        let options = SqliteOptions::new().clock(clock.clone());
        jump(
            options.open(folder.path().join("db")).await.unwrap(),
            clock,
            by,
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_that_jump_an_hour_lose_nothing_on_postgres() {
    let test = "clocks_that_jump_an_hour_lose_nothing_on_postgres";
    let Some(server) = Postgres::start(test) else {
        return;
    };
    for by in [HOUR, -HOUR] {
        let clock = ManualClock::new(Timestamp::now());
        jump(server.store_with(clock.clone()).await, clock, by).await;
    }
}

/// Sends nothing until it is let go on.
#[derive(Clone)]
struct Paused {
    begun: Arc<Notify>,
    go: Arc<Notify>,
}

impl Sender for Paused {
    async fn send(&self, _: OutgoingRequest) -> Sent {
        self.begun.notify_one();
        self.go.notified().await;
        Ok(ReceiverResponse {
            status: 200,
            waited: None,
            retry_after: None,
            excerpt: String::new(),
        })
    }
}

/// A worker that is paused while it sends, for longer than its lease.
async fn outlive(store: impl DeliveryStore, clock: ManualClock) {
    subscribe(&store, 1).await;
    let id = enqueue(&store, 0).await.unwrap();
    let sender = Paused {
        begun: Arc::default(),
        go: Arc::default(),
    };
    let worker = Worker::builder(store.clone())
        .sender(sender.clone())
        .build();
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    let working = tokio::spawn(worker.run(async move { stopped.notified().await }));
    sender.begun.notified().await;
    // While it sleeps, its lease runs out, and another worker has the delivery.
    clock.advance(Duration::from_secs(60));
    let later = clock.now();
    let lease = store.claim(request(1)).await.unwrap().leases.remove(0);
    assert_eq!(lease.generation, 2);
    let before = (
        store.delivery(id).await.unwrap(),
        store.attempts(id).await.unwrap(),
    );
    sender.go.notify_one();
    stop.notify_one();
    let counted = working.await.unwrap();
    assert_eq!(
        (counted.fenced, counted.delivered),
        (1, 0),
        "it woke up, and was told"
    );
    let after = (
        store.delivery(id).await.unwrap(),
        store.attempts(id).await.unwrap(),
    );
    assert_eq!(before, after, "nothing changed");
    let done = vec![outcome(&lease, later, Decision::Delivered)];
    let recorded = store.record(done, CircuitPolicy::default()).await.unwrap();
    assert_eq!(recorded, [Recorded::Applied]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_outlives_its_lease_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let clock = ManualClock::new(Timestamp::now());
    let options = SqliteOptions::new().clock(clock.clone());
    outlive(options.open(folder.path().join("db")).await.unwrap(), clock).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_outlives_its_lease_changes_nothing_on_postgres() {
    let test = "a_worker_that_outlives_its_lease_changes_nothing_on_postgres";
    if let Some(server) = Postgres::start(test) {
        let clock = ManualClock::new(Timestamp::now());
        outlive(server.store_with(clock.clone()).await, clock).await;
    }
}
