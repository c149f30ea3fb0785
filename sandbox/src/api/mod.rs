//! The documented API.

mod auth;
mod capture;
mod choices;
mod errors;
mod handlers;
mod redact;
mod tokens;
mod trace;

pub use choices::{CHOICES, Choice, VERSION, document as choices_document};

use crate::app::Shared;
use crate::webhooks;
use auth::Clients;
use axum::extract::State;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use axum::{Json, Router, middleware};
use bothends_runtime::server::Body;
use financial_data::server::rejections;
use handlers::Service;
use std::sync::Arc;

/// The OpenAPI document of the API.
const DOCUMENT: &str = include_str!("../../../spec/financial-data.yaml");

/// The URL of the server in the document, which is a placeholder.
const SERVER: &str = "default: https://api.example.com";

/// Returns the service of the API's listener.
pub fn router(app: Shared) -> Router {
    let operations = financial_data::server::router(Service(Arc::clone(&app)))
        .enforce_accept()
        .guard(Clients(Arc::clone(&app)))
        .on_failure(|failure| tracing::error!(%failure, "a call failed"));
    Router::new()
        .route("/choices", page(get(async || Json(choices::document()))))
        .route("/openapi.yaml", page(get(document)))
        .route("/.well-known/jwks.json", page(get(keys)))
        .fallback_service(operations)
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            capture::capture,
        ))
        .with_state(app)
}

/// Responds to other methods of a page like the service does.
fn page(methods: MethodRouter<Shared>) -> MethodRouter<Shared> {
    methods.fallback(async || {
        let response: http::Response<Body> = rejections::method_not_allowed::UNKNOWN.into();
        ([(ALLOW, "GET, HEAD")], response.map(axum::body::Body::new))
    })
}

/// Returns the document, with the URL of the listener as the server.
async fn document(State(app): State<Shared>) -> impl IntoResponse {
    let document = match app.urls.get() {
        Some(urls) => DOCUMENT.replacen(SERVER, &format!("default: {}", urls.api), 1),
        None => DOCUMENT.to_owned(),
    };
    ([(CONTENT_TYPE, "application/yaml")], document)
}

/// The public keys of webhooks that are signed with a key.
async fn keys(State(app): State<Shared>) -> Response {
    match webhooks::jwks(&app).await {
        Ok(keys) => Json(keys).into_response(),
        Err(error) => {
            tracing::error!(%error, "the public keys were not read");
            let response: http::Response<Body> = rejections::internal_server_error::INTERNAL.into();
            response.map(axum::body::Body::new).into_response()
        }
    }
}
