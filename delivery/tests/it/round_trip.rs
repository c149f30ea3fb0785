//! From the sender to the receiver of `bothends-runtime`, over a socket: what the one signs the other
//! takes, secrets and keys are replaced without a gap, and what goes wrong is sent again or not, as
//! both sides say.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use bothends_delivery::signing::{SigningKey, SigningToken};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    Attempt, DeadReason, Delivery, DeliveryId, DeliveryStore, Destinations, KeyRing, MESSAGE_ID,
    Message, Policy, Signing, State, Subscription, Worker,
};
use bothends_runtime::server::{Body, BodyError, Response};
use bothends_runtime::webhook::{
    KeyFetcher, KeySignature, MemoryDedupStore, Receiver, TokenSignature, Verifier,
};
use bothends_runtime::{KeySigning, SigningRules, TokenSigning};
use bytes::Bytes;
use http::{Request, StatusCode, Uri};
use http_body_util::{BodyExt, Empty};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tower_service::Service;

const BODY: &str = r#"{"data":{"task_id":"1"}}"#;
const OLD: &str = "an old token of more than thirty-two characters";
const NEW: &str = "a new token of more than thirty-two characters";
const P256: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjYkMxdxOmFxMDeNZ
9uW806LZyetg+isFmqUlPcKKNdmhRANCAAROWUfUzKVRcXpCSge0qzmbQ3MNrvKY
g1u0bV9l84h4UYMoq+NjF6oSXXZDHHe6ojFk/1/yjkpOPbPoiBkHQ1NR
-----END PRIVATE KEY-----";
const ED25519: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIMZV7gQtQLQYfWAB46WiBfNFRUh1fM1StOLjE/Ff36SN
-----END PRIVATE KEY-----";

/// Answers as it is told, at last always in the same way, and counts.
#[derive(Clone, Default)]
struct Handler(Arc<Mutex<(VecDeque<u16>, usize)>>);

impl Handler {
    fn count(&self) -> usize {
        self.0.lock().unwrap().1
    }
}

impl Service<Request<Body>> for Handler {
    type Response = Response;
    type Error = Infallible;
    type Future = Ready<Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<Body>) -> Self::Future {
        let mut state = self.0.lock().unwrap();
        state.1 += 1;
        let mut response = Response::default();
        let status = state.0.pop_front().unwrap_or(204);
        *response.status_mut() = StatusCode::from_u16(status).unwrap();
        ready(Ok(response))
    }
}

/// Serves this until the test ends; returns where.
async fn serve(router: axum::Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

async fn receive(verifier: impl Verifier + 'static, id: bool) -> (Handler, String) {
    let handler = Handler::default();
    let seen = MemoryDedupStore::new(100, Duration::from_secs(24 * 3600));
    let mut receiver = Receiver::new(handler.clone(), verifier).deduplicate(seen);
    if id {
        receiver = receiver.message_id_header(MESSAGE_ID);
    }
    let url = serve(axum::Router::new().fallback_service(receiver)).await;
    (handler, url)
}

/// The sending side.
struct Sender {
    _folder: TempDir,
    store: SqliteStore,
}

impl Sender {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
        Self {
            _folder: folder,
            store,
        }
    }

    async fn subscribe(&self, url: &str, signing: Signing) {
        let subscription = Subscription::builder("s").url(url).signing(signing);
        let subscription = subscription.build().unwrap();
        self.store.put_subscription(subscription).await.unwrap();
    }

    async fn enqueue(&self) -> DeliveryId {
        // Bytes that no other message has, but for those that are made to.
        let body = format!(
            r#"{{"data":{{"at":"{}"}}}}"#,
            bothends_delivery::MessageId::unique()
        );
        let message = Message::new("kind", body);
        self.store.enqueue(message).await.unwrap().deliveries[0]
    }

    /// Works until this many attempts were made of a delivery.
    async fn work(
        &self,
        id: DeliveryId,
        keys: &KeyRing,
        attempts: u32,
    ) -> (Delivery, Vec<Attempt>) {
        let pause = Duration::from_millis(1);
        let worker = Worker::builder(self.store.clone())
            .policy(Policy {
                // Whatever is not to be sent again by this is sent after the test.
                initial_backoff: if attempts > 1 {
                    pause
                } else {
                    Duration::from_secs(3600)
                },
                max_backoff: Duration::from_secs(3600),
                ..Policy::default()
            })
            .keys(keys.clone())
            .destinations(Destinations::public().allow_loopback())
            .build()
            .unwrap();
        let mut changes = self.store.changes();
        let store = &self.store;
        let made = async {
            while store.delivery(id).await.unwrap().unwrap().tries < attempts {
                changes.changed().await.unwrap();
            }
        };
        worker.run(made).await;
        let delivery = self.store.delivery(id).await.unwrap().unwrap();
        (delivery, self.store.attempts(id).await.unwrap())
    }

    /// Sends one, once; returns the status and what became of it.
    async fn send(&self, keys: &KeyRing) -> (u16, State) {
        let id = self.enqueue().await;
        let (delivery, attempts) = self.work(id, keys, 1).await;
        (attempts[0].status.unwrap(), delivery.state)
    }

    async fn delivered(&self, keys: &KeyRing) {
        let (status, state) = self.send(keys).await;
        assert!(
            matches!(state, State::Delivered { .. }),
            "{status} {state:?}"
        );
    }

    /// The receiver cannot tell yet, and asks for another attempt.
    async fn postponed(&self, keys: &KeyRing) {
        let (status, state) = self.send(keys).await;
        let pending = matches!(state, State::Pending { .. });
        assert!(pending && status == 503, "{status} {state:?}");
    }

    async fn refused(&self, keys: &KeyRing) {
        let (status, state) = self.send(keys).await;
        let dead = matches!(
            state,
            State::Dead {
                reason: DeadReason::Rejected,
                ..
            }
        );
        assert!(dead && status == 401, "{status} {state:?}");
    }
}

