//! Idempotency keys: a request that is repeated with the same key is handled once
//! (draft-ietf-httpapi-idempotency-key-header).

mod store;

pub use store::{
    IdempotencyKey, IdempotencyState, IdempotencyStore, MemoryIdempotencyStore, StoredResponse,
};

use super::{BODY_TIMEOUT, Body, BodyError, BoxFuture, Rejection, Response, handle, problem};
use http::header::{CONNECTION, DATE, RETRY_AFTER, TRANSFER_ENCODING};
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Request, StatusCode};
use http_body::Body as _;
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tower_layer::Layer;
use tower_service::Service;

/// Default limit for the bodies of requests and of stored responses, in bytes.
const LIMIT: usize = 1 << 20;
/// The longest key, in bytes.
const LONGEST: usize = 255;
/// Headers that belong to a connection or to the time of a response.
const UNSTORED: [HeaderName; 3] = [CONNECTION, DATE, TRANSFER_ENCODING];

/// A `tower` service around a router that handles requests with the same `Idempotency-Key` once
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// The response to the first request is stored, and sent again for each further request with the
/// same key, from the same caller, to the same path, with the same body.
///
/// | condition | status |
/// |---|---|
/// | the first request is being handled | 409, with `Retry-After` |
/// | the request differs from the first one with this key | 422 |
/// | the key is empty, longer than 255 bytes, or repeated | 400 |
/// | the body is too large, not received in time, or incomplete | 413, 408, 400 |
/// | the store is not available | 503 |
///
/// Bodies of these responses are `application/problem+json` (RFC 9457). Requests without a key are
/// passed on; the router rejects them (400) where the document requires the header. So are requests
/// with a safe method, and those without a caller.
///
/// The first request is handled in a task of its own, and to its end even if the client closes the
/// connection. A response that asks for a retry (408, 425, 429, 5xx), or that rejects the
/// credentials (401, 403), is not stored, and neither is the response of a handler that panics: the
/// next request with the key is handled. A streamed response is not stored, nor one that is larger
/// than the limit: a further request then gets 409, and is not handled.
///
/// ```
/// use bothends_runtime::http::header::AUTHORIZATION;
/// use bothends_runtime::server::{Idempotent, MemoryIdempotencyStore};
/// use std::time::Duration;
///
/// # fn with<S>(router: S) -> Idempotent<S> {
/// let store = MemoryIdempotencyStore::new(10_000, Duration::from_secs(24 * 60 * 60));
/// Idempotent::new(router, store, |request| {
///     let caller = request.headers.get(AUTHORIZATION)?;
///     Some(caller.as_bytes().to_vec())
/// })
/// # }
/// ```
///
/// Without a service ([`Idempotent::layer`]), it is a [`tower_layer::Layer`].
pub struct Idempotent<S> {
    service: S,
    settings: Arc<Settings>,
}

impl Idempotent<()> {
    /// Creates a layer, for a stack of layers such as that of `tower::ServiceBuilder`. `store` and
    /// `caller` are those of [`new`](Self::new); all services that the layer wraps share the store.
    ///
    /// ```
    /// use bothends_runtime::server::{Idempotent, MemoryIdempotencyStore};
    /// use std::time::Duration;
    /// use tower_layer::Layer;
    ///
    /// # fn with<S>(router: S) -> Idempotent<S> {
    /// let store = MemoryIdempotencyStore::new(10_000, Duration::from_secs(24 * 60 * 60));
    /// let layer = Idempotent::layer(store, |_| Some(Vec::new())).body_limit(64 << 10);
    /// Layer::layer(&layer, router)
    /// # }
    /// ```
    pub fn layer(
        store: impl IdempotencyStore + 'static,
        caller: impl Fn(&Parts) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        Self::new((), store, caller)
    }
}

impl<S> Layer<S> for Idempotent<()> {
    type Service = Idempotent<S>;

    fn layer(&self, service: S) -> Idempotent<S> {
        Idempotent {
            service,
            settings: Arc::clone(&self.settings),
        }
    }
}

/// Returns who sends a request.
type Caller = dyn Fn(&Parts) -> Option<Vec<u8>> + Send + Sync;

