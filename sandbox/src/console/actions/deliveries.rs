//! Deliveries of webhooks, their attempts, and replays.

use super::inspector::newest;
use super::{Actor, input, limit, note_alone, project, view, views};
use crate::app::App;
use crate::console::api::operations::ListDeliveriesRequest;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::{Millis, Project, SentWebhook};
use crate::webhooks;
use bothends_delivery::{Attempt, Delivery, DeliveryId, DeliveryStore, State};
use serde_json::{Value, json};

/// How many deliveries are read at once while those that match are looked for.
const BATCH: u32 = 200;
/// How many requests of a delivery are shown.
const SENT: u32 = 50;

/// Returns deliveries, the newest first.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn list(
    app: &App,
    request: &ListDeliveriesRequest,
) -> Result<Vec<types::Delivery>, Failure> {
    let project = project(app, &request.project).await?;
    let state: Option<String> = request
        .state
        .as_ref()
        .map(|state| input("state", state))
        .transpose()?;
    let wanted = usize::try_from(limit(request.limit_or_default())).map_err(Failure::internal)?;
    let mut before = request.before.map(DeliveryId);
    let mut found = Vec::new();
    while found.len() < wanted {
        let store = app.store.delivery();
        let deliveries = store
            .latest_deliveries_of(&request.project, before, BATCH)
            .await?;
        let Some(last) = deliveries.last() else { break };
        before = Some(last.id);
        let all_seen = last.id.0 <= project.forgotten_deliveries;
        found.extend(deliveries.into_iter().filter(|delivery| {
            let word = state_word(&delivery.state);
            delivery.id.0 > project.forgotten_deliveries
                && state.as_ref().is_none_or(|state| state == word)
                && request
                    .kind
                    .as_ref()
                    .is_none_or(|kind| *kind == delivery.kind)
                && request
                    .subscription
                    .as_ref()
                    .is_none_or(|subscription| *subscription == delivery.subscription)
        }));
        if all_seen {
            break;
        }
    }
    found.truncate(wanted);
    found
        .iter()
        .map(|delivery| shown(&project, delivery))
        .collect()
}

const fn state_word(state: &State) -> &'static str {
    match state {
        State::Pending { .. } => "pending",
        State::Held { .. } => "held",
        State::Leased { .. } => "leased",
        State::Delivered { .. } => "delivered",
        State::Dead { .. } => "dead",
    }
}

/// Returns a delivery as the console API shows it.
fn shown(project: &Project, delivery: &Delivery) -> Result<types::Delivery, Failure> {
    let (mut due, mut ended, mut reason) = (None, None, None);
    match &delivery.state {
        State::Pending { due: at } | State::Held { due: at } => {
            due = Some(webhooks::in_project(project, *at));
        }
        State::Leased { .. } => {}
        State::Delivered { at } => ended = Some(at.as_millis()),
        State::Dead { at, reason: why } => {
            (ended, reason) = (Some(at.as_millis()), Some(why.as_str()));
        }
    }
    view(&json!({
        "id": delivery.id.0,
        "message_id": delivery.message.as_str(),
        "kind": delivery.kind,
        "subscription": delivery.subscription,
        "state": state_word(&delivery.state),
        "due": due,
        "ended_at": ended,
        "reason": reason,
        "tries": delivery.tries,
        "replay_of": delivery.replay_of.map(|id| id.0),
    }))
}

/// Returns a delivery of the project.
async fn find(app: &App, project: &Project, delivery: i64) -> Result<Delivery, Failure> {
    let found = app.store.delivery().delivery(DeliveryId(delivery)).await?;
    let shown = delivery > project.forgotten_deliveries;
    let found = found.filter(|found| shown && found.owner == project.id);
    found.ok_or_else(|| Failure::missing("delivery"))
}

/// Returns a delivery with its attempts.
///
/// # Errors
/// Returns an error if the project has no such delivery.
pub async fn get(app: &App, id: &str, delivery: i64) -> Result<types::DeliveryDetail, Failure> {
    let project = project(app, id).await?;
    let found = find(app, &project, delivery).await?;
    let attempts = app.store.delivery().attempts(found.id).await?;
    let attempts: Vec<Value> = attempts.iter().map(attempt).collect();
    let matches = |sent: &SentWebhook| sent.delivery == delivery;
    let mut sent = newest(app, id, None, SENT, matches).await?;
    sent.reverse();
    Ok(types::DeliveryDetail::new(
        views(&attempts)?,
        shown(&project, &found)?,
        views(&sent)?,
    ))
}

fn attempt(attempt: &Attempt) -> Value {
    json!({
        "number": attempt.n,
        "started_at": attempt.started.as_millis(),
        "ended_at": attempt.ended.as_millis(),
        "end": attempt.end.as_str(),
        "status": attempt.status,
        "detail": attempt.detail,
    })
}

/// Replays a delivery.
///
/// # Errors
/// Returns an error if the project has no such delivery, or if it has not ended.
pub async fn replay(
    app: &App,
    actor: Actor,
    id: &str,
    delivery: i64,
) -> Result<types::Delivery, Failure> {
    let project = project(app, id).await?;
    let replay = webhooks::replay(app, id, delivery).await?;
    let detail = format!("delivery {delivery}, replay {replay}");
    note_alone(app, actor, "replayDelivery", Some(id), detail).await?;
    shown(&project, &find(app, &project, replay).await?)
}

/// Replays all failures since a time of the project.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn replay_failures(
    app: &App,
    actor: Actor,
    id: &str,
    since: Millis,
) -> Result<Vec<types::Delivery>, Failure> {
    let project = project(app, id).await?;
    let replays = webhooks::replay_failed(app, id, since).await?;
    let detail = format!("since {since}, {} replays", replays.len());
    note_alone(app, actor, "replayFailures", Some(id), detail).await?;
    let mut shown_replays = Vec::with_capacity(replays.len());
    for replay in replays {
        shown_replays.push(shown(&project, &find(app, &project, replay).await?)?);
    }
    Ok(shown_replays)
}
