//! The console: its API and its pages.

mod access;
pub mod actions;
#[allow(
    missing_docs,
    reason = "properties of a type of their own have no description in the document"
)]
pub mod api;
mod attempts;
mod documents;
pub mod failure;
mod handlers;
mod session;
mod web;

use crate::app::Shared;
use crate::receiver;
use crate::store::StorageError;
use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::get;
use http::header::CONTENT_TYPE;
use std::future::Future;
use std::time::Duration;

/// The OpenAPI document of the console API.
const DOCUMENT: &str = include_str!("../../../spec/console.yaml");
/// The URL of the server in the document, which is that of the default listener.
const SERVER: &str = "url: http://127.0.0.1:8081";
/// The pause between two looks at the size of the audit log.
const UPKEEP: Duration = Duration::from_secs(600);

/// Returns the service of the console's listener.
pub fn router(app: Shared) -> Router {
    let api = access::service(Shared::clone(&app));
    Router::new()
        .route_service("/api/{*path}", api)
        .route(
            "/openapi.yaml",
            get(document).with_state(Shared::clone(&app)),
        )
        .merge(receiver::router(Shared::clone(&app)))
        .merge(web::router(app))
}

/// Returns the document of the console API, with the URL of the listener as the server.
async fn document(State(app): State<Shared>) -> impl IntoResponse {
    let document = match app.urls.get() {
        Some(urls) => DOCUMENT.replacen(SERVER, &format!("url: {}", urls.console), 1),
        None => DOCUMENT.to_owned(),
    };
    ([(CONTENT_TYPE, "application/yaml")], document)
}

/// Removes the oldest entries of the audit log now and then, until `shutdown` completes.
pub async fn run(app: Shared, shutdown: impl Future<Output = ()>) {
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        if let Err(error) = actions::audit::trim(&app.store).await {
            tracing::warn!(%error, "the audit log was not trimmed");
        }
        tokio::select! {
            () = &mut shutdown => return,
            () = tokio::time::sleep(UPKEEP) => {}
        }
    }
}

/// Prepares the login. Returns the password if it was made now.
///
/// # Errors
/// Returns an error of the database.
pub async fn prepare(app: &Shared) -> Result<Option<String>, StorageError> {
    session::prepare(app).await.map_err(StorageError::new)
}
