//! What goes around calls: retries, time limits, tower services, media types, framing headers.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::client::{
    Attempt, Body, CallOptions, ClientCore, Delay, Error, InProcess, RetryPolicy, Timeout,
    TowerTransport, Transport, TransportError, TransportService,
};
use bothends_runtime::http::{HeaderValue, Request, Response, header};
use bothends_runtime::{Bytes, NoError, StatusCode};
use petstore::client::Client;
use petstore::operations::*;
use petstore::types::Pet;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

/// Answers each request with the next status; 0 is no answer.
#[derive(Clone, Default)]
struct Flaky {
    statuses: Arc<Mutex<Vec<u16>>>,
    seen: Arc<Mutex<Vec<Request<()>>>>,
}

impl Flaky {
    fn new(statuses: &[u16]) -> Self {
        let statuses = statuses.iter().rev().copied().collect();
        Self {
            statuses: Arc::new(Mutex::new(statuses)),
            ..Self::default()
        }
    }

    fn core(&self) -> ClientCore<Self> {
        ClientCore::new("https://api.example.com", self.clone()).unwrap()
    }

    fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

impl Transport for Flaky {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        self.seen.lock().unwrap().push(request.map(drop));
        let status = self.statuses.lock().unwrap().pop().unwrap_or(500);
        let status = StatusCode::from_u16(status).map_err(TransportError::new)?;
        let mut response = Response::new(Body::from("[]"));
        *response.status_mut() = status;
        let wait = HeaderValue::from_static("2");
        response.headers_mut().insert(header::RETRY_AFTER, wait);
        Ok(response)
    }
}

/// As many attempts; notes how long it was asked to wait.
struct Times(u32, Arc<Mutex<Vec<Option<Duration>>>>);

impl RetryPolicy for Times {
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
        assert_eq!(attempt.operation.id, "listPets");
        let again = attempt.number < self.0 && attempt.is_repeatable() && attempt.is_transient();
        again.then(|| -> Delay {
            self.1.lock().unwrap().push(attempt.retry_after());
            Box::pin(async {})
        })
    }
}

#[tokio::test]
async fn what_passes_is_tried_again() {
    for (statuses, attempts, fine) in [
        (&[200][..], 1, true),
        (&[503, 0, 429, 200], 4, true),
        (&[503, 503, 503, 503, 503], 4, false),
        (&[404, 200], 1, false),
    ] {
        let (flaky, waits) = (Flaky::new(statuses), Arc::default());
        let core = flaky.core().retry(Times(4, Arc::clone(&waits)));
        let result = Client::from_core(core).list_pets().await;
        assert_eq!(
            (flaky.count(), result.is_ok()),
            (attempts, fine),
            "{statuses:?}"
        );
        let waits = waits.lock().unwrap();
        assert_eq!(waits.len(), attempts - 1);
        let second = Some(Duration::from_secs(2));
        assert_eq!(waits.first().copied(), (attempts > 1).then_some(second));
    }
}

#[tokio::test]
async fn a_transport_finds_the_time_limit() {
    let flaky = Flaky::new(&[200]);
    let limit = Duration::from_millis(70);
    let client = Client::from_core(flaky.core().timeout(limit));
    client.list_pets().await.unwrap();
    let seen = flaky.seen.lock().unwrap();
    assert_eq!(seen[0].extensions().get(), Some(&Timeout(limit)));
    // What the document has for the answer and for its errors, each once.
    assert_eq!(
        seen[0].headers()[header::ACCEPT],
        "application/json, */*;q=0.1"
    );
}

bothends_runtime::operation! {
    "start": "POST" "/start"
    StartRequest() {
        header "X-Trace": String => trace?,
    }
    -> StartResponse { 200 => json Vec<Pet> }, StartError = NoError
}
#[derive(Debug, Clone, PartialEq)]
pub struct StartRequest {
    pub trace: Option<String>,
}

/// As many attempts at what may be repeated.
struct Again(u32);

impl RetryPolicy for Again {
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
        let again = attempt.number < self.0 && attempt.is_repeatable();
        again.then(|| -> Delay { Box::pin(async {}) })
    }
}

