//! Calls of services whose panics become responses.

use super::{Body, Response, problem};
use http::{Request, StatusCode};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;
use tower_service::Service;

/// Calls the service, and converts a panic to a response.
pub(crate) async fn handle<S>(mut service: S, request: Request<Body>) -> Response
where
    S: Service<Request<Body>, Response = Response, Error = Infallible>,
{
    let mut call = std::pin::pin!(async move {
        let Ok(response) = service.call(request).await;
        response
    });
    std::future::poll_fn(move |cx| {
        let polled = catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(cx)));
        polled.unwrap_or_else(|_| Poll::Ready(problem(StatusCode::INTERNAL_SERVER_ERROR, None)))
    })
    .await
}
