//! The clock of a project.

use super::form::{Field, action, check, post};
use super::html::{badge, facts};
use super::layout::project_page;
use super::time::exact;
use super::visit::{Page, Submitted, Visit};
use crate::app::{App, Shared};
use crate::console::actions::{Actor, clock};
use crate::console::failure::Failure;
use axum::Router;
use axum::extract::Path;
use axum::routing::{get, post as on_post};
use maud::html;

/// The units that can be chosen, with their length in milliseconds.
const UNITS: [(&str, &str); 4] = [
    ("1000", "seconds"),
    ("60000", "minutes"),
    ("3600000", "hours"),
    ("86400000", "days"),
];

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/clock", get(show))
        .route("/projects/{id}/clock/{action}", on_post(change))
}

async fn show(visit: Visit, Path(id): Path<String>) -> Page {
    let project = visit.project(&id).await?;
    let clock = clock::shown(&project);
    let path = |action: &str| format!("/projects/{id}/clock/{action}");
    let content = html! {
        p { "The clock decides when tokens and consents expire, when tasks end, and when webhooks are retried." }
        (facts(&[
            ("Time of the project", html! { (exact(clock.now)) @if clock.frozen { " " (badge("frozen")) } }),
            ("Time of the system", exact(App::system_now())),
            ("Ahead", html! { (clock.offset) " ms" }),
        ]))
        @if clock.frozen { (action(&visit, &path("resume"), "Let the clock run on")) }
        @else { (action(&visit, &path("freeze"), "Freeze the clock")) }
        section aria-labelledby="advance" {
            h2 #advance { "Move the clock forward" }
            (post(&visit, &path("advance"), &html! {
                (Field::new("distance", "Distance").value("10").number().required().line())
                (Field::new("unit", "Unit").value("60000").choice(&UNITS))
                (check("settle", "yes", "Wait until everything that became due has happened", true))
                button { "Move forward" }
            }))
        }
    };
    Ok(project_page(&visit, &project, "/clock", "Clock", &content))
}

async fn change(submitted: Submitted) -> Page {
    let (visit, id, fields) = (&submitted.visit, submitted.project(), &submitted.fields);
    let app = &visit.app;
    let (result, done) = match submitted.path("action") {
        "freeze" => (
            clock::freeze(app, Actor::Console, id).await,
            "The clock is frozen.",
        ),
        "resume" => (
            clock::resume(app, Actor::Console, id).await,
            "The clock runs on.",
        ),
        "advance" => {
            let distance: i64 = fields.number("distance")?.unwrap_or(0);
            let unit: i64 = fields.number("unit")?.unwrap_or(1000);
            let distance = distance.saturating_mul(unit);
            let wait = fields.is_checked("settle");
            let result = clock::advance(app, Actor::Console, id, distance, wait).await;
            (result, "The clock has moved.")
        }
        _ => (Err(Failure::missing("action")), ""),
    };
    let done = match &result {
        Ok(clock) if clock.settled == Some(false) => {
            "The clock has moved, and something that is due is still going on."
        }
        _ => done,
    };
    visit
        .after(result, done, &format!("/projects/{id}/clock"))
        .await
}
