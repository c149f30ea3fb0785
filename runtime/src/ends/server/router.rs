//! Routing of requests to operations.

use super::auth::{Admission, Policy};
use super::failure::{Failure, HandlerPanic, OnFailure};
use super::guard::{Authenticate, Guard};
use super::methods::Methods;
use super::{
    Authenticator, Body, BodyError, BoxFuture, Call, Rejection, RejectionBodies, RejectionKind,
    Response,
};
use crate::message::OperationMeta;
use crate::message::wire::percent::decode;
use crate::values::FieldError;
use http::header::{ALLOW, CONTENT_LENGTH};
use http::{HeaderValue, Method, Request, StatusCode};
use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use tower_service::Service;

/// Default limit for the body of a request, in bytes.
const BODY_LIMIT: usize = 2 << 20;

/// A function that finds the operations of a path by its segments.
pub type Find<A> = fn(&[&str]) -> Option<Methods<A>>;

/// A `tower` service that routes requests to the methods of `A`.
///
/// Mount it in axum with `axum::Router::fallback_service` or `nest_service`.
pub struct Router<A: 'static> {
    api: Arc<A>,
    find: Find<A>,
    settings: Arc<Settings>,
}

/// The settings that all operations share.
#[derive(Clone)]
pub(crate) struct Settings {
    rejection_bodies: &'static RejectionBodies,
    on_rejection: Option<Arc<OnRejection>>,
    pub(crate) body_limit: usize,
    pub(super) admission: Admission,
    pub(crate) on_failure: OnFailure,
    base_path: String,
    pub(super) keep_encoded_commas: bool,
    /// Whether `Accept` is ignored.
    pub(super) ignore_accept: bool,
    #[cfg(feature = "gzip")]
    pub(super) compressed: bool,
}

/// The operation that a request has reached, for the report of a failure.
pub(crate) type Reached = Arc<OnceLock<&'static OperationMeta>>;

type OnRejection = dyn Fn(&Rejection) -> Option<Response> + Send + Sync;

impl Settings {
    /// Creates the default settings, with the responses to rejections and the body limit.
    pub(crate) fn new(rejection_bodies: &'static RejectionBodies, body_limit: usize) -> Self {
        Self {
            rejection_bodies,
            on_rejection: None,
            body_limit,
            admission: Admission {
                policy: Policy::Closed,
                schemes: &[],
            },
            on_failure: OnFailure::default(),
            base_path: String::new(),
            keep_encoded_commas: false,
            ignore_accept: false,
            #[cfg(feature = "gzip")]
            compressed: false,
        }
    }

    /// Returns the response for a handler that has panicked.
    fn panicked(&self, operation: &Reached, panic: &HandlerPanic) -> Response {
        if let Some(operation) = operation.get() {
            self.on_failure.report(operation, Some(panic));
        }
        let (rejection, meta) = (Rejection::internal(), operation.get().copied());
        // A custom hook for rejections may panic as well.
        catch_unwind(AssertUnwindSafe(|| self.rejection_of(&rejection, meta)))
            .unwrap_or_else(|_| self.rejection_bodies.response(&rejection, meta))
    }

    /// Returns the response to a rejection without an operation: see [`Self::rejection_of`].
    pub(crate) fn rejection(&self, rejection: &Rejection) -> Response {
        self.rejection_of(rejection, None)
    }

    /// Returns the response to a rejection: that of the hook, the documented one, or that of RFC
    /// 9457.
    pub(super) fn rejection_of(
        &self,
        rejection: &Rejection,
        operation: Option<&'static OperationMeta>,
    ) -> Response {
        match self.on_rejection.as_ref().and_then(|own| own(rejection)) {
            Some(mut response) => {
                rejection.add_headers(&mut response);
                response
            }
            None => self.rejection_bodies.response(rejection, operation),
        }
    }
}

impl<A> Router<A> {
    /// Creates a router for an API; generated code calls this.
    pub fn new(api: A, find: Find<A>, rejection_bodies: &'static RejectionBodies) -> Self {
        Self {
            api: Arc::new(api),
            find,
            settings: Arc::new(Settings::new(rejection_bodies, BODY_LIMIT)),
        }
    }

    /// Sets the limit for request bodies, in bytes. A larger body is rejected with 413.
    #[must_use]
    pub fn body_limit(mut self, limit: usize) -> Self {
        Arc::make_mut(&mut self.settings).body_limit = limit;
        self
    }

