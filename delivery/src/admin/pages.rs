//! The pages. Every text is escaped by maud, and links are encoded.

use super::api::{link, state_of};
use super::request::Parameters;
use super::state::{self, PHASES};
use super::{AdminResponse, Failure, response};
use crate::store::{DeliveryStore, EndpointStatus};
use crate::{Attempt, Delivery, Timestamp};
use http::StatusCode;
use maud::{DOCTYPE, Markup, html};
use std::time::{Duration, UNIX_EPOCH};

const STYLE: &str = "
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 72rem; margin: 0 auto; padding: 0 1rem 2rem }
.scroll { overflow-x: auto; position: relative }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8886; vertical-align: top }
td { overflow-wrap: anywhere }
form { display: inline-block; margin: 0 .5rem .5rem 0 }
";

/// Returns the page of a path.
pub(super) async fn page(
    store: &impl DeliveryStore,
    prefix: &str,
    path: &str,
    parameters: &Parameters,
) -> Result<AdminResponse, Failure> {
    let (title, content) = match path {
        "/style.css" => return Ok(response(StatusCode::OK, "text/css; charset=utf-8", STYLE)),
        "" => ("Queue", queue(store, prefix, parameters).await?),
        "/owner" => ("Owner", owner(store, prefix, parameters).await?),
        "/delivery" => ("Delivery", delivery(store, prefix, parameters).await?),
        _ => return Err(Failure::Path),
    };
    Ok(layout(prefix, StatusCode::OK, title, &content))
}

pub(super) fn error(prefix: &str, status: StatusCode, why: &str) -> AdminResponse {
    layout(prefix, status, "Error", &html! { p { (why) } })
}

fn layout(prefix: &str, status: StatusCode, title: &str, content: &Markup) -> AdminResponse {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · webhooks" }
                link rel="stylesheet" href={ (prefix) "/style.css" };
            }
            body {
                header { p { a href={ (prefix) "/" } { "Queue" } } h1 { (title) } }
                main { (content) }
            }
        }
    };
    response(status, "text/html; charset=utf-8", page.into_string())
}

fn table(headers: &[&str], rows: &[Markup]) -> Markup {
    html! {
        @if rows.is_empty() { p { "None." } } @else {
            div.scroll { table {
                thead { tr { @for header in headers { th scope="col" { (header) } } } }
                tbody { @for row in rows { (row) } }
            } }
        }
    }
}

/// Returns a time in UTC, as HTTP writes it.
fn time(time: Timestamp) -> Markup {
    let since = u64::try_from(time.as_millis()).unwrap_or_default();
    // The library has no years of five digits.
    let shown = match since {
        ..=253_402_300_799_999 => {
            httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_millis(since))
        }
        _ => time.to_string(),
    };
    html! { span title={ (time.as_millis()) } { (shown) } }
}

/// A button that sends a form.
fn button(prefix: &str, path: &str, fields: &[(&str, &str)], label: &str) -> Markup {
    html! {
        form method="post" action={ (prefix) (path) } {
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            button { (label) }
        }
    }
}

async fn queue(
    store: &impl DeliveryStore,
    prefix: &str,
    parameters: &Parameters,
) -> Result<Markup, Failure> {
    let queue = state::queue(store, parameters).await?;
    let rows: Vec<_> = queue
        .owners
        .iter()
        .map(|(owner, backlog)| {
            let shown = if owner.is_empty() {
                "(no owner)"
            } else {
                owner.as_str()
            };
            html! { tr {
                td { a href={ (prefix) (link("/owner", &[("owner", owner)])) } { (shown) } }
                td { (backlog.waiting) }
                td { (backlog.held) }
                td { (backlog.in_progress) }
                td { @if let Some(due) = backlog.next_due { (time(due)) } }
            } }
        })
        .collect();
    Ok(html! {
        p { (queue.depth) " deliveries are not finished." }
        (table(&["Owner", "Waiting", "Held", "In progress", "Next due"], &rows))
        @if let Some(next) = &queue.next {
            p { a href={ (prefix) (link("/", &[("after", next)])) } { "More owners" } }
        }
    })
}

