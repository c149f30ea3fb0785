//! Histograms of calls and of requests, by the names and attributes of OpenTelemetry.
#![cfg(all(feature = "client", feature = "server", feature = "metrics"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::client::{
    Attempt, Body, ClientCore, Delay, InProcess, RetryPolicy, Transport, TransportError,
};
use bothends_runtime::http::{Request, Response};
use metrics_util::debugging::{DebugValue, DebuggingRecorder};
use petstore::operations::{CreatePetRequest, ListPetsRequest, ShowPetByIdRequest};
use petstore::server::router;
use petstore::store::Store;
use petstore::types::{NewPet, PetId};
use std::sync::Mutex;

/// Returns the histograms that `test` fills: their names and labels, and the number of values.
fn recorded(test: impl Future<Output = ()>) -> Vec<(String, usize)> {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    metrics::with_local_recorder(&recorder, || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_all().build().unwrap().block_on(test);
    });
    let all = snapshotter.snapshot().into_vec();
    let all = all.into_iter().map(|(key, _, _, value)| {
        let DebugValue::Histogram(values) = value else {
            panic!("{value:?}");
        };
        assert!(
            values
                .iter()
                .all(|seconds| (0.0..60.0).contains(&seconds.0))
        );
        let mut labels: Vec<String> = (key.key().labels())
            .map(|label| format!(" {}={}", label.key(), label.value()))
            .collect();
        labels.sort();
        (
            format!("{}{}", key.key().name(), labels.concat()),
            values.len(),
        )
    });
    let mut all: Vec<_> = all.collect();
    all.sort();
    all
}

/// Fails, is busy, and then has no pets.
struct Failing(Mutex<usize>);

impl Transport for Failing {
    async fn send(&self, _: Request<Body>) -> Result<Response<Body>, TransportError> {
        let mut count = self.0.lock().unwrap();
        *count += 1;
        if *count == 1 {
            return Err(TransportError::new("https://hidden"));
        }
        let mut response = Response::new(Body::empty());
        *response.status_mut() = [503, 404][usize::from(*count > 2)].try_into().unwrap();
        Ok(response)
    }
}

/// Three attempts.
struct Thrice;

impl RetryPolicy for Thrice {
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
        let again = attempt.number < 3 && attempt.is_transient();
        again.then(|| -> Delay { Box::pin(async {}) })
    }
}

#[test]
fn a_call_and_its_request_are_measured() {
    let found = recorded(async {
        let transport = InProcess::new(router(Store::default()));
        let core = ClientCore::new("http://h", transport).unwrap();
        for _ in 0..2 {
            core.call(&ListPetsRequest::new()).await.unwrap();
        }
    });
    let expected = [
        (
            "http.client.request.duration http.request.method=GET http.response.status_code=200 url.template=/pets",
            2,
        ),
        (
            "http.server.request.duration http.request.method=GET http.response.status_code=200 http.route=/pets",
            2,
        ),
    ];
    assert_eq!(
        found,
        expected.map(|(text, count)| (text.to_owned(), count))
    );
}

#[test]
fn each_request_of_a_client_is_measured() {
    let found = recorded(async {
        let core = ClientCore::new("http://h", Failing(Mutex::new(0))).unwrap();
        let core = core.retry(Thrice);
        core.call(&ListPetsRequest::new()).await.unwrap_err();
        // Nothing is sent without the credentials.
        let create = CreatePetRequest::new(NewPet::new());
        core.call(&create).await.unwrap_err();
    });
    let client = |labels: &str| {
        let name = "http.client.request.duration";
        (format!("{name} {labels} url.template=/pets"), 1)
    };
    let expected = [
        client("error.type=404 http.request.method=GET http.response.status_code=404"),
        client("error.type=503 http.request.method=GET http.response.status_code=503"),
        client("error.type=transport http.request.method=GET"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn callers_invent_no_labels() {
    let found = recorded(async {
        for (method, path) in [
            ("GET", "/hidden/1"),
            ("GET", "/hidden/2"),
            ("HIDDEN", "/pets"),
            ("GET", "/pets/internal?hidden=1"),
        ] {
            let request = Request::builder().method(method).uri(path);
            let request = request.body(Body::empty()).unwrap();
            let mut service = router(Store::default());
            tower_service::Service::call(&mut service, request)
                .await
                .unwrap();
        }
        let request = ShowPetByIdRequest::new(PetId("hidden".to_owned()));
        let core = ClientCore::new("http://h", Failing(Mutex::new(1))).unwrap();
        core.call(&request).await.unwrap_err();
    });
    assert!(!format!("{found:?}").contains("hidden"), "{found:?}");
    let server = |labels: &str, count| (format!("http.server.request.duration {labels}"), count);
    let of_server = [
        server(
            "error.type=500 http.request.method=GET http.response.status_code=500 http.route=/pets/{petId}",
            1,
        ),
        server("http.request.method=GET http.response.status_code=404", 2),
        server(
            "http.request.method=_OTHER http.response.status_code=405",
            1,
        ),
    ];
    assert_eq!(found[found.len() - 3..], of_server, "{found:?}");
}
