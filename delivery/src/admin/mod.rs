//! An administration page and a JSON API for a store, as a tower service.
//!
//! The service authenticates no caller: mount it behind the authentication of the program. State is changed
//! only by `POST`, and a `POST` that a browser sends for another site is rejected: `Sec-Fetch-Site` has to
//! be `same-origin` or `none`, or, from a browser without this header, `Origin` has to have the host of the
//! request.
//!
//! ```
//! # use bothends_delivery::sqlite::SqliteStore;
//! use bothends_delivery::admin::Admin;
//!
//! # async fn app(store: SqliteStore) {
//! let app: axum::Router = axum::Router::new()
//!     .nest_service("/webhooks", Admin::new(store, "/webhooks"));
//! // .layer(…): the program's authentication
//! # }
//! ```
//!
//! | path | response |
//! |---|---|
//! | `GET /`, `/owner`, `/delivery` | pages |
//! | `GET /api/queue` | the number of open deliveries, and the backlog of each owner |
//! | `GET /api/endpoints?owner=` | the endpoints of an owner with their circuits |
//! | `GET /api/deliveries?owner=` | deliveries, the newest first; `phase`, `subscription`, `kind`, `before`, `limit` |
//! | `GET /api/delivery?id=` | a delivery with its attempts |
//! | `GET /api/events?after=` | events for operators |
//! | `POST /api/pause`, `/api/resume` | deactivates or activates a `subscription` |
//! | `POST /api/replay` | replays a `delivery` |
//! | `POST /api/replay-failed` | replays at most 1,000 failed deliveries of an `owner` `since` a time |
//! | `POST /api/reschedule` | makes what an `owner` waits for due `now`, `earlier` or `later` (`change`), `by` seconds |
//!
//! Parameters of a `POST` are a form or a JSON object. Times are milliseconds since 1970. A request with
//! `Accept: text/html`, such as that of a form, is responded to with a redirect to a page.

mod api;
mod pages;
mod request;
mod state;

use crate::store::DeliveryStore;
use crate::{StoreError, StoreErrorKind};
use bytes::Bytes;
use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::Full;
use request::{Parameters, is_foreign, wants_page};
use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service;

/// The response of the service.
pub type AdminResponse = Response<Full<Bytes>>;

/// Nothing is loaded from elsewhere, no script runs, and no other site can frame a page.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

/// The administration of a store, as a tower service. See the [module](self).
pub struct Admin<S> {
    store: S,
    /// The path at which the service is mounted, without a slash at its end.
    prefix: Arc<str>,
}

impl<S: Clone> Clone for Admin<S> {
    fn clone(&self) -> Self {
        Self {
            store: self.store.clone(),
            prefix: Arc::clone(&self.prefix),
        }
    }
}

impl<S> fmt::Debug for Admin<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admin")
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

impl<S: DeliveryStore> Admin<S> {
    /// Creates the service. `prefix` is the path at which it is mounted, for the links of pages: empty at
    /// the root. The service itself sees paths without the prefix, as `nest_service` of axum passes them.
    pub fn new(store: S, prefix: impl AsRef<str>) -> Self {
        let prefix = prefix.as_ref().trim_end_matches('/').into();
        Self { store, prefix }
    }

    async fn respond<B>(self, request: Request<B>) -> AdminResponse
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let wants_page = wants_page(request.headers());
        let failed = match self.handle(request).await {
            Ok(response) => return response,
            Err(failed) => failed,
        };
        let (status, why) = failed.described();
        let mut response = match wants_page {
            true => pages::error(&self.prefix, status, &why),
            false => api::json(status, &serde_json::json!({ "error": why })),
        };
        if let Failure::Method(allowed) = failed {
            let allowed = HeaderValue::from_static(allowed);
            response.headers_mut().insert(ALLOW, allowed);
        }
        response
    }

    async fn handle<B>(&self, request: Request<B>) -> Result<AdminResponse, Failure>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let path = request.uri().path().trim_end_matches('/').to_owned();
        let changes = matches!(
            path.as_str(),
            "/api/pause" | "/api/resume" | "/api/replay" | "/api/replay-failed" | "/api/reschedule"
        );
        match (request.method(), changes) {
            (&Method::POST, true) if is_foreign(&request) => return Err(Failure::Foreign),
            (&Method::POST, true) => {
                let wants_page = wants_page(request.headers());
                let parameters = Parameters::of_body(request).await?;
                let changed = api::change(&self.store, &path, &parameters).await?;
                return match wants_page {
                    true => self.redirect(&changed.page),
                    false => Ok(api::json(StatusCode::OK, &changed.json)),
                };
            }
            (_, true) => return Err(Failure::Method("POST")),
            (&Method::GET | &Method::HEAD, false) => {}
            (_, false) => return Err(Failure::Method("GET, HEAD")),
        }
        let parameters = Parameters::of_query(request.uri().query());
        if let Some(path) = path.strip_prefix("/api/") {
            let found = api::read(&self.store, path, &parameters).await?;
            return Ok(api::json(StatusCode::OK, &found));
        }
        pages::page(&self.store, &self.prefix, &path, &parameters).await
    }

    /// Redirects to a page.
    fn redirect(&self, page: &str) -> Result<AdminResponse, Failure> {
        let location = HeaderValue::try_from(format!("{}{page}", self.prefix));
        let location = location.map_err(|_| Failure::Parameter("the page"))?;
        let mut response = response(StatusCode::SEE_OTHER, "text/plain; charset=utf-8", "");
        response.headers_mut().insert(LOCATION, location);
        Ok(response)
    }
}

impl<S, B> Service<Request<B>> for Admin<S>
where
    S: DeliveryStore,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = AdminResponse;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<AdminResponse, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let admin = self.clone();
        Box::pin(async move { Ok(admin.respond(request).await) })
    }
}

fn response(status: StatusCode, media: &'static str, body: impl Into<Bytes>) -> AdminResponse {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    response
}

/// The reason why a request has no result.
#[derive(Debug)]
enum Failure {
    /// No page or resource has this path.
    Path,
    /// The methods that the path allows.
    Method(&'static str),
    /// The request was sent for another site.
    Foreign,
    /// A parameter is missing or malformed.
    Parameter(&'static str),
    /// The body is too long, or incomplete.
    Body,
    Store(StoreError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Failure {
    fn described(&self) -> (StatusCode, String) {
        match self {
            Self::Path => (StatusCode::NOT_FOUND, "there is no such page".to_owned()),
            Self::Method(allowed) => (
                StatusCode::METHOD_NOT_ALLOWED,
                format!("the path allows {allowed}"),
            ),
            Self::Foreign => (
                StatusCode::FORBIDDEN,
                "the request was sent by a page of another site".to_owned(),
            ),
            Self::Parameter(name) => (
                StatusCode::BAD_REQUEST,
                format!("the parameter `{name}` is missing or malformed"),
            ),
            Self::Body => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "the body is incomplete or longer than 16 KiB".to_owned(),
            ),
            Self::Store(error) => {
                let status = match error.kind() {
                    StoreErrorKind::NotFound => StatusCode::NOT_FOUND,
                    StoreErrorKind::NotFinished => StatusCode::CONFLICT,
                    _ => {
                        tracing::warn!(%error, "administration");
                        StatusCode::INTERNAL_SERVER_ERROR
                    }
                };
                (status, StoreError::new(error.kind()).to_string())
            }
        }
    }
}
