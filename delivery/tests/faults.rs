//! Workers that sleep through their leases, databases that go away or fill up, clocks that jump.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

mod common;

use bothends_delivery::conformance::{outcome, request};
use bothends_delivery::send::{Answer, Outgoing, Sender, Sent};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::store::{CircuitPolicy, Recorded, Verdict};
use bothends_delivery::{
    AttemptEnd, Clock, DeliveryId, DeliveryStore, Message, Policy, State, StoreErrorKind,
    Subscription, Timestamp, Worker,
};
use common::postgres::Postgres;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;

/// Takes everything, and counts what it took by `Webhook-Attempt`.
#[derive(Clone, Default)]
struct Taking(Arc<Mutex<BTreeMap<String, usize>>>);

impl Sender for Taking {
    async fn send(&self, request: Outgoing) -> Sent {
        let attempt = request.headers["webhook-attempt"]
            .to_str()
            .unwrap()
            .to_owned();
        *self.0.lock().unwrap().entry(attempt).or_default() += 1;
        tokio::task::yield_now().await;
        Ok(Answer {
            status: 200,
            retry_after: None,
            excerpt: String::new(),
        })
    }
}

async fn subscribe(store: &impl DeliveryStore, count: usize) {
    for id in 0..count {
        let subscription = Subscription::builder(format!("s{id}"))
            .owner(format!("o{id}"))
            .url("https://example.com/");
        store
            .put_subscription(subscription.build().unwrap())
            .await
            .unwrap();
    }
}

