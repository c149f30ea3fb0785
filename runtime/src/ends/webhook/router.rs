//! Routing of requests to kinds of webhooks.

use super::call::{Hook, Received};
use super::{Kind, Selector, UnhandledReason, UnhandledWebhook, WebhookCall};
use crate::ends::server::{
    Body, BodyError, Failure, OnFailure, ReachedLater, Rejection, RejectionBodies, RejectionKind,
    Response, RouteFuture, Seen, Settings,
};
use crate::ends::tasks::TaskInbox;
use crate::message::media::Reading;
use crate::message::payload::coding;
use crate::message::wire::header;
use crate::message::wire::percent::decode;
use bytes::Bytes;
use http::header::ALLOW;
use http::request::Parts;
use http::{HeaderValue, Request, StatusCode};
use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

/// The default limit for the body of a webhook, in bytes.
pub(super) const BODY_LIMIT: usize = 1 << 20;

/// A `tower` service that receives webhooks and calls a handler.
///
/// Generated code creates one as `webhooks::router(handler)`. By default each kind has a path of
/// its own, its name: `POST /invoicePaid`. [`prefix`](Self::prefix) puts all of them below a path,
/// [`path`](Self::path) gives one kind another path, and [`dispatch`](Self::dispatch) receives all
/// kinds at one path.
///
/// | request | status |
/// |---|---|
/// | handled | that of the handler's response |
/// | unknown path or kind, or a kind without a handler | 404, or that of the [hook](Self::unhandled) |
/// | payload that cannot be decoded | 400, or that of the hook |
/// | media type that is not documented | 415, or that of the hook |
/// | another method than the kind's | 405 |
/// | several lines of `Content-Type`, `Authorization` or `Host` | 400 |
/// | body above the [limit](Self::body_limit) | 413 |
/// | body not received [in time](Self::body_timeout) | 408 |
/// | handler fails or panics | 500 |
///
/// Bodies of errors are `application/problem+json` (RFC 9457), never the error bodies of the API.
///
/// A router does not verify signatures: wrap it in a [`Receiver`](super::Receiver) (feature
/// `receiver`).
pub struct WebhookRouter<H: 'static, K: 'static> {
    handler: Arc<H>,
    kinds: &'static [Kind<H, K>],
    settings: Arc<Settings>,
    places: Arc<Places<K>>,
    hook: Option<Hook<K>>,
    inbox: Option<TaskInbox>,
}

/// The paths at which webhooks are received.
#[derive(Debug, Clone)]
struct Places<K> {
    prefix: String,
    /// Kinds with a path of their own, in the order of the calls.
    paths: Vec<(K, String)>,
    /// The path that receives all kinds.
    shared: Option<(String, Selector<K>)>,
}

/// The result of routing a request.
enum Found<H: 'static, K: 'static> {
    Kind(&'static Kind<H, K>),
    /// The path receives a kind with other methods, which are listed.
    OtherMethod(String),
    Unknown,
}

impl<H, K> WebhookRouter<H, K> {
    /// Creates a router for a handler; generated code calls this.
    pub fn new(handler: H, kinds: &'static [Kind<H, K>]) -> Self {
        Self {
            handler: Arc::new(handler),
            kinds,
            settings: Arc::new(Settings::new(&RejectionBodies::DEFAULT, BODY_LIMIT)),
            places: Arc::new(Places {
                prefix: String::new(),
                paths: Vec::new(),
                shared: None,
            }),
            hook: None,
            inbox: None,
        }
    }

    /// Puts the webhooks that report the end of a task into an inbox, from which
    /// [`Task::webhooks`](crate::client::Task::webhooks) learns of the end. Such a webhook without a
    /// handler and without a [hook](Self::unhandled) gets 200.
    #[must_use]
    pub fn inbox(mut self, inbox: &TaskInbox) -> Self {
        self.inbox = Some(inbox.clone());
        self
    }

    /// Sets the limit for the bodies of webhooks, in bytes. The default is 1 MiB; a larger body
    /// gets 413.
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