#[derive(Clone)]
struct Settings {
    store: Arc<dyn IdempotencyStore>,
    caller: Arc<Caller>,
    header: HeaderName,
    body_limit: usize,
    response_limit: usize,
    body_timeout: Option<Duration>,
}

impl<S: Clone> Clone for Idempotent<S> {
    fn clone(&self) -> Self {
        Self {
            service: self.service.clone(),
            settings: Arc::clone(&self.settings),
        }
    }
}

impl<S> fmt::Debug for Idempotent<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Idempotent")
            .field("header", &self.settings.header)
            .field("body_limit", &self.settings.body_limit)
            .field("response_limit", &self.settings.response_limit)
            .finish_non_exhaustive()
    }
}

impl<S> Idempotent<S> {
    /// Wraps a service.
    ///
    /// `caller` returns who sends a request: a stored response is sent to the same caller only. It
    /// should be the same for all credentials of a customer, because a token may be refreshed between
    /// two attempts. Requests for which it returns `None` are passed on, so that the router rejects
    /// them; for an API without credentials, return an empty list.
    pub fn new(
        service: S,
        store: impl IdempotencyStore + 'static,
        caller: impl Fn(&Parts) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        Self {
            service,
            settings: Arc::new(Settings {
                store: Arc::new(store),
                caller: Arc::new(caller),
                header: HeaderName::from_static("idempotency-key"),
                body_limit: LIMIT,
                response_limit: LIMIT,
                body_timeout: BODY_TIMEOUT,
            }),
        }
    }

    /// Sets the header of the key. The default is `Idempotency-Key`.
    #[must_use]
    pub fn header(mut self, header: HeaderName) -> Self {
        Arc::make_mut(&mut self.settings).header = header;
        self
    }

    /// Sets the limit for the bodies of requests with a key, in bytes. The default is 1 MiB. Set the
    /// limit of the router, too, if it is smaller.
    #[must_use]
    pub fn body_limit(mut self, limit: usize) -> Self {
        Arc::make_mut(&mut self.settings).body_limit = limit;
        self
    }

    /// Sets the limit for the bodies of stored responses, in bytes. The default is 1 MiB.
    #[must_use]
    pub fn response_limit(mut self, limit: usize) -> Self {
        Arc::make_mut(&mut self.settings).response_limit = limit;
        self
    }

    /// Sets the limit for the time to receive a body: the given duration, and one second more for
    /// each 10 KiB that are received. The default is 60 s; `None` is no limit.
    #[must_use]
    pub fn body_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        Arc::make_mut(&mut self.settings).body_timeout = limit.into();
        self
    }
}

impl<S, B> Service<Request<B>> for Idempotent<S>
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
            let key = match settings.key(&parts) {
                Ok(Some(key)) => key,
                Ok(None) => return service.call(Request::from_parts(parts, body)).await,
                Err(detail) => return Ok(problem(StatusCode::BAD_REQUEST, Some(detail))),
            };
            let (request, fingerprint) = match settings.received(parts, body).await {
                Ok(received) => received,
                Err(rejected) => return Ok(rejected),
            };
            let task = match settings.store.begin(&key, &fingerprint).await {
                Ok(IdempotencyState::New) => {
                    tokio::spawn(settings.handled(key, handle(service, request)))
                }
                Ok(IdempotencyState::Completed(stored)) => return Ok(stored.into()),
                Ok(IdempotencyState::InProgress) => return Ok(in_progress()),
                Ok(IdempotencyState::Mismatch) => {
                    let detail = "the key was used for another request";
                    return Ok(problem(StatusCode::UNPROCESSABLE_ENTITY, Some(detail)));
                }
                Err(_) => return Ok(unavailable("the stored responses are not available")),
            };
            // A task ends without a result only if the runtime shuts down.
            Ok(task.await.unwrap_or_else(|_| unavailable("shutting down")))
        })
    }
}

