//! Webhooks as they come in: signatures, keys that change, and events that come twice.
#![cfg(all(feature = "receiver", feature = "client"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::Bytes;
use bothends_runtime::http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode};
use bothends_runtime::server::{Body, BodyError, Response};
use bothends_runtime::webhook::{
    KeyFetcher, KeySet, KeySignature, MemorySeen, Receiver, SignatureError, TokenSignature,
    Verifier,
};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

const TOKEN: &str = "a token of more than thirty-two characters";
const BODY: &[u8] = br#"{"data":{"task_id":"7f1c"}}"#;

fn token_header(value: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("x-token-signature", HeaderValue::from_str(value).unwrap());
    headers
}

#[test]
fn a_token_has_to_be_long_enough() {
    assert!(TokenSignature::new(["x".repeat(32)]).is_err());
    assert!(TokenSignature::new(["x".repeat(33)]).is_ok());
    assert!(TokenSignature::new(["é".repeat(32)]).is_err());
    assert!(TokenSignature::new(Vec::<String>::new()).is_err());
    let shown = format!("{:?}", TokenSignature::new([TOKEN]).unwrap());
    assert!(!shown.contains(TOKEN));
}

#[test]
fn a_token_signature_is_that_of_the_bytes() {
    let tokens = TokenSignature::new([TOKEN]).unwrap();
    // python3 -c 'import hmac; print(hmac.new(TOKEN, BODY, "sha256").hexdigest())'
    let right = "4bd60ae975bed909f70db4d28bdf071350c1c327e5d71b77ff2fb176cc6b22fc";
    assert_eq!(tokens.sign(BODY), right);
    assert_eq!(tokens.check(&token_header(right), BODY), Ok(()));
    let wrong = [
        ("upper-case", right.to_uppercase(), BODY),
        ("truncated", right[..62].to_owned(), BODY),
        ("empty", String::new(), BODY),
        ("longer", format!("{right}00"), BODY),
        (
            "tampered",
            right.to_owned(),
            &br#"{"data":{"task_id":"7f1d"}}"#[..],
        ),
        (
            "re-serialised",
            right.to_owned(),
            &br#"{"data": {"task_id": "7f1c"}}"#[..],
        ),
    ];
    for (what, signature, body) in wrong {
        let checked = tokens.check(&token_header(&signature), body);
        assert!(
            matches!(checked, Err(SignatureError::Invalid(_))),
            "{what}: {checked:?}"
        );
    }
    let missing = Err(SignatureError::Missing(HeaderName::from_static(
        "x-token-signature",
    )));
    assert_eq!(tokens.check(&HeaderMap::new(), BODY), missing);
    let mut twice = token_header(right);
    twice.append("x-token-signature", HeaderValue::from_str(right).unwrap());
    assert_eq!(tokens.check(&twice, BODY), missing);
}

#[test]
fn two_tokens_are_good_while_one_replaces_the_other() {
    let old = TokenSignature::new([TOKEN]).unwrap();
    let both = TokenSignature::new([&TOKEN.to_uppercase(), TOKEN]).unwrap();
    let new = TokenSignature::new([TOKEN.to_uppercase()]).unwrap();
    assert!(both.check(&token_header(&old.sign(BODY)), BODY).is_ok());
    assert!(both.check(&token_header(&new.sign(BODY)), BODY).is_ok());
    assert!(old.check(&token_header(&both.sign(BODY)), BODY).is_err());
}

/// A key of the curve P-256, and one of Ed25519, made by openssl for this test.
const P256: &str = "\
-----BEGIN PRIVATE KEY-----\n\
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg969o03AZX2EQicQ2\n\
iW2iN4l0CE5cjbOzGSQf4+WS1TehRANCAARLOoMf3OS7nDmuL8rHtbrKMUHVRvu4\n\
t8t20rSICZvy/AdVqRp/7o8ArwWLZJCMWhtXIY98b6QiIdiqSlpbDsT+\n\
-----END PRIVATE KEY-----\n\
";
const ED25519: &str = "\
-----BEGIN PRIVATE KEY-----\n\
MC4CAQAwBQYDK2VwBCIEIAlr49UMeaPvs4aC+xTO0AsfMHVVRTXpoOGP61K+sbj7\n\
-----END PRIVATE KEY-----\n\
";

