//! From a request to its operation.

use super::auth::{Admission, Policy};
use super::failure::{Failure, HandlerPanic, OnFailure};
use super::guard::{Authenticate, Guard};
use super::methods::Methods;
use super::{
    Authenticator, Body, BodyError, BoxFuture, Call, Rejection, RejectionBodies, RejectionKind,
    Response,
};
use crate::wire::percent::decode;
use crate::{FieldError, OperationMeta};
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

/// The most that the body of a request may have, unless something else is said.
const BODY_LIMIT: usize = 2 << 20;

/// Finds the operations of a path by its segments.
pub type Find<A> = fn(&[&str]) -> Option<Methods<A>>;

/// A `tower` service that calls the methods of `A`.
///
/// It mounts into axum with `axum::Router::fallback_service` or `nest_service`.
pub struct Router<A: 'static> {
    api: Arc<A>,
    find: Find<A>,
    settings: Arc<Settings>,
}

/// What all operations share.
#[derive(Clone)]
pub(crate) struct Settings {
    rejection_bodies: &'static RejectionBodies,
    on_rejection: Option<Arc<OnRejection>>,
    pub(crate) body_limit: usize,
    pub(super) admission: Admission,
    pub(crate) on_failure: OnFailure,
    base_path: String,
    pub(super) keep_encoded_commas: bool,
    /// Whether `Accept` is disregarded.
    pub(super) ignore_accept: bool,
    #[cfg(feature = "gzip")]
    pub(super) compressed: bool,
}

/// The operation that a request has reached, for a failure that comes out of it.
pub(crate) type Reached = Arc<OnceLock<&'static OperationMeta>>;

type OnRejection = dyn Fn(&Rejection) -> Option<Response> + Send + Sync;

impl Settings {
    /// Nothing set but how rejections are answered and how large a body may be.
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

    /// The response to a handler that has panicked.
    fn panicked(&self, operation: &Reached, panic: &HandlerPanic) -> Response {
        if let Some(operation) = operation.get() {
            self.on_failure.report(operation, Some(panic));
        }
        let (rejection, meta) = (Rejection::internal(), operation.get().copied());
        // Somebody's own answer may panic too.
        catch_unwind(AssertUnwindSafe(|| self.rejection_of(&rejection, meta)))
            .unwrap_or_else(|_| self.rejection_bodies.response(&rejection, meta))
    }

    /// The response to a rejection of no operation: see [`Self::rejection_of`].
    pub(crate) fn rejection(&self, rejection: &Rejection) -> Response {
        self.rejection_of(rejection, None)
    }

    /// The response to a rejection: the user's, the document's, or that of RFC 9457.
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
    /// A router over an API; generated code calls this.
    pub fn new(api: A, find: Find<A>, rejection_bodies: &'static RejectionBodies) -> Self {
        Self {
            api: Arc::new(api),
            find,
            settings: Arc::new(Settings::new(rejection_bodies, BODY_LIMIT)),
        }
    }

    /// With another limit for the bodies of requests, in bytes; what is larger gets a 413.
    #[must_use]
    pub fn body_limit(mut self, limit: usize) -> Self {
        Arc::make_mut(&mut self.settings).body_limit = limit;
        self
    }

    /// With answers wrapped in gzip for callers who take that, where their bytes are there and are
    /// a kilobyte or more. Do not wrap what holds a secret beside what a caller chooses: its length
    /// tells of it.
    #[cfg(feature = "gzip")]
    #[must_use]
    pub fn gzip_responses(mut self) -> Self {
        Arc::make_mut(&mut self.settings).compressed = true;
        self
    }

    /// Leaves an encoded comma (`%2C`) in the item that it is in, for lists of texts whose items may
    /// hold commas.
    ///
    /// A list that is one value (`explode: false`) has commas between its items, and RFC 6570 encodes
    /// those within. Many HTTP libraries encode both: `fields=id%2Cname` is read as two items, unless
    /// there is another comma (`fields=a%2Cb,c`), or the items are of a type that does not take the
    /// parts and does take the whole. With this setting it is one item where the items are texts.
    #[must_use]
    pub fn keep_encoded_commas(mut self) -> Self {
        Arc::make_mut(&mut self.settings).keep_encoded_commas = true;
        self
    }

