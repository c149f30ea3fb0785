//! What a worker tells of what it does: numbers and events. One test, as events are the process's.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, SendError, Sender, Sent};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    AttemptEnd, DeliveryStore, Message, Policy, Signing, SigningToken, Subscription, Worker,
};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

const TOKEN: &str = "a token of more than thirty-two characters";

/// Answers as the path of the URL says.
struct ByPath;

impl Sender for ByPath {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        let path = request.url.path().trim_start_matches('/').to_owned();
        match path.parse() {
            Ok(status) => Ok(ReceiverResponse {
                status,
                waited: None,
                retry_after: None,
                excerpt: String::new(),
            }),
            Err(_) if path == "hangs" => std::future::pending().await,
            Err(_) => Err(SendError {
                end: AttemptEnd::Broken,
                detail: "broken".to_owned(),
            }),
        }
    }
}

type Reported = Arc<Mutex<Vec<BTreeMap<String, String>>>>;

/// Keeps every event that this crate tells.
struct Keeping(Reported);

struct Fields(BTreeMap<String, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl Subscriber for Keeping {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("bothends_delivery")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(BTreeMap::new());
        event.record(&mut fields);
        self.0.lock().unwrap().push(fields.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// So long that no receiver which answers runs out of time, however busy the machine is.
const TIMEOUT: Duration = Duration::from_secs(3600);

#[tokio::test]
async fn everything_is_counted_and_told() {
    let reported = Reported::default();
    let _guard = tracing::subscriber::set_default(Keeping(Arc::clone(&reported)));
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
    for path in ["200", "503", "410", "hangs", "breaks", "unsigned"] {
        let signing = match path {
            // There is no key.
            "unsigned" => Signing::Key,
            _ => Signing::Token(SigningToken::new(TOKEN).unwrap()),
        };
        let subscription = Subscription::builder(path)
            .url_for(path, format!("https://example.com/{path}"))
            .header("authorization", "Bearer hidden")
            .signing(signing);
        let subscription = subscription.build().unwrap();
        store.put_subscription(subscription).await.unwrap();
        let message =
            Message::new(path, "a body that is nobody's business").id(path.parse().unwrap());
        store.enqueue(message).await.unwrap();
    }
    let policy = Policy {
        timeout: TIMEOUT,
        initial_backoff: Duration::from_secs(3600),
        ..Policy::default()
    };
    let worker = Worker::builder(store.clone())
        .policy(policy)
        .sender(ByPath)
        .build();
    let metrics = worker.metrics();
    let ended = async |count| {
        loop {
            let now = metrics.snapshot();
            let ended = now.delivered + now.retried + now.dead + now.released;
            if now.sent == 5 && ended == count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let done = async {
        // All but the one that hangs.
        ended(5).await;
        tokio::time::pause();
        tokio::time::advance(TIMEOUT + Duration::from_secs(1)).await;
        tokio::time::resume();
        ended(6).await;
    };
    let counted = worker.run(done).await;
    let expected = [
        ("sent", counted.sent, 5),
        ("delivered", counted.delivered, 1),
        ("retried", counted.retried, 3),
        ("dead", counted.dead, 1),
        ("released", counted.released, 1),
        ("timed out", counted.timed_out, 1),
        ("fenced", counted.fenced, 0),
        ("in flight", counted.in_flight, 0),
        ("store errors", counted.store_errors, 0),
    ];
    for (what, counted, expected) in expected {
        assert_eq!(counted, expected, "{what}: {:?}", reported.lock().unwrap());
    }
    let reported = reported.lock().unwrap();
    let event_of = |message: &str, field: &str, value: &str| {
        let is = |event: &BTreeMap<String, String>, name: &str, value: &str| {
            event.get(name).is_some_and(|found| found == value)
        };
        let found = reported.iter();
        let mut found = found.filter(|event| is(event, "message", message));
        found.find(|event| is(event, field, value)).cloned()
    };
    for (kind, end, status) in [
        ("200", "answered", Some("200")),
        ("503", "answered", Some("503")),
        ("410", "answered", Some("410")),
        ("hangs", "timed_out", None),
        ("breaks", "broken", None),
    ] {
        let event = event_of("attempt", "kind", kind);
        let event = event.unwrap_or_else(|| panic!("{kind}: {reported:?}"));
        assert_eq!(event["end"], end, "{kind}");
        assert_eq!(event.get("status").map(String::as_str), status, "{kind}");
        assert_eq!(
            (event["subscription"].as_str(), event["n"].as_str()),
            (kind, "1")
        );
        assert_eq!(event["message_id"], kind);
        assert!(event.contains_key("took_ms") && event.contains_key("delivery"));
    }
    assert!(event_of("delivery failed permanently", "reason", "rejected").is_some());
    assert!(event_of("no key to sign with", "subscription", "unsigned").is_some());
    let all = format!("{reported:?}");
    for secret in [TOKEN, "hidden", "nobody's business"] {
        assert!(!all.contains(secret), "{secret} is reported to nobody");
    }
}
