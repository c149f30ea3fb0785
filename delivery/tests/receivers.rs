//! Bad receivers: each attempt ends as the policy says, in time, and nobody else waits for it.
//!
//! The timeout is shortened, so that a receiver that hangs is seen to hang in a fraction of a second;
//! nothing else depends on how fast the machine is.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

mod common;

use bothends_delivery::send::Resolve;
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    Attempt, AttemptEnd, DeadReason, Delivery, DeliveryStore, Destinations, HttpSender, Message,
    Policy, State, Subscription, Timestamp, Worker,
};
use common::receiver::{Act, Receiver, refused};
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const TIMEOUT: Duration = Duration::from_millis(1500);

struct Bench {
    _folder: TempDir,
    store: SqliteStore,
}

impl Bench {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
        Self {
            _folder: folder,
            store,
        }
    }

    async fn subscribe(&self, id: &str, url: &str) {
        let subscription = Subscription::builder(id).url_for(id, url).build().unwrap();
        self.store.put_subscription(subscription).await.unwrap();
    }

    async fn enqueue(&self, kind: &str) -> bothends_delivery::DeliveryId {
        let message = Message::new(kind, r#"{"data":{}}"#);
        let enqueued = self.store.enqueue(message, Timestamp::now()).await.unwrap();
        enqueued.deliveries[0]
    }

    fn worker(
        &self,
    ) -> bothends_delivery::WorkerBuilder<SqliteStore, bothends_delivery::send::HttpSenderBuilder>
    {
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
    async fn attempt_all(&self, worker: Worker<SqliteStore>) {
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

    async fn of(&self, kind: &str) -> (Delivery, Attempt) {
        let all = self.store.deliveries(None, 10_000).await.unwrap();
        let found = all
            .into_iter()
            .find(|delivery| delivery.kind == kind)
            .unwrap();
        let mut attempts = self.store.attempts(found.id).await.unwrap();
        assert_eq!(attempts.len(), 1, "{kind}");
        (found, attempts.remove(0))
    }

    async fn retried(&self, kind: &str, end: AttemptEnd) {
        let (delivery, attempt) = self.of(kind).await;
        assert!(
            matches!(delivery.state, State::Pending { .. }),
            "{kind}: {delivery:?} {attempt:?}"
        );
        assert_eq!(attempt.end, end, "{kind}: {attempt:?}");
        let took = attempt.ended.since(attempt.started);
        assert!(took < TIMEOUT + Duration::from_secs(2), "{kind}: {took:?}");
    }
}

/// Part 8 of the service's document, rules 1 and 3; success is what senders agree on.
fn expected(status: u16) -> &'static str {
    match status {
        200..=299 => "delivered",
        408 | 425 | 429 | 500 | 502 | 503 | 504 => "retried",
        // An interim response is none: the one that counts never comes.
        100 | 102..=199 => "timed out",
        _ => "dead",
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_status_ends_as_the_policy_says() {
    let bench = Bench::new().await;
    let receiver = Receiver::start(|received| {
        let status = received
            .line
            .split(['/', ' '])
            .find_map(|word| word.parse().ok());
        Act::Status(status.unwrap())
    })
    .await;
    for status in 100..=599u16 {
        let url = format!("http://127.0.0.1:{}/{status}", receiver.port());
        bench.subscribe(&status.to_string(), &url).await;
        bench.enqueue(&status.to_string()).await;
    }
    bench.attempt_all(bench.worker().build().unwrap()).await;
    let all = bench.store.deliveries(None, 1000).await.unwrap();
    assert_eq!(all.len(), 500);
    for delivery in all {
        let status: u16 = delivery.kind.parse().unwrap();
        let attempts = bench.store.attempts(delivery.id).await.unwrap();
        let got = match (&delivery.state, attempts[0].end) {
            (State::Delivered { .. }, AttemptEnd::Answered) => "delivered",
            (State::Pending { .. }, AttemptEnd::Answered) => "retried",
            (State::Pending { .. }, AttemptEnd::TimedOut) => "timed out",
            (
                State::Dead {
                    reason: DeadReason::Rejected,
                    ..
                },
                AttemptEnd::Answered,
            ) => "dead",
            other => panic!("{status}: {other:?}"),
        };
        assert_eq!(got, expected(status), "{status}");
        if got != "timed out" {
            assert_eq!(attempts[0].status, Some(status));
        }
    }
    assert_eq!(receiver.count(), 500, "each was sent once");
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_receivers_end_in_time_and_nobody_waits_for_them() {
    let bench = Bench::new().await;
    let head = |rest: &str| format!("HTTP/1.1 200 OK\r\n{rest}").into_bytes();
    let pause = Duration::from_millis(20);
    let acts = [
        ("hang", Act::Hang, AttemptEnd::TimedOut),
        (
            "drip head",
            Act::Drip(head("x-slow: "), pause),
            AttemptEnd::TimedOut,
        ),
        (
            "drip body",
            Act::Drip(head("content-length: 999999\r\n\r\n"), pause),
            AttemptEnd::TimedOut,
        ),
        ("reset", Act::Reset(Vec::new()), AttemptEnd::Broken),
        ("reset in head", Act::Reset(head("x-")), AttemptEnd::Broken),
        (
            "reset in body",
            Act::Reset(head("content-length: 10\r\n\r\nabc")),
            AttemptEnd::Broken,
        ),
        (
            "no http",
            Act::Bytes(b"SSH-2.0-OpenSSH_9.9\r\n\r\n".to_vec()),
            AttemptEnd::Broken,
        ),
        (
            "huge head",
            Act::Bytes(head(&"x-a: b\r\n".repeat(100_000))),
            AttemptEnd::Broken,
        ),
    ];
    let mut receivers = Vec::new();
    for (kind, act, _) in &acts {
        let act = act.clone();
        let receiver = Receiver::start(move |_| act.clone()).await;
        bench.subscribe(kind, &receiver.url()).await;
        // More than an endpoint may have at once.
        for _ in 0..40 {
            bench.enqueue(kind).await;
        }
        receivers.push(receiver);
    }
    bench.subscribe("refused", &refused().await).await;
    bench.enqueue("refused").await;
    let good = Receiver::always(200).await;
    bench.subscribe("good", &good.url()).await;
    for _ in 0..50 {
        bench.enqueue("good").await;
    }
    let delivered = async {
        let mut changes = bench.store.changes();
        loop {
            changes.borrow_and_update();
            let all = bench.store.deliveries(None, 1000).await.unwrap();
            let done = |delivery: &&Delivery| matches!(delivery.state, State::Delivered { .. });
            if all.iter().filter(done).count() == 50 {
                return;
            }
            changes.changed().await.unwrap();
        }
    };
    let began = Instant::now();
    // Fewer slots than the bad ones want together.
    let worker = bench.worker().concurrency(64).build().unwrap();
    let metrics = worker.metrics();
    let mut took = Duration::ZERO;
    worker
        .run(async {
            delivered.await;
            took = began.elapsed();
            // The bad ones had their first round by then, or get it now.
            tokio::time::timeout(TIMEOUT * 8, async {
                loop {
                    let all = bench.store.deliveries(None, 1000).await.unwrap();
                    let untried = |kind: &str| all.iter().all(|d| d.kind != kind || d.tries == 0);
                    if !acts.iter().any(|(kind, ..)| untried(kind)) && !untried("refused") {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            })
            .await
            .expect("every bad receiver was tried");
        })
        .await;
    assert!(
        took < TIMEOUT * 3,
        "good receivers waited {took:?} for bad ones"
    );
    for (kind, _, end) in &acts {
        for delivery in bench.store.deliveries(None, 1000).await.unwrap() {
            if delivery.kind == *kind && delivery.tries > 0 {
                assert!(
                    matches!(delivery.state, State::Pending { .. }),
                    "{kind}: {delivery:?}"
                );
                let attempts = bench.store.attempts(delivery.id).await.unwrap();
                let last = attempts.last().unwrap();
                assert_eq!(last.end, *end, "{kind}: {last:?}");
                let took = last.ended.since(last.started);
                assert!(took < TIMEOUT + Duration::from_secs(2), "{kind}: {took:?}");
            }
        }
    }
    bench.retried("refused", AttemptEnd::Broken).await;
    assert_eq!(metrics.snapshot().in_flight, 0, "drained");
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_are_not_followed() {
    let bench = Bench::new().await;
    let target = Receiver::always(200).await;
    let location = [
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        target.url(),
    ];
    let mut receivers = Vec::new();
    for (index, location) in location.into_iter().enumerate() {
        let head =
            format!("HTTP/1.1 307 Moved\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
        let receiver = Receiver::start(move |_| Act::Bytes(head.clone().into_bytes())).await;
        bench.subscribe(&index.to_string(), &receiver.url()).await;
        bench.enqueue(&index.to_string()).await;
        receivers.push(receiver);
    }
    bench.attempt_all(bench.worker().build().unwrap()).await;
    for kind in ["0", "1"] {
        let (delivery, attempt) = bench.of(kind).await;
        let dead = matches!(
            delivery.state,
            State::Dead {
                reason: DeadReason::Rejected,
                ..
            }
        );
        assert!(dead && attempt.status == Some(307), "{delivery:?}");
    }
    assert_eq!(target.count(), 0);
}

/// Says one address the first time and another one afterwards, as those do who want in.
#[derive(Clone, Default)]
struct Rebinding(Arc<AtomicUsize>);

impl Resolve for Rebinding {
    fn resolve(
        &self,
        host: String,
    ) -> Pin<Box<dyn Future<Output = std::io::Result<Vec<IpAddr>>> + Send>> {
        let first = self.0.fetch_add(1, Ordering::SeqCst) == 0;
        Box::pin(async move {
            Ok(match host.as_str() {
                "mixed.example" => vec![[127, 0, 0, 2].into(), [169, 254, 169, 254].into()],
                // 127.0.0.2 stands for a public address here: it is the only one allowed.
                _ if first => vec![[127, 0, 0, 2].into()],
                _ => vec![[127, 0, 0, 1].into()],
            })
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_may_not_be_sent_to_is_not_connected_to() {
    let bench = Bench::new().await;
    let secret = Receiver::always(200).await;
    let port = secret.port();
    let urls = [
        ("literal", format!("http://127.0.0.1:{port}/")),
        ("decimal", format!("http://2130706433:{port}/")),
        ("short", format!("http://127.1:{port}/")),
        ("mapped", format!("http://[::ffff:127.0.0.1]:{port}/")),
        ("loopback", format!("http://[::1]:{port}/")),
        ("nat64", "http://[64:ff9b::a9fe:a9fe]/".to_owned()),
        ("6to4", "http://[2002:a9fe:a9fe::]/".to_owned()),
        ("metadata", "http://169.254.169.254/latest/".to_owned()),
        ("mixed", format!("http://mixed.example:{port}/")),
    ];
    for (kind, url) in &urls {
        bench.subscribe(kind, url).await;
        bench.enqueue(kind).await;
    }
    let resolver = Rebinding(Arc::new(AtomicUsize::new(1)));
    let only = Destinations::public().allow("127.0.0.2/32".parse().unwrap());
    let sender = HttpSender::builder().resolver(resolver).destinations(only);
    let worker = bench.worker().sender(sender.build().unwrap()).build();
    bench.attempt_all(worker).await;
    for (kind, _) in &urls {
        let (delivery, attempt) = bench.of(kind).await;
        assert_eq!(attempt.end, AttemptEnd::Forbidden, "{kind}: {attempt:?}");
        let forbidden = matches!(
            delivery.state,
            State::Dead {
                reason: DeadReason::Forbidden,
                ..
            }
        );
        assert!(forbidden, "{kind}: {delivery:?}");
    }
    assert_eq!(secret.count(), 0, "nothing came through");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_changes_its_mind_gains_nothing() {
    let bench = Bench::new().await;
    // Listens on every address of loopback's, so that the address tells who was asked for.
    let secret = Receiver::start(|_| {
        Act::Bytes(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_vec())
    })
    .await;
    bench
        .subscribe(
            "rebinding",
            &format!("http://rebinding.example:{}/", secret.port()),
        )
        .await;
    bench.enqueue("rebinding").await;
    let resolver = Rebinding::default();
    let asked = Arc::clone(&resolver.0);
    let only = Destinations::public().allow("127.0.0.2/32".parse().unwrap());
    let sender = HttpSender::builder()
        .resolver(resolver)
        .destinations(only)
        .build()
        .unwrap();
    // The first look says the good address, where nobody listens: refused, and sent again later.
    bench
        .attempt_all(bench.worker().sender(sender.clone()).build())
        .await;
    bench.retried("rebinding", AttemptEnd::Broken).await;
    assert_eq!(
        asked.load(Ordering::SeqCst),
        1,
        "one look for one connection"
    );
    // The next look says the private one.
    bench.enqueue("rebinding").await;
    bench
        .attempt_all(bench.worker().sender(sender).build())
        .await;
    let last = bench
        .store
        .deliveries(None, 10)
        .await
        .unwrap()
        .pop()
        .unwrap();
    assert!(
        matches!(
            last.state,
            State::Dead {
                reason: DeadReason::Forbidden,
                ..
            }
        ),
        "{last:?}"
    );
    assert_eq!(secret.count(), 0, "nothing came through");
}