    /// Disregards the header `Accept`: the handler is called, and its response is sent, whatever the
    /// caller says that it takes.
    ///
    /// Otherwise a `GET` or `HEAD` whose `Accept` rules out every media type that the document has
    /// for the successes of the operation is answered with 406, before its handler is called. Media
    /// types with the same structured syntax suffix count as one (RFC 6839), so
    /// `application/vnd.github.v3+json` takes `application/json`. Requests with other methods, and
    /// error responses, are never refused for their media type.
    #[must_use]
    pub fn ignore_accept(mut self) -> Self {
        Arc::make_mut(&mut self.settings).ignore_accept = true;
        self
    }

    /// Under a path, such as `/v1`.
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

    /// With answers of your own to what reaches no handler: a path, method or caller that is not
    /// known, a request that is not as documented, a handler that fails. `None` leaves it to what
    /// the document has for the rejection, and that to `application/problem+json` (RFC 9457).
    ///
    /// Headers that belong to the rejection (`Allow`, `WWW-Authenticate`, `Accept`) are added where the
    /// answer does not have them.
    ///
    /// ```
    /// use bothends_runtime::http::header::{CONTENT_TYPE, HeaderValue};
    /// use bothends_runtime::server::{Body, Rejection, Response, Router};
    ///
    /// fn answer(rejection: &Rejection) -> Option<Response> {
    ///     let status = rejection.kind().status();
    ///     let body = serde_json::json!({ "code": status.as_u16(), "fields": rejection.fields().len() });
    ///     let mut response = Response::new(Body::from(body.to_string()));
    ///     *response.status_mut() = status;
    ///     let json = HeaderValue::from_static("application/json");
    ///     response.headers_mut().insert(CONTENT_TYPE, json);
    ///     Some(response)
    /// }
    /// # fn with<A>(router: Router<A>) -> Router<A> {
    /// router.on_rejection(answer)
    /// # }
    /// ```
    #[must_use]
    pub fn on_rejection(
        mut self,
        answer: impl Fn(&Rejection) -> Option<Response> + Send + Sync + 'static,
    ) -> Self {
        Arc::make_mut(&mut self.settings).on_rejection = Some(Arc::new(answer));
        self
    }

    /// With a hook for failures of the server: an [`Error::internal`](super::Error::internal) of a
    /// handler or an authenticator, one that panics, a response that cannot be written. The caller
    /// gets the API's 500, and nothing of the cause. With the feature `tracing` each of them is an
    /// event of the level error too.
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

    /// With somebody who decides who is let in.
    ///
    /// Until there is one, or [`Router::allow_unauthenticated`] is called, operations that ask for
    /// credentials are closed: they answer 401. Operations without `security`, and those with an
    /// empty alternative (`{}`), are open.
    #[must_use]
    pub fn authenticate(mut self, authenticator: impl Authenticator + 'static) -> Self {
        let policy = Policy::By(Arc::new(authenticator));
        Arc::make_mut(&mut self.settings).admission.policy = policy;
        self
    }

    /// With somebody who finds out who a caller is from the credentials that the document's schemes
    /// have, for the operations that ask for some.
    #[must_use]
    pub fn guard(self, users: impl Authenticate) -> Self {
        let forbidden = self.settings.rejection_bodies.forbidden;
        self.authenticate(Guard { users, forbidden })
    }

    /// Lets everybody call every operation, whatever the document asks for: behind a gateway that
    /// authenticates, or in a test.
    #[must_use]
    pub fn allow_unauthenticated(mut self) -> Self {
        Arc::make_mut(&mut self.settings).admission.policy = Policy::Open;
        self
    }

    /// With the security schemes of the document, for the challenges of a 401; generated code calls
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

    /// The answer to a method that the path does not have.
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
        let span = crate::trace::request(request.method());
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

/// The answer of a router, on its way.
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
    /// A response that is being made, in a span of its own.
    pub(crate) fn running(
        settings: Arc<Settings>,
        operation: Reached,
        method: &Method,
        future: BoxFuture<'static, Response>,
    ) -> Self {
        #[cfg(feature = "tracing")]
        let span = crate::trace::request(method);
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
            State::Ready(response) => response.take().map_or_else(Response::default, |of| *of),
            // A handler that panics has failed, and nobody is told how.
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
        crate::trace::answered(&self.span, response.status(), false);
        Poll::Ready(Ok(if self.head {
            without_body(response)
        } else {
            response
        }))
    }
}

/// The answer to `HEAD`: that to `GET` without its body.
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
