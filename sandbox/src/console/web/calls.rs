//! The inspector of calls.

use super::form::{Field, check};
use super::html::{badge, code, facts, headers, pretty, prose, status, table};
use super::layout::{page, project_page};
use super::live::{self, call_row, milliseconds};
use super::task;
use super::time::{exact, project_time, time};
use super::visit::{Page, Visit};
use crate::app::{App, Shared};
use crate::console::actions::{document, har, inspector};
use crate::console::api::operations::ExportCallsRequest;
use crate::model::{Call, Check, Millis, Project};
use axum::extract::{Path, Query};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use http::header;
use maud::{Markup, html};
use std::collections::HashMap;

/// How many calls a page shows.
const SHOWN: u32 = 50;

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/calls", get(unattributed))
        .route("/calls/{call}", get(show_unattributed))
        .route("/projects/{id}/calls", get(list))
        .route("/projects/{id}/calls.har", get(export))
        .route("/projects/{id}/calls/{call}", get(show))
}

/// Stands for calls without an operation, a status or a code in a filter.
pub(super) const NONE: &str = "none";

/// What a list of calls is restricted to, by the fields of its form.
struct Filter<'q>(&'q HashMap<String, String>);

impl Filter<'_> {
    /// The fields, without that of the position in the list.
    const FIELDS: [&'static str; 8] = [
        "search",
        "operation",
        "status",
        "code",
        "client",
        "customer",
        "minutes",
        "failed",
    ];

    /// Returns the value of a field; empty if it has none.
    fn get(&self, field: &str) -> &str {
        self.0.get(field).map_or("", |value| value.trim())
    }

    /// Returns whether a call is shown at this time of the system clock.
    fn matches(&self, call: &Call, now: Millis) -> bool {
        let is = |field: &str, value: Option<&str>| {
            self.get(field).is_empty() || value.unwrap_or(NONE) == self.get(field)
        };
        let search = self.get("search");
        let texts = [
            &call.id,
            &call.path,
            &call.request_body,
            &call.response_body,
        ];
        let mut headers = call.request_headers.iter();
        let customer = headers.find(|(name, _)| name.eq_ignore_ascii_case("x-customer-id"));
        let status = call.status.map(|status| status.to_string());
        let minutes = self.get("minutes").parse::<i64>().ok();
        (search.is_empty() || texts.iter().any(|text| text.contains(search)))
            && is("operation", call.operation.as_deref())
            && is("status", status.as_deref())
            && (self.get("code").is_empty() || is("code", call.code().as_deref()))
            && is("client", call.client_id.as_deref())
            && is("customer", customer.map(|(_, id)| id.as_str()))
            && minutes.is_none_or(|minutes| call.at >= now - minutes.saturating_mul(60_000))
            && (self.get("failed").is_empty() || inspector::is_error(call))
    }

    /// Returns the fields that have values as the query of a link.
    fn query(&self) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for field in Self::FIELDS {
            if !self.get(field).is_empty() {
                query.append_pair(field, self.get(field));
            }
        }
        query.finish()
    }

    fn form(&self, id: &str) -> Markup {
        let operations = [
            ("", "all"),
            (NONE, "none of the document"),
            ("createToken", "createToken"),
            ("startOpenBankingRefresh", "startOpenBankingRefresh"),
            ("getOpenBankingRefreshStatus", "getOpenBankingRefreshStatus"),
        ];
        let line = |name, label| Field::new(name, label).value(self.get(name));
        html! {
            details open[!self.query().is_empty()] {
                summary { "Search" }
                form method="get" action={ "/projects/" (id) "/calls" } {
                    (line("search", "Text").hint("In the id, the path or a body, such as the id of a task.").line())
                    (line("operation", "Operation").choice(&operations))
                    (line("status", "Status").line())
                    (line("code", "Code of the error").line())
                    (line("client", "Client id").line())
                    (line("customer", "Customer id").line())
                    (line("minutes", "Not older than, in minutes").number().line())
                    (check("failed", "1", "Only calls with an error", !self.get("failed").is_empty()))
                    button { "Search" }
                }
            }
        }
    }
}

