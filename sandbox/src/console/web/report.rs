//! The conformance report.

use super::form::action;
use super::html::{badge, prose, word};
use super::layout::project_page;
use super::time::exact;
use super::visit::{Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, report};
use crate::console::api::types;
use axum::extract::Path;
use axum::response::IntoResponse;
use axum::routing::{get, post as on_post};
use axum::{Json, Router};
use http::header;
use maud::{Markup, html};

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/report", get(show))
        .route("/projects/{id}/report.json", get(export))
        .route("/projects/{id}/report/probe", on_post(probe))
}

async fn show(visit: Visit, Path(id): Path<String>) -> Page {
    let project = visit.project(&id).await?;
    let report = report::report(&visit.app, &id).await?;
    let content = html! {
        p { "What " (report.calls) " calls and " (report.webhooks) " requests with webhooks say about the client, at " (exact(report.at)) "." }
        p.links { a.button href={ "/projects/" (id) "/report.json" } download="report.json" { "Download as JSON" } }
        section aria-labelledby="probe" {
            h2 #probe { "Probe the signatures" }
            p { "Sends webhooks that are right in everything but the signature to the active subscriptions, next to one that is right. An endpoint that verifies signatures responds differently. The forged ones also report the end of a running refresh: a client that awaits webhooks, and asks for the refresh then, has believed them." }
            (action(&visit, &format!("/projects/{id}/report/probe"), "Send the probe"))
        }
        h2 { "Rules" }
        @for finding in &report.findings { (rule(&id, finding)) }
        @if !report.unknown.is_empty() {
            h2 { "Unknown fields and headers" }
            p { "The interface does not know them. They are accepted." }
            ul { @for name in &report.unknown { li { (prose(name)) } } }
        }
    };
    Ok(project_page(
        &visit, &project, "/report", "Report", &content,
    ))
}

fn rule(id: &str, finding: &types::Finding) -> Markup {
    let verdict = word(&finding.verdict);
    html! {
        section.finding aria-labelledby={ "rule-" (finding.rule) } {
            h3 id={ "rule-" (finding.rule) } { (badge(&verdict)) " " (prose(&finding.title)) }
            p { (prose(&finding.explanation)) }
            @if !finding.evidence.is_empty() {
                ul {
                    @for evidence in &finding.evidence {
                        li {
                            (prose(&evidence.text))
                            @if let Some(call) = evidence.call.value() { " " a href={ "/projects/" (id) "/calls/" (call) } { "Call " (call) } }
                        }
                    }
                }
            }
        }
    }
}

async fn export(visit: Visit, Path(id): Path<String>) -> Page {
    let report = report::report(&visit.app, &id).await?;
    let name = [(
        header::CONTENT_DISPOSITION,
        "attachment; filename=\"report.json\"",
    )];
    Ok((name, Json(report)).into_response())
}

async fn probe(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let result = report::probe(&visit.app, Actor::Console, id).await;
    let done = match &result {
        Ok(probe) if probe.messages.is_empty() => {
            "No webhook was sent: no active subscription has a signature.".to_owned()
        }
        Ok(probe) => format!("{} webhooks were sent.", probe.messages.len()),
        Err(_) => String::new(),
    };
    visit
        .after(result, &done, &format!("/projects/{id}/report"))
        .await
}
