//! Endpoints that are slow, and processes that share a file.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::sqlite::{SqliteStore, enqueue_in};
use bothends_delivery::store::CircuitPolicy;
use bothends_delivery::{DeliveryStore, Message, Policy, Subscription, Worker};
use common::load::{Taking, delivered, subscribe};
use common::postgres::Postgres;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};
use tokio_postgres::NoTls;

const SLOTS: usize = 32;
const SLOW: usize = 17;

/// Answers at once, but for slow receivers: those answer when the gate is open.
#[derive(Clone)]
struct Gated {
    gate: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Sender for Gated {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        if request.url.host_str() == Some("slow.example") {
            let waiting = self.waiting.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(waiting, Ordering::SeqCst);
            drop(self.gate.acquire().await.unwrap());
            self.waiting.fetch_sub(1, Ordering::SeqCst);
        }
        Ok(ReceiverResponse {
            status: 200,
            waited: None,
            retry_after: None,
            excerpt: String::new(),
        })
    }
}

/// Far more endpoints that do not answer than there are slots for: all that others are to get, they get
/// while none of those has answered.
async fn share(store: impl DeliveryStore) {
    let mut slow = 0;
    for number in 0..SLOW + 2 {
        let host = if number < SLOW { "slow" } else { "quick" };
        let kind = format!("k{number}");
        let subscription = Subscription::builder(&kind)
            .url(format!("https://{host}.example/"))
            .events([&kind]);
        store
            .put_subscription(subscription.build().unwrap())
            .await
            .unwrap();
        for _ in 0..20 {
            let enqueued = store.enqueue(Message::new(&kind, "{}")).await.unwrap();
            assert!(enqueued.is_created());
            slow += usize::from(number < SLOW);
        }
    }
    let sender = Gated {
        gate: Arc::new(Semaphore::new(0)),
        waiting: Arc::default(),
        most: Arc::default(),
    };
    let worker = Worker::builder(store.clone())
        .concurrency(SLOTS)
        .poll(Duration::from_millis(20))
        .policy(Policy {
            // Nothing times out in this test.
            timeout: Duration::from_secs(3600),
            circuit: CircuitPolicy {
                // No endpoint that answers at once is taken for a slow one, however busy the machine is.
                slow: Duration::from_secs(600),
                ..CircuitPolicy::default()
            },
            ..Policy::default()
        })
        .sender(sender.clone())
        .build();
    let everything = async {
        delivered(&store, 40).await;
        assert!(
            sender.waiting.load(Ordering::SeqCst) > 0,
            "some of them wait"
        );
        // Each had one at first; together they came to have no more than half.
        let most = sender.most.load(Ordering::SeqCst);
        assert!(most <= SLOW, "{most} of {SLOTS} slots were taken");
        // Then the gate opens, and those are served as well.
        sender.gate.add_permits(Semaphore::MAX_PERMITS / 2);
        delivered(&store, 40 + slow).await;
    };
    worker.run(everything).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_endpoints_have_half_of_the_slots() {
    let folder = tempfile::tempdir().unwrap();
    share(SqliteStore::open(folder.path().join("db")).await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_endpoints_have_half_of_the_slots_on_postgres() {
    let test = "slow_endpoints_have_half_of_the_slots_on_postgres";
    if let Some(server) = Postgres::start(test) {
        share(server.store().await).await;
    }
}

/// A worker that never looks for itself gets what others commit: another store, and a connection that is
/// none of ours.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_is_woken_by_commits_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let store = SqliteStore::open(&path).await.unwrap();
    subscribe(&store, 1).await;
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    let worker = Worker::builder(store.clone())
        .poll(Duration::from_secs(24 * 3600))
        .retention(None)
        .sender(Taking::default())
        .build();
    let working = tokio::spawn(worker.run(async move { stopped.notified().await }));
    let message = || Message::new("kind", "{}").owner("o0");
    // The first one is here so that the worker has begun: then it waits.
    assert!(store.enqueue(message()).await.unwrap().is_created());
    delivered(&store, 1).await;
    let other = SqliteStore::open(&path).await.unwrap();
    assert!(other.enqueue(message()).await.unwrap().is_created());
    delivered(&store, 2).await;
    let plain = rusqlite::Connection::open(&path).unwrap();
    let tx = plain.unchecked_transaction().unwrap();
    assert!(enqueue_in(&tx, &message()).unwrap().is_created());
    tx.commit().unwrap();
    delivered(&store, 3).await;
    stop.notify_one();
    working.await.unwrap();
}

/// Whoever holds endpoints does not keep claims from taking in the notes of others.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_waits_for_no_endpoint() {
    let Some(server) = Postgres::start("a_claim_waits_for_no_endpoint") else {
        return;
    };
    let config = server.database().await;
    let store = PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    subscribe(&store, 2).await;
    let enqueue = async |owner: &str| {
        let enqueued = store.enqueue(Message::new("kind", "{}").owner(owner)).await;
        enqueued.unwrap().deliveries[0]
    };
    let (held, free) = (enqueue("o0").await, enqueue("o1").await);
    let (mut client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    // Somebody records, and its commit takes long.
    let transaction = client.transaction().await.unwrap();
    let hold = "SELECT 1 FROM bothends_endpoint WHERE subscription = 's0' FOR UPDATE";
    transaction.execute(hold, &[]).await.unwrap();
    let request = bothends_delivery::conformance::request;
    let claimed = store.claim(request(8)).await.unwrap();
    let taken: Vec<_> = claimed.leases.iter().map(|lease| lease.delivery).collect();
    assert_eq!(taken, [free]);
    assert!(claimed.next.is_some(), "it comes back for what it left");
    transaction.commit().await.unwrap();
    let claimed = store.claim(request(8)).await.unwrap();
    assert_eq!(claimed.leases[0].delivery, held);
}
