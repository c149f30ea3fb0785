//! The page of a task, with everything that has happened because of it; and the links to it.

use super::customers;
use super::html::{badge, facts, segment, table, word};
use super::layout::project_page;
use super::live::{self, call_row, sent_row};
use super::time::project_time;
use super::visit::{Page, Visit};
use crate::app::Shared;
use crate::console::actions::{document, inspector};
use crate::model::{Call, Event, Project, SentWebhook, Task};
use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use maud::{Markup, html};

/// How many rows of each kind the page shows.
const SHOWN: u32 = 100;

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/projects/{id}/tasks/{task}", get(show))
}

async fn show(visit: Visit, Path((id, task)): Path<(String, String)>) -> Page {
    let project = visit.project(&id).await?;
    let task = document::<Task>(&visit.app, &id, &task, "task")
        .await?
        .value;
    let app = &visit.app;
    let names = |call: &Call| call.path.contains(&task.id) || call.response_body.contains(&task.id);
    let calls = inspector::newest(app, &id, None, SHOWN, names).await?;
    let cause = format!("task {}", task.id);
    let events =
        inspector::newest(app, &id, None, SHOWN, |event: &Event| event.cause == cause).await?;
    let prefix = format!("task:{}:", task.id);
    let concerns = |sent: &SentWebhook| sent.message_id.starts_with(&prefix);
    let sent = inspector::newest(app, &id, None, SHOWN, concerns).await?;
    let calls: Vec<Markup> = calls.iter().map(call_row).collect();
    let attempts: Vec<Markup> = sent.iter().map(sent_row).collect();
    let events: Vec<Markup> = events
        .iter()
        .map(|event| event_row(&project, event))
        .collect();
    let content = html! {
        (overview(&project, &task))
        (table("Calls that name the task, the newest first", &live::COLUMNS, &calls, "The log has no such call."))
        (table("Events, the newest first", &["Time of the project", "Kind", "Message id"], &events, "The task has caused no event."))
        (table("Attempts to deliver them, the newest first", &["Time", "Delivery", "Attempt", "Status", "Next retry", "Duration"], &attempts, "No webhook was sent."))
    };
    let title = format!("Task {}", task.id);
    Ok(project_page(&visit, &project, "/tasks", &title, &content))
}

fn overview(project: &Project, task: &Task) -> Markup {
    let at = |at: Option<i64>| html! { @if let Some(at) = at { (project_time(project, at)) } @else { "none" } };
    facts(&[
        ("Kind", html! { (word(&task.kind)) }),
        ("State", html! { (badge(&word(&task.state))) }),
        (
            "Result of a failure",
            html! { (task.failure.as_deref().unwrap_or("none")) },
        ),
        (
            "Customer",
            html! { @if let Some(customer) = &task.customer_id { (customers::link(&project.id, customer)) } @else { "none" } },
        ),
        (
            "Provider",
            html! { (task.provider.as_deref().unwrap_or("none")) },
        ),
        (
            "Consent",
            html! { (task.consent_id.as_deref().unwrap_or("none")) },
        ),
        ("Started", project_time(project, task.created_at)),
        ("Next step", at(task.due)),
        ("Ended", at(task.finished_at)),
    ])
}

fn event_row(project: &Project, event: &Event) -> Markup {
    html! { tr {
        td { (project_time(project, event.at)) }
        th scope="row" { (event.kind) }
        td.long { code { (event.message_id) } }
    } }
}

/// Returns a link to the page of a task.
pub(super) fn link(project: &str, task: &str) -> Markup {
    html! { a href={ "/projects/" (segment(project)) "/tasks/" (segment(task)) } { code { (task) } } }
}

/// Returns the task of a call: that in the path, or that which it has started.
pub(super) fn of_call(call: &Call) -> Option<String> {
    match call.operation.as_deref()? {
        "getOpenBankingRefreshStatus" if call.status? < 300 => {
            Some(call.path.rsplit_once('/')?.1.to_owned())
        }
        _ => call.started_task(),
    }
}

/// Returns the task that has caused an event.
pub(super) fn of_cause(cause: &str) -> Option<&str> {
    cause.strip_prefix("task ")
}

/// Returns the task whose end a message reports.
pub(super) fn of_message(message_id: &str) -> Option<&str> {
    Some(message_id.strip_prefix("task:")?.rsplit_once(':')?.0)
}
