//! Kinds of events, and test events.

use super::{Actor, limit, note_alone, project, view, views};
use crate::app::App;
use crate::catalogue::catalogue;
use crate::console::api::operations::ListEventsRequest;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::Event;
use crate::store::Page;
use crate::webhooks::{self, Setting, Trigger};

/// Returns all kinds of events.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn kinds(app: &App, id: &str) -> Result<Vec<types::EventKind>, Failure> {
    let project = project(app, id).await?;
    let kinds = catalogue()?.iter();
    kinds
        .map(|kind| {
            let mut value = serde_json::to_value(kind).map_err(Failure::internal)?;
            value["available"] = kind.is_available_to(&project).into();
            view(&value)
        })
        .collect()
}

/// Returns events, the newest first.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn list(app: &App, request: &ListEventsRequest) -> Result<Vec<types::Event>, Failure> {
    project(app, &request.project).await?;
    let page = Page::last(limit(request.limit_or_default())).after(request.before.as_deref());
    let found = app.store.list::<Event>(&request.project, page).await?;
    views(found.iter().map(|stored| &stored.value))
}

/// Sends a test event.
///
/// # Errors
/// Returns an error if the kind is not available to the project, or if the body does not fit it.
pub async fn trigger(
    app: &App,
    actor: Actor,
    id: &str,
    new: &types::TriggerInput,
) -> Result<types::Event, Failure> {
    let project = project(app, id).await?;
    let set = new.set.iter().flatten().map(|(field, value)| Setting {
        field: field.clone(),
        value: value.clone(),
    });
    let trigger = Trigger {
        body: new.body.clone(),
        set: set.collect(),
        message_id: new.message_id.clone(),
    };
    let triggered = webhooks::trigger(app, &project, &new.kind, trigger).await?;
    let detail = format!("{}, message {}", new.kind, triggered.event.message_id);
    note_alone(app, actor, "triggerEvent", Some(id), detail).await?;
    let mut event = serde_json::to_value(&triggered.event).map_err(Failure::internal)?;
    event["receivers"] = triggered.receivers.into();
    view(&event)
}
