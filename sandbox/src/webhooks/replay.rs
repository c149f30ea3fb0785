//! Replays of deliveries.

use crate::app::App;
use crate::model::{Millis, SentWebhook};
use crate::request_error::RequestError;
use crate::store::Page;
use bothends_delivery::{DeliveryId, DeliveryStore, State, StoreErrorKind};
use std::collections::BTreeSet;

/// The number of entries of the log, and of deliveries, that are read at once.
const PAGE: u32 = 500;

/// Sends the message of a finished delivery again. Returns the new delivery.
///
/// # Errors
/// Returns an error if the project has no such delivery, if the delivery has not ended, or if its
/// subscription was removed.
pub async fn replay(app: &App, project: &str, delivery: i64) -> Result<i64, RequestError> {
    let store = app.store.delivery();
    let id = DeliveryId(delivery);
    let known = store.delivery(id).await?;
    if known.is_none_or(|known| known.owner != project) {
        return Err(RequestError::not_found("delivery", delivery));
    }
    match store.replay(id).await {
        Ok(replay) => Ok(replay.0),
        Err(error) if error.kind() == StoreErrorKind::NotFound => Err(RequestError::State(
            "the subscription of the delivery was removed".to_owned(),
        )),
        Err(error) => Err(error.into()),
    }
}

/// Replays the deliveries that have failed since a time of the project. A delivery that was replayed
/// already is not replayed again, but its replay is, if that has failed as well. Returns the new
/// deliveries.
///
/// The time of a failure is that of the last request in the log.
///
/// # Errors
/// Returns an error of the database.
pub async fn replay_failed(
    app: &App,
    project: &str,
    since: Millis,
) -> Result<Vec<i64>, RequestError> {
    let candidates = attempted_since(app, project, since).await?;
    let Some(first) = candidates.first().copied() else {
        return Ok(Vec::new());
    };
    let mut replays = Vec::new();
    for delivery in failures(app, project, first).await? {
        if !candidates.contains(&delivery) {
            continue;
        }
        match replay(app, project, delivery).await {
            Ok(id) => replays.push(id),
            // Removed meanwhile, or its subscription was.
            Err(RequestError::NotFound { .. } | RequestError::State(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(replays)
}

/// Returns the deliveries with a request since a time of the project.
async fn attempted_since(
    app: &App,
    project: &str,
    since: Millis,
) -> Result<BTreeSet<i64>, RequestError> {
    let mut deliveries = BTreeSet::new();
    let mut before: Option<String> = None;
    loop {
        let page = Page::last(PAGE).after(before.as_deref());
        let entries = app.store.list::<SentWebhook>(project, page).await?;
        for sent in &entries {
            if sent.project_time < since {
                // The clock of a project does not go back.
                return Ok(deliveries);
            }
            deliveries.insert(sent.delivery);
        }
        match entries.last() {
            Some(last) if entries.len() == PAGE as usize => before = Some(last.id.clone()),
            _ => return Ok(deliveries),
        }
    }
}

/// Returns the failed deliveries from an id on that were not replayed.
async fn failures(app: &App, project: &str, first: i64) -> Result<BTreeSet<i64>, RequestError> {
    let mut dead = BTreeSet::new();
    let mut replayed = BTreeSet::new();
    let mut after = Some(DeliveryId(first.saturating_sub(1)));
    loop {
        let store = app.store.delivery();
        let deliveries = store.deliveries_of(project, after, PAGE).await?;
        for delivery in &deliveries {
            if matches!(delivery.state, State::Dead { .. }) {
                dead.insert(delivery.id.0);
            }
            replayed.extend(delivery.replay_of.map(|id| id.0));
        }
        match deliveries.last() {
            Some(last) if deliveries.len() == PAGE as usize => after = Some(last.id),
            _ => break,
        }
    }
    Ok(dead.difference(&replayed).copied().collect())
}
