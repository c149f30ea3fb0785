//! The inspector of calls.

use super::html::{badge, code, facts, headers, page, pretty, project_page, status, table, time};
use super::live::{self, call_row, milliseconds};
use super::visit::{Page, Visit};
use crate::app::Shared;
use crate::console::actions::{document, har, inspector};
use crate::console::api::operations::ExportCallsRequest;
use crate::model::{Call, Check};
use axum::extract::{Path, Query};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use http::header;
use maud::{Markup, html};
use std::collections::HashMap;

/// How many calls a page shows.
const SHOWN: u32 = 50;
/// The columns of a list of calls.
const COLUMNS: [&str; 5] = ["Time", "Call", "Status", "Rejected by", "Duration"];

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/calls", get(unattributed))
        .route("/calls/{call}", get(show_unattributed))
        .route("/projects/{id}/calls", get(list))
        .route("/projects/{id}/calls.har", get(export))
        .route("/projects/{id}/calls/{call}", get(show))
}

async fn list(
    visit: Visit,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Page {
    let project = visit.project(&id).await?;
    let failed = query.contains_key("failed");
    let matches = |call: &Call| !failed || inspector::is_error(call);
    let before = query.get("before").map(String::as_str);
    let calls = inspector::newest(&visit.app, &id, before, SHOWN, matches).await?;
    let rows: Vec<Markup> = calls.iter().map(call_row).collect();
    // Further rows are new only on the first page, and without a filter.
    let source = match before.is_none() && !failed {
        true => format!("/projects/{id}/live?of=calls"),
        false => String::new(),
    };
    let content = html! {
        p.links {
            a.button href={ "/projects/" (id) "/calls.har" } download="calls.har" { "Download as HTTP archive" }
            @if failed { a.button href={ "/projects/" (id) "/calls" } { "All calls" } }
            @else { a.button href={ "/projects/" (id) "/calls?failed=1" } { "Only calls with an error" } }
            a.button href="/calls" { "Calls without a project" }
        }
        (live::list("Calls, the newest first", &source, &COLUMNS, &rows))
        @if calls.is_empty() { p.empty { "There are no such calls." } }
        @if let (Some(last), true) = (calls.last(), calls.len() == SHOWN as usize) {
            p { a href={ "/projects/" (id) "/calls?before=" (last.id) @if failed { "&failed=1" } } { "Older calls" } }
        }
    };
    Ok(project_page(&visit, &project, "/calls", "Calls", &content))
}

async fn show(visit: Visit, Path((id, call)): Path<(String, String)>) -> Page {
    let project = visit.project(&id).await?;
    let call = document::<Call>(&visit.app, &id, &call, "call")
        .await?
        .value;
    let archive = html! {
        p.links { a.button href={ "/projects/" (id) "/calls.har?call=" (call.id) } download={ (call.id) ".har" } { "Download as HTTP archive" } }
    };
    let content = detail(&visit, &call, &archive);
    let title = format!("{} {}", call.method, call.path);
    Ok(project_page(&visit, &project, "/calls", &title, &content))
}

/// Returns what the page of a call shows.
fn detail(visit: &Visit, call: &Call, archive: &Markup) -> Markup {
    html! {
        (facts(&[
            ("Time", time(call.at)),
            ("Time of the project", time(call.project_time)),
            ("Duration", html! { (milliseconds(call.microseconds)) }),
            ("Status", status(call.status)),
            ("Operation", html! { (call.operation.as_deref().unwrap_or("none of the document")) }),
            ("Client", html! { (call.client_id.as_deref().unwrap_or("not recognised")) }),
            ("Injected fault", html! { (call.fault.as_deref().unwrap_or("none")) }),
        ]))
        h2 { "Checks" }
        (checks(&call.checks))
        h2 { "As a command" }
        (code("curl command", &inspector::curl(&visit.app, call)))
        (archive)
        (message("Request", &call.request_headers, &call.request_body))
        (message("Response", &call.response_headers, &call.response_body))
    }
}

/// Shows the calls that belong to no project, because their client is not known.
async fn unattributed(visit: Visit, Query(query): Query<HashMap<String, String>>) -> Page {
    let before = query.get("before").map(String::as_str);
    let calls = inspector::newest::<Call>(&visit.app, "", before, SHOWN, |_| true).await?;
    let rows: Vec<Markup> = calls.iter().map(call_row).collect();
    let content = html! {
        p { "These calls belong to no project, because no project has their client id." }
        (table("Calls, the newest first", &COLUMNS, &rows, "There are no such calls."))
        @if let (Some(last), true) = (calls.last(), calls.len() == SHOWN as usize) {
            p { a href={ "/calls?before=" (last.id) } { "Older calls" } }
        }
    };
    Ok(page(&visit, "Calls without a project", &content))
}

async fn show_unattributed(visit: Visit, Path(call): Path<String>) -> Page {
    let call = document::<Call>(&visit.app, "", &call, "call").await?.value;
    let title = format!("{} {}", call.method, call.path);
    Ok(page(&visit, &title, &detail(&visit, &call, &html! {})))
}

/// Returns the checks that a request went through.
pub(super) fn checks(checks: &[Check]) -> Markup {
    html! {
        @if checks.is_empty() { p.empty { "There were no checks." } }
        ol.checks {
            @for check in checks {
                li { (badge(if check.passed { "ok" } else { "failed" })) " " strong { (check.name) } ": " (check.reason) }
            }
        }
    }
}

/// Returns the headers and the body of a request or response.
pub(super) fn message(title: &str, of: &[(String, String)], body: &str) -> Markup {
    html! {
        h2 { (title) }
        (headers(&format!("{title} headers"), of))
        @if body.is_empty() { p.empty { "The body is empty." } }
        @else { (code(&format!("{title} body"), &pretty(body))) }
    }
}

async fn export(
    visit: Visit,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Page {
    let mut request = ExportCallsRequest::new(id);
    request.call = query.get("call").cloned();
    request.limit = Some(500);
    let archive = har::export(&visit.app, &request).await?;
    let name = [(
        header::CONTENT_DISPOSITION,
        "attachment; filename=\"calls.har\"",
    )];
    Ok((name, Json(archive)).into_response())
}