fn signing(id: &str) -> (EncodingKey, Algorithm) {
    match id {
        "ec" => (
            EncodingKey::from_ec_pem(P256.as_bytes()).unwrap(),
            Algorithm::ES256,
        ),
        _ => (
            EncodingKey::from_ed_pem(ED25519.as_bytes()).unwrap(),
            Algorithm::EdDSA,
        ),
    }
}

fn jwk(id: &str) -> Value {
    let (key, algorithm) = signing(id);
    let mut jwk = Jwk::from_encoding_key(&key, algorithm).unwrap();
    jwk.common.key_id = Some(id.to_owned());
    serde_json::to_value(jwk).unwrap()
}

fn published(ids: &[&str]) -> Vec<u8> {
    let keys: Vec<Value> = ids.iter().map(|id| jwk(id)).collect();
    json!({ "keys": keys }).to_string().into_bytes()
}

fn encode(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

/// A JWT of these bytes with this header.
fn jwt(id: &str, header: &Value, body: &[u8]) -> String {
    let (key, algorithm) = signing(id);
    let message = format!("{}.{}", encode(header.to_string().as_bytes()), encode(body));
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &key, algorithm).unwrap();
    format!("{message}.{signature}")
}

fn good(id: &str) -> String {
    let algorithm = if id == "ec" { "ES256" } else { "EdDSA" };
    jwt(
        id,
        &json!({ "alg": algorithm, "kid": id, "typ": "JWT" }),
        BODY,
    )
}

#[test]
fn a_key_signature_says_the_bytes_of_the_body() {
    let keys = KeySet::read(&published(&["ec", "ed"])).unwrap();
    for id in ["ec", "ed"] {
        assert_eq!(keys.check(id, &good(id), BODY), Ok(()), "{id}");
        let bare = json!({ "alg": if id == "ec" { "ES256" } else { "EdDSA" } });
        assert_eq!(keys.check(id, &jwt(id, &bare, BODY), BODY), Ok(()), "{id}");
        let other = br#"{"data": {"task_id": "7f1c"}}"#;
        assert!(keys.check(id, &good(id), other).is_err());
    }
    assert_eq!(
        keys.check("else", &good("ec"), BODY),
        Err(SignatureError::UnknownKey("else".to_owned()))
    );
}

#[test]
fn signatures_of_another_implementation() {
    let vectors: Value = serde_json::from_str(include_str!("receiver/vectors.json")).unwrap();
    let keys = KeySet::read(vectors.to_string().as_bytes()).unwrap();
    let body = vectors["body"].as_str().unwrap().as_bytes();
    for id in ["ec", "ed", "rsa", "pss"] {
        let token = vectors["tokens"][id].as_str().unwrap();
        assert_eq!(keys.check(id, token, body), Ok(()), "{id}");
        assert!(keys.check(id, token, b"{}").is_err(), "{id}");
    }
    // The same key, but it is good for one algorithm only.
    let token = vectors["tokens"]["pss"].as_str().unwrap();
    assert!(keys.check("rsa", token, body).is_err());
}

#[test]
fn forged_key_signatures() {
    let keys = KeySet::read(&published(&["ec", "ed"])).unwrap();
    let unsigned = |header: Value| {
        format!(
            "{}.{}.",
            encode(header.to_string().as_bytes()),
            encode(BODY)
        )
    };
    // HMAC keyed with what is public: the point of the key, and the whole JWK as it is published.
    let with_public = |secret: &[u8]| {
        let header = json!({ "alg": "HS256", "kid": "ec" });
        let message = format!("{}.{}", encode(header.to_string().as_bytes()), encode(BODY));
        let key = EncodingKey::from_secret(secret);
        let signature =
            jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::HS256).unwrap();
        format!("{message}.{signature}")
    };
    let right = good("ec");
    let (message, signature) = right.rsplit_once('.').unwrap();
    let mut changed = signature.to_owned();
    let first = if changed.starts_with('A') { "B" } else { "A" };
    changed.replace_range(..1, first);
    let forged = [
        ("alg none", unsigned(json!({ "alg": "none", "kid": "ec" }))),
        ("alg None", unsigned(json!({ "alg": "None" }))),
        ("no alg", unsigned(json!({ "kid": "ec" }))),
        (
            "public point as secret",
            with_public(jwk("ec")["x"].as_str().unwrap().as_bytes()),
        ),
        (
            "public key as secret",
            with_public(jwk("ec").to_string().as_bytes()),
        ),
        (
            "another algorithm",
            jwt("ed", &json!({ "alg": "EdDSA", "kid": "ec" }), BODY),
        ),
        (
            "another key",
            jwt("ed", &json!({ "alg": "ES256", "kid": "ec" }), BODY),
        ),
        (
            "another id inside",
            jwt("ec", &json!({ "alg": "ES256", "kid": "ed" }), BODY),
        ),
        (
            "crit",
            jwt(
                "ec",
                &json!({ "alg": "ES256", "crit": ["b64"], "b64": false }),
                BODY,
            ),
        ),
        ("truncated", right[..right.len() - 2].to_owned()),
        ("changed", format!("{message}.{changed}")),
        ("without signature", format!("{message}.")),
        ("padded", format!("{right}==")),
        ("two parts", message.to_owned()),
        ("four parts", format!("{right}.e30")),
        ("nothing", String::new()),
        ("dots", "..".to_owned()),
    ];
    for (what, token) in forged {
        let checked = keys.check("ec", &token, BODY);
        assert!(
            matches!(checked, Err(SignatureError::Invalid(_))),
            "{what}: {checked:?}"
        );
    }
}

