//! Generated receivers of webhooks, called over a socket by a sender in Python that knows nothing of us.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

/// A module that the build script has generated from a spec of `spec/features`.
macro_rules! include_api {
    ($name:ident $stem:literal) => {
#[rustfmt::skip]
        #[allow(dead_code, unreachable_pub, missing_docs)]
        mod $name {
            include!(concat!(env!("OUT_DIR"), "/", $stem, ".rs"));
        }
    };
}

mod callbacks;
mod delivered;
mod kinds;
mod places;
mod verifiers;

use bothends_runtime::Bytes;
use bothends_runtime::server::{Body, BodyError, Response};
use bothends_runtime::webhook::KeyFetcher;
use http::Request;
use serde_json::Value;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use tower_service::Service;

const TOKEN: &str = "a signing token of more than thirty-two characters";

/// Serves this until the test ends; returns where.
async fn serve<S>(service: S) -> String
where
    S: Service<Request<axum::body::Body>, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Response: axum::response::IntoResponse,
    S::Future: Send + 'static,
{
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let app = axum::Router::new().fallback_service(service);
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

/// Has the stranger send these, one after the other; returns the responses.
async fn send(url: &str, requests: Vec<Value>) -> Vec<Value> {
    let url = url.to_owned();
    let responses = tokio::task::spawn_blocking(move || {
        bothends_tests::python::exchange("webhooks.py", &["send", &url], &requests)
    });
    responses.await.unwrap().unwrap()
}

fn statuses(responses: &[Value]) -> Vec<u64> {
    let status = |response: &Value| response["status"].as_u64().unwrap();
    responses.iter().map(status).collect()
}

/// What handlers have got, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, entry: impl Into<String>) {
        self.0.lock().unwrap().push(entry.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// A key set that has been published.
struct Published(String);

impl KeyFetcher for Published {
    async fn fetch(&self) -> Result<Bytes, BodyError> {
        Ok(Bytes::from(self.0.clone()))
    }
}

/// A response without a body.
fn response(status: u16) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap();
    response
}
