//! Live lists: rows of tables as server-sent events.

use super::html::{prose, status};
use super::time::{exact, time};
use super::visit::{Quiet, Refusal};
use crate::app::Shared;
use crate::console::actions::watch::{Entry, watch};
use crate::model::{Call, Received, SentWebhook};
use axum::Router;
use axum::extract::{Path, Query};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::{Stream, StreamExt};
use http::HeaderMap;
use maud::{Markup, html};
use std::collections::HashMap;
use std::convert::Infallible;
use std::future::ready;

/// How much of a body is shown in a row.
const BEGINNING: usize = 120;

/// The columns of a list of calls.
pub(super) const COLUMNS: [&str; 5] = ["Time", "Call", "Status", "Rejected by", "Duration"];

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/projects/{id}/live", get(live))
}

async fn live(
    Quiet(visit): Quiet,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let kind = query.get("of").cloned().unwrap_or_default();
    let cursor = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let cursor = cursor
        .map(str::to_owned)
        .or_else(|| query.get("after").cloned());
    let entries = watch(&visit.app, &id, cursor).await?;
    let rows = entries.filter_map(move |entry| {
        let row = match (&entry, kind.as_str()) {
            (Entry::Call(call), "calls") => Some(call_row(call)),
            (Entry::Webhook(sent), "webhooks") => Some(sent_row(sent)),
            (Entry::Received(received), "received") => Some(received_row(received)),
            _ => None,
        };
        let event = row.map(|row| Event::default().id(entry.id()).data(row.into_string()));
        ready(event.map(Ok))
    });
    Ok(Sse::new(rows).keep_alive(KeepAlive::default()))
}

/// Returns the path of the page of a call.
fn call_path(call: &Call) -> String {
    match call.project.as_str() {
        "" => format!("/calls/{}", call.id),
        project => format!("/projects/{project}/calls/{}", call.id),
    }
}

/// Returns the row of a call.
pub(super) fn call_row(call: &Call) -> Markup {
    let rejected = call.checks.iter().find(|check| !check.passed);
    html! { tr data-id=(call.id) {
        td { (time(call.at)) }
        th scope="row" { a href=(call_path(call)) { (call.method) " " (call.path) } }
        td { (status(call.status)) }
        td { @if let Some(check) = rejected { (check.name) ": " (prose(&check.reason)) } }
        td.number { (milliseconds(call.microseconds)) }
    } }
}

/// Returns the row of a request with a webhook.
pub(super) fn sent_row(sent: &SentWebhook) -> Markup {
    html! { tr data-id=(sent.id) {
        td { (time(sent.at)) }
        th scope="row" { a href={ "/projects/" (sent.project) "/deliveries/" (sent.delivery) } { (sent.kind) " " (sent.delivery) } }
        td.number { (sent.attempt) }
        td { (status(sent.status)) }
        td { @if let Some(at) = sent.next_retry { (exact(at)) } }
        td.number { (milliseconds(sent.microseconds)) }
    } }
}

/// Returns the row of a received webhook.
pub(super) fn received_row(received: &Received) -> Markup {
    let body = STANDARD.decode(&received.body).unwrap_or_default();
    let body = String::from_utf8_lossy(&body);
    let beginning: String = body.chars().take(BEGINNING).collect();
    html! { tr data-id=(received.id) {
        th scope="row" { (time(received.at)) }
        td { (received.receiver) }
        td { @if received.status.is_some() { (status(received.status)) } @else { "waits for a listener" } }
        td.long { code { (beginning) @if beginning.len() < body.len() { "…" } } }
    } }
}

/// Returns a duration for people.
pub(super) fn milliseconds(microseconds: u64) -> String {
    format!("{:.1} ms", microseconds as f64 / 1000.0)
}

/// Returns a live list with the rows that are known.
pub(super) fn list(caption: &str, source: &str, columns: &[&str], rows: &[Markup]) -> Markup {
    html! {
        div data-live=(source) {
            p.live role="status" aria-live="polite" data-live-status {}
            div.scroll role="region" aria-label=(caption) tabindex="0" {
                table {
                    caption { (caption) }
                    thead { tr { @for column in columns { th scope="col" { (column) } } } }
                    tbody data-live-rows { @for row in rows { (row) } }
                }
            }
        }
    }
}
