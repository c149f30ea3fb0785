//! The overview of a project.

use super::chart::{Bar, Chart};
use super::html::{badge, facts, word};
use super::layout::project_page;
use super::time::exact;
use super::visit::{Page, Visit};
use crate::app::{App, Shared};
use crate::console::actions::{report, statistics, subscriptions};
use crate::console::api::types::Bucket;
use axum::Router;
use axum::extract::{Path, Query};
use axum::routing::get;
use maud::html;
use std::collections::HashMap;

/// The number of parts of a chart.
const PARTS: i32 = 60;
/// The times that can be chosen, in minutes.
const TIMES: [(&str, &str); 4] = [
    ("10", "10 minutes"),
    ("60", "an hour"),
    ("1440", "a day"),
    ("10080", "a week"),
];

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/projects/{id}", get(show))
}

async fn show(
    visit: Visit,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Page {
    let project = visit.project(&id).await?;
    let chosen = query.get("minutes").map_or("60", String::as_str);
    let minutes: i64 = chosen.parse().unwrap_or(60).clamp(1, 100_000);
    let until = App::system_now();
    let counts = statistics::count(
        &visit.app,
        &id,
        Some(until - minutes * 60_000),
        Some(until),
        PARTS,
    )
    .await?;
    let bars = |counts_of: fn(&Bucket) -> (u32, u32)| {
        let bars = counts.buckets.iter().map(|bucket| {
            let (good, bad) = counts_of(bucket);
            let at = bucket.at;
            Bar { at, good, bad }
        });
        bars.collect::<Vec<_>>()
    };
    let calls = Chart {
        title: "Calls",
        kinds: ("without error", "with an error"),
        bars: bars(|bucket| (bucket.calls.saturating_sub(bucket.errors), bucket.errors)),
        until: counts.until,
        cut_at: counts.calls_since,
    };
    let webhooks = Chart {
        title: "Requests with webhooks",
        kinds: ("accepted", "failed"),
        bars: bars(|bucket| (bucket.delivered, bucket.failed)),
        until: counts.until,
        cut_at: counts.webhooks_since,
    };
    let api = visit.app.urls.get().map_or("", |urls| urls.api.as_str());
    let report = report::report(&visit.app, &id).await?;
    let verdicts = |verdict: &str| {
        report
            .findings
            .iter()
            .filter(|finding| word(&finding.verdict) == verdict)
            .count()
    };
    let active = subscriptions::list(&visit.app, &id).await?;
    let active = active
        .iter()
        .filter(|subscription| subscription.active)
        .count();
    let content = html! {
        (facts(&[
            ("API", html! { code { (api) } }),
            ("Project id", html! { code { (id) } }),
            ("Clock", html! { (exact(App::now(&project))) @if project.clock.is_frozen() { " " (badge("frozen")) } }),
            ("Faults", html! { a href={ "/projects/" (id) "/faults" } { (project.faults.len()) } }),
            ("Active subscriptions", html! { a href={ "/projects/" (id) "/subscriptions" } { (active) } }),
            ("Report", html! { a href={ "/projects/" (id) "/report" } { (verdicts("ok")) " ok, " (verdicts("violated")) " violated, " (verdicts("not-shown")) " not shown" } }),
        ]))
        h2 { "Calls and deliveries" }
        form.inline method="get" action={ "/projects/" (id) } {
            div.field {
                label for="field-minutes" { "Time" }
                select #field-minutes name="minutes" {
                    @for (value, label) in TIMES { option value=(value) selected[value == chosen] { (label) } }
                }
            }
            button.plain { "Show" }
        }
        (calls.show())
        (webhooks.show())
    };
    Ok(project_page(&visit, &project, "", "Overview", &content))
}
