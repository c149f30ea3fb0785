//! Retries by documented rules, their budget, and idempotency keys.
#![cfg(all(feature = "retries", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

use bothends_runtime::client::{
    Backoff, Body, CallOptions, ClientCore, DocumentedRetries, RetryBudget, Secret, TokenError,
    TokenFuture, TokenProvider, Transport, TransportError,
};
use bothends_runtime::http::{Request, Response, StatusCode};
use bothends_runtime::{NoError, Validate as _, operation};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

#[derive(Debug, Clone, PartialEq)]
pub struct ListRequest {}
operation! {
    "list": "GET" "/things"
    ListRequest() {}
    -> ListResponse { 200 => json Vec<String> }, ListError = NoError
}

#[derive(Debug, Clone, PartialEq)]
pub struct RuledRequest {}
operation! {
    "ruled": "POST" "/ruled"
    RuledRequest() {}
    -> RuledResponse { 200 => json Vec<String> }, RuledError = NoError
    retries {
        idempotent(),
        statuses(&[(503, 503)]),
        only_responses(),
        initial_delay(1000),
        max_delay(4000),
        factor(3.0),
        max_elapsed(20000)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct PermittedRequest {}
operation! {
    "permitted": "GET" "/permitted"
    PermittedRequest() {}
    -> PermittedResponse { 200 => json Vec<String> }, PermittedError = NoError
    retries {}
}

#[derive(Debug, Clone, PartialEq)]
pub struct KeyedRequest {
    pub key: Option<String>,
}
operation! {
    "keyed": "POST" "/keyed"
    KeyedRequest() { header "Idempotency-Key": String => key? where [required()] }
    -> KeyedResponse { 200 => json Vec<String> }, KeyedError = NoError
    security { ["bearer"] }
    idempotency_key "Idempotency-Key"
}

/// Responds with the next status; 0 is no response. Afterwards 503.
#[derive(Clone, Default)]
struct Flaky {
    statuses: Arc<Mutex<Vec<u16>>>,
    headers: &'static [(&'static str, &'static str)],
    seen: Arc<Mutex<Vec<Request<()>>>>,
}

impl Flaky {
    fn new(statuses: &[u16]) -> Self {
        Self {
            statuses: Arc::new(Mutex::new(statuses.iter().rev().copied().collect())),
            ..Self::default()
        }
    }

    fn core(&self) -> ClientCore<Self> {
        ClientCore::new("https://api.example.com", self.clone()).unwrap()
    }

    /// Returns the number of requests since the last question.
    fn count(&self) -> usize {
        std::mem::take(&mut *self.seen.lock().unwrap()).len()
    }

    fn keys(&self) -> Vec<String> {
        let seen = std::mem::take(&mut *self.seen.lock().unwrap());
        let key = |sent: &Request<()>| {
            sent.headers()["idempotency-key"]
                .to_str()
                .unwrap()
                .to_owned()
        };
        seen.iter().map(key).collect()
    }
}

impl Transport for Flaky {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        self.seen.lock().unwrap().push(request.map(drop));
        let status = self.statuses.lock().unwrap().pop().unwrap_or(503);
        let status = StatusCode::from_u16(status).map_err(TransportError::new)?;
        let mut response = Response::builder().status(status);
        for (name, value) in self.headers {
            response = response.header(*name, *value);
        }
        response.body(Body::from("[]")).map_err(TransportError::new)
    }
}

#[tokio::test(start_paused = true)]
async fn the_budget_of_all_clones_stops_a_storm() {
    let flaky = Flaky::new(&[]);
    let core = flaky.core().documented_retries();
    // 500 tokens are a hundred retries: two of each of the first fifty calls.
    for _ in 0..200 {
        let clone = core.clone();
        clone.call(&ListRequest::new()).await.unwrap_err();
    }
    assert_eq!(flaky.count(), 200 + 100);
    // Five successes pay for one more.
    flaky.statuses.lock().unwrap().extend([200; 5]);
    for _ in 0..5 {
        core.call(&ListRequest::new()).await.unwrap();
    }
    for _ in 0..10 {
        core.call(&ListRequest::new()).await.unwrap_err();
    }
    assert_eq!(flaky.count(), 5 + 10 + 1);
    // Another client has a budget of its own.
    let other = flaky.core().documented_retries();
    other.call(&ListRequest::new()).await.unwrap_err();
    assert_eq!(flaky.count(), 3);
}

/// Exceeds the time limit for the head of a response.
#[derive(Clone)]
struct Silent(Arc<Mutex<usize>>);

impl Transport for Silent {
    async fn send(&self, _: Request<Body>) -> Result<Response<Body>, TransportError> {
        *self.0.lock().unwrap() += 1;
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_costs_more_and_settings_change_the_costs() {
    use bothends_runtime::client::TimeLimited;
    let count = Arc::new(Mutex::new(0));
    let transport = TimeLimited::new(Silent(Arc::clone(&count)));
    let budget = RetryBudget::default().capacity(30).costs(1, 15);
    let core = ClientCore::new("https://api.example.com", transport).unwrap();
    let core = core.retry(budget.limit(Backoff::default().attempts(10)));
    core.call(&ListRequest::new()).await.unwrap_err();
    assert_eq!(*count.lock().unwrap(), 1 + 2);

    let flaky = Flaky::new(&[503, 503, 200, 503, 503]);
    let budget = RetryBudget::default()
        .capacity(2)
        .costs(1, 1)
        .success_gain(2);
    let core = flaky
        .core()
        .retry(budget.limit(Backoff::default().attempts(10)));
    core.call(&ListRequest::new()).await.unwrap();
    core.call(&ListRequest::new()).await.unwrap_err();
    assert_eq!(flaky.count(), 3 + 3);
}

#[tokio::test(start_paused = true)]
async fn retries_without_details_are_those_of_the_default() {
    let flaky = Flaky::new(&[]);
    let core = flaky.core().documented_retries();
    core.call(&PermittedRequest::new()).await.unwrap_err();
    let attempts = usize::try_from(Backoff::default().attempts).unwrap();
    assert_eq!(flaky.count(), attempts);
}

#[tokio::test(start_paused = true)]
async fn the_rules_of_the_document_decide() {
    let core = |flaky: &Flaky| flaky.core().retry(DocumentedRetries::default());
    // Delays of 1, 3, 4, 4 and 4 s, each shorter by up to a half: at least eight attempts in 20 s would
    // need shorter ones, and none begins later.
    let flaky = Flaky::new(&[]);
    let began = Instant::now();
    core(&flaky).call(&RuledRequest::new()).await.unwrap_err();
    let (count, elapsed) = (flaky.count(), began.elapsed());
    assert!((6..=11).contains(&count), "{count}");
    assert!(elapsed <= Duration::from_secs(20), "{elapsed:?}");

    // Another status, and no response, are final by the rules, and a 404 is never transient.
    for status in [500, 429, 0, 404] {
        let flaky = Flaky::new(&[status]);
        core(&flaky).call(&RuledRequest::new()).await.unwrap_err();
        assert_eq!(flaky.count(), 1, "{status}");
    }
    // `Retry-After` makes a delay longer, up to the longest delay.
    for (seconds, attempts) in [("4", 2), ("5", 1)] {
        let mut flaky = Flaky::new(&[503, 200]);
        flaky.headers = match seconds {
            "4" => &[("retry-after", "4")],
            _ => &[("retry-after", "5")],
        };
        let began = Instant::now();
        let _ = core(&flaky).call(&RuledRequest::new()).await;
        assert_eq!(flaky.count(), attempts);
        let waited = Duration::from_secs(if attempts == 2 { 4 } else { 0 });
        assert_eq!(began.elapsed().as_secs(), waited.as_secs());
    }
    // What the document leaves open is decided by the given policy.
    let flaky = Flaky::new(&[]);
    let retries = DocumentedRetries::new(Backoff::default().attempts(5));
    let open = flaky.core().retry(retries);
    open.call(&ListRequest::new()).await.unwrap_err();
    assert_eq!(flaky.count(), 5);
}

/// A provider whose first token has expired.
struct Tokens;

impl TokenProvider for Tokens {
    fn scheme(&self) -> &str {
        "bearer"
    }

    fn current(&self) -> Option<Secret> {
        Some("old".into())
    }

    fn obtain(&self) -> TokenFuture<'_> {
        Box::pin(async { Ok("old".into()) })
    }

    fn replace(&self, _: Secret) -> TokenFuture<'_> {
        Box::pin(async { Ok::<_, TokenError>("new".into()) })
    }

    fn should_refresh(&self, status: StatusCode, _: &[u8]) -> bool {
        status == StatusCode::UNAUTHORIZED
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_has_one_key() {
    // 409 with `Retry-After`: the server still handles the first attempt.
    let mut flaky = Flaky::new(&[0, 503, 409, 401, 200]);
    flaky.headers = &[("retry-after", "1")];
    let core = flaky.core().tokens(Tokens).validate_requests();
    let core = core.retry(Backoff::default().attempts(4));
    core.call(&KeyedRequest::new()).await.unwrap();
    let keys = flaky.keys();
    assert!(
        keys.len() == 5 && keys.iter().all(|key| *key == keys[0]),
        "{keys:?}"
    );
    flaky.statuses.lock().unwrap().push(200);
    core.call(&KeyedRequest::new()).await.unwrap();
    assert_ne!(flaky.keys(), [keys[0].clone()]);

    // The caller's key is kept, and a 409 without `Retry-After` is final.
    let flaky = Flaky::new(&[409, 200, 200]);
    let core = flaky.core().tokens(Tokens).retry(Backoff::default());
    let own = core.with(CallOptions::new().idempotency_key("mine"));
    own.call(&KeyedRequest::new()).await.unwrap_err();
    own.call(&KeyedRequest::new()).await.unwrap();
    core.call(&KeyedRequest::new().key("other".to_owned()))
        .await
        .unwrap();
    assert_eq!(flaky.keys(), ["mine", "mine", "other"]);
}

#[test]
fn a_request_without_the_required_key_is_invalid_unless_a_client_sends_it() {
    let invalid = KeyedRequest::new().validate().unwrap_err();
    assert_eq!(invalid.to_string(), "Idempotency-Key: is required");
}