#[test]
fn keys_that_are_not_for_this_are_left_out() {
    let mut encryption = jwk("ec");
    encryption["use"] = "enc".into();
    let mut anonymous = jwk("ec");
    anonymous.as_object_mut().unwrap().remove("kid");
    let symmetric = json!({ "kty": "oct", "kid": "oct", "k": encode(b"secret"), "alg": "HS256" });
    let odd = json!({ "kty": "new", "kid": "odd" });
    let set = json!({ "keys": [encryption, anonymous, symmetric, odd, 7, jwk("ed")] });
    let keys = KeySet::read(set.to_string().as_bytes()).unwrap();
    assert_eq!(format!("{keys:?}"), r#"{"ed": EdDSA}"#);
    for (set, said) in [
        ("<html>", "the set of keys is no JSON"),
        ("{}", "the set of keys has no list `keys`"),
    ] {
        assert_eq!(KeySet::read(set.as_bytes()).unwrap_err().to_string(), said);
    }
    let many = json!({ "keys": vec![json!({}); 101] }).to_string();
    assert!(KeySet::read(many.as_bytes()).is_err());
}

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

    // A flood of ids that nobody has makes no request within a minute of the last.
    for _ in 0..100 {
        let unknown = verifier.verify(&signed("ed"), BODY).await.unwrap_err();
        assert_eq!(unknown, SignatureError::UnknownKey("ed".to_owned()));
    }
    assert_eq!(keys.asked(), 1);
    keys.put(Ok(published(&["ec", "ed"])));
    tokio::time::advance(Duration::from_secs(61)).await;
    assert_eq!(verifier.verify(&signed("ed"), BODY).await, Ok(()));
    assert_eq!(verifier.verify(&signed("ec"), BODY).await, Ok(()));
    assert_eq!(keys.asked(), 2);
}

#[tokio::test(start_paused = true)]
async fn keys_that_cannot_be_got_stay_and_a_key_that_is_taken_back_goes() {
    let keys = Keys::new(Err("down"));
    let verifier = KeySignature::new(keys.clone());
    let error = verifier.verify(&signed("ec"), BODY).await.unwrap_err();
    assert_eq!(error, SignatureError::NoKeys("down".to_owned()));
    assert!(error.may_pass());
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
            let mut answers = this.answers.lock().unwrap();
            let status = if answers.len() > 1 {
                answers.remove(0)
            } else {
                answers[0]
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
        .once(MemorySeen::new(100, Duration::from_secs(3600)));
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
        .once(MemorySeen::new(100, Duration::from_secs(3600)));
    let first = tokio::spawn(send(receiver.clone(), "/a", signed_by_token(), BODY));
    tokio::task::yield_now().await;
    assert_eq!(
        send(receiver.clone(), "/a", signed_by_token(), BODY).await,
        503
    );
    // Whoever handled it went away; in time it may be handled by somebody else.
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    handler.gate.add_permits(1);
    assert_eq!(
        send(receiver.clone(), "/a", signed_by_token(), BODY).await,
        503
    );
    tokio::time::advance(Duration::from_secs(61)).await;
    assert_eq!(
        send(receiver.clone(), "/a", signed_by_token(), BODY).await,
        204
    );
}
