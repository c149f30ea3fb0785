//! Routing of requests to operations.

#[cfg(feature = "test")]
mod probes;

use super::auth::Policy;
use super::failure::{Failure, OnFailure};
use super::guard::{Authenticate, Guard};
use super::matcher::Matcher;
use super::settings::Settings;
use super::{
    Authenticator, Body, BodyError, BoxFuture, Call, Leniency, Reached, Rejection, RejectionBodies,
    RejectionKind, Response, Route, RouteFuture, Seen, StatedLink,
};
#[cfg(feature = "check-responses")]
use crate::message::operation::checked::Check;
use crate::message::wire::captures::Captures;
use crate::message::wire::percent::BadEncoding;
use crate::message::{Operation, OperationMeta};
use crate::values::FieldError;
use http::header::ALLOW;
use http::request::Parts;
use http::{HeaderValue, Method, Request, StatusCode};
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

/// Default limit for the body of a request, in bytes.
const BODY_LIMIT: usize = 2 << 20;

/// A function that returns the routes of an API: [`routes!`](crate::routes) defines it.
pub type Find<A> = fn() -> &'static [Route<A>];

/// A `tower` service that routes requests to the methods of `A`.
///
/// Mount it in axum with `axum::Router::fallback_service` or `nest_service`.
pub struct Router<A: 'static> {
    api: Arc<A>,
    routes: &'static [Route<A>],
    #[cfg_attr(
        not(feature = "test"),
        allow(dead_code, reason = "contract tests follow links")
    )]
    links: &'static [StatedLink],
    settings: Arc<Settings>,
}

impl<A> Router<A> {
    /// Creates a router for an API; generated code calls this.
    pub fn new(api: A, find: Find<A>, rejection_bodies: &'static RejectionBodies) -> Self {
        let routes = find();
        let paths = routes
            .iter()
            .map(|route| (route.segments, route.conditions));
        let mut settings = Settings::new(rejection_bodies, BODY_LIMIT);
        settings.matcher = Arc::new(Matcher::new(paths));
        Self {
            api: Arc::new(api),
            routes,
            links: &[],
            settings: Arc::new(settings),
        }
    }

    /// Sets the limit for request bodies, in bytes. A larger body is rejected with 413.
    #[must_use]
    pub fn body_limit(mut self, limit: usize) -> Self {
        Arc::make_mut(&mut self.settings).body_limit = limit;
        self
    }