    /// Sets a hook for webhooks without a handler. The hook receives their bytes as received, and
    /// returns the status of the response.
    ///
    /// These are unknown kinds, kinds whose handler method is not implemented, and payloads that
    /// cannot be decoded. Without a hook they get 404, 404 and 400, on which most senders do not
    /// retry: store the bytes in a hook if an event must not be lost.
    ///
    /// ```ignore
    /// let router = webhooks::router(Handler).unhandled(|webhook| async move {
    ///     eprintln!("{:?}: {:?}", webhook.reason, webhook.body);
    ///     StatusCode::OK
    /// });
    /// ```
    #[must_use]
    pub fn unhandled<F, Fut>(mut self, hook: F) -> Self
    where
        F: Fn(UnhandledWebhook<K>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = StatusCode> + Send + 'static,
    {
        self.hook = Some(Arc::new(move |webhook| Box::pin(hook(webhook))));
        self
    }
}

impl<H, K> WebhookRouter<H, K> {
    /// Sets a hook for failures of handlers: an
    /// [`Error::internal`](crate::server::Error::internal), or a panic. The sender receives a 500
    /// without the cause. With the feature `tracing`, each failure is an event of the level error,
    /// too.
    #[must_use]
    pub fn on_failure(mut self, hook: impl Fn(&Failure<'_>) + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.settings).on_failure = OnFailure::new(hook);
        self
    }
}

impl<H, K: Copy + PartialEq> WebhookRouter<H, K> {
    /// Puts every path of this router below `prefix`, such as `/hooks`.
    #[must_use]
    pub fn prefix(mut self, prefix: &str) -> Self {
        Arc::make_mut(&mut self.places).prefix = prefix.to_owned();
        self
    }

    /// Receives `kind` at `path` instead of at its name. A segment in braces matches any text:
    /// `/callbacks/{id}`; the handler finds the path in its context.
    #[must_use]
    pub fn path(mut self, kind: K, path: &str) -> Self {
        let places = Arc::make_mut(&mut self.places);
        places.paths.retain(|(known, _)| *known != kind);
        places.paths.push((kind, path.to_owned()));
        self
    }