async fn list(
    visit: Visit,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Page {
    let project = visit.project(&id).await?;
    let filter = Filter(&query);
    let now = App::system_now();
    let matches = |call: &Call| filter.matches(call, now);
    let before = query.get("before").map(String::as_str);
    let calls = inspector::newest(&visit.app, &id, before, SHOWN, matches).await?;
    let rows: Vec<Markup> = calls.iter().map(call_row).collect();
    let filtered = filter.query();
    // Further rows are new only on the first page, and without a filter.
    let source = match before.is_none() && filtered.is_empty() {
        true => format!("/projects/{id}/live?of=calls"),
        false => String::new(),
    };
    let content = html! {
        p.links {
            a.button href={ "/projects/" (id) "/calls.har" } download="calls.har" { "Download as HTTP archive" }
            @if !filtered.is_empty() { a.button href={ "/projects/" (id) "/calls" } { "All calls" } }
            @else { a.button href={ "/projects/" (id) "/calls?failed=1" } { "Only calls with an error" } }
            a.button href={ "/projects/" (id) "/errors" } { "Errors by kind" }
            a.button href="/calls" { "Calls without a project" }
        }
        (filter.form(&id))
        (live::list("Calls, the newest first", &source, &live::COLUMNS, &rows))
        @if calls.is_empty() { p.empty { "There are no such calls." } }
        @if let (Some(last), true) = (calls.last(), calls.len() == SHOWN as usize) {
            p { a href={ "/projects/" (id) "/calls?before=" (last.id) "&" (filtered) } { "Older calls" } }
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
    let content = detail(&visit, Some(&project), &call, &archive);
    let title = format!("{} {}", call.method, call.path);
    Ok(project_page(&visit, &project, "/calls", &title, &content))
}

/// Returns what the page of a call shows.
fn detail(visit: &Visit, project: Option<&Project>, call: &Call, archive: &Markup) -> Markup {
    html! {
        (facts(&[
            ("Time", time(call.at)),
            ("Time of the project", project.map_or_else(|| exact(call.project_time), |project| project_time(project, call.project_time))),
            ("Duration", html! { (milliseconds(call.microseconds)) }),
            ("Status", status(call.status)),
            ("Operation", html! { (call.operation.as_deref().unwrap_or("none of the document")) }),
            ("Client", html! { (call.client_id.as_deref().unwrap_or("not recognised")) }),
            ("Injected fault", html! { (call.fault.as_deref().unwrap_or("none")) }),
            ("Task", html! { @if let Some(task) = task::of_call(call) { (task::link(&call.project, &task)) } @else { "none" } }),
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
        (table("Calls, the newest first", &live::COLUMNS, &rows, "There are no such calls."))
        @if let (Some(last), true) = (calls.last(), calls.len() == SHOWN as usize) {
            p { a href={ "/calls?before=" (last.id) } { "Older calls" } }
        }
    };
    Ok(page(&visit, "Calls without a project", &content))
}

async fn show_unattributed(visit: Visit, Path(call): Path<String>) -> Page {
    let call = document::<Call>(&visit.app, "", &call, "call").await?.value;
    let title = format!("{} {}", call.method, call.path);
    Ok(page(
        &visit,
        &title,
        &detail(&visit, None, &call, &html! {}),
    ))
}

/// Returns the checks that a request went through.
pub(super) fn checks(checks: &[Check]) -> Markup {
    html! {
        @if checks.is_empty() { p.empty { "There were no checks." } }
        ol.checks {
            @for check in checks {
                li { (badge(if check.passed { "ok" } else { "failed" })) " " strong { (check.name) } ": " (prose(&check.reason)) }
            }
        }
    }
}

/// Returns the headers and the body of a request or response.
pub(super) fn message(title: &str, pairs: &[(String, String)], body: &str) -> Markup {
    html! {
        h2 { (title) }
        (headers(&format!("{title} headers"), pairs))
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