    /// Compresses responses with gzip for callers that accept it, if the body is buffered and at
    /// least 1 KiB long.
    ///
    /// Do not compress responses that contain a secret next to text that a caller controls: the
    /// compressed length reveals information about the secret.
    #[cfg(feature = "gzip")]
    #[must_use]
    pub fn gzip_responses(mut self) -> Self {
        Arc::make_mut(&mut self.settings).compressed = true;
        self
    }

    /// Keeps an encoded comma (`%2C`) inside the item of a list, for lists of texts whose items may
    /// contain commas.
    ///
    /// The items of a list in one value (`explode: false`) are separated by commas, and RFC 6570
    /// encodes the commas inside of items. Many HTTP libraries encode both: by default
    /// `fields=id%2Cname` is decoded as two items, unless the value has another comma
    /// (`fields=a%2Cb,c`), or the type of the items accepts the whole and not the parts. With this
    /// setting it is one item if the items are texts.
    #[must_use]
    pub fn keep_encoded_commas(mut self) -> Self {
        Arc::make_mut(&mut self.settings).keep_encoded_commas = true;
        self
    }

    /// Ignores the header `Accept`: the handler is called and its response is sent, whatever the
    /// caller accepts.
    ///
    /// By default, a `GET` or `HEAD` whose `Accept` excludes every documented media type of the
    /// operation's successes is rejected with 406 before its handler is called. Media types with
    /// the same structured syntax suffix are treated as equal (RFC 6839), so
    /// `application/vnd.github.v3+json` accepts `application/json`. Requests with other methods,
    /// and error responses, are never rejected for their media type.
    #[must_use]
    pub fn ignore_accept(mut self) -> Self {
        Arc::make_mut(&mut self.settings).ignore_accept = true;
        self
    }

    /// Sets the path below which the operations are served, such as `/v1`.
    #[must_use]
    pub fn base_path(mut self, path: &str) -> Self {
        let path = path.trim_matches('/');
        let path = if path.is_empty() {
            String::new()
        } else {
            format!("/{path}")
        };
        Arc::make_mut(&mut self.settings).base_path = path;
        self
    }

    /// Sets a hook that returns custom responses to rejections: an unknown path or method, a caller
    /// who is not authenticated, an invalid request, a failed handler. If the hook returns `None`,
    /// the documented response is sent, or `application/problem+json` (RFC 9457) if no response is documented.
    ///
    /// Headers that belong to the rejection (`Allow`, `WWW-Authenticate`, `Accept`) are added if
    /// the response does not have them.
    ///
    /// ```
    /// use bothends_runtime::http::header::{CONTENT_TYPE, HeaderValue};
    /// use bothends_runtime::server::{Body, Rejection, Response, Router};
    ///
    /// fn render(rejection: &Rejection) -> Option<Response> {
    ///     let status = rejection.kind().status();
    ///     let body = serde_json::json!({ "code": status.as_u16(), "fields": rejection.fields().len() });
    ///     let mut response = Response::new(Body::from(body.to_string()));
    ///     *response.status_mut() = status;
    ///     let json = HeaderValue::from_static("application/json");
    ///     response.headers_mut().insert(CONTENT_TYPE, json);
    ///     Some(response)
    /// }
    /// # fn with<A>(router: Router<A>) -> Router<A> {
    /// router.on_rejection(render)
    /// # }
    /// ```
    #[must_use]
    pub fn on_rejection(
        mut self,
        hook: impl Fn(&Rejection) -> Option<Response> + Send + Sync + 'static,
    ) -> Self {
        Arc::make_mut(&mut self.settings).on_rejection = Some(Arc::new(hook));
        self
    }

