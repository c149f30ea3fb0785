//! The pages of the console. They are rendered by the server and work without JavaScript, which adds
//! live lists, buttons to copy, and questions before something is deleted.

mod audit;
mod calls;
mod chart;
mod clock;
mod credentials;
mod customers;
mod deliveries;
mod errors;
mod events;
mod faults;
mod form;
mod html;
mod keys;
mod layout;
mod live;
mod overview;
mod projects;
mod report;
mod scheme;
mod settings;
mod sign_in;
mod start;
mod state;
mod subscriptions;
mod task;
mod tasks;
mod time;
mod visit;
mod workbench;

use crate::app::Shared;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use http::{HeaderName, HeaderValue, header};

/// The largest form of a session: snapshots are large. The session is looked up before the body is read.
const BODY_LIMIT: usize = 64 << 20;
/// No inline script or style, nothing from elsewhere, and no page around this one.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Returns the pages.
pub(super) fn router(app: Shared) -> Router {
    let pages = Router::new()
        .route("/", get(async || Redirect::to("/projects")))
        .merge(sign_in::routes())
        .merge(projects::routes())
        .merge(overview::routes())
        .merge(start::routes())
        .merge(credentials::routes())
        .merge(customers::routes())
        .merge(task::routes())
        .merge(tasks::routes())
        .merge(subscriptions::routes())
        .merge(events::routes())
        .merge(calls::routes())
        .merge(errors::routes())
        .merge(deliveries::routes())
        .merge(live::routes())
        .merge(faults::routes())
        .merge(clock::routes())
        .merge(report::routes())
        .merge(settings::routes())
        .merge(state::routes())
        .merge(workbench::routes())
        .merge(keys::routes())
        .merge(audit::routes())
        .merge(scheme::routes());
    pages
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(middleware::from_fn(secure))
        .route("/assets/console.css", get(scheme::style))
        .route("/assets/console.js", get(script))
        .route("/favicon.ico", get(async || http::StatusCode::NO_CONTENT))
        .with_state(app)
}

/// Adds the headers that protect a page.
async fn secure(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    // Pages contain secrets that are shown once.
    set(header::CACHE_CONTROL, "no-store");
    response
}

async fn script() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, include_str!("console.js"))
}
