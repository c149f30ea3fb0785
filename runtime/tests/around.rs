//! What goes around calls: retries, time limits, tower services, media types, framing headers.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod petstore;

use bothends_runtime::client::{
    Attempt, Body, Core, Error, InProcess, Pause, Retry, Sender, Timeout, Tower, Transport,
    TransportError,
};
use bothends_runtime::http::{HeaderValue, Request, Response, header};
use bothends_runtime::{NoError, StatusCode};
use petstore::client::Client;
use petstore::operations::*;
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

    fn core(&self) -> Core<Self> {
        Core::new("https://api.example.com", self.clone()).unwrap()
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

impl Retry for Times {
    fn after(&self, attempt: &Attempt<'_>) -> Option<Pause> {
        assert_eq!(attempt.operation.id, "listPets");
        let again = attempt.number < self.0 && attempt.is_repeatable() && attempt.is_passing();
        again.then(|| -> Pause {
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
        let result = Client::new(core).list_pets(ListPetsRequest::new()).await;
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
    let client = Client::new(flaky.core().timeout(limit));
    client.list_pets(ListPetsRequest::new()).await.unwrap();
    let seen = flaky.seen.lock().unwrap();
    assert_eq!(seen[0].extensions().get(), Some(&Timeout(limit)));
    // What the document has for the answer and for its errors, each once.
    assert_eq!(
        seen[0].headers()[header::ACCEPT],
        "application/json, */*;q=0.1"
    );
}

#[cfg(feature = "reqwest")]
#[tokio::test]
async fn reqwest_keeps_the_time_limit() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    // Takes the connection, and never answers.
    let core = Core::reqwest(&base)
        .unwrap()
        .timeout(Duration::from_millis(50));
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
    let layered = Tower::new(Forgiving(Sender::new(Flaky::new(&[200, 0]))));
    let client = Client::new(Core::new("https://api.example.com", layered).unwrap());
    let pets = client.list_pets(ListPetsRequest::new()).await.unwrap();
    assert_eq!(pets, ListPetsResponse::Ok(vec![]));
    let error = client.list_pets(ListPetsRequest::new()).await.unwrap_err();
    assert!(matches!(error, Error::Transport(_)));
}

bothends_runtime::operation! {
    "framed": "POST" "/framed#part?and=more"
    FramedRequest(length: i64) -> ListPetsResponse, NoError {
        header "Content-Length" => length,
        body[bytes] "text/plain" => body?,
    }
}
#[derive(Debug, Clone, PartialEq)]
pub struct FramedRequest {
    pub length: i64,
    pub body: Option<bothends_runtime::Bytes>,
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
    is_transport(&Tower::new(Infallibly));
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
