//! What a subscription sets for its endpoints, by a worker: the delays of retries, and the times of attempts.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::sqlite::SqliteOptions;
use bothends_delivery::{
    DeadReason, DeliveryStore, ManualClock, Message, State, Subscription, Timestamp, Worker,
};
use common::bench::Bench;
use common::receiver::{Act, Receiver, refused};
use std::time::Duration;

/// Is never there, and says when it will be.
struct Away(Option<Duration>);

impl Sender for Away {
    async fn send(&self, _: OutgoingRequest) -> Sent {
        Ok(ReceiverResponse {
            status: 503,
            waited: None,
            retry_after: self.0,
            excerpt: String::new(),
        })
    }
}

/// Sends to a receiver that is away, with delays of 30 and 120 seconds. Returns the states after each attempt.
async fn states(asked: Option<u64>) -> Vec<State> {
    let clock = ManualClock::new(Timestamp::from_millis(0));
    let options = SqliteOptions::new().clock(clock.clone());
    let store = options.open(":memory:").await.unwrap();
    let delays = [30, 120].map(Duration::from_secs);
    let subscription = Subscription::builder("s").url("https://example.com/");
    let subscription = subscription.retry_delays(delays).build().unwrap();
    store.put_subscription(subscription).await.unwrap();
    let message = Message::new("kind", "{}");
    let id = store.enqueue(message).await.unwrap().deliveries[0];
    let worker = Worker::builder(store.clone())
        .sender(Away(asked.map(Duration::from_secs)))
        .build();
    let mut changes = store.changes();
    let mut states = Vec::new();
    let attempts = async {
        for attempt in 1..=3 {
            while store.delivery(id).await.unwrap().unwrap().tries < attempt {
                changes.changed().await.unwrap();
            }
            let state = store.delivery(id).await.unwrap().unwrap().state;
            if let State::Pending { due } = state {
                clock.set(due);
                store.wake();
            }
            states.push(state);
        }
    };
    worker.run(attempts).await;
    states
}

#[tokio::test]
async fn delays_of_a_subscription_replace_those_of_the_policy() {
    let at = |seconds: i64| Timestamp::from_millis(seconds * 1000);
    let expected = |first, second| {
        let reason = DeadReason::Exhausted;
        let dead = State::Dead {
            at: at(second),
            reason,
        };
        [
            State::Pending { due: at(first) },
            State::Pending { due: at(second) },
            dead,
        ]
    };
    assert_eq!(states(None).await, expected(30, 150));
    assert_eq!(states(Some(100)).await, expected(100, 220), "Retry-After");
}

#[tokio::test]
async fn attempts_tell_when_the_response_began() {
    let bench = Bench::new().await;
    let answers = Receiver::start(|_| {
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
        Act::Bytes(head.to_vec())
    });
    let answers = answers.await;
    bench.subscribe("answers", &answers.url()).await;
    bench.subscribe("refuses", &refused().await).await;
    for kind in ["answers", "refuses"] {
        bench.enqueue(kind).await;
    }
    let worker = bench.worker().build().unwrap();
    bench.attempt_all(worker, |_| false).await;
    let (_, attempt) = bench.attempt_of("answers").await;
    let responded = attempt.responded.unwrap();
    assert!(attempt.started <= responded && responded <= attempt.ended);
    let (_, attempt) = bench.attempt_of("refuses").await;
    assert_eq!(attempt.responded, None);
}