impl Settings {
    /// Returns the key of a request; `None` if the request is passed on.
    fn key(&self, parts: &Parts) -> Result<Option<IdempotencyKey>, &'static str> {
        let mut keys = parts.headers.get_all(&self.header).iter();
        let Some(key) = keys.next().filter(|_| !is_safe(&parts.method)) else {
            return Ok(None);
        };
        if keys.next().is_some() {
            return Err("the idempotency key is repeated");
        }
        // The draft has a string in quotes, and most clients send the text alone.
        let key = key.as_bytes();
        let quoted = key
            .strip_prefix(b"\"")
            .and_then(|key| key.strip_suffix(b"\""));
        let key = quoted.unwrap_or(key);
        match key.len() {
            0 => Err("the idempotency key is empty"),
            1..=LONGEST => {
                let caller = (self.caller)(parts);
                Ok(caller.map(|caller| IdempotencyKey::of(&[&caller, key])))
            }
            _ => Err("the idempotency key is longer than 255 bytes"),
        }
    }

    /// Receives the body, and returns the request with its fingerprint.
    async fn received(
        &self,
        parts: Parts,
        body: Body,
    ) -> Result<(Request<Body>, IdempotencyKey), Response> {
        let body = body.received_within(self.body_timeout);
        let body = body.collect(self.body_limit).await.map_err(|error| {
            let status = Rejection::of_body(&error).kind().status();
            problem(status, None)
        })?;
        let target = parts
            .uri
            .path_and_query()
            .map_or("", |target| target.as_str());
        let media = parts.headers.get(http::header::CONTENT_TYPE);
        let media = media.map_or(&b""[..], HeaderValue::as_bytes);
        let method = parts.method.as_str().as_bytes();
        let fingerprint = IdempotencyKey::of(&[method, target.as_bytes(), media, &body]);
        Ok((Request::from_parts(parts, Body::from(body)), fingerprint))
    }

    /// Handles the first request with a key, and stores its response.
    async fn handled(
        self: Arc<Self>,
        key: IdempotencyKey,
        handled: impl Future<Output = Response>,
    ) -> Response {
        let response = handled.await;
        let (response, stored) = if is_stored(response.status()) {
            self.stored(response).await
        } else {
            (response, None)
        };
        // If the store fails, the reservation expires. A handled request is not reported as failed.
        let _ = self.store.finish(&key, stored).await;
        response
    }

    /// Returns a response, and what is stored of it.
    async fn stored(&self, response: Response) -> (Response, Option<StoredResponse>) {
        let (mut parts, body) = response.into_parts();
        let length = body.size_hint().exact();
        let is_small = length.and_then(|length| usize::try_from(length).ok());
        if is_small.is_none_or(|length| length > self.response_limit) {
            let detail = "the request was handled, and its response was not stored";
            let (instead, detail) = problem(StatusCode::CONFLICT, Some(detail)).into_parts();
            let detail = detail.into_bytes().unwrap_or_default();
            let stored = StoredResponse::new(instead.status, instead.headers, detail);
            return (Response::from_parts(parts, body), Some(stored));
        }
        match body.collect(self.response_limit).await {
            Ok(body) => {
                UNSTORED
                    .iter()
                    .for_each(|name| drop(parts.headers.remove(name)));
                let stored = StoredResponse::new(parts.status, parts.headers.clone(), body.clone());
                (Response::from_parts(parts, Body::from(body)), Some(stored))
            }
            Err(_) => (problem(StatusCode::INTERNAL_SERVER_ERROR, None), None),
        }
    }
}

/// Returns whether a method has no effects that could be repeated.
fn is_safe(method: &Method) -> bool {
    method.is_safe() || method.as_str() == "QUERY"
}

/// Returns whether the response is the result of the request: a retry would get the same.
fn is_stored(status: StatusCode) -> bool {
    !status.is_server_error() && !matches!(status.as_u16(), 401 | 403 | 408 | 425 | 429)
}

/// Returns the response while the first request is being handled.
fn in_progress() -> Response {
    let detail = "a request with this key is being handled";
    let mut response = problem(StatusCode::CONFLICT, Some(detail));
    let second = HeaderValue::from_static("1");
    response.headers_mut().insert(RETRY_AFTER, second);
    response
}

fn unavailable(detail: &str) -> Response {
    problem(StatusCode::SERVICE_UNAVAILABLE, Some(detail))
}
