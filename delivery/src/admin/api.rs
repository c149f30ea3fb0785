//! The JSON API.

use super::request::Parameters;
use super::state;
use super::{AdminResponse, Failure, response};
use crate::store::{Backlog, DeliveryStore, EndpointStatus, Reschedule};
use crate::{Attempt, Delivery, DeliveryId, State};
use http::StatusCode;
use serde_json::{Value as Json, json};
use std::time::Duration;
use url::form_urlencoded;

/// The largest number of deliveries that one request replays.
const REPLAYED: u32 = 1000;

pub(super) fn json(status: StatusCode, value: &Json) -> AdminResponse {
    response(status, "application/json", value.to_string())
}

/// Returns the resource of a path below `/api/`.
pub(super) async fn read(
    store: &impl DeliveryStore,
    path: &str,
    parameters: &Parameters,
) -> Result<Json, Failure> {
    match path {
        "queue" => {
            let queue = state::queue(store, parameters).await?;
            let owners = queue.owners.iter();
            let owners: Vec<_> = owners
                .map(|(owner, waiting)| backlog(owner, waiting))
                .collect();
            Ok(json!({ "depth": queue.depth, "owners": owners, "next": queue.next }))
        }
        "endpoints" => {
            let endpoints = state::endpoints(store, parameters).await?;
            let now = store.now().await?;
            let endpoints = endpoints.iter();
            let endpoints: Vec<_> = endpoints
                .map(|found| endpoint(found, found.is_open(now)))
                .collect();
            Ok(json!({ "endpoints": endpoints }))
        }
        "deliveries" => {
            let found = state::deliveries(store, parameters).await?;
            let found: Vec<_> = found.iter().map(delivery).collect();
            Ok(json!({ "deliveries": found }))
        }
        "delivery" => {
            let (found, attempts) = state::delivery(store, parameters).await?;
            let attempts: Vec<_> = attempts.iter().map(attempt).collect();
            Ok(json!({ "delivery": delivery(&found), "attempts": attempts }))
        }
        "events" => {
            let after = parameters.number("after")?;
            let events = store.operator_events(after, parameters.limit()?).await?;
            let events = events.iter().map(|event| {
                let mut shown = json!(event);
                shown["id"] = json!(event.id);
                shown
            });
            Ok(json!({ "events": events.collect::<Vec<_>>() }))
        }
        _ => Err(Failure::Path),
    }
}

/// The result of a change, and the page that shows it.
pub(super) struct Changed {
    pub(super) json: Json,
    pub(super) page: String,
}

/// Makes the change of a path.
pub(super) async fn change(
    store: &impl DeliveryStore,
    path: &str,
    parameters: &Parameters,
) -> Result<Changed, Failure> {
    match path {
        "/api/pause" | "/api/resume" => {
            let id = parameters.required("subscription")?;
            let active = path == "/api/resume";
            store.set_active(id, active).await?;
            let owner = store.subscription(id).await?;
            let owner = owner.map_or_else(String::new, |found| found.owner().to_owned());
            Ok(Changed {
                json: json!({ "subscription": id, "active": active }),
                page: link("/owner", &[("owner", &owner)]),
            })
        }
        "/api/replay" => {
            let id = parameters.number("delivery")?;
            let id = id.ok_or(Failure::Parameter("delivery"))?;
            let replay = store.replay(DeliveryId(id)).await?;
            Ok(Changed {
                json: json!({ "delivery": replay }),
                page: link("/delivery", &[("id", &replay.to_string())]),
            })
        }
        "/api/replay-failed" => {
            let owner = parameters.owner()?;
            let since = parameters.time("since")?.unwrap_or_default();
            let made = store.replay_failed(owner, since, REPLAYED).await?;
            Ok(Changed {
                json: json!({ "deliveries": made }),
                page: link("/owner", &[("owner", owner)]),
            })
        }
        "/api/reschedule" => {
            let owner = parameters.owner()?;
            let by = parameters.number("by")?.map(Duration::from_secs);
            let change = match (parameters.required("change")?, by) {
                ("now", _) => Reschedule::Now,
                ("earlier", Some(by)) => Reschedule::Earlier(by),
                ("later", Some(by)) => Reschedule::Later(by),
                ("earlier" | "later", None) => return Err(Failure::Parameter("by")),
                _ => return Err(Failure::Parameter("change")),
            };
            let moved = store.reschedule(owner, .., change).await?;
            Ok(Changed {
                json: json!({ "moved": moved }),
                page: link("/owner", &[("owner", owner)]),
            })
        }
        _ => Err(Failure::Path),
    }
}

/// Returns a path with parameters.
pub(super) fn link<V: AsRef<str>>(path: &str, parameters: &[(&str, V)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters);
    format!("{path}?{}", query.finish())
}

fn backlog(owner: &str, backlog: &Backlog) -> Json {
    json!({
        "owner": owner,
        "waiting": backlog.waiting,
        "held": backlog.held,
        "in_progress": backlog.in_progress,
        "next_due": backlog.next_due,
    })
}

fn endpoint(endpoint: &EndpointStatus, is_open: bool) -> Json {
    json!({
        "id": endpoint.id,
        "subscription": endpoint.subscription,
        "kind": endpoint.kind,
        "origin": endpoint.origin,
        "active": endpoint.active,
        "in_progress": endpoint.in_progress,
        "failures": endpoint.failures,
        "circuit": if is_open { "open" } else { "closed" },
        "open_until": is_open.then_some(endpoint.open_until),
        "pace_ms": endpoint.pace.map(|pace| u64::try_from(pace.as_millis()).unwrap_or(u64::MAX)),
    })
}

/// Returns the word of a state, its time, and the reason of a failure.
pub(super) fn state_of(state: &State) -> (&'static str, crate::Timestamp, Option<&'static str>) {
    match state {
        State::Pending { due } => ("pending", *due, None),
        State::Held { due } => ("held", *due, None),
        State::Leased { until } => ("leased", *until, None),
        State::Delivered { at } => ("delivered", *at, None),
        State::Dead { at, reason } => ("dead", *at, Some(reason.as_str())),
    }
}

fn delivery(delivery: &Delivery) -> Json {
    let (state, at, reason) = state_of(&delivery.state);
    json!({
        "id": delivery.id,
        "owner": delivery.owner,
        "message": delivery.message.as_str(),
        "kind": delivery.kind,
        "subscription": delivery.subscription,
        "state": state,
        "at": at,
        "reason": reason,
        "attempts": delivery.generation,
        "replay_of": delivery.replay_of,
    })
}

fn attempt(attempt: &Attempt) -> Json {
    json!({
        "n": attempt.n,
        "started": attempt.started,
        "responded": attempt.responded,
        "ended": attempt.ended,
        "end": attempt.end.as_str(),
        "status": attempt.status,
        "detail": attempt.detail,
    })
}