fn token(text: &str) -> Signing {
    Signing::Token(SigningToken::new(text).unwrap())
}

#[tokio::test]
async fn tokens_are_replaced_without_a_gap() {
    let both = TokenSignature::new([NEW, OLD]).unwrap();
    let (handler, url) = receive(both, false).await;
    let (sender, none) = (Sender::new().await, KeyRing::new());
    sender.subscribe(&url, token(OLD)).await;
    sender.delivered(&none).await;
    sender.subscribe(&url, token(NEW)).await;
    sender.delivered(&none).await;
    assert_eq!(handler.count(), 2);
    let wrong = "another token of more than thirty-two characters";
    for signing in [token(wrong), Signing::None] {
        sender.subscribe(&url, signing).await;
        sender.refused(&none).await;
    }
    assert_eq!(
        handler.count(),
        2,
        "what is not verified does not come through"
    );
}

/// Gets the keys from where they are published.
struct Published(Uri);

impl KeyFetcher for Published {
    async fn fetch(&self) -> Result<Bytes, BodyError> {
        let client = Client::builder(TokioExecutor::new()).build_http::<Empty<Bytes>>();
        let answer = client.get(self.0.clone()).await?;
        assert_eq!(answer.headers()["content-type"], "application/jwk-set+json");
        Ok(answer.into_body().collect().await?.to_bytes())
    }
}

/// Publishes the keys of a ring, and counts who asks.
async fn publish(ring: &Arc<Mutex<KeyRing>>) -> (Uri, Arc<Mutex<usize>>) {
    let (ring, asked) = (Arc::clone(ring), Arc::<Mutex<usize>>::default());
    let count = Arc::clone(&asked);
    let answer = axum::routing::any(move |request: Request<axum::body::Body>| {
        *count.lock().unwrap() += 1;
        let mut jwks_service = ring.lock().unwrap().jwks_service();
        jwks_service.call(request)
    });
    let url = serve(axum::Router::new().route("/keys", answer)).await;
    (format!("{url}/keys").parse().unwrap(), asked)
}

/// A while, in which receivers may get the keys again.
async fn passes(seconds: u64) {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(seconds)).await;
    tokio::time::resume();
}

#[tokio::test]
async fn keys_are_replaced_without_a_gap() {
    let old_key = SigningKey::es256("one", P256).unwrap();
    let new_key = SigningKey::ed25519("two", ED25519).unwrap();
    let first = KeyRing::new().sign_with(old_key.clone());
    let ring = Arc::new(Mutex::new(first.clone()));
    let (keys, asked) = publish(&ring).await;
    let asked = || *asked.lock().unwrap();
    let (handler, url) = receive(KeySignature::new(Published(keys)), false).await;
    let sender = Sender::new().await;
    sender.subscribe(&url, Signing::Key).await;
    sender.delivered(&first).await;
    sender.delivered(&first).await;
    assert_eq!(asked(), 1, "the keys are kept");

    // First the new one is published, so that it is known when it signs.
    let overlap = first.clone().publish(new_key.clone());
    *ring.lock().unwrap() = overlap.clone();
    passes(3601).await;
    sender.delivered(&overlap).await;
    let second = overlap.sign_with(new_key.clone());
    *ring.lock().unwrap() = second.clone();
    sender.delivered(&second).await;
    // What the old one signed is under way still.
    sender.delivered(&first).await;
    assert_eq!(asked(), 2);

    let last = KeyRing::new().sign_with(new_key);
    *ring.lock().unwrap() = last.clone();
    passes(3601).await;
    sender.delivered(&last).await;
    // It might have been published since the keys were asked for.
    sender.postponed(&first).await;
    passes(61).await;
    sender.refused(&first).await;
    assert_eq!(handler.count(), 6);
}

