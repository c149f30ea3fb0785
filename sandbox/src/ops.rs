//! Endpoints for operators: health, readiness and metrics.

use crate::app::Shared;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// `/healthz`: the process is alive. `/readyz`: the database can be read.
pub(crate) fn health(app: Shared) -> Router {
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .with_state(app)
}

/// `/metrics`, in the text format of Prometheus.
pub(crate) fn metrics(app: Shared) -> Router {
    Router::new().route("/metrics", get(render)).with_state(app)
}

async fn ready(State(app): State<Shared>) -> Response {
    match app.store.ping().await {
        Ok(()) => "ready\n".into_response(),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            (
                StatusCode::SERVICE_UNAVAILABLE,
                "the database is not available\n",
            )
                .into_response()
        }
    }
}

async fn render(State(app): State<Shared>) -> Response {
    match app.recorder.metrics().render() {
        Ok(text) => {
            let media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(header::CONTENT_TYPE, media_type)], text).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "metrics");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
