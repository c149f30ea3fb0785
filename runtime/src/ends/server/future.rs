//! The future of a router's response.

use super::failure::HandlerPanic;
use super::settings::{Reached, Settings};
use super::{BoxFuture, Response};
use http::header::CONTENT_LENGTH;
use http::request::Parts;
use http::{HeaderValue, Method};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The future of a router's response.
pub struct RouteFuture {
    state: State,
    settings: Arc<Settings>,
    operation: Reached,
    seen: Seen,
}

/// What is kept of a request until its response.
pub(crate) struct Seen {
    head: bool,
    #[cfg(feature = "tracing")]
    span: tracing::Span,
    #[cfg(feature = "metrics")]
    method: &'static str,
    #[cfg(feature = "metrics")]
    begun: crate::ends::durations::Begun,
}

impl Seen {
    /// Creates the span of a request, and begins to measure its duration.
    pub(crate) fn of(parts: &Parts) -> Self {
        Self {
            head: parts.method == Method::HEAD,
            #[cfg(feature = "tracing")]
            span: crate::ends::trace::request(parts),
            #[cfg(feature = "metrics")]
            method: crate::ends::method::known(&parts.method),
            #[cfg(feature = "metrics")]
            begun: crate::ends::durations::Begun::now(),
        }
    }
}

enum State {
    Ready(Option<Box<Response>>),
    Running(BoxFuture<'static, Response>),
}

impl RouteFuture {
    /// Runs an operation in a tracing span.
    pub(crate) fn running(
        settings: Arc<Settings>,
        operation: Reached,
        seen: Seen,
        future: BoxFuture<'static, Response>,
    ) -> Self {
        #[cfg(feature = "tracing")]
        let future = Box::pin(tracing::Instrument::instrument(future, seen.span.clone()));
        Self {
            state: State::Running(future),
            settings,
            operation,
            seen,
        }
    }

    /// Returns a response that is already known.
    pub(super) fn ready(
        settings: Arc<Settings>,
        operation: Reached,
        seen: Seen,
        response: Box<Response>,
    ) -> Self {
        Self {
            state: State::Ready(Some(response)),
            settings,
            operation,
            seen,
        }
    }
}

impl Future for RouteFuture {
    type Output = Result<Response, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let response = match &mut self.state {
            State::Ready(response) => response
                .take()
                .map_or_else(Response::default, |response| *response),
            // A panic of a handler is a 500 without the message of the panic.
            State::Running(future) => {
                match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
                    Ok(Poll::Pending) => return Poll::Pending,
                    Ok(Poll::Ready(response)) => response,
                    Err(payload) => {
                        let panic = HandlerPanic::of(&*payload);
                        #[cfg(feature = "tracing")]
                        let _entered = self.seen.span.enter();
                        self.settings.panicked(&self.operation, &panic)
                    }
                }
            }
        };
        self.state = State::Ready(None);
        let mut response = response;
        if let Some(operation) = self.operation.get() {
            // For layers around the router.
            response.extensions_mut().insert(*operation);
        }
        #[cfg(feature = "tracing")]
        crate::ends::trace::answered(&self.seen.span, response.status(), false);
        #[cfg(feature = "metrics")]
        {
            let reached = self.operation.get().copied();
            let (begun, method) = (self.seen.begun, self.seen.method);
            begun.answered(method, reached, response.status());
        }
        Poll::Ready(Ok(if self.seen.head {
            without_body(response)
        } else {
            response
        }))
    }
}

/// Returns the response to `HEAD`: that of `GET` without its body.
fn without_body(mut response: Response) -> Response {
    let body = std::mem::take(response.body_mut());
    if let Some(length) = http_body::Body::size_hint(&body).exact()
        && length > 0
        && !response.headers().contains_key(CONTENT_LENGTH)
    {
        response
            .headers_mut()
            .insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    response
}
