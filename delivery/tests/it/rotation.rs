//! Signing keys are replaced while one worker runs.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use bothends_delivery::http::Request;
use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::signing::JwksService;
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    DeliveryStore, KeyRing, Message, SharedKeyRing, SigningKey, Subscription, Worker,
};
use http_body_util::BodyExt;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tower_service::Service;

const ONE: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIMZV7gQtQLQYfWAB46WiBfNFRUh1fM1StOLjE/Ff36SN
-----END PRIVATE KEY-----";
const TWO: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAlr49UMeaPvs4aC+xTO0AsfMHVVRTXpoOGP61K+sbj7
-----END PRIVATE KEY-----";
const MESSAGES: usize = 200;

/// Reports the id of the key, after it compared the signature: those of Ed25519 are always the same.
struct Comparing([SigningKey; 2], UnboundedSender<String>);

impl Sender for Comparing {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        let header = |name: &str| request.headers[name].to_str().unwrap().to_owned();
        let id = header("x-signing-id");
        let key = self.0.iter().find(|key| key.id() == id).unwrap();
        assert_eq!(header("x-signature"), key.sign(&request.body).unwrap());
        self.1.send(id).unwrap();
        Ok(ReceiverResponse {
            status: 200,
            waited: None,
            retry_after: None,
            excerpt: String::new(),
        })
    }
}

/// The ids of the published keys.
async fn published(jwks_service: &mut JwksService) -> Vec<String> {
    let Ok(response) = jwks_service.call(Request::new(())).await;
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let set: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let keys = set["keys"].as_array().unwrap().iter();
    keys.map(|key| key["kid"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_replaced_while_a_worker_runs() {
    let first_key = SigningKey::ed25519("one", ONE).unwrap();
    let second_key = SigningKey::ed25519("two", TWO).unwrap();
    let keys = SharedKeyRing::from(KeyRing::new().sign_with(first_key.clone()));
    let mut jwks_service = keys.jwks_service();
    let fixed = keys.load();
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
    let subscription = Subscription::builder("s")
        .url("https://example.com/")
        .signing(bothends_delivery::Signing::Key);
    let subscription = subscription.build().unwrap();
    store.put_subscription(subscription).await.unwrap();
    let (sender, mut signed) = unbounded_channel();
    let worker = Worker::builder(store.clone())
        .keys(keys.clone())
        .sender(Comparing([first_key.clone(), second_key.clone()], sender))
        .build();
    let enqueue = async || store.enqueue(Message::new("kind", "{}")).await.unwrap();
    let rotate = async {
        enqueue().await;
        assert_eq!(signed.recv().await.unwrap(), "one");
        assert_eq!(published(&mut jwks_service).await, ["one"]);
        keys.store(
            KeyRing::new()
                .sign_with(first_key.clone())
                .publish(second_key.clone()),
        );
        enqueue().await;
        assert_eq!(signed.recv().await.unwrap(), "one");
        assert_eq!(published(&mut jwks_service).await, ["one", "two"]);
        keys.store(
            KeyRing::new()
                .sign_with(second_key.clone())
                .publish(first_key.clone()),
        );
        enqueue().await;
        assert_eq!(signed.recv().await.unwrap(), "two");
        assert_eq!(published(&mut jwks_service).await, ["two", "one"]);
        // Each request is signed with one ring, however often the ring is replaced.
        for _ in 0..MESSAGES {
            enqueue().await;
        }
        for number in 0..MESSAGES {
            let key = if number % 2 == 0 {
                &first_key
            } else {
                &second_key
            };
            keys.store(KeyRing::new().sign_with(key.clone()));
            assert!(signed.recv().await.is_some());
        }
    };
    let counted = worker.run(rotate).await;
    assert_eq!(counted.sent, MESSAGES as u64 + 3);
    assert_eq!(keys.load().current().unwrap().id(), "two");
    // What was loaded before, and services of one ring, stay as they were.
    assert_eq!(published(&mut fixed.jwks_service()).await, ["one"]);
}
