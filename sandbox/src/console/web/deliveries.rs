//! Deliveries of webhooks, their attempts, and replays.

use super::calls::message;
use super::form::{Field, action, post};
use super::html::{badge, facts, status, table, word};
use super::layout::project_page;
use super::live::{self, milliseconds, sent_row};
use super::task;
use super::time::{project_time, time};
use super::visit::{Page, Refusal, Submitted, Visit};
use crate::app::{App, Shared};
use crate::console::actions::signatures::pairs;
use crate::console::actions::{Actor, deliveries, inspector};
use crate::console::api::operations::ListDeliveriesRequest;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::{Project, SentWebhook};
use axum::Router;
use axum::extract::{Path, Query};
use axum::routing::{get, post as on_post};
use maud::{Markup, html};
use std::collections::HashMap;

/// How many rows a page shows.
const SHOWN: i32 = 50;

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/deliveries", get(list))
        .route("/projects/{id}/deliveries/{delivery}", get(show))
        .route(
            "/projects/{id}/deliveries/{delivery}/replay",
            on_post(replay),
        )
        .route("/projects/{id}/replays", on_post(replay_failures))
}

async fn list(
    visit: Visit,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Page {
    let project = visit.project(&id).await?;
    let mut request = ListDeliveriesRequest::new(id.clone());
    request.limit = Some(SHOWN);
    request.before = query.get("before").and_then(|before| before.parse().ok());
    let state = query.get("state").map_or("", String::as_str);
    request.state = Some(state)
        .filter(|state| !state.is_empty())
        .map(types::DeliveryState::from);
    let found = deliveries::list(&visit.app, &request).await?;
    let sent: Vec<SentWebhook> = inspector::newest(&visit.app, &id, None, 25, |_| true).await?;
    let attempts: Vec<Markup> = sent.iter().map(sent_row).collect();
    let rows: Vec<Markup> = found
        .iter()
        .map(|delivery| delivery_row(&visit, &project, delivery))
        .collect();
    let columns = [
        "Time",
        "Delivery",
        "Attempt",
        "Status",
        "Next retry",
        "Duration",
    ];
    let states = [
        ("", "all"),
        ("pending", "pending"),
        ("held", "held"),
        ("leased", "being sent"),
        ("delivered", "delivered"),
        ("dead", "dead"),
    ];
    let content = html! {
        h2 { "Attempts" }
        (live::list("Attempts, the newest first", &format!("/projects/{id}/live?of=webhooks"), &columns, &attempts))
        h2 { "Deliveries" }
        form.inline method="get" action={ "/projects/" (id) "/deliveries" } {
            (Field::new("state", "State").value(state).choice(&states))
            button.plain { "Show" }
        }
        (table("Deliveries, the newest first", &["Id", "Kind", "State", "Attempts", "Due or ended", ""], &rows, "There are no such deliveries."))
        @if let (Some(last), true) = (found.last(), found.len() == SHOWN as usize) {
            p { a href={ "/projects/" (id) "/deliveries?before=" (last.id) "&state=" (state) } { "Older deliveries" } }
        }
        section aria-labelledby="replays" {
            h2 #replays { "Replay all failures" }
            (post(&visit, &format!("/projects/{id}/replays"), &html! {
                (Field::new("minutes", "Since, in minutes before now").value("60").number().required().hint("By the clock of the project.").line())
                button { "Replay the failures" }
            }))
        }
    };
    Ok(project_page(
        &visit,
        &project,
        "/deliveries",
        "Deliveries",
        &content,
    ))
}

fn delivery_row(visit: &Visit, project: &Project, delivery: &types::Delivery) -> Markup {
    let state = word(&delivery.state);
    let path = format!("/projects/{}/deliveries/{}", project.id, delivery.id);
    let is_finished = matches!(state.as_str(), "delivered" | "dead");
    html! { tr {
        th scope="row" { a href=(path) { (delivery.id) } }
        td { (delivery.kind) }
        td { (badge(&state)) @if let Some(reason) = delivery.reason.value() { " " (reason) } }
        td.number { (delivery.tries) }
        td { @if let Some(at) = delivery.due.value() { (project_time(project, *at)) }
            @else if let Some(at) = delivery.ended_at.value() { (time(*at)) } }
        td.actions { @if is_finished { (action(visit, &format!("{path}/replay"), &format!("Replay {}", delivery.id))) } }
    } }
}

async fn show(visit: Visit, Path((id, delivery)): Path<(String, i64)>) -> Page {
    let project = visit.project(&id).await?;
    let detail = deliveries::get(&visit.app, &id, delivery).await?;
    let found = &detail.delivery;
    let rows: Vec<Markup> = detail
        .attempts
        .iter()
        .map(|attempt| {
            html! { tr {
                th scope="row" { (attempt.number) }
                td { (time(attempt.started_at)) }
                td.number { (attempt.ended_at - attempt.started_at) " ms" }
                td { (attempt.end) }
                td { @if let Some(code) = attempt.status.value() { (status(Some(*code))) } }
                td.long { (attempt.detail) }
            } }
        })
        .collect();
    let content = html! {
        (facts(&[
            ("Kind", html! { (found.kind) }),
            ("State", html! { (badge(&word(&found.state))) @if let Some(reason) = found.reason.value() { " " (reason) } }),
            ("Message id", html! { code { (found.message_id) } }),
            ("Task", html! { @if let Some(task) = task::of_message(&found.message_id) { (task::link(&id, task)) } @else { "none" } }),
            ("Subscription", html! { a href={ "/projects/" (id) "/subscriptions/" (found.subscription) } { (found.subscription) } }),
            ("Next attempt", html! { @if let Some(at) = found.due.value() { (project_time(&project, *at)) } @else { "none" } }),
            ("Replay of", html! { @if let Some(first) = found.replay_of.value() { a href={ "/projects/" (id) "/deliveries/" (first) } { (first) } } @else { "none" } }),
        ]))
        (action(&visit, &format!("/projects/{id}/deliveries/{delivery}/replay"), "Replay"))
        h2 { "Attempts" }
        (table("Attempts", &["Number", "Start", "Duration", "End", "Status", "Detail"], &rows, "There was no attempt yet."))
        @for sent in &detail.sent { (request(&project, sent)?) }
    };
    Ok(project_page(
        &visit,
        &project,
        "/deliveries",
        &format!("Delivery {delivery}"),
        &content,
    ))
}

/// Returns the request of an attempt, with its signature.
fn request(project: &Project, sent: &types::SentWebhook) -> Result<Markup, Refusal> {
    Ok(html! {
        section {
            h2 { "Request of attempt " (sent.attempt) }
            (facts(&[
                ("URL", html! { code { (sent.method) " " (sent.url) } }),
                ("Time", time(sent.at)),
                ("Time of the project", project_time(project, sent.project_time)),
                ("Duration", html! { (milliseconds(u64::try_from(sent.microseconds).unwrap_or(0))) }),
                ("Status", status(sent.status.value().copied())),
                ("Response", html! { (sent.detail) }),
                ("Next retry", html! { @if let Some(at) = sent.next_retry.value() { (project_time(project, *at)) } @else { "none" } }),
                ("Injected fault", html! { @if let Some(fault) = sent.fault.value() { (fault) } @else { "none" } }),
            ]))
            (message(&format!("Attempt {}", sent.attempt), &pairs(&sent.request_headers)?, &sent.request_body))
        }
    })
}

async fn replay(submitted: Submitted) -> Page {
    let visit = &submitted.visit;
    let id = submitted.project();
    let delivery = submitted.path("delivery").parse();
    let delivery: i64 = delivery.map_err(|_| Failure::missing("delivery"))?;
    let result = deliveries::replay(&visit.app, Actor::Console, id, delivery).await;
    let next = match &result {
        Ok(replay) => format!("/projects/{id}/deliveries/{}", replay.id),
        Err(_) => format!("/projects/{id}/deliveries/{delivery}"),
    };
    visit
        .after(result, "The message is sent again.", &next)
        .await
}

async fn replay_failures(submitted: Submitted) -> Page {
    let visit = &submitted.visit;
    let id = submitted.project();
    let minutes: i64 = submitted.fields.number("minutes")?.unwrap_or(60);
    let now = App::now(&*visit.project(id).await?);
    let since = now.saturating_sub(minutes.saturating_mul(60_000));
    let result = deliveries::replay_failures(&visit.app, Actor::Console, id, since).await;
    let done = format!(
        "{} deliveries are sent again.",
        result.as_ref().map_or(0, Vec::len)
    );
    visit
        .after(result, &done, &format!("/projects/{id}/deliveries"))
        .await
}
