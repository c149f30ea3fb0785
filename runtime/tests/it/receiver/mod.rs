//! Webhooks as they come in: keys that change, and events that come twice.
#![cfg(feature = "jwks")]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

pub(crate) mod keys;

use bothends_runtime::Bytes;
use bothends_runtime::http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode};
use bothends_runtime::server::{Body, BodyError, Response};
use bothends_runtime::webhook::{
    DedupState, DedupStore, EventKey, HmacSignature, KeyFetcher, KeySignature, MemoryDedupStore,
    Receiver, SignatureError, TokenSignature, Verifier,
};
use keys::{BODY, TOKEN, good, published, token_header};
use std::convert::Infallible;
use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};
use tower_service::Service;

/// Publishes what it is told, and counts.
#[derive(Clone)]
struct Keys {
    set: Arc<Mutex<Result<Vec<u8>, &'static str>>>,
    asked: Arc<AtomicUsize>,
}

impl Keys {
    fn new(set: Result<Vec<u8>, &'static str>) -> Self {
        Self {
            set: Arc::new(Mutex::new(set)),
            asked: Arc::default(),
        }
    }

    fn put(&self, set: Result<Vec<u8>, &'static str>) {
        *self.set.lock().unwrap() = set;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl KeyFetcher for Keys {
    async fn fetch(&self) -> Result<Bytes, BodyError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(50)).await;
        match &*self.set.lock().unwrap() {
            Ok(set) => Ok(Bytes::from(set.clone())),
            Err(error) => Err((*error).into()),
        }
    }
}

fn signed(id: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("x-signature", HeaderValue::from_str(&good(id)).unwrap());
    headers.insert("x-signing-id", HeaderValue::from_str(id).unwrap());
    headers
}

#[tokio::test(start_paused = true)]
async fn keys_are_got_once_and_again_when_an_id_is_new() {
    let keys = Keys::new(Ok(published(&["ec"])));
    let verifier = Arc::new(KeySignature::new(keys.clone()));
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let verifier = Arc::clone(&verifier);
        calls.spawn(async move { verifier.verify(&signed("ec"), BODY).await });
    }
    assert!(calls.join_all().await.iter().all(Result::is_ok));
    assert_eq!(keys.asked(), 1);

    // A flood of ids that nobody has makes no request within a minute of the last; one of them may have
    // been published since.
    for _ in 0..100 {
        let pending = verifier.verify(&signed("ed"), BODY).await.unwrap_err();
        assert!(pending.is_retryable() && pending.retry_after() <= Some(Duration::from_secs(60)));
        let SignatureError::KeyPending { id, .. } = pending else {
            panic!("{pending}")
        };
        assert_eq!(id, "ed");
    }
    assert_eq!(keys.asked(), 1);
    // Keys that were asked for since do not have it.
    tokio::time::advance(Duration::from_secs(61)).await;
    let unknown = verifier.verify(&signed("ed"), BODY).await.unwrap_err();
    assert_eq!(unknown, SignatureError::UnknownKey("ed".to_owned()));
    assert_eq!(keys.asked(), 2);
    keys.put(Ok(published(&["ec", "ed"])));
    tokio::time::advance(Duration::from_secs(61)).await;
    assert_eq!(verifier.verify(&signed("ed"), BODY).await, Ok(()));
    assert_eq!(verifier.verify(&signed("ec"), BODY).await, Ok(()));
    assert_eq!(keys.asked(), 3);
}

