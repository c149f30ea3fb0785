//! The catalogue of events, and test events.

use super::form::{Field, post};
use super::html::{self, badge, code, prose, table};
use super::layout::project_page;
use super::task;
use super::time::project_time;
use super::visit::{Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, events};
use crate::console::api::operations::ListEventsRequest;
use crate::console::api::types;
use crate::console::failure::Failure;
use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};

/// How many events a page shows.
const SHOWN: i32 = 50;

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/events", get(list))
        .route("/projects/{id}/events/{kind}", get(show).post(trigger))
}

async fn list(visit: Visit, Path(id): Path<String>) -> Page {
    let project = visit.project(&id).await?;
    let kinds = events::kinds(&visit.app, &id).await?;
    let rows: Vec<Markup> = kinds
        .iter()
        .map(|kind| html! { tr {
            th scope="row" { a href={ "/projects/" (id) "/events/" (kind.kind) } { (kind.kind) } }
            td { (prose(&kind.summary)) }
            td { @if let Some(product) = kind.product.value() { (product) } @else { "none" } }
            td { @if kind.available { (badge("available")) } @else { (badge("not available")) } }
        } })
        .collect();
    let mut request = ListEventsRequest::new(id.clone());
    request.limit = Some(SHOWN);
    let happened = events::list(&visit.app, &request).await?;
    let happened: Vec<Markup> = happened
        .iter()
        .map(|event| html! { tr {
            td { (project_time(&project, event.at)) }
            th scope="row" { (event.kind) }
            td.long { @if let Some(task) = task::of_cause(&event.cause) { "task " (task::link(&id, task)) } @else { (event.cause) } }
            td.long { code { (event.message_id) } }
            td { details { summary { "Body" } (code(&format!("Body of {}", event.message_id), &pretty(&event.body))) } }
        } })
        .collect();
    let content = html! {
        (table("Kinds of events", &["Kind", "Name", "Product", "For this project"], &rows, "There are no kinds."))
        (table("Events, the newest first", &["Time of the project", "Kind", "Cause", "Message id", "Body"], &happened, "Nothing has happened yet."))
    };
    Ok(project_page(
        &visit, &project, "/events", "Events", &content,
    ))
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

async fn show(visit: Visit, Path((id, kind)): Path<(String, String)>) -> Page {
    kind_page(&visit, &id, &kind, None).await
}

/// Returns the page of a kind. A body that was refused is shown again.
async fn kind_page(visit: &Visit, id: &str, kind: &str, refused: Option<(&str, &Failure)>) -> Page {
    let project = visit.project(id).await?;
    let kinds = events::kinds(&visit.app, id).await?;
    let found = kinds.iter().find(|known| known.kind == kind);
    let found = found.ok_or_else(|| Failure::missing("kind of event"))?;
    let example = pretty(&found.example);
    let body = refused.map_or(example.as_str(), |(body, _)| body);
    let content = html! {
        p { (prose(&found.summary)) }
        p { (prose(&found.description)) }
        @if found.available {
            section aria-labelledby="test" {
                h2 #test { "Send a test event" }
                @if let Some((_, failure)) = refused { p.notice.error role="alert" { (prose(&html::sentence(failure))) } }
                (post(visit, &format!("/projects/{id}/events/{kind}"), &html! {
                    (Field::new("body", "Body").value(body).required().hint("JSON. It has to fit the schema below, and may have further fields.").area(14))
                    button { "Send the event" }
                }))
            }
        } @else {
            p.notice role="status" { "The project does not use the product of this event. The settings change that." }
        }
        h2 { "Example" }
        (code("Example", &example))
        h2 { "Schema" }
        (code("Schema", &pretty(&found.schema)))
    };
    Ok(project_page(visit, &project, "/events", kind, &content))
}

async fn trigger(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let kind = submitted.path("kind");
    let text = submitted.fields.get("body").unwrap_or_default();
    let body = serde_json::from_str(text).map_err(|error| Failure::field("body", error));
    let result = match body {
        Ok(body) => {
            let mut new = types::TriggerInput::new(kind.to_owned());
            new.body = Some(body);
            events::trigger(&visit.app, Actor::Console, id, &new).await
        }
        Err(failure) => Err(failure),
    };
    match result {
        Err(failure @ Failure::Invalid { .. }) => {
            let page: Response = kind_page(visit, id, kind, Some((text, &failure))).await?;
            Ok((failure.status(), page).into_response())
        }
        result => {
            let next = format!("/projects/{id}/deliveries");
            let receivers = result.as_ref().ok().and_then(|event| event.receivers);
            let done = match receivers.unwrap_or_default() {
                0 => "No active subscription receives this event.".to_owned(),
                1 => "The event was sent to one subscription.".to_owned(),
                more => format!("The event was sent to {more} subscriptions."),
            };
            visit.after(result, &done, &next).await
        }
    }
}