#[tokio::test]
async fn signatures_are_in_the_headers_that_a_document_names() {
    const TOKEN: TokenSigning = TokenSigning::new("X-Own-Token").longer_than(8);
    const KEY: KeySigning = KeySigning::new("X-Own-Signature", "X-Own-Key").algorithm("ES256");
    const RULES: SigningRules = SigningRules::new().token(TOKEN).key(KEY);
    let key = SigningKey::es256("one", P256).unwrap();
    let ring = KeyRing::new().sign_with(key).rules(&RULES).unwrap();

    let verifier = TokenSignature::from_rules(&TOKEN, [OLD]).unwrap();
    let (handler, url) = receive(verifier, false).await;
    let sender = Sender::new().await;
    sender.subscribe(&url, token(OLD)).await;
    sender.delivered(&ring).await;
    // Without the rules, the signature is in the usual header, which this receiver does not read.
    sender.refused(&KeyRing::new()).await;
    assert_eq!(handler.count(), 1);

    let (keys, _) = publish(&Arc::new(Mutex::new(ring.clone()))).await;
    let verifier = KeySignature::from_rules(&KEY, Published(keys));
    let (handler, url) = receive(verifier, false).await;
    let sender = Sender::new().await;
    sender.subscribe(&url, Signing::Key).await;
    sender.delivered(&ring).await;
    assert_eq!(handler.count(), 1);

    // A key of another algorithm than the document's does not sign.
    let other = KeyRing::new().sign_with(SigningKey::ed25519("two", ED25519).unwrap());
    let error = other.rules(&RULES).unwrap_err().to_string();
    assert!(
        error.contains("ES256") && error.contains("EdDSA"),
        "{error}"
    );
}

#[tokio::test]
async fn keys_that_cannot_be_got_are_asked_for_again() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let keys = format!("http://{}/keys", closed.local_addr().unwrap());
    drop(closed);
    let (handler, url) = receive(KeySignature::new(Published(keys.parse().unwrap())), false).await;
    let sender = Sender::new().await;
    sender.subscribe(&url, Signing::Key).await;
    let ring = KeyRing::new().sign_with(SigningKey::es256("one", P256).unwrap());
    let (status, state) = sender.send(&ring).await;
    let again = matches!(state, State::Pending { .. });
    assert!(again && status == 503, "{status} {state:?}");
    assert_eq!(handler.count(), 0);
}

#[tokio::test]
async fn what_the_handler_could_not_do_is_sent_again_and_nothing_is_handled_twice() {
    for by_id in [false, true] {
        let verifier = TokenSignature::new([OLD]).unwrap();
        let (handler, url) = receive(verifier, by_id).await;
        let (sender, none) = (Sender::new().await, KeyRing::new());
        sender.subscribe(&url, token(OLD)).await;
        handler.0.lock().unwrap().0.extend([500, 503]);
        let id = sender.enqueue().await;
        let (delivery, attempts) = sender.work(id, &none, 3).await;
        assert!(
            matches!(delivery.state, State::Delivered { .. }),
            "{delivery:?}"
        );
        let statuses: Vec<_> = attempts
            .iter()
            .filter_map(|attempt| attempt.status)
            .collect();
        assert_eq!(statuses, [500, 503, 204]);
        assert_eq!(handler.count(), 3);
        // The answer was lost, or somebody wants it sent again: it was handled, and is not again.
        let again = sender.store.replay(id).await.unwrap();
        let (delivery, attempts) = sender.work(again, &none, 1).await;
        assert!(
            matches!(delivery.state, State::Delivered { .. }),
            "{delivery:?}"
        );
        assert_eq!((attempts[0].status, handler.count()), (Some(200), 3));
        // Two events that say the same are told apart by their ids only.
        for _ in 0..2 {
            let message = Message::new("kind", BODY);
            let enqueued = sender.store.enqueue(message).await.unwrap();
            sender.work(enqueued.deliveries[0], &none, 1).await;
        }
        assert_eq!(handler.count(), if by_id { 5 } else { 4 });
    }
}

#[tokio::test]
async fn keys_are_published_to_those_who_read() {
    let key = SigningKey::es256("one", P256).unwrap();
    let mut jwks_service = KeyRing::new().sign_with(key.clone()).jwks_service();
    for (method, status, empty) in [
        ("GET", 200, false),
        ("HEAD", 200, true),
        ("POST", 405, true),
    ] {
        let request = Request::builder().method(method).body(()).unwrap();
        let Ok(answer) = jwks_service.call(request).await;
        assert_eq!(answer.status(), status, "{method}");
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body.is_empty(), empty, "{method}");
        if !empty {
            let set: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(set["keys"][0], key.public_jwk());
            assert!(set["keys"][0].get("d").is_none(), "the private half stays");
        }
    }
}
