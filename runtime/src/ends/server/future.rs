//! The future of a router's response.

use super::failure::HandlerPanic;
use super::settings::Settings;
use super::{BoxFuture, Response};
use crate::message::OperationMeta;
use http::header::CONTENT_LENGTH;
use http::request::Parts;
use http::{HeaderValue, Method};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

/// The future of a router's response.
pub struct RouteFuture {
    state: State,
    settings: Arc<Settings>,
    operation: Operation,
    seen: Seen,
}

/// The operation of a request, which a router of webhooks knows only when it has read the body.
pub(crate) type ReachedLater = Arc<OnceLock<&'static OperationMeta>>;

/// The operation that a request has reached, if it has reached one.
enum Operation {
    Now(Option<&'static OperationMeta>),
    Later(ReachedLater),
}

impl Operation {
    fn get(&self) -> Option<&'static OperationMeta> {
        match self {
            Self::Now(operation) => *operation,
            Self::Later(operation) => operation.get().copied(),
        }
    }
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
    pub(crate) fn new(parts: &Parts) -> Self {
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
    pub(super) fn running(
        settings: Arc<Settings>,
        operation: Option<&'static OperationMeta>,
        seen: Seen,
        future: BoxFuture<'static, Response>,
    ) -> Self {
        Self::new(settings, Operation::Now(operation), seen, future)
    }

    /// Runs an operation that becomes known while it runs.
    pub(crate) fn running_unknown(
        settings: Arc<Settings>,
        operation: ReachedLater,
        seen: Seen,
        future: BoxFuture<'static, Response>,
    ) -> Self {
        Self::new(settings, Operation::Later(operation), seen, future)
    }

    fn new(
        settings: Arc<Settings>,
        operation: Operation,
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

    /// Returns a response that is already known, of a request that reaches no operation.
    pub(super) fn ready(settings: Arc<Settings>, seen: Seen, response: Box<Response>) -> Self {
        Self {
            state: State::Ready(Some(response)),
            settings,
            operation: Operation::Now(None),
            seen,
        }
    }
}

impl Future for RouteFuture {
    type Output = Result<Response, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut response = match &mut self.state {
            State::Ready(response) => response
                .take()
                .map_or_else(Response::default, |response| *response),
            // A panic of a handler is a 500 without the message of the panic.
            State::Running(future) => {
                match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
                    Ok(Poll::Pending) => return Poll::Pending,
                    Ok(Poll::Ready(response)) => response,
                    Err(payload) => {
                        let panic = HandlerPanic::new(&*payload);
                        #[cfg(feature = "tracing")]
                        let _entered = self.seen.span.enter();
                        self.settings.panicked(self.operation.get(), &panic)
                    }
                }
            }
        };
        self.state = State::Ready(None);
        if let Some(operation) = self.operation.get() {
            // For layers around the router.
            response.extensions_mut().insert(operation);
        }
        #[cfg(feature = "tracing")]
        crate::ends::trace::answered(&self.seen.span, response.status(), false);
        #[cfg(feature = "metrics")]
        {
            let reached = self.operation.get();
            let (begun, method) = (self.seen.begun, self.seen.method);
            begun.answered(method, reached, response.status());
        }
        if self.seen.head {
            remove_body(&mut response);
        }
        Poll::Ready(Ok(response))
    }
}

/// Removes the body from the response to `HEAD`, which is otherwise that of `GET`.
fn remove_body(response: &mut Response) {
    let body = std::mem::take(response.body_mut());
    if let Some(length) = http_body::Body::size_hint(&body).exact()
        && length > 0
        && !response.headers().contains_key(CONTENT_LENGTH)
    {
        response
            .headers_mut()
            .insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
}