async fn owner(
    store: &impl DeliveryStore,
    prefix: &str,
    parameters: &Parameters,
) -> Result<Markup, Failure> {
    let owner = parameters.owner()?;
    let now = store.now().await?;
    let endpoints = state::endpoints(store, parameters).await?;
    let endpoints: Vec<_> = endpoints
        .iter()
        .map(|endpoint| endpoint_row(prefix, endpoint, now))
        .collect();
    let found = state::deliveries(store, parameters).await?;
    let rows: Vec<_> = found
        .iter()
        .map(|delivery| delivery_row(prefix, delivery))
        .collect();
    let is_full = found.len() == parameters.limit()? as usize;
    let older = found.last().filter(|_| is_full).map(|last| {
        let before = last.id.to_string();
        let mut kept = vec![("owner", owner), ("before", before.as_str())];
        for name in ["phase", "subscription", "kind", "limit"] {
            kept.extend(parameters.get(name).map(|value| (name, value)));
        }
        link("/owner", &kept)
    });
    let heads = [
        "Endpoint",
        "Kind",
        "State",
        "Circuit",
        "In progress",
        "Pace",
        "",
    ];
    Ok(html! {
        p { "Owner " strong { (owner) } }
        (button(prefix, "/api/reschedule", &[("owner", owner), ("change", "now")], "Send what waits now"))
        (button(prefix, "/api/replay-failed", &[("owner", owner)], "Replay what failed"))
        h2 { "Endpoints" }
        (table(&heads, &endpoints))
        h2 { "Deliveries" }
        (search(prefix, owner, parameters))
        (table(&["Delivery", "Kind", "Subscription", "State", "Time"], &rows))
        @if let Some(older) = older { p { a href={ (prefix) (older) } { "Older" } } }
    })
}

/// The form for the conditions of deliveries.
fn search(prefix: &str, owner: &str, parameters: &Parameters) -> Markup {
    let value = |name| parameters.get(name).unwrap_or_default();
    html! {
        form method="get" action={ (prefix) "/owner" } {
            input type="hidden" name="owner" value=(owner);
            label { "State " select name="phase" {
                option value="" { "any" }
                @for (word, _) in PHASES {
                    option value=(word) selected[word == value("phase")] { (word) }
                }
            } }
            label { " Kind " input name="kind" value=(value("kind")); }
            label { " Subscription " input name="subscription" value=(value("subscription")); }
            " " button { "Find" }
        }
    }
}

fn endpoint_row(prefix: &str, endpoint: &EndpointStatus, now: Timestamp) -> Markup {
    let (path, label) = match endpoint.active {
        true => ("/api/pause", "Pause"),
        false => ("/api/resume", "Resume"),
    };
    let fields = [("subscription", endpoint.subscription.as_str())];
    html! { tr {
        td { (endpoint.subscription) br; (endpoint.origin) }
        td { (endpoint.kind.as_deref().unwrap_or("all")) }
        td { @if endpoint.active { "active" } @else { "paused" } }
        td {
            @if endpoint.is_open(now) { "open until " (time(endpoint.open_until)) }
            @else { "closed" }
            @if endpoint.failures > 0 { ", " (endpoint.failures) " failing rounds" }
        }
        td { (endpoint.in_progress) }
        td { @if let Some(pace) = endpoint.pace { (pace.as_millis()) " ms" } }
        td { (button(prefix, path, &fields, label)) }
    } }
}

fn delivery_row(prefix: &str, delivery: &Delivery) -> Markup {
    let (state, at, reason) = state_of(&delivery.state);
    let id = delivery.id.to_string();
    html! { tr {
        td { a href={ (prefix) (link("/delivery", &[("id", &id)])) } { (id) } }
        td { (delivery.kind) }
        td { (delivery.subscription) }
        td { (state) @if let Some(reason) = reason { ": " (reason) } }
        td { (time(at)) }
    } }
}

async fn delivery(
    store: &impl DeliveryStore,
    prefix: &str,
    parameters: &Parameters,
) -> Result<Markup, Failure> {
    let (delivery, attempts) = state::delivery(store, parameters).await?;
    let (state, at, reason) = state_of(&delivery.state);
    let rows: Vec<_> = attempts.iter().map(attempt_row).collect();
    let id = delivery.id.to_string();
    let owner = link("/owner", &[("owner", &delivery.owner)]);
    let heads = [
        "Attempt",
        "Started",
        "Response after",
        "Ended after",
        "Result",
        "Detail",
    ];
    Ok(html! {
        p { a href={ (prefix) (owner) } { "Owner " (delivery.owner) } }
        p { "Message " strong { (delivery.message.as_str()) } " of kind " strong { (delivery.kind) }
            " to " strong { (delivery.subscription) } }
        p { (state) @if let Some(reason) = reason { ": " (reason) } ", " (time(at)) }
        @if let Some(original) = delivery.replay_of {
            p { "A replay of " a href={ (prefix) (link("/delivery", &[("id", &original.to_string())])) } {
                (original.0) } }
        }
        @if delivery.state.is_finished() {
            (button(prefix, "/api/replay", &[("delivery", id.as_str())], "Replay"))
        }
        h2 { "Attempts" }
        (table(&heads, &rows))
    })
}

fn attempt_row(attempt: &Attempt) -> Markup {
    let after = |time: Timestamp| format!("{} ms", time.since(attempt.started).as_millis());
    html! { tr {
        td { (attempt.n) }
        td { (time(attempt.started)) }
        td { @if let Some(responded) = attempt.responded { (after(responded)) } }
        td { (after(attempt.ended)) }
        td { (attempt.end.as_str()) @if let Some(status) = attempt.status { " " (status) } }
        td { (attempt.detail) }
    } }
}