#[tokio::test(start_paused = true)]
async fn keys_that_cannot_be_got_stay_and_a_key_that_is_taken_back_goes() {
    let keys = Keys::new(Err("down"));
    let verifier = KeySignature::new(keys.clone());
    let error = verifier.verify(&signed("ec"), BODY).await.unwrap_err();
    assert_eq!(error, SignatureError::NoKeys("down".to_owned()));
    assert!(error.is_retryable());
    tokio::time::advance(Duration::from_secs(61)).await;
    keys.put(Ok(published(&["ec", "ed"])));
    assert_eq!(verifier.verify(&signed("ec"), BODY).await, Ok(()));
    for nonsense in [
        Err("down"),
        Ok(b"<html>".to_vec()),
        Ok(vec![b' '; (1 << 20) + 1]),
    ] {
        keys.put(nonsense);
        tokio::time::advance(Duration::from_secs(3601)).await;
        assert_eq!(verifier.verify(&signed("ec"), BODY).await, Ok(()));
    }
    keys.put(Ok(published(&["ed"])));
    tokio::time::advance(Duration::from_secs(3601)).await;
    let gone = verifier.verify(&signed("ec"), BODY).await.unwrap_err();
    assert_eq!(gone, SignatureError::UnknownKey("ec".to_owned()));
}

/// Answers as it is told, and counts.
#[derive(Clone)]
struct Handler {
    answers: Arc<Mutex<Vec<u16>>>,
    called: Arc<AtomicUsize>,
    gate: Arc<tokio::sync::Semaphore>,
}

impl Handler {
    fn new(answers: &[u16]) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.to_vec())),
            called: Arc::default(),
            gate: Arc::new(tokio::sync::Semaphore::new(1000)),
        }
    }
}

impl Service<Request<Body>> for Handler {
    type Response = Response;
    type Error = Infallible;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let this = self.clone();
        Box::pin(async move {
            let body = request.into_body().collect(1 << 20).await.unwrap();
            assert_eq!(body, BODY);
            this.called.fetch_add(1, Ordering::SeqCst);
            this.gate.acquire().await.unwrap().forget();
            let status = {
                let mut answers = this.answers.lock().unwrap();
                if answers.len() > 1 {
                    answers.remove(0)
                } else {
                    answers[0]
                }
            };
            let mut response = Response::default();
            *response.status_mut() = StatusCode::from_u16(status).unwrap();
            Ok(response)
        })
    }
}

async fn send(mut service: Receiver<Handler>, path: &str, headers: HeaderMap, body: &[u8]) -> u16 {
    let mut request = Request::new(Body::from(Bytes::copy_from_slice(body)));
    *request.uri_mut() = path.parse().unwrap();
    *request.headers_mut() = headers;
    poll_fn(|cx| Service::<Request<Body>>::poll_ready(&mut service, cx))
        .await
        .unwrap();
    service.call(request).await.unwrap().status().as_u16()
}

fn signed_by_token() -> HeaderMap {
    token_header(&TokenSignature::new([TOKEN]).unwrap().sign(BODY))
}