#[tokio::test]
async fn one_call_does_some_things_differently() {
    let flaky = Flaky::new(&[200, 200, 200]);
    let core = flaky
        .core()
        .timeout(Duration::from_secs(9))
        .header(header::USER_AGENT, HeaderValue::from_static("all"))
        .header(header::ACCEPT_LANGUAGE, HeaderValue::from_static("de"));
    let options = CallOptions::new()
        .timeout(Duration::from_secs(1))
        .header("user-agent", "one")
        .header("x-trace", "of the call");
    let request = StartRequest::new().trace("of the operation");
    core.with(options.clone()).call(&request).await.unwrap();
    core.with(options).call(&StartRequest::new()).await.unwrap();
    core.call(&StartRequest::new()).await.unwrap();
    let seen = flaky.seen.lock().unwrap();
    let sent: Vec<_> = seen
        .iter()
        .map(|sent| {
            let header = |name| Some(sent.headers().get(name)?.to_str().unwrap());
            (
                header("user-agent"),
                header("accept-language"),
                header("x-trace"),
                sent.extensions().get::<Timeout>().map(|limit| limit.0),
            )
        })
        .collect();
    let seconds = |count| Some(Duration::from_secs(count));
    let (call_agent, core_agent, language) = (Some("one"), Some("all"), Some("de"));
    assert_eq!(
        sent,
        [
            (call_agent, language, Some("of the operation"), seconds(1)),
            (call_agent, language, Some("of the call"), seconds(1)),
            (core_agent, language, None, seconds(9)),
        ]
    );
}

#[tokio::test]
async fn one_call_is_tried_again_or_is_not() {
    let attempts = |core: fn(ClientCore<Flaky>) -> ClientCore<Flaky>| async move {
        let flaky = Flaky::new(&[]);
        let answer = core(flaky.core()).call(&StartRequest::new()).await;
        assert!(answer.is_err());
        flaky.count()
    };
    assert_eq!(attempts(|core| core.retry(Again(3))).await, 1);
    let keyed = |core: ClientCore<Flaky>| {
        let options = CallOptions::new().idempotency_key("3c1f");
        core.with(options.retry(Again(3)))
    };
    assert_eq!(attempts(keyed).await, 3);
    let once = |core: ClientCore<Flaky>| {
        let keyed = CallOptions::new().idempotency_key("3c1f");
        let core = core.with(keyed.retry(Again(3)));
        core.with(CallOptions::new().no_retry())
    };
    assert_eq!(attempts(once).await, 1);

    let flaky = Flaky::new(&[200]);
    let options = CallOptions::new().idempotency_key("3c1f");
    let core = flaky.core().with(options);
    core.call(&StartRequest::new()).await.unwrap();
    assert_eq!(
        flaky.seen.lock().unwrap()[0].headers()["idempotency-key"],
        "3c1f"
    );
}

#[tokio::test]
async fn a_header_that_cannot_be_is_told_before_anything_is_sent() {
    let flaky = Flaky::new(&[200]);
    for (options, reported) in [
        (
            CallOptions::new().header("x-a", "b\r\nX-Admin: 1"),
            "the request cannot be written: x-a cannot be sent: no header can have this value",
        ),
        (
            CallOptions::new().header("x a", "b").header("x-b", "b"),
            "the request cannot be written: header cannot be sent: this cannot be the name of a header",
        ),
        (
            CallOptions::new().header("Content-Length", "7"),
            "the request cannot be written: content-length cannot be sent: only the transport can say this",
        ),
    ] {
        let core = flaky.core().with(options);
        let error = core.call(&StartRequest::new()).await.unwrap_err();
        assert_eq!(format!("{error:#}"), reported);
    }
    assert_eq!(flaky.count(), 0);
    let shown = format!("{:?}", CallOptions::new().header("x-secret", "hidden"));
    assert!(shown.contains("x-secret") && !shown.contains("hidden"));
}