    /// Receives all kinds at `path`, and determines the kind of a request by `selector`. Kinds that
    /// have a [path](Self::path) of their own are received there as well; no kind is received at
    /// its name any more.
    #[must_use]
    pub fn dispatch(mut self, path: &str, selector: Selector<K>) -> Self {
        Arc::make_mut(&mut self.places).shared = Some((path.to_owned(), selector));
        self
    }
}

impl<H, K: Copy + PartialEq + fmt::Display> WebhookRouter<H, K> {
    fn find(&self, parts: &Parts, body: &[u8]) -> Found<H, K> {
        let Some(steps) = segments(parts.uri.path()) else {
            return Found::Unknown;
        };
        let places = &*self.places;
        let fits = |path: &str| fits(&steps, &places.prefix, path);
        let kind_of = |kind: K| self.kinds.iter().find(|row| row.kind == kind);
        let own = places.paths.iter().filter(|(_, path)| fits(path));
        let mut found: Vec<_> = own.filter_map(|(kind, _)| kind_of(*kind)).collect();
        match &places.shared {
            Some((path, selector)) if found.is_empty() && fits(path) => {
                let kind = selector.kind(self.kinds, &parts.headers, body);
                found.extend(kind.and_then(kind_of));
            }
            Some(_) => {}
            None => {
                let moved = |kind: K| places.paths.iter().any(|(known, _)| *known == kind);
                let named = self.kinds.iter();
                found.extend(named.filter(|row| !moved(row.kind) && fits(row.path)));
            }
        }
        let method = parts.method.as_str();
        match found.iter().find(|row| row.method == method) {
            Some(row) => Found::Kind(row),
            None if found.is_empty() => Found::Unknown,
            None => {
                let methods: Vec<&str> = found.iter().map(|row| row.method).collect();
                Found::OtherMethod(methods.join(", "))
            }
        }
    }
}

impl<H, K> WebhookRouter<H, K>
where
    H: Send + Sync + 'static,
    K: Copy + PartialEq + fmt::Display + Send + Sync + 'static,
{
    async fn receive(self, parts: Box<Parts>, body: Body, operation: ReachedLater) -> Response {
        let body = match read(&parts, body, &self.settings).await {
            Ok(body) => body,
            Err(rejection) => return self.settings.rejection(&rejection),
        };
        if let Some(name) = header::repeated(&parts.headers, std::iter::empty()) {
            return self.settings.rejection(&Rejection::repeated_header(name));
        }
        match self.find(&parts, &body) {
            Found::Kind(row) => {
                let is_taken = self.reports(row.kind, &body);
                let call = WebhookCall {
                    handler: self.handler,
                    settings: self.settings,
                    operation,
                    hook: self.hook,
                    kind: row.kind,
                    is_taken,
                    parts,
                    body,
                };
                (row.run)(call).await
            }
            Found::OtherMethod(allow) => {
                let rejection = Rejection::new(RejectionKind::MethodNotAllowed);
                self.settings
                    .rejection(&match HeaderValue::try_from(allow) {
                        Ok(allow) => rejection.header(ALLOW, allow),
                        Err(_) => rejection,
                    })
            }
            Found::Unknown => {
                let received = Received {
                    hook: self.hook.map(|hook| (hook, parts)),
                    kind: None,
                    is_taken: false,
                    body,
                };
                let reason = UnhandledReason::UnknownKind;
                received.unhandled(&self.settings, reason).await
            }
        }
    }
}

impl<H, K: fmt::Display> WebhookRouter<H, K> {
    /// Returns whether the inbox has taken a webhook.
    fn reports(&self, kind: K, body: &Bytes) -> bool {
        (self.inbox.as_ref()).is_some_and(|inbox| inbox.receive(&kind.to_string(), body))
    }
}

/// Returns the whole body, without its content coding.
async fn read(parts: &Parts, body: Body, settings: &Settings) -> Result<Bytes, Rejection> {
    let body = body.received_within(settings.body_timeout);
    let body = match coding::is_wrapped(&parts.headers) {
        Ok(true) => coding::unwrapped(body, false, Reading::Strict),
        Ok(false) => body,
        Err(coding::UnknownCoding) => {
            return Err(Rejection::new(RejectionKind::UnsupportedMediaType));
        }
    };
    let collected = body.collect(settings.body_limit).await;
    collected.map_err(|error| Rejection::of_body(&error))
}

/// Returns the percent-decoded segments of a path; `None` if the encoding is invalid.
fn segments(path: &str) -> Option<Vec<Cow<'_, str>>> {
    let steps = path.strip_prefix('/').unwrap_or(path).split('/');
    steps.map(|step| decode(step, false).ok()).collect()
}

/// Returns whether a path matches: the prefix, and then the template.
fn fits(steps: &[Cow<'_, str>], prefix: &str, template: &str) -> bool {
    let parts = [prefix, template].map(|part| part.trim_matches('/'));
    if parts == ["", ""] {
        // The root is one empty segment.
        return steps == [""];
    }
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    let mut wanted = parts.flat_map(|part| part.split('/'));
    let mut steps = steps.iter();
    loop {
        match (steps.next(), wanted.next()) {
            (None, None) => return true,
            (Some(step), Some(wanted)) if step == wanted => {}
            (Some(step), Some(wanted))
                if wanted.starts_with('{') && wanted.ends_with('}') && !step.is_empty() => {}
            _ => return false,
        }
    }
}

impl<H, K> Clone for WebhookRouter<H, K> {
    fn clone(&self) -> Self {
        Self {
            handler: Arc::clone(&self.handler),
            kinds: self.kinds,
            settings: Arc::clone(&self.settings),
            places: Arc::clone(&self.places),
            hook: self.hook.clone(),
            inbox: self.inbox.clone(),
        }
    }
}

impl<H, K: fmt::Debug> fmt::Debug for WebhookRouter<H, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookRouter")
            .field("places", &self.places)
            .finish_non_exhaustive()
    }
}

impl<H, K, B> Service<Request<B>> for WebhookRouter<H, K>
where
    H: Send + Sync + 'static,
    K: Copy + PartialEq + fmt::Display + Send + Sync + 'static,
    B: http_body::Body + Send + 'static,
    B::Error: Into<BodyError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = RouteFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> RouteFuture {
        let (parts, body) = request.into_parts();
        let settings = Arc::clone(&self.settings);
        let seen = Seen::new(&parts);
        let operation = ReachedLater::default();
        let received = self.clone();
        let received = received.receive(Box::new(parts), Body::new(body), Arc::clone(&operation));
        RouteFuture::running_unknown(settings, operation, seen, Box::pin(received))
    }
}

impl Settings {
    /// Returns the response to a webhook without a handler if no hook is set.
    pub(super) fn unhandled(&self, reason: UnhandledReason) -> Response {
        let rejection = match reason {
            UnhandledReason::UnknownKind | UnhandledReason::NoHandler => Rejection::not_found(),
            UnhandledReason::Invalid(fields) => Rejection::validation(fields),
            UnhandledReason::UnsupportedMediaType => {
                Rejection::new(RejectionKind::UnsupportedMediaType)
            }
        };
        self.rejection(&rejection)
    }
}