#[tokio::test(start_paused = true)]
async fn what_is_not_verified_does_not_come_through() {
    let handler = Handler::new(&[204]);
    let receiver = Receiver::new(handler.clone(), TokenSignature::new([TOKEN]).unwrap());
    let path = "/refreshCompleted";
    assert_eq!(
        send(receiver.clone(), path, HeaderMap::new(), BODY).await,
        401
    );
    assert_eq!(
        send(receiver.clone(), path, signed_by_token(), b"{}").await,
        401
    );
    let small = receiver.clone().body_limit(BODY.len() - 1);
    assert_eq!(send(small, path, signed_by_token(), BODY).await, 413);
    let down = Receiver::new(handler.clone(), KeySignature::new(Keys::new(Err("down"))));
    assert_eq!(send(down, path, signed("ec"), BODY).await, 503);
    assert_eq!(handler.called.load(Ordering::SeqCst), 0);
    assert_eq!(send(receiver, path, signed_by_token(), BODY).await, 204);
    assert_eq!(handler.called.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn an_event_comes_through_once() {
    let handler = Handler::new(&[500, 204]);
    let receiver = Receiver::new(handler.clone(), TokenSignature::new([TOKEN]).unwrap())
        .deduplicate(MemoryDedupStore::new(100, Duration::from_secs(3600)));
    let again = || send(receiver.clone(), "/a", signed_by_token(), BODY);
    // A failure is no end: the next try is handled.
    assert_eq!(again().await, 500);
    assert_eq!(again().await, 204);
    assert_eq!(again().await, 200);
    assert_eq!(handler.called.load(Ordering::SeqCst), 2);
    // At another path it is another event.
    assert_eq!(
        send(receiver.clone(), "/b", signed_by_token(), BODY).await,
        204
    );
    tokio::time::advance(Duration::from_secs(3601)).await;
    assert_eq!(again().await, 204);
}

#[tokio::test(start_paused = true)]
async fn an_event_that_is_being_handled_is_to_come_again() {
    let handler = Handler {
        gate: Arc::new(tokio::sync::Semaphore::new(0)),
        ..Handler::new(&[204])
    };
    let receiver = Receiver::new(handler.clone(), TokenSignature::new([TOKEN]).unwrap())
        .deduplicate(MemoryDedupStore::new(100, Duration::from_secs(3600)));
    let first = tokio::spawn(send(receiver.clone(), "/a", signed_by_token(), BODY));
    tokio::task::yield_now().await;
    assert_eq!(
        send(receiver.clone(), "/a", signed_by_token(), BODY).await,
        503
    );
    // However long the handler takes, and however many other events are received meanwhile.
    tokio::time::advance(Duration::from_secs(7200)).await;
    assert_eq!(
        send(receiver.clone(), "/a", signed_by_token(), BODY).await,
        503
    );
    // A sender that closes the connection does not stop the handler: the event is handled once.
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    handler.gate.add_permits(1);
    let mut status = 503;
    while status == 503 {
        tokio::task::yield_now().await;
        status = send(receiver.clone(), "/a", signed_by_token(), BODY).await;
    }
    assert_eq!(status, 200);
    assert_eq!(handler.called.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_store_keeps_reservations_and_the_last_events() {
    let store = MemoryDedupStore::new(2, Duration::from_secs(60));
    let key = |number: u8| EventKey::new("/a", &[number]);
    let begin = async |number| store.begin(&key(number)).await.unwrap();
    assert_eq!(begin(0).await, DedupState::New);
    for number in 1..=3 {
        assert_eq!(begin(number).await, DedupState::New);
        store.finish(&key(number), true).await.unwrap();
    }
    // The first processed event is dropped, and the reservation is not.
    assert_eq!(begin(0).await, DedupState::InProgress);
    assert_eq!(begin(2).await, DedupState::Processed);
    assert_eq!(begin(3).await, DedupState::Processed);
    assert_eq!(begin(1).await, DedupState::New);
    store.finish(&key(1), false).await.unwrap();
    assert_eq!(begin(1).await, DedupState::New);
    tokio::time::advance(Duration::from_secs(60)).await;
    assert_eq!(begin(3).await, DedupState::New);
    assert_eq!(begin(0).await, DedupState::InProgress);
    store.finish(&key(0), true).await.unwrap();
    assert_eq!(begin(0).await, DedupState::Processed);
}

#[tokio::test]
async fn a_signed_message_id_tells_equal_events_apart() {
    // python3: key = base64.b64decode("c2VjcmV0"); text = f"{id}.1614265330.".encode() + BODY
    // base64.b64encode(hmac.new(key, text, "sha256").digest())
    const PINGS: [(&str, &str); 2] = [
        ("msg_1", "a1AM/AQn+gME1WoTFfes2ArmlL8h6AQ7GDPWNDd7eBc="),
        ("msg_2", "/wTIjskmMePL+6k8Bm8bM091N1YZhZL7yFqVCe8aEUU="),
    ];
    let handler = Handler::new(&[204]);
    let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_614_265_330);
    let verifier = HmacSignature::standard_webhooks(["whsec_c2VjcmV0"]).unwrap();
    let receiver = Receiver::new(handler.clone(), verifier.clock(move || at))
        .deduplicate(MemoryDedupStore::new(100, Duration::from_secs(3600)));
    let ping = |(id, signature): (&'static str, &str)| {
        let mut headers = HeaderMap::new();
        headers.insert("webhook-id", HeaderValue::from_static(id));
        headers.insert("webhook-timestamp", HeaderValue::from_static("1614265330"));
        let signature = HeaderValue::from_str(&format!("v1,{signature}")).unwrap();
        headers.insert("webhook-signature", signature);
        send(receiver.clone(), "/a", headers, BODY)
    };
    assert_eq!(ping(PINGS[0]).await, 204);
    assert_eq!(
        ping(PINGS[1]).await,
        204,
        "the same bytes, and another event"
    );
    assert_eq!(ping(PINGS[0]).await, 200, "sent again");
    assert_eq!(ping(("msg_3", PINGS[0].1)).await, 401, "the id is signed");
    assert_eq!(handler.called.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_panics_does_not_block_its_event() {
    let handler = Handler::new(&[0, 204]);
    let receiver = Receiver::new(handler.clone(), TokenSignature::new([TOKEN]).unwrap())
        .deduplicate(MemoryDedupStore::new(100, Duration::from_secs(3600)));
    let again = || send(receiver.clone(), "/a", signed_by_token(), BODY);
    // There is no status 0.
    assert_eq!(again().await, 500);
    assert_eq!(again().await, 204);
    assert_eq!(again().await, 200);
    assert_eq!(handler.called.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn another_spelling_of_a_path_is_the_same_event() {
    let handler = Handler::new(&[204]);
    let receiver = Receiver::new(handler.clone(), TokenSignature::new([TOKEN]).unwrap())
        .deduplicate(MemoryDedupStore::new(100, Duration::from_secs(3600)));
    let at = |path| send(receiver.clone(), path, signed_by_token(), BODY);
    assert_eq!(at("/hooks/x").await, 204);
    for path in [
        "/hooks/%78",
        "/h%6Foks/x",
        "//hooks/x",
        "/hooks//x",
        "/hooks/x/",
        "/./hooks/x",
        "/a/../hooks/x",
        "/a/%2e%2E/hooks/x",
        "/hooks/x?again",
    ] {
        assert_eq!(at(path).await, 200, "{path}");
    }
    assert_eq!(handler.called.load(Ordering::SeqCst), 1);
    // A slash within a segment, or capital letters, make another path.
    assert_eq!(at("/hooks%2Fx").await, 204);
    assert_eq!(at("/hooks/X").await, 204);
}

#[tokio::test(start_paused = true)]
async fn events_are_told_apart_by_the_senders_id_where_that_is_asked_for() {
    let handler = Handler::new(&[204]);
    let seen = MemoryDedupStore::new(100, Duration::from_secs(3600));
    let receiver = Receiver::new(handler.clone(), TokenSignature::new([TOKEN]).unwrap())
        .deduplicate(seen)
        .message_id_header(HeaderName::from_static("webhook-id"));
    let with = |ids: &[&'static str]| {
        let mut headers = signed_by_token();
        for id in ids {
            headers.append("webhook-id", HeaderValue::from_static(id));
        }
        send(receiver.clone(), "/a", headers, BODY)
    };
    assert_eq!(with(&["1"]).await, 204);
    assert_eq!(with(&["2"]).await, 204, "the same bytes, and another event");
    assert_eq!(with(&["1"]).await, 200, "handled before");
    // Without one id, it is the bytes that tell; they are not what an id stands for.
    assert_eq!(with(&[]).await, 204);
    assert_eq!(with(&["3", "4"]).await, 200);
    assert_eq!(with(&[""]).await, 204);
    assert_eq!(handler.called.load(Ordering::SeqCst), 4);
}
