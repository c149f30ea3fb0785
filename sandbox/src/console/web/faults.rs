//! Faults that are injected on request.

use super::form::{Field, danger, post};
use super::html::{table, word};
use super::layout::project_page;
use super::visit::{Fields, Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, faults};
use crate::console::api::types;
use crate::console::failure::Failure;
use axum::Router;
use axum::extract::Path;
use axum::routing::{get, post as on_post};
use financial_data::webhooks::SUBSCRIPTION;
use maud::{Markup, html};
use serde_json::json;

/// The faults with their names for people.
const FAULTS: [(&str, &str); 11] = [
    ("api latency", "Call: the response is late"),
    (
        "api token-expired",
        "Call: 401 token_expired, although the token is valid",
    ),
    ("api internal-error", "Call: 500"),
    ("api unavailable", "Call: 503"),
    (
        "api truncated-body",
        "Call: the connection ends in the middle of the body",
    ),
    (
        "webhook lost",
        "Webhook: is not sent, and counts as delivered",
    ),
    ("webhook duplicated", "Webhook: is sent twice"),
    ("webhook delayed", "Webhook: is sent late"),
    ("webhook wrong-key", "Webhook: is signed with another key"),
    (
        "webhook altered-body",
        "Webhook: the body is changed after it was signed",
    ),
    (
        "webhook algorithm-none",
        "Webhook: JWT with the algorithm none, or no token signature",
    ),
];

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/faults", get(list).post(add))
        .route("/projects/{id}/faults/{fault}/remove", on_post(remove))
}

async fn list(visit: Visit, Path(id): Path<String>) -> Page {
    let project = visit.project(&id).await?;
    let found = faults::list(&visit.app, &id).await?;
    let rows: Vec<Markup> = found.iter().map(|fault| row(&visit, &id, fault)).collect();
    let mut places = vec![("", "every call or webhook")];
    places.extend(
        faults::OPERATIONS
            .iter()
            .map(|operation| (*operation, *operation)),
    );
    places.extend(SUBSCRIPTION.kinds.iter().map(|kind| (*kind, *kind)));
    let content = html! {
        (table("Faults", &["Fault", "Of", "Probability", "Hits left", "Considered", "Hits", ""], &rows, "No fault is injected."))
        section aria-labelledby="new" {
            h2 #new { "Inject a fault" }
            (post(&visit, &format!("/projects/{id}/faults"), &html! {
                (Field::new("fault", "Fault").choice(&FAULTS))
                (Field::new("place", "Operation or kind of event").choice(&places))
                (Field::new("milliseconds", "Delay in milliseconds").number().hint("For a late response or webhook.").line())
                (Field::new("probability", "Probability").value("1").hint("From 0 to 1, of each call or webhook.").line())
                (Field::new("remaining", "Number of hits").number().hint("Empty for any number.").line())
                (Field::new("seed", "Seed").number().hint("Of the random decisions. Empty for that of the project.").line())
                button { "Inject the fault" }
            }))
        }
    };
    Ok(project_page(
        &visit, &project, "/faults", "Faults", &content,
    ))
}

fn row(visit: &Visit, id: &str, fault: &types::Fault) -> Markup {
    let target = &fault.target;
    let kind = word(&target.fault.r#type);
    let place = target
        .operation
        .value()
        .or(target.kind.value())
        .map_or("every one", String::as_str);
    let path = format!("/projects/{id}/faults/{}/remove", fault.id);
    html! { tr {
        th scope="row" { (word(&target.on)) " " (kind) @if let Some(delay) = target.fault.milliseconds { " " (delay) " ms" } }
        td { (place) }
        td.number { (fault.probability) }
        td.number { @if let Some(left) = fault.remaining.value() { (left) } @else { "any" } }
        td.number { (fault.considered) }
        td.number { (fault.hits) }
        td.actions { (danger(visit, &path, "Remove", &format!("Stop injecting {kind}?"))) }
    } }
}

/// Reads the form of a fault.
fn read(fields: &Fields) -> Result<types::FaultInput, Failure> {
    let (on, kind) = fields
        .get("fault")
        .and_then(|fault| fault.split_once(' '))
        .unwrap_or_default();
    let place = fields.get("place");
    let is_kind = place.is_some_and(|place| SUBSCRIPTION.kinds.contains(&place));
    if place.is_some() && is_kind != (on == "webhook") {
        return Err(Failure::field(
            "place",
            "calls have operations, and webhooks have kinds",
        ));
    }
    let name = if on == "webhook" { "kind" } else { "operation" };
    let mut fault = json!({ "type": kind });
    if let Some(delay) = fields.number::<u64>("milliseconds")? {
        fault["milliseconds"] = delay.into();
    }
    let target = json!({ "on": on, name: place, "fault": fault });
    let target = serde_json::from_value(target).map_err(|error| Failure::field("fault", error))?;
    let mut new = types::FaultInput::new(target);
    new.probability = fields.number("probability")?;
    if new
        .probability
        .is_some_and(|probability| !(0.0..=1.0).contains(&probability))
    {
        return Err(Failure::field("probability", "is not from 0 to 1"));
    }
    new.remaining = fields.number("remaining")?;
    new.seed = fields.number("seed")?;
    Ok(new)
}

async fn add(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let result = match read(&submitted.fields) {
        Ok(new) => faults::add(&visit.app, Actor::Console, id, &new).await,
        Err(failure) => Err(failure),
    };
    visit
        .after(
            result,
            "The fault is injected from now on.",
            &format!("/projects/{id}/faults"),
        )
        .await
}

async fn remove(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let fault = submitted.path("fault");
    let result = faults::remove(&visit.app, Actor::Console, id, fault).await;
    let next = format!("/projects/{id}/faults");
    visit
        .after(result, "The fault is no longer injected.", &next)
        .await
}