    /// Sets a hook for failures of the server: an [`Error::internal`](super::Error::internal) of a
    /// handler or an authenticator, a panic, or a response that cannot be encoded. The caller
    /// receives the API's 500 without the cause. With the feature `tracing`, each failure is an
    /// event of the level error, too.
    ///
    /// ```
    /// # use bothends_runtime::server::Router;
    /// # fn with<A>(router: Router<A>) -> Router<A> {
    /// router.on_failure(|failure| eprintln!("{failure}"))
    /// # }
    /// ```
    #[must_use]
    pub fn on_failure(mut self, hook: impl Fn(&Failure<'_>) + Send + Sync + 'static) -> Self {
        Arc::make_mut(&mut self.settings).on_failure = OnFailure::new(hook);
        self
    }

    /// Sets the authenticator.
    ///
    /// Until an authenticator is set, or [`Router::allow_unauthenticated`] is called, operations
    /// that require credentials return 401. Operations without `security`, and those with an empty
    /// alternative (`{}`), are open.
    #[must_use]
    pub fn authenticate(mut self, authenticator: impl Authenticator + 'static) -> Self {
        let policy = Policy::By(Arc::new(authenticator));
        Arc::make_mut(&mut self.settings).admission.policy = policy;
        self
    }

    /// Sets an [`Authenticate`] implementation, which authenticates callers by the security schemes
    /// of the document. It is called for the operations that require credentials.
    #[must_use]
    pub fn guard(self, users: impl Authenticate) -> Self {
        let forbidden = self.settings.rejection_bodies.forbidden;
        self.authenticate(Guard { users, forbidden })
    }

    /// Allows every caller to call every operation, whatever credentials the document requires. Use
    /// this behind a gateway that authenticates, or in tests.
    #[must_use]
    pub fn allow_unauthenticated(mut self) -> Self {
        Arc::make_mut(&mut self.settings).admission.policy = Policy::Open;
        self
    }

    /// Sets the security schemes of the document, for the challenges of a 401; generated code calls
    /// this.
    #[must_use]
    pub fn schemes(
        mut self,
        schemes: &'static [(&'static str, &'static str, &'static str)],
    ) -> Self {
        Arc::make_mut(&mut self.settings).admission.schemes = schemes;
        self
    }

    fn route(
        &self,
        request: Request<Body>,
        operation: &Reached,
    ) -> Result<BoxFuture<'static, Response>, Box<Response>> {
        let not_found = || Box::new(self.settings.rejection(&Rejection::not_found()));
        let (parts, body) = request.into_parts();
        let full = parts.uri.path();
        let path = match full.strip_prefix(self.settings.base_path.as_str()) {
            Some("") => "/",
            Some(path) if path.starts_with('/') => path,
            _ => return Err(not_found()),
        };
        let segments: Option<Vec<Cow<'_, str>>> = path
            .split('/')
            .skip(1)
            .map(|segment| decode(segment, false).ok())
            .collect();
        let Some(segments) = segments else {
            let field = FieldError::new("path", "is badly encoded").placed("path");
            let rejection = Rejection::validation(vec![field]);
            return Err(Box::new(self.settings.rejection(&rejection)));
        };
        let segments: Vec<&str> = segments.iter().map(AsRef::as_ref).collect();
        let methods = (self.find)(&segments).ok_or_else(not_found)?;
        let found = methods.find(parts.method.as_str()).or_else(|| {
            if parts.method == Method::HEAD {
                methods.find("GET")
            } else {
                None
            }
        });
        let Some(method) = found else {
            return Err(Box::new(self.undeclared(&parts.method, &methods)));
        };
        let path = path.to_owned();
        Ok((method.run)(Call {
            api: Arc::clone(&self.api),
            settings: Arc::clone(&self.settings),
            operation: Arc::clone(operation),
            path,
            parts,
            body,
        }))
    }

    /// Returns the response to a method that the path does not have.
    fn undeclared(&self, method: &Method, methods: &Methods<A>) -> Response {
        let allow = HeaderValue::from_str(&methods.allow());
        let allow = allow.unwrap_or_else(|_| HeaderValue::from_static("OPTIONS"));
        if *method == Method::OPTIONS {
            let mut response = Response::default();
            *response.status_mut() = StatusCode::NO_CONTENT;
            response.headers_mut().insert(ALLOW, allow);
            return response;
        }
        let rejection = Rejection::new(RejectionKind::MethodNotAllowed).header(ALLOW, allow);
        self.settings.rejection(&rejection)
    }
}

impl<A> Clone for Router<A> {
    fn clone(&self) -> Self {
        Self {
            api: Arc::clone(&self.api),
            find: self.find,
            settings: Arc::clone(&self.settings),
        }
    }
}

impl<A> fmt::Debug for Router<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Router")
            .field("base_path", &self.settings.base_path)
            .field("body_limit", &self.settings.body_limit)
            .finish_non_exhaustive()
    }
}

impl<A, B> Service<Request<B>> for Router<A>
where
    A: Send + Sync + 'static,
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
        let request = request.map(Body::new);
        let head = request.method() == Method::HEAD;
        #[cfg(feature = "tracing")]
        let span = crate::ends::trace::request(request.method());
        let operation = Reached::default();
        let state = match self.route(request, &operation) {
            #[cfg(feature = "tracing")]
            Ok(future) => State::Running(Box::pin(tracing::Instrument::instrument(
                future,
                span.clone(),
            ))),
            #[cfg(not(feature = "tracing"))]
            Ok(future) => State::Running(future),
            Err(response) => State::Ready(Some(response)),
        };
        RouteFuture {
            state,
            head,
            settings: Arc::clone(&self.settings),
            operation,
            #[cfg(feature = "tracing")]
            span,
        }
    }
}

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
