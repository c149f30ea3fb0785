//! What stands before a router of webhooks.

use super::router::BODY_LIMIT;
use super::{DedupState, DedupStore, EventKey, SignatureError, Verifier};
use crate::payload::{BodyError, CollectError};
use crate::server::{Body, BoxFuture, Response, problem};
use bytes::Bytes;
use http::header::RETRY_AFTER;
use http::request::Parts;
use http::{HeaderName, HeaderValue, Request, StatusCode};
use std::convert::Infallible;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service;

/// Stands before a router of webhooks: what is not verified does not come through, and with a
/// [`DedupStore`] nothing comes through twice.
///
/// | what is wrong | status | called again by a sender with the usual rule |
/// |---|---|---|
/// | no signature, or a wrong one | 401 | no |
/// | the keys cannot be got | 503 | yes |
/// | a key that is not known, too soon after the keys were got | 503, with `Retry-After` | yes |
/// | the body is too large | 413 | no |
/// | the body broke off | 400 | no: the connection is gone, which it notices itself |
/// | the same event is being handled | 503 | yes |
/// | the store cannot be asked | 503 | yes |
/// | the handler panics | 500 | yes |
///
/// An event that was handled before is answered 200 without being handled again. One whose handler
/// answered anything but a success, or panicked, counts as not handled. With a store, the handler runs
/// in a task of its own, and to its end even when the sender closes the connection before it has the
/// response.
///
/// Bodies of errors are `application/problem+json` (RFC 9457).
pub struct Receiver<S> {
    service: S,
    settings: Arc<Settings>,
}

#[derive(Clone)]
struct Settings {
    verifier: Arc<dyn Verifier>,
    seen: Option<Arc<dyn DedupStore>>,
    id: Option<HeaderName>,
    body_limit: usize,
}

impl<S: Clone> Clone for Receiver<S> {
    fn clone(&self) -> Self {
        Self {
            service: self.service.clone(),
            settings: Arc::clone(&self.settings),
        }
    }
}

impl<S> fmt::Debug for Receiver<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver")
            .field("body_limit", &self.settings.body_limit)
            .finish_non_exhaustive()
    }
}

impl<S> Receiver<S> {
    /// Before a service, with somebody who knows who may call it.
    pub fn new(service: S, verifier: impl Verifier + 'static) -> Self {
        Self {
            service,
            settings: Arc::new(Settings {
                verifier: Arc::new(verifier),
                seen: None,
                id: None,
                body_limit: BODY_LIMIT,
            }),
        }
    }

    /// With a store of what came before. Two webhooks to one path with the same bytes are one event:
    /// a body-only signature says nothing of when it was made, so this is what keeps an old webhook
    /// from being sent again by somebody else.
    #[must_use]
    pub fn deduplicate(mut self, seen: impl DedupStore + 'static) -> Self {
        Arc::make_mut(&mut self.settings).seen = Some(Arc::new(seen));
        self
    }

    /// Tells events by this header as well, where the sender has one that stays the same over its
    /// retries: `Webhook-Id` with `bothends-delivery`. Two events that happen to have the same bytes
    /// are two then; the same id with other bytes is another event, too.
    ///
    /// No signature covers the header, so who once got hold of a webhook could have it handled again
    /// under another id. Use it where they cannot: the sender calls over TLS, or handlers do no harm
    /// when they are called again. A webhook without the header, or with two, is told by its bytes.
    #[must_use]
    pub fn message_id_header(mut self, header: HeaderName) -> Self {
        Arc::make_mut(&mut self.settings).id = Some(header);
        self
    }

    /// With another limit for bodies, in bytes.
    #[must_use]
    pub fn body_limit(mut self, limit: usize) -> Self {
        Arc::make_mut(&mut self.settings).body_limit = limit;
        self
    }
}

impl<S, B> Service<Request<B>> for Receiver<S>
where
    S: Service<Request<Body>, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
    B: http_body::Body + Send + 'static,
    B::Error: Into<BodyError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // The one that is ready is the one to call.
        let next = self.service.clone();
        let mut service = std::mem::replace(&mut self.service, next);
        let settings = Arc::clone(&self.settings);
        let (parts, body) = request.into_parts();
        let body = Body::new(body);
        Box::pin(async move {
            let body = match settings.let_in(&parts, body).await {
                Ok(body) => body,
                Err(refused) => return Ok(refused),
            };
            let Some(seen) = settings.seen.clone() else {
                return service
                    .call(Request::from_parts(parts, Body::from(body)))
                    .await;
            };
            let key = settings.key(&parts, &body);
            match seen.begin(&key).await {
                Ok(DedupState::New) => {}
                Ok(DedupState::Processed) => return Ok(Response::default()),
                Ok(DedupState::InProgress) => return Ok(later("the event is being handled")),
                Err(_) => return Ok(later("the events of the past are not available")),
            }
            let handled = handle(service, Request::from_parts(parts, Body::from(body)));
            let task = tokio::spawn(finished(handled, seen, key));
            // A task ends without a result only when the runtime shuts down.
            Ok(task.await.unwrap_or_else(|_| later("shutting down")))
        })
    }
}

/// Calls the service; a panic is a response as well.
async fn handle<S>(mut service: S, request: Request<Body>) -> Response
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

/// Keeps whether the event was handled once the response is there.
async fn finished(
    handled: impl Future<Output = Response>,
    seen: Arc<dyn DedupStore>,
    key: EventKey,
) -> Response {
    let response = handled.await;
    // What cannot be kept leaves the event to come again, which it may: better than to
    // tell the sender that something handled was not.
    let _ = seen.finish(&key, response.status().is_success()).await;
    response
}

impl Settings {
    fn key(&self, parts: &Parts, body: &[u8]) -> EventKey {
        let path = parts.uri.path();
        let mut ids = self.id.iter().flat_map(|name| parts.headers.get_all(name));
        match (ids.next(), ids.next()) {
            (Some(id), None) => EventKey::with_id(path, id.as_bytes(), body),
            _ => EventKey::new(path, body),
        }
    }

    async fn let_in(&self, parts: &Parts, body: Body) -> Result<Bytes, Response> {
        let body = match body.collect(self.body_limit).await {
            Ok(body) => body,
            Err(CollectError::TooLarge { .. }) => {
                return Err(problem(StatusCode::PAYLOAD_TOO_LARGE, None));
            }
            Err(CollectError::Broken(_)) => return Err(problem(StatusCode::BAD_REQUEST, None)),
        };
        match self.verifier.verify(&parts.headers, &body).await {
            Ok(()) => Ok(body),
            // Why keys are not available may hold addresses of ours.
            Err(SignatureError::NoKeys(_)) => Err(later("the keys are not available")),
            Err(SignatureError::KeyPending { retry_after, .. }) => {
                let mut response = later("the key is not known yet");
                // Whole seconds (RFC 9110, section 10.2.3), so that it is not too early by a part.
                let seconds = retry_after.as_millis().div_ceil(1000).max(1);
                if let Ok(seconds) = HeaderValue::try_from(seconds.to_string()) {
                    response.headers_mut().insert(RETRY_AFTER, seconds);
                }
                Err(response)
            }
            Err(error) => {
                let detail = error.to_string();
                Err(problem(StatusCode::UNAUTHORIZED, Some(&detail)))
            }
        }
    }
}

/// The response to a webhook that may succeed later.
fn later(detail: &str) -> Response {
    problem(StatusCode::SERVICE_UNAVAILABLE, Some(detail))
}
