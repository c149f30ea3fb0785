//! A worker that is asked to stop takes nothing new and finishes what it has; and what is finished is
//! forgotten in time.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::conformance::request;
use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::sqlite::{SqliteOptions, SqliteStore};
use bothends_delivery::{
    AttemptEnd, Clock, DeliveryStore, ManualClock, MetricsSnapshot, State, Timestamp, Worker,
    shutdown_signal,
};
use common::load::{Taking, delivered, enqueue, subscribe};
use futures_util::FutureExt as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// Begins to send, and ends when it is let go on.
#[derive(Clone, Default)]
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

async fn store() -> (SqliteStore, ManualClock, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let clock = ManualClock::new(Timestamp::now());
    let options = SqliteOptions::new().clock(clock.clone());
    let store = options.open(folder.path().join("db")).await.unwrap();
    subscribe(&store, 4).await;
    (store, clock, folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_ends_a_worker_when_what_it_sends_is_written_down() {
    let (store, _clock, _folder) = store().await;
    let under_way = enqueue(&store, 0).await.unwrap();
    let sender = Paused::default();
    let worker = Worker::builder(store.clone())
        .sender(sender.clone())
        .build();
    let metrics = worker.metrics();
    let mut signal = Box::pin(shutdown_signal());
    // Asked once, it listens: the signal ends nothing but the worker.
    assert!(signal.as_mut().now_or_never().is_none());
    let asked = Arc::new(Notify::new());
    let heard = Arc::clone(&asked);
    let shutdown = async move {
        signal.await;
        heard.notify_one();
    };
    let working = tokio::spawn(worker.run(shutdown));
    sender.begun.notified().await;
    let this = rustix::process::getpid();
    rustix::process::kill_process(this, rustix::process::Signal::TERM).unwrap();
    asked.notified().await;
    let later = enqueue(&store, 1).await.unwrap();
    // It waits for what is under way.
    assert_eq!(metrics.snapshot().in_flight, 1);
    assert!(!working.is_finished());
    sender.go.notify_one();
    let counted = working.await.unwrap();
    assert_eq!(
        (counted.sent, counted.delivered, counted.in_flight),
        (1, 1, 0)
    );
    let state = store.delivery(under_way).await.unwrap().unwrap().state;
    assert!(matches!(state, State::Delivered { .. }), "{state:?}");
    assert_eq!(store.attempts(under_way).await.unwrap().len(), 1);
    // What came after the signal waits for the next worker.
    let state = store.delivery(later).await.unwrap().unwrap().state;
    assert!(matches!(state, State::Pending { .. }), "{state:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_done_within_the_grace_is_sent_again_by_the_next() {
    let (store, clock, _folder) = store().await;
    let id = enqueue(&store, 0).await.unwrap();
    let sender = Paused::default();
    let begun = Arc::clone(&sender.begun);
    let worker = Worker::builder(store.clone())
        .grace(Duration::from_millis(10))
        .sender(sender)
        .build();
    let MetricsSnapshot {
        sent, delivered, ..
    } = worker.run(async move { begun.notified().await }).await;
    assert_eq!((sent, delivered), (1, 0));
    clock.advance(Duration::from_secs(60));
    let leases = store.claim(request(1)).await.unwrap().leases;
    assert_eq!((leases[0].delivery, leases[0].generation), (id, 2));
    assert_eq!(leases[0].tries, 0, "it uses no retry up");
    let attempts = store.attempts(id).await.unwrap();
    assert_eq!(attempts[0].end, AttemptEnd::Lost);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_kept_for_thirty_days() {
    let (store, clock, _folder) = store().await;
    let began = clock.now();
    let id = enqueue(&store, 0).await.unwrap();
    let worker = Worker::builder(store.clone())
        .sender(Taking::default())
        .build();
    worker.run(delivered(&store, 1)).await;
    let day = Duration::from_secs(24 * 3600);
    for (days, retention, left) in [
        (29, Some(30 * day), 1),
        (3650, None, 1),
        (31, Some(30 * day), 0),
    ] {
        clock.set(began.after(day * days));
        let worker = Worker::builder(store.clone())
            .retention(retention)
            .sender(Taking::default())
            .build();
        let metrics = worker.metrics();
        // Another one is sent: by then the worker has looked for what is old, too.
        let next = enqueue(&store, days as usize).await.unwrap();
        let sent = async {
            let finished = async || {
                let found = store.delivery(next).await.unwrap();
                found.is_none_or(|found| found.state.is_finished())
            };
            while !finished().await || (left == 0 && metrics.snapshot().pruned == 0) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let MetricsSnapshot { pruned, .. } = worker.run(sent).await;
        assert_eq!(
            store.attempts(id).await.unwrap().len(),
            left,
            "after {days} days"
        );
        assert_eq!(store.delivery(id).await.unwrap().is_some(), left == 1);
        assert_eq!(pruned > 0, left == 0);
    }
}