    /// Sets the limit for the time to receive a buffered request body: the given duration, and one
    /// second more for each 10 KiB that are received. The default is 60 s; `None` is no limit. A
    /// body that is not received in time is rejected with 408.
    ///
    /// The time is measured by tokio while the router waits for the body. Without a tokio runtime with
    /// timers there is no limit.
    #[must_use]
    pub fn body_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        Arc::make_mut(&mut self.settings).body_timeout = limit.into();
        self
    }

    /// Sets the limit for the time between two pieces of a streamed request body, which then fails.
    /// The default is 5 min; `None` is no limit. The total time of a streamed body is not limited.
    ///
    /// [`serve`](super::serve()) has a limit of its own for the same time, 30 s by default
    /// (`Serve::body_progress`): the smaller one applies.
    #[must_use]
    pub fn stream_idle_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        Arc::make_mut(&mut self.settings).stream_idle_timeout = limit.into();
        self
    }

    /// Sets the limit for the request bodies of one operation, in bytes, in place of that of
    /// [`body_limit`](Self::body_limit). The operation is named by its request.
    ///
    /// ```ignore
    /// router.body_limit(64 << 10).body_limit_for::<PutFileRequest>(100 << 20)
    /// ```
    #[must_use]
    pub fn body_limit_for<O: Operation>(mut self, limit: usize) -> Self {
        let limits = &mut Arc::make_mut(&mut self.settings).body_limits;
        limits.push((O::META.id, limit));
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

    /// Accepts all requests that deviate from the document in the ways that [`Leniency`] lists.
    ///
    /// By default, the document is enforced. With the feature `tracing`, the event of a rejected
    /// request names the leniency that accepts it; the response does not.
    #[must_use]
    pub fn lenient(self) -> Self {
        let all = Leniency::ALL.iter();
        all.fold(self, |router, leniency| router.leniency(*leniency))
    }

    /// Accepts requests that deviate from the document in one way.
    ///
    /// ```
    /// use bothends_runtime::server::{Leniency, Router};
    ///
    /// # fn with<A>(router: Router<A>) -> Router<A> {
    /// router.leniency(Leniency::BooleanTexts)
    /// # }
    /// ```
    #[must_use]
    pub fn leniency(mut self, leniency: Leniency) -> Self {
        let settings = Arc::make_mut(&mut self.settings);
        settings.leniencies = settings.leniencies.with(leniency);
        self
    }

    /// Rejects requests whose header `Accept` cannot be satisfied.
    ///
    /// By default, `Accept` is a preference: the handler is called and its response is sent,
    /// whatever the caller accepts (RFC 9110, section 12.5.1). With this setting, a `GET` or `HEAD`
    /// whose `Accept` excludes every documented media type of the operation's successes is rejected
    /// with 406 before its handler is called. Media types with
    /// the same structured syntax suffix are treated as equal (RFC 6839), so
    /// `application/vnd.github.v3+json` accepts `application/json`. Requests with other methods,
    /// and error responses, are never rejected for their media type.
    #[must_use]
    pub fn enforce_accept(mut self) -> Self {
        Arc::make_mut(&mut self.settings).enforce_accept = true;
        self
    }

    /// Checks the responses of handlers by the document, for tests and staging. By default they are not checked.
    ///
    /// With [`Check::Log`] a mismatch is reported to [`Router::on_failure`], and with the feature `tracing` as an event;
    /// its cause is a [`ResponseMismatch`](crate::ResponseMismatch). With [`Check::Fail`] the caller receives a 500 with
    /// the report as text as well, in place of the response. A report contains names, JSON pointers and rules, and no
    /// values.
    ///
    /// The status, the media type and the headers of each response of a handler are checked, and the body unless it is
    /// streamed or bytes. [Rejections](Rejection) are not checked.
    ///
    /// ```
    /// # use bothends_runtime::{Check, server::Router};
    /// # fn with<A>(router: Router<A>) -> Router<A> {
    /// router.check_responses(Check::Fail)
    /// # }
    /// ```
    #[cfg(feature = "check-responses")]
    #[must_use]
    pub fn check_responses(mut self, check: Check) -> Self {
        Arc::make_mut(&mut self.settings).check = check;
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

    /// Sets the links of responses, which contract tests follow; generated code calls this.
    #[must_use]
    pub fn links(self, links: &'static [StatedLink]) -> Self {
        Self { links, ..self }
    }

    /// Returns the operation that a request with this method and path reaches; `None` if it reaches
    /// none. The path is that of the request as the router receives it.
    ///
    /// A layer that limits the rate of an operation asks before it passes the request on. A layer
    /// that measures finds the operation in the response: each response of an operation has
    /// `&'static OperationMeta` as an extension.
    pub fn operation(&self, method: &Method, path: &str) -> Option<&'static OperationMeta> {
        let path = self.settings.below_base(path)?;
        let (index, captures) = self.settings.matcher.find(path).ok()??;
        let method = method_of(self.routes.get(index)?, method)?;
        self.reached(method, captures).operation
    }

    /// Returns what is known of a method's operation.
    fn reached(&self, method: &super::Method<A>, captures: Captures) -> Reached {
        let mut reached = Reached::default();
        let call = Call {
            api: Arc::clone(&self.api),
            settings: Arc::clone(&self.settings),
            captures,
            parts: Box::new(Request::new(()).into_parts().0),
            body: Body::empty(),
        };
        // The future does nothing before it is polled.
        drop((method.run)(call, &mut reached));
        reached
    }

    /// Returns the future of the operation that a request reaches.
    ///
    /// # Errors
    ///
    /// Returns the response to a request that reaches none.
    fn route(
        &self,
        parts: Parts,
        body: Body,
        reached: &mut Reached,
    ) -> Result<BoxFuture<'static, Response>, Box<Response>> {
        // A request about the server and not about one of its paths (RFC 9110, section 9.3.7).
        if parts.method == Method::OPTIONS && parts.uri.path() == "*" {
            return Err(Box::new(self.options()));
        }
        let (route, captures) = self.find(parts.uri.path())?;
        let Some(method) = method_of(route, &parts.method) else {
            return Err(Box::new(self.undeclared(&parts.method, route)));
        };
        let call = Call {
            api: Arc::clone(&self.api),
            settings: Arc::clone(&self.settings),
            captures,
            parts: Box::new(parts),
            body,
        };
        Ok((method.run)(call, reached))
    }

    /// Returns the route of a path, and the segments that its variables match.
    ///
    /// # Errors
    ///
    /// Returns the response to an unknown or invalid path.
    fn find(&self, path: &str) -> Result<(&'static Route<A>, Captures), Box<Response>> {
        let path = self.settings.below_base(path);
        let found = path.map(|path| self.settings.matcher.find(path));
        match found {
            Some(Ok(Some((index, captures)))) => {
                let route = self.routes.get(index);
                route
                    .map(|route| (route, captures))
                    .ok_or_else(|| self.not_found())
            }
            Some(Ok(None)) | None => Err(self.not_found()),
            Some(Err(BadEncoding)) => {
                let field = FieldError::new("path", "is badly encoded").placed("path");
                let rejection = Rejection::validation(vec![field]);
                Err(Box::new(self.settings.rejection(&rejection)))
            }
        }
    }

    fn not_found(&self) -> Box<Response> {
        Box::new(self.settings.rejection(&Rejection::not_found()))
    }

    /// Returns the response to `OPTIONS *`, with the methods of all paths.
    fn options(&self) -> Response {
        let routes = self.routes.iter();
        let mut methods: Vec<String> = routes
            .flat_map(|route| {
                route
                    .allow()
                    .split(", ")
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .collect();
        methods.sort_unstable();
        methods.dedup();
        let mut response = Response::default();
        *response.status_mut() = StatusCode::NO_CONTENT;
        if let Ok(allow) = HeaderValue::from_str(&methods.join(", ")) {
            response.headers_mut().insert(ALLOW, allow);
        }
        response
    }

    /// Returns the response to a method that the path does not have.
    fn undeclared(&self, method: &Method, route: &Route<A>) -> Response {
        let allow = HeaderValue::from_str(&route.allow());
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

/// Returns the operation of a path for a method: that of `GET` for `HEAD`.
fn method_of<A>(route: &'static Route<A>, method: &Method) -> Option<&'static super::Method<A>> {
    let found = route.find(method.as_str());
    found.or_else(|| match *method {
        Method::HEAD => route.find("GET"),
        _ => None,
    })
}

impl<A> Clone for Router<A> {
    fn clone(&self) -> Self {
        Self {
            api: Arc::clone(&self.api),
            routes: self.routes,
            links: self.links,
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
        let (parts, body) = request.into_parts();
        let seen = Seen::new(&parts);
        let mut reached = Reached::default();
        let settings = Arc::clone(&self.settings);
        match self.route(parts, Body::new(body), &mut reached) {
            Ok(future) => RouteFuture::running(settings, reached.operation, seen, future),
            Err(response) => RouteFuture::ready(settings, seen, response),
        }
    }
}