#[cfg(feature = "tasks")]
#[tokio::test(start_paused = true)]
async fn what_passes_is_tried_again_after_pauses() {
    use bothends_runtime::client::Backoff;
    use tokio::time::Instant;
    // The server asks for two seconds, which is longer than the first pauses.
    let flaky = Flaky::new(&[503, 0, 200]);
    let began = Instant::now();
    let core = flaky.core().retry(Backoff::default());
    core.call(&ListPetsRequest::new()).await.unwrap();
    let passed = began.elapsed().as_secs_f64();
    assert!((2.2..=2.4).contains(&passed), "{passed}");

    // What is not to be repeated is not, and nobody waits for longer than he would.
    let flaky = Flaky::new(&[503, 200]);
    let core = flaky.core().retry(Backoff::default());
    core.call(&StartRequest::new()).await.unwrap_err();
    assert_eq!(flaky.count(), 1);
    let mut hasty = Backoff::default();
    hasty.max_delay = Duration::from_secs(1);
    let core = flaky.core().retry(hasty);
    core.call(&ListPetsRequest::new()).await.unwrap();
    let flaky = Flaky::new(&[503, 200]);
    let core = flaky.core().retry(hasty);
    core.call(&ListPetsRequest::new()).await.unwrap_err();
    assert_eq!(flaky.count(), 1);
}

#[cfg(feature = "hyper")]
#[tokio::test(start_paused = true)]
async fn the_default_transport_keeps_the_time_limit() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    // Takes the connection, and never answers.
    let core = ClientCore::new(
        &base,
        bothends_runtime::client::HyperTransport::new().unwrap(),
    )
    .unwrap()
    .timeout(Duration::from_secs(50));
    let error = core.call(&ListPetsRequest::new()).await.unwrap_err();
    assert!(
        matches!(&error, Error::Transport(_)) && error.is_retryable(),
        "{error}"
    );
}

/// A layer that makes everything well.
#[derive(Clone)]
struct Forgiving<S>(S);

impl<S> Service<Request<Body>> for Forgiving<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let future = self.0.call(request);
        Box::pin(async move {
            let mut response = future.await?;
            *response.status_mut() = StatusCode::OK;
            Ok(response)
        })
    }
}

#[tokio::test]
async fn layers_go_around_a_transport() {
    let layered = TowerTransport::new(Forgiving(TransportService::new(Flaky::new(&[200, 0]))));
    let client = Client::from_core(ClientCore::new("https://api.example.com", layered).unwrap());
    let pets = client.list_pets().await.unwrap();
    assert_eq!(*pets, vec![]);
    let error = client.list_pets().await.unwrap_err();
    assert!(matches!(error, Error::Transport(_)));
}

bothends_runtime::operation! {
    "framed": "POST" "/framed#part?and=more"
    FramedRequest(length: i64) from [i64] {
        header "Content-Length" => length,
        body[bytes] "text/plain": Bytes => body?,
    }
    -> FramedResponse { 200 => json Vec<Pet> }, FramedError = NoError
}
#[derive(Debug, Clone, PartialEq)]
pub struct FramedRequest {
    pub length: i64,
    pub body: Option<Bytes>,
}

#[tokio::test]
async fn a_length_that_is_not_so_is_not_sent() {
    let flaky = Flaky::new(&[200]);
    let core = flaky.core();
    let error = core.call(&FramedRequest::new(7)).await.unwrap_err();
    assert!(matches!(error, Error::Encode(_)), "{error}");
    assert_eq!(flaky.count(), 0);
    core.call(&FramedRequest::new(0)).await.unwrap();
    // What stands behind `#` is not sent.
    assert_eq!(
        flaky.seen.lock().unwrap()[0]
            .uri()
            .path_and_query()
            .unwrap(),
        "/framed"
    );
}

#[test]
fn a_service_in_the_same_process_is_a_transport() {
    fn is_transport<T: Transport>(_: &T) {}
    is_transport(&InProcess::new(Infallibly));
    is_transport(&TowerTransport::new(Infallibly));
}

/// Answers nothing.
#[derive(Clone)]
struct Infallibly;

impl Service<Request<Body>> for Infallibly {
    type Response = Response<Body>;
    type Error = std::convert::Infallible;
    type Future = std::future::Ready<Result<Response<Body>, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<Body>) -> Self::Future {
        std::future::ready(Ok(Response::default()))
    }
}
