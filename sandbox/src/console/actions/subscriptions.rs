//! Webhook subscriptions.

use super::{Actor, input, note_alone, project, view};
use crate::app::App;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::Project;
use crate::request_error::RequestError;
use crate::subscriptions::{self, Subscription, SubscriptionInput};
use serde_json::json;

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::NotFound { what, .. } => Self::missing(what),
            RequestError::Invalid { field, message } => Self::field(field, message),
            RequestError::State(message) => Self::Conflict(message),
            RequestError::Busy => Self::Unavailable,
            RequestError::Storage(error) => error.into(),
            // The enum may grow.
            #[allow(
                unreachable_patterns,
                reason = "the enum is not exhaustive for other crates"
            )]
            other => Self::internal(other),
        }
    }
}

/// Returns a subscription as the console API shows it.
fn shown(project: &Project, subscription: &Subscription) -> Result<types::Subscription, Failure> {
    let shown = subscription.view(project);
    let transitions = shown.transitions.iter();
    let transitions: Vec<_> = transitions
        .map(|(trigger, to)| json!({ "trigger": trigger, "to": to }))
        .collect();
    let mut value = serde_json::to_value(&shown).map_err(Failure::internal)?;
    value["transitions"] = transitions.into();
    view(&value)
}

/// Returns the subscriptions of a project.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn list(app: &App, id: &str) -> Result<Vec<types::Subscription>, Failure> {
    let project = project(app, id).await?;
    let found = subscriptions::list(app, id).await?;
    found
        .iter()
        .map(|subscription| shown(&project, subscription))
        .collect()
}

/// Returns a subscription.
///
/// # Errors
/// Returns an error if the project has no such subscription.
pub async fn get(app: &App, id: &str, subscription: &str) -> Result<types::Subscription, Failure> {
    let project = project(app, id).await?;
    shown(&project, &subscriptions::get(app, id, subscription).await?)
}

/// Adds a subscription.
///
/// # Errors
/// Returns an error if the subscription violates a rule of the interface.
pub async fn create(
    app: &App,
    actor: Actor,
    id: &str,
    new: &types::SubscriptionInput,
) -> Result<types::Subscription, Failure> {
    let project = project(app, id).await?;
    let new: SubscriptionInput = input("subscription", new)?;
    let created = subscriptions::create(app, id, new).await?;
    let detail = format!("subscription {}", created.id);
    note_alone(app, actor, "createSubscription", Some(id), detail).await?;
    shown(&project, &created)
}

/// Replaces a subscription.
///
/// # Errors
/// Returns an error if the project has no such subscription, or if the new one violates a rule.
pub async fn replace(
    app: &App,
    actor: Actor,
    id: &str,
    subscription: &str,
    new: &types::SubscriptionInput,
) -> Result<types::Subscription, Failure> {
    let project = project(app, id).await?;
    let new: SubscriptionInput = input("subscription", new)?;
    let replaced = subscriptions::replace(app, id, subscription, new).await?;
    let detail = format!("subscription {subscription}");
    note_alone(app, actor, "replaceSubscription", Some(id), detail).await?;
    shown(&project, &replaced)
}

/// Removes a subscription.
///
/// # Errors
/// Returns an error if the project has no such subscription.
pub async fn remove(app: &App, actor: Actor, id: &str, subscription: &str) -> Result<(), Failure> {
    project(app, id).await?;
    subscriptions::remove(app, id, subscription).await?;
    let detail = format!("subscription {subscription}");
    note_alone(app, actor, "removeSubscription", Some(id), detail).await
}

/// Activates or deactivates a subscription.
///
/// # Errors
/// Returns an error if the project has no such subscription.
pub async fn set_active(
    app: &App,
    actor: Actor,
    id: &str,
    subscription: &str,
    active: bool,
) -> Result<types::Subscription, Failure> {
    let project = project(app, id).await?;
    let changed = subscriptions::set_active(app, id, subscription, active).await?;
    let action = if active {
        "activateSubscription"
    } else {
        "deactivateSubscription"
    };
    let detail = format!("subscription {subscription}");
    note_alone(app, actor, action, Some(id), detail).await?;
    shown(&project, &changed)
}
