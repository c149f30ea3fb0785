//! Webhooks whose key was published seconds ago. The keys come over HTTP from a server of raw bytes; keys
//! and signatures are made by Python.

use super::peer::{Peer, Step};
use bothends_runtime::http::{Request, StatusCode};
use bothends_runtime::server::{Body, Response};
use bothends_runtime::webhook::{HttpKeys, KeySignature, Receiver};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

/// Takes everything that comes through.
#[derive(Clone)]
struct Taken;

impl Service<Request<Body>> for Taken {
    type Response = Response;
    type Error = Infallible;
    type Future = std::future::Ready<Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<Body>) -> Self::Future {
        std::future::ready(Ok(Response::default()))
    }
}

fn vectors() -> Value {
    serde_json::from_str(include_str!("signed.json")).unwrap()
}

fn http(body: &Value) -> Step {
    let body = body.to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
    Step::Send((head + &body).into_bytes())
}

type Hook = Receiver<Taken>;

fn receiver(keys: &Peer) -> Hook {
    let transport = super::api::transport();
    let url = format!("{}/keys", keys.url).parse().unwrap();
    Receiver::new(
        Taken,
        Arc::new(KeySignature::new(HttpKeys::new(transport, url))),
    )
}

/// The status, and `Retry-After`, of a webhook with a key of this id.
async fn hook(receiver: &Hook, id: &str) -> (StatusCode, Option<u64>) {
    let vectors = vectors();
    let request = Request::post("/refreshCompleted")
        .header("x-signing-id", id)
        .header("x-signature", vectors["jwt"].as_str().unwrap())
        .body(Body::from(vectors["body"].as_str().unwrap().to_owned()))
        .unwrap();
    let response = receiver.clone().call(request).await.unwrap();
    let after = response.headers().get("retry-after");
    let after = after.map(|value| value.to_str().unwrap().parse().unwrap());
    (response.status(), after)
}

const OK: (StatusCode, Option<u64>) = (StatusCode::OK, None);
const UNAUTHORIZED: (StatusCode, Option<u64>) = (StatusCode::UNAUTHORIZED, None);
const SECOND: Duration = Duration::from_secs(1);

const fn pending(seconds: u64) -> (StatusCode, Option<u64>) {
    (StatusCode::SERVICE_UNAVAILABLE, Some(seconds))
}

#[tokio::test(start_paused = true)]
async fn a_key_that_was_published_seconds_ago_is_not_a_wrong_signature() {
    let vectors = vectors();
    let id = vectors["key_id"].as_str().unwrap();
    let none = json!({ "keys": [] });
    let peer = Peer::new(vec![http(&none)]).await;
    let receiver = receiver(&peer);
    // It has just been looked for, and is not there.
    assert_eq!(hook(&receiver, id).await, UNAUTHORIZED);
    // The sender publishes a key, and signs with it at once.
    peer.put(vec![http(&vectors["jwks"])]);
    tokio::time::advance(SECOND * 5).await;
    assert_eq!(hook(&receiver, id).await, pending(55));
    tokio::time::advance(SECOND * 54 + SECOND / 2).await;
    assert_eq!(hook(&receiver, id).await, pending(1));
    assert_eq!(peer.heads().len(), 1);
    tokio::time::advance(SECOND).await;
    assert_eq!(hook(&receiver, id).await, OK);
    assert_eq!(peer.heads().len(), 2);
    // A key that is not published stays unauthorized, once that could be looked up.
    assert_eq!(hook(&receiver, "other").await, pending(60));
    tokio::time::advance(SECOND * 60).await;
    assert_eq!(hook(&receiver, "other").await, UNAUTHORIZED);
    assert_eq!(hook(&receiver, id).await, OK);
}

/// A webhook that is received while keys are being got may have a key that was published since they were
/// asked for.
#[tokio::test(start_paused = true)]
async fn a_webhook_that_waits_for_keys_is_not_judged_by_older_ones() {
    let none = json!({ "keys": [] });
    let peer = Peer::new(vec![Step::Pause(SECOND * 2), http(&none)]).await;
    let receiver = receiver(&peer);
    let first = tokio::spawn({
        let receiver = receiver.clone();
        async move { hook(&receiver, "new").await }
    });
    tokio::time::sleep(SECOND).await;
    assert_eq!(hook(&receiver, "new").await, pending(58));
    assert_eq!(first.await.unwrap(), UNAUTHORIZED);
    assert_eq!(peer.heads().len(), 1);
}

/// Whatever the server of the keys does, a webhook is answered: 503, since it may be right.
#[tokio::test(start_paused = true)]
async fn keys_that_cannot_be_got_are_a_503() {
    let head = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    for script in [
        vec![Step::Stall],
        vec![Step::Send(b"nonsense".to_vec())],
        vec![Step::Send(head.clone()), Step::Repeat(vec![b' '; 8 << 10])],
        vec![
            Step::Send(head.clone()),
            Step::Drip(vec![b' '; 1000], SECOND),
        ],
        vec![http(&json!({ "keys": 1 }))],
        vec![Step::Send(
            b"HTTP/1.1 302 X\r\nlocation: /a\r\ncontent-length: 0\r\n\r\n".to_vec(),
        )],
    ] {
        let peer = Peer::new(script.clone()).await;
        let begun = tokio::time::Instant::now();
        let (status, _) = hook(&receiver(&peer), "new").await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{script:?}");
        assert!(begun.elapsed() <= SECOND * 6);
        assert!(peer.sent() < 12 << 20, "{}", peer.sent());
    }
}
