//! The audit log.

use super::html::table;
use super::layout::page;
use super::time::time;
use super::visit::{Page, Visit};
use crate::app::Shared;
use crate::console::actions::audit;
use crate::console::api::operations::ListAuditRequest;
use axum::Router;
use axum::extract::Query;
use axum::routing::get;
use maud::{Markup, html};
use std::collections::HashMap;

/// How many actions a page shows.
const SHOWN: i32 = 100;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/audit", get(list))
}

async fn list(visit: Visit, Query(query): Query<HashMap<String, String>>) -> Page {
    let mut request = ListAuditRequest::new();
    request.limit = Some(SHOWN);
    request.before = query.get("before").cloned();
    let found = audit::list(&visit.app, &request).await?;
    let rows: Vec<Markup> = found
        .iter()
        .map(|entry| html! { tr {
            td { (time(entry.at)) }
            td { (entry.actor) }
            th scope="row" { (entry.action) }
            td.long { @if let Some(project) = entry.subject.value() { a href={ "/projects/" (project) } { (project) } } }
            td.long { @if let Some(detail) = &entry.detail { (detail) } }
        } })
        .collect();
    let content = html! {
        (table("Actions, the newest first", &["Time", "Actor", "Action", "Project", "Detail"], &rows, "Nothing was changed yet."))
        @if let (Some(last), true) = (found.last(), found.len() == SHOWN as usize) {
            p { a href={ "/audit?before=" (last.id) } { "Older actions" } }
        }
    };
    Ok(page(&visit, "Audit log", &content))
}
