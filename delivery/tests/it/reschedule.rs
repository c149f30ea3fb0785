//! A retry that is ten years ahead: a worker that starts leaves it there, and sends it at once when it is
//! moved to now. A sender knows which attempt it sends.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::send::{AttemptContext, OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::store::Reschedule;
use bothends_delivery::{DeliveryStore, Message, Policy, State, Subscription, Worker};
use common::postgres::Postgres;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

const YEARS: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// Reports each attempt. The first attempt of a `slow` message fails.
struct Reporting(UnboundedSender<AttemptContext>);

impl Sender for Reporting {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        let fails = request.attempt.kind == "slow" && request.attempt.n == 1;
        self.0.send(request.attempt).unwrap();
        Ok(ReceiverResponse {
            status: if fails { 503 } else { 200 },
            waited: None,
            retry_after: None,
            excerpt: String::new(),
        })
    }
}

fn worker<S: DeliveryStore>(
    store: &S,
) -> (Worker<S, Reporting>, UnboundedReceiver<AttemptContext>) {
    let (sender, attempts) = unbounded_channel();
    let policy = Policy {
        initial_backoff: YEARS,
        max_backoff: YEARS,
        jitter: 0.0,
        ..Policy::default()
    };
    let worker = Worker::builder(store.clone())
        .policy(policy)
        // Only a notification wakes it in time.
        .poll(Duration::from_secs(60 * 60))
        .sender(Reporting(sender));
    (worker.build(), attempts)
}

async fn retry_now(store: impl DeliveryStore) {
    let subscription = Subscription::builder("s")
        .owner("o")
        .url("https://example.com/")
        .concurrency(8);
    let subscription = subscription.build().unwrap();
    store.put_subscription(subscription).await.unwrap();
    let slow = Message::new("slow", "{}").owner("o");
    let slow_id = store.enqueue(slow.clone()).await.unwrap().deliveries[0];
    let (first, mut attempts) = worker(&store);
    let sent = async { attempts.recv().await.unwrap() };
    let mut context = None;
    first.run(async { context = Some(sent.await) }).await;
    assert_eq!(context, Some(AttemptContext::new(slow_id, 1, &slow, "s")));

    let (second, mut attempts) = worker(&store);
    let quick = Message::new("quick", "{}").owner("o");
    let counted = second
        .run(async {
            let id = store.enqueue(quick.clone()).await.unwrap().deliveries[0];
            // The worker has looked for due deliveries, and has found this one alone.
            let context = attempts.recv().await.unwrap();
            assert_eq!(context, AttemptContext::new(id, 1, &quick, "s"));
            let state = store.delivery(slow_id).await.unwrap().unwrap().state;
            let now = store.now().await.unwrap();
            let far =
                matches!(state, State::Pending { due } if due.since(now) > YEARS - YEARS / 10);
            assert!(far, "{state:?}");
            let moved = store.reschedule("o", .., Reschedule::Now).await.unwrap();
            assert_eq!(moved, 1);
            let context = attempts.recv().await.unwrap();
            assert_eq!(context, AttemptContext::new(slow_id, 2, &slow, "s"));
        })
        .await;
    assert_eq!((counted.sent, counted.delivered), (2, 2));
    let settled = store.backlog("o").await.unwrap();
    assert_eq!(settled, bothends_delivery::store::Backlog::default());
    assert_eq!(store.delivery(slow_id).await.unwrap().unwrap().tries, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_that_is_years_ahead_is_sent_now() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
    retry_now(store).await;
    retry_now(SqliteStore::open(":memory:").await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_that_is_years_ahead_is_sent_now_on_postgres() {
    let test = "a_retry_that_is_years_ahead_is_sent_now_on_postgres";
    let Some(server) = Postgres::start(test) else {
        return;
    };
    retry_now(server.store().await).await;
}
