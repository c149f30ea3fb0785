//! Snapshot, restore and reset of a project.

use super::html::facts;
use super::layout;
use super::visit::{Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, state};
use crate::console::failure::Failure;
use axum::extract::Path;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use http::header;
use maud::html;

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/snapshot", get(download).post(restore))
        .route("/projects/{id}/reset", post(reset))
}

async fn download(visit: Visit, Path(id): Path<String>) -> Page {
    let snapshot = state::snapshot(&visit.app, &id).await?;
    let name = format!("attachment; filename=\"{id}.json\"");
    Ok(([(header::CONTENT_DISPOSITION, name)], Json(snapshot)).into_response())
}

async fn restore(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let text = submitted.fields.get("snapshot").unwrap_or_default();
    let result = match serde_json::from_str(text) {
        Ok(file) => state::restore(&visit.app, Actor::Console, id, &file).await,
        Err(error) => Err(Failure::field("snapshot", error)),
    };
    let next = format!("/projects/{id}/settings");
    visit
        .after(result, "The snapshot was restored.", &next)
        .await
}

async fn reset(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let reset = state::reset(&visit.app, Actor::Console, id).await?;
    let project = visit.project(id).await?;
    let content = html! {
        p.notice role="status" { "The project was reset. The secrets are shown once. Keep them now." }
        (facts(&[
            ("Client id", html! { code { (reset.client_id) } }),
            ("Client secret", html! { @if let Some(secret) = &reset.client_secret { code { (secret) } } @else { "as before" } }),
            ("Customer id", html! { code { (reset.customer_id) } }),
            ("Customer secret", html! { code { (reset.customer_secret) } }),
        ]))
        p { a.button href={ "/projects/" (id) } { "To the overview" } }
    };
    Ok(layout::project_page(
        visit,
        &project,
        "/settings",
        "Reset",
        &content,
    ))
}