async fn enqueue(store: &impl DeliveryStore, number: usize) -> Option<DeliveryId> {
    let message = Message::new("kind", "{}")
        .id(format!("m{number}"))
        .owner(format!("o{}", number % 4));
    // Said again and again until it is heard: the id makes it one message.
    for _ in 0..200 {
        match store.enqueue(message.clone(), Timestamp::now()).await {
            Ok(enqueued) => return enqueued.deliveries.first().copied(),
            Err(error) => {
                assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    panic!("the database does not come back");
}

/// Until so many deliveries are with their receivers.
async fn delivered(store: &impl DeliveryStore, count: usize) {
    let all = async {
        loop {
            let all = store.deliveries(None, 10_000).await.unwrap_or_default();
            let done = all
                .iter()
                .filter(|one| matches!(one.state, State::Delivered { .. }));
            if done.count() == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let timeout = Duration::from_secs(120);
    tokio::time::timeout(timeout, all)
        .await
        .expect("everything is delivered");
}

/// Each attempt that was sent has one row, and each row that tells of an answer was sent.
async fn reconcile(store: &impl DeliveryStore, sent: &Taking) {
    let sent = sent.0.lock().unwrap().clone();
    let mut rows = BTreeMap::new();
    for delivery in store.deliveries(None, 10_000).await.unwrap() {
        for attempt in store.attempts(delivery.id).await.unwrap() {
            rows.insert(format!("{}.{}", delivery.id, attempt.n), attempt.end);
        }
    }
    for (attempt, count) in &sent {
        assert_eq!(*count, 1, "{attempt} was sent more than once");
        assert!(
            rows.contains_key(attempt),
            "{attempt} was sent, and is not logged"
        );
    }
    for (attempt, end) in &rows {
        assert!(
            *end == AttemptEnd::Lost || sent.contains_key(attempt),
            "{attempt} was never sent"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_on_one_postgres_send_everything_once() {
    let test = "two_workers_on_one_postgres_send_everything_once";
    let Some(server) = Postgres::start(test) else {
        return;
    };
    let config = server.database().await;
    let connect = || {
        let config = config.clone();
        async {
            bothends_delivery::postgres::PostgresStore::connect(config, tokio_postgres::NoTls).await
        }
    };
    let (one, other) = (connect().await.unwrap(), connect().await.unwrap());
    subscribe(&one, 4).await;
    let sent = Taking::default();
    let stop = Arc::new(Notify::new());
    let mut workers = Vec::new();
    for store in [one.clone(), other] {
        let worker = Worker::builder(store)
            .concurrency(16)
            .sender(sent.clone())
            .build();
        let stop = Arc::clone(&stop);
        workers.push(tokio::spawn(
            worker.run(async move { stop.notified().await }),
        ));
    }
    for number in 0..400 {
        enqueue(&one, number).await.unwrap();
    }
    delivered(&one, 400).await;
    stop.notify_waiters();
    let mut counts = 0;
    for worker in workers {
        counts += worker.await.unwrap().delivered;
    }
    assert_eq!(counts, 400);
    assert_eq!(sent.0.lock().unwrap().len(), 400, "each once");
    reconcile(&one, &sent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_restarted_under_load_loses_nothing() {
    let Some(server) = Postgres::start("postgres_restarted_under_load_loses_nothing") else {
        return;
    };
    let store = server.store().await;
    subscribe(&store, 4).await;
    let sent = Taking::default();
    let worker = Worker::builder(store.clone())
        // Leases that were lost with the database come back soon.
        .policy(Policy {
            timeout: Duration::from_millis(500),
            ..Policy::default()
        })
        .concurrency(16)
        .sender(sent.clone())
        .build();
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    let working = tokio::spawn(worker.run(async move { stopped.notified().await }));
    let enqueuing = tokio::spawn({
        let store = store.clone();
        async move {
            for number in 0..1500 {
                enqueue(&store, number).await;
            }
        }
    });
    // Twice, in the middle of it: as soon as some were delivered.
    for count in [100, 400] {
        while sent.0.lock().unwrap().len() < count {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        server.pg_ctl("stop");
        server.pg_ctl("start");
    }
    enqueuing.await.unwrap();
    delivered(&store, 1500).await;
    stop.notify_waiters();
    working.await.unwrap();
    reconcile(&store, &sent).await;
    let sends = sent.0.lock().unwrap().len();
    assert!(
        sends <= 1500 + 2 * 16,
        "{sends}: no more twice than were under way"
    );
}

/// A clock that can be set.
#[derive(Clone)]
struct Wall(Arc<AtomicI64>);

impl Clock for Wall {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Sets the clock while it sends, as if the machine had slept or the clock been corrected.
struct Jumping {
    wall: Wall,
    by: i64,
    inner: Taking,
}

impl Sender for Jumping {
    async fn send(&self, request: Outgoing) -> Sent {
        self.wall.0.fetch_add(self.by, Ordering::SeqCst);
        self.inner.send(request).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_that_jump_an_hour_lose_nothing() {
    for by in [3_600_000, -3_600_000] {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
        subscribe(&store, 4).await;
        let start = Timestamp::now().as_millis();
        let wall = Wall(Arc::new(AtomicI64::new(start)));
        for number in 0..4 {
            enqueue(&store, number).await.unwrap();
        }
        let inner = Taking::default();
        let sender = Jumping {
            wall: wall.clone(),
            by,
            inner: inner.clone(),
        };
        let mut first = true;
        // A worker starts after each jump, as a service does that is restarted.
        while first
            || store
                .deliveries(None, 10)
                .await
                .unwrap()
                .iter()
                .any(|one| !one.state.is_finished())
        {
            first = false;
            let sender = Jumping {
                wall: wall.clone(),
                by: sender.by,
                inner: inner.clone(),
            };
            let worker = Worker::builder(store.clone())
                .clock(wall.clone())
                .retention(None)
                .poll(Duration::from_millis(10))
                .sender(sender)
                .build();
            let metrics = worker.metrics();
            worker
                .run(async {
                    while metrics.snapshot().sent == 0 {
                        tokio::time::sleep(Duration::from_millis(2)).await;
                    }
                })
                .await;
        }
        delivered(&store, 4).await;
        reconcile(&store, &inner).await;
    }
}

/// Sends nothing until it is let go on.
#[derive(Clone)]
struct Paused {
    begun: Arc<Notify>,
    go: Arc<Notify>,
}

impl Sender for Paused {
    async fn send(&self, _: Outgoing) -> Sent {
        self.begun.notify_one();
        self.go.notified().await;
        Ok(Answer {
            status: 200,
            retry_after: None,
            excerpt: String::new(),
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_outlives_its_lease_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
    subscribe(&store, 1).await;
    let id = enqueue(&store, 0).await.unwrap();
    let sender = Paused {
        begun: Arc::default(),
        go: Arc::default(),
    };
    let wall = Wall(Arc::new(AtomicI64::new(Timestamp::now().as_millis())));
    let worker = Worker::builder(store.clone())
        .clock(wall.clone())
        .sender(sender.clone())
        .build();
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    let working = tokio::spawn(worker.run(async move { stopped.notified().await }));
    sender.begun.notified().await;
    // While it sleeps, its lease runs out, and another worker has the delivery.
    let later = wall.now().after(Duration::from_secs(60));
    let lease = store
        .claim(request(later, 1))
        .await
        .unwrap()
        .leases
        .remove(0);
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
    let done = vec![outcome(&lease, later, Verdict::Delivered)];
    let recorded = store
        .record(done, later, CircuitPolicy::default())
        .await
        .unwrap();
    assert_eq!(recorded, [Recorded::Applied]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_and_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
    subscribe(&store, 4).await;
    let limit = |pages: u32| {
        let store = store.clone();
        async move {
            let set = move |tx: &rusqlite::Connection| {
                let pages: u32 = match pages {
                    0 => tx.query_row("PRAGMA page_count", [], |row| row.get::<_, u32>(0))? + 20,
                    pages => pages,
                };
                let sql = format!("PRAGMA max_page_count = {pages}");
                Ok(tx
                    .query_row(&sql, [], |row| row.get::<_, u32>(0))
                    .map(drop)?)
            };
            store.transaction(set).await.unwrap();
        }
    };
    limit(0).await;
    let mut accepted = Vec::new();
    for number in 0.. {
        let message = Message::new("kind", "x".repeat(1000))
            .id(format!("m{number}"))
            .owner(format!("o{}", number % 4));
        match store.enqueue(message, Timestamp::now()).await {
            Ok(enqueued) => accepted.extend(enqueued.deliveries),
            Err(error) => {
                assert_eq!(error.kind(), StoreErrorKind::Full, "{error}");
                break;
            }
        }
    }
    let all = store.deliveries(None, 10_000).await.unwrap();
    let ids: Vec<_> = all.iter().map(|delivery| delivery.id).collect();
    assert!(!ids.is_empty());
    assert_eq!(
        ids, accepted,
        "what was accepted is there, what was refused is not"
    );
    limit(1_000_000).await;
    let sent = Taking::default();
    let worker = Worker::builder(store.clone()).sender(sent.clone()).build();
    worker.run(delivered(&store, ids.len())).await;
    reconcile(&store, &sent).await;
}
