//! Verification and deduplication of webhooks.

use super::router::BODY_LIMIT;
use super::{DedupState, DedupStore, EventKey, SignatureError, Verifier};
use crate::ends::server::{BODY_TIMEOUT, Body, BoxFuture, Rejection, Response, handle, problem};
use crate::message::payload::BodyError;
use bytes::Bytes;
use http::header::RETRY_AFTER;
use http::request::Parts;
use http::{HeaderName, HeaderValue, Request, StatusCode};
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

/// A `tower` service that wraps a router of webhooks. It passes on only verified webhooks, and with
/// a [`DedupStore`] it passes on each of them once.
///
/// | condition | status | retried by a sender with the usual rule |
/// |---|---|---|
/// | the signature is missing or wrong | 401 | no |
/// | the keys cannot be fetched | 503 | yes |
/// | the key is unknown, too soon after the keys were fetched | 503, with `Retry-After` | yes |
/// | the body is too large | 413 | no |
/// | the body is not received in time | 408 | yes |
/// | the body is incomplete | 400 | no: the connection is closed, which the sender notices |
/// | the same event is being handled | 503 | yes |
/// | the store is not available | 503 | yes |
/// | the handler panics | 500 | yes |
///
/// An event that was handled before gets 200, and is not handled again. An event whose handler
/// returned no success, or panicked, counts as not handled. With a store, the handler runs in a
/// task of its own, and to its end even if the sender closes the connection before it has received
/// the response.
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
    body_timeout: Option<Duration>,
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
    /// Wraps a service, with a verifier of its requests.
    pub fn new(service: S, verifier: impl Verifier + 'static) -> Self {
        Self {
            service,
            settings: Arc::new(Settings {
                verifier: Arc::new(verifier),
                seen: None,
                id: None,
                body_limit: BODY_LIMIT,
                body_timeout: BODY_TIMEOUT,
            }),
        }
    }

    /// Sets the store of received events. Two webhooks to one path with the same bytes are one
    /// event: a signature over the body alone has no timestamp, so this is the protection against
    /// replay. A message id that the signature covers, as those of Standard Webhooks and Svix do
    /// ([`Verifier::message_id`]), has to be the same, too.
    #[must_use]
    pub fn deduplicate(mut self, seen: impl DedupStore + 'static) -> Self {
        Arc::make_mut(&mut self.settings).seen = Some(Arc::new(seen));
        self
    }

    /// Identifies events by this header in addition, for senders whose header stays the same over
    /// retries: `Webhook-Id` with `bothends-delivery`. Two events with equal bytes are then
    /// distinct, and so are two bodies with the same id.
    ///
    /// Most signatures do not cover the header, so an attacker who has captured a webhook could have it
    /// handled again under another id. Use it only if the sender calls over TLS, or if the handlers
    /// are idempotent. A webhook that does not have the header exactly once is identified
    /// without it: by its bytes, and by the signed id if its signature covers one.
    #[must_use]
    pub fn message_id_header(mut self, header: HeaderName) -> Self {
        Arc::make_mut(&mut self.settings).id = Some(header);
        self
    }

    /// Sets the limit for bodies, in bytes. The default is 1 MiB.
    #[must_use]
    pub fn body_limit(mut self, limit: usize) -> Self {
        Arc::make_mut(&mut self.settings).body_limit = limit;
        self
    }

    /// Sets the limit for the time to receive a body: the given duration, and one second more for
    /// each 10 KiB that are received. The default is 60 s; `None` is no limit. A body that is not
    /// received in time gets 408.
    #[must_use]
    pub fn body_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        Arc::make_mut(&mut self.settings).body_timeout = limit.into();
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
        // The service that is ready is called; the clone is not ready yet.
        let next = self.service.clone();
        let mut service = std::mem::replace(&mut self.service, next);
        let settings = Arc::clone(&self.settings);
        let (parts, body) = request.into_parts();
        let body = Body::new(body);
        Box::pin(async move {
            let body = match settings.verify(&parts, body).await {
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
            // A task ends without a result only if the runtime shuts down.
            Ok(task.await.unwrap_or_else(|_| later("shutting down")))
        })
    }
}

/// Records whether the event was handled, once the response is there.
async fn finished(
    handled: impl Future<Output = Response>,
    seen: Arc<dyn DedupStore>,
    key: EventKey,
) -> Response {
    let response = handled.await;
    // If the store fails, the event may be delivered again. This is better than to report a handled
    // event as failed.
    let _ = seen.finish(&key, response.status().is_success()).await;
    response
}

impl Settings {
    fn key(&self, parts: &Parts, body: &[u8]) -> EventKey {
        let path = parts.uri.path();
        let mut ids = self.id.iter().flat_map(|name| parts.headers.get_all(name));
        match (ids.next(), ids.next()) {
            (Some(id), None) => EventKey::with_id(path, id.as_bytes(), body),
            _ => match self.verifier.message_id(&parts.headers) {
                Some(id) => EventKey::with_id(path, id, body),
                None => EventKey::new(path, body),
            },
        }
    }

    async fn verify(&self, parts: &Parts, body: Body) -> Result<Bytes, Response> {
        let body = body.received_within(self.body_timeout);
        let body = body.collect(self.body_limit).await.map_err(|error| {
            let status = Rejection::of_body(&error).kind().status();
            problem(status, None)
        })?;
        match self.verifier.verify(&parts.headers, &body).await {
            Ok(()) => Ok(body),
            // The error may contain internal addresses, so it is not sent.
            Err(SignatureError::NoKeys(_)) => Err(later("the keys are not available")),
            Err(SignatureError::KeyPending { retry_after, .. }) => {
                let mut response = later("the key is not known yet");
                // Whole seconds (RFC 9110, section 10.2.3), rounded up so that a retry is not too
                // early.
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

/// Returns the response to a webhook that may succeed later.
fn later(detail: &str) -> Response {
    problem(StatusCode::SERVICE_UNAVAILABLE, Some(detail))
}
