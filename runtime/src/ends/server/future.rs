//! The future of a router's response.

use super::failure::HandlerPanic;
use super::settings::{Reached, Settings};
use super::{BoxFuture, Response};
use http::header::CONTENT_LENGTH;
use http::{HeaderValue, Method};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The future of a router's response.
pub struct RouteFuture {
    state: State,
    head: bool,
    settings: Arc<Settings>,
    operation: Reached,
    #[cfg(feature = "tracing")]
    span: tracing::Span,
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
        method: &Method,
        future: BoxFuture<'static, Response>,
    ) -> Self {
        #[cfg(feature = "tracing")]
        let span = crate::ends::trace::request(method);
        #[cfg(feature = "tracing")]
        let future = Box::pin(tracing::Instrument::instrument(future, span.clone()));
        Self {
            state: State::Running(future),
            head: *method == Method::HEAD,
            settings,
            operation,
            #[cfg(feature = "tracing")]
            span,
        }
    }

    /// Returns a response that is already known.
    pub(super) fn ready(
        settings: Arc<Settings>,
        operation: Reached,
        method: &Method,
        response: Box<Response>,
    ) -> Self {
        Self {
            state: State::Ready(Some(response)),
            head: *method == Method::HEAD,
            settings,
            operation,
            #[cfg(feature = "tracing")]
            span: crate::ends::trace::request(method),
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
                        let _entered = self.span.enter();
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
        crate::ends::trace::answered(&self.span, response.status(), false);
        Poll::Ready(Ok(if self.head {
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
