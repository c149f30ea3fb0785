//! Subscriptions: where the webhooks of a project are sent.
//!
//! A subscription is a document, like everything of a project, so that snapshots contain it. The
//! delivery store has a copy, which decides what is sent. Each change writes the document first and
//! then the copy; [`sync`] repairs the copies after a crash between the two, and after a change of
//! the project that concerns them: its signing variant or its products.

mod check;

use crate::app::App;
use crate::ids;
use crate::model::{Millis, Project, SigningVariant};
use crate::request_error::RequestError;
use crate::store::{Changes, CommitError, Document, Page, Stored};
use crate::webhooks::shorten;
use bothends_delivery::{DeliveryStore, StoreErrorKind, Subscription as Copy};
use financial_data::webhooks::SUBSCRIPTION;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How often a change is decided anew because another request has changed the subscription.
const TRIES: usize = 5;
/// The maximum number of subscriptions of a project.
const MOST: u32 = 200;
/// The number of projects that are read at once.
const PROJECTS: u32 = 100;
/// The states of a subscription in the document.
const STATES: [&str; 2] = ["inactive", "active"];

/// A subscription as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    /// The project.
    pub project: String,
    /// The id, in the style of a UUID.
    pub id: String,
    /// The URL for events without a URL of their own.
    #[serde(default)]
    pub url: Option<String>,
    /// URLs of single kinds, which are selected by this.
    #[serde(default)]
    pub urls: BTreeMap<String, String>,
    /// The selected kinds. Empty if the URL receives all kinds that are available to the project.
    #[serde(default)]
    pub events: Vec<String>,
    /// The additional headers.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The signing token. It cannot be a hash, because the service signs with it.
    #[serde(default)]
    pub signing_token: Option<String>,
    /// Whether webhooks are sent.
    pub active: bool,
    /// The creation time, by the clock of the project.
    pub created_at: Millis,
}

impl Document for Subscription {
    const KIND: &'static str = "subscription";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }
}

/// A subscription as requested.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct SubscriptionInput {
    /// The URL for events without a URL of their own.
    pub url: Option<String>,
    /// URLs of single kinds.
    pub urls: BTreeMap<String, String>,
    /// The selected kinds; empty for all.
    pub events: Vec<String>,
    /// The additional headers.
    pub headers: Vec<(String, String)>,
    /// The signing token. When a subscription is replaced, `None` keeps its token, and an empty text
    /// removes it.
    pub signing_token: Option<String>,
    /// Whether webhooks are sent; by default as the document says, or as before.
    pub active: Option<bool>,
}

/// A subscription as shown, without its secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SubscriptionView {
    /// The id.
    pub id: String,
    /// The URL for events without a URL of their own.
    pub url: Option<String>,
    /// URLs of single kinds.
    pub urls: BTreeMap<String, String>,
    /// The selected kinds, as requested.
    pub events: Vec<String>,
    /// The additional headers, with the beginnings of their values.
    pub headers: Vec<(String, String)>,
    /// Whether the subscription has a signing token.
    pub has_signing_token: bool,
    /// How its webhooks are signed: `token`, `key` or `none`.
    pub signing: &'static str,
    /// Whether webhooks are sent.
    pub active: bool,
    /// The triggers that the document has for the current state, with the state after each.
    pub transitions: Vec<(&'static str, &'static str)>,
    /// The creation time, by the clock of the project.
    pub created_at: Millis,
}

impl Subscription {
    /// Returns what is shown of the subscription.
    pub fn view(&self, project: &Project) -> SubscriptionView {
        let state = STATES[usize::from(self.active)];
        let transitions = SUBSCRIPTION.transitions.iter();
        SubscriptionView {
            id: self.id.clone(),
            url: self.url.clone(),
            urls: self.urls.clone(),
            events: self.events.clone(),
            headers: self
                .headers
                .iter()
                .map(|(name, value)| (name.clone(), shorten(value)))
                .collect(),
            has_signing_token: self.signing_token.is_some(),
            signing: match (project.settings.signing, &self.signing_token) {
                (SigningVariant::Key, _) => "key",
                (SigningVariant::Token, Some(_)) => "token",
                (SigningVariant::Token, None) => "none",
            },
            active: self.active,
            transitions: transitions
                .filter(|transition| transition.from == Some(state))
                .map(|transition| (transition.trigger, transition.to))
                .collect(),
            created_at: self.created_at,
        }
    }
}

async fn project_of(app: &App, id: &str) -> Result<Stored<Project>, RequestError> {
    let project = app.project(id).await?;
    project.ok_or_else(|| RequestError::not_found("project", id))
}

/// Adds a subscription to a project. The signing token is not shown again: the caller shows the one
/// that was requested, or none.
///
/// # Errors
/// Returns an error if the subscription violates a rule of the document, or for an error of the
/// database.
pub async fn create(
    app: &App,
    project: &str,
    input: SubscriptionInput,
) -> Result<Subscription, RequestError> {
    let project = project_of(app, project).await?;
    let existing = app
        .store
        .list::<Subscription>(&project.id, Page::first(MOST));
    if existing.await?.len() >= MOST as usize {
        let message = format!("the project has {MOST} subscriptions already");
        return Err(RequestError::State(message));
    }
    let active = input.active.or(SUBSCRIPTION.active).unwrap_or(true);
    let new = Subscription {
        project: project.id.clone(),
        id: ids::fresh(),
        url: input.url,
        urls: input.urls,
        events: input.events,
        headers: input.headers,
        signing_token: input.signing_token.filter(|token| !token.is_empty()),
        active,
        created_at: App::now(&project),
    };
    check::request(app, &project, &new).await?;
    let mut changes = Changes::new();
    changes.insert(&new);
    app.store.commit(changes).await?;
    copy(app, &project.id, &new.id).await?;
    Ok(new)
}

/// Replaces a subscription.
///
/// # Errors
/// Returns an error if the project has no such subscription, if the new one violates a rule of the
/// document, or for an error of the database.
pub async fn replace(
    app: &App,
    project: &str,
    id: &str,
    input: SubscriptionInput,
) -> Result<Subscription, RequestError> {
    let project = project_of(app, project).await?;
    let replaced = change(app, &project.id, id, |subscription| {
        let input = input.clone();
        subscription.url = input.url;
        subscription.urls = input.urls;
        subscription.events = input.events;
        subscription.headers = input.headers;
        if let Some(token) = input.signing_token {
            subscription.signing_token = Some(token).filter(|token| !token.is_empty());
        }
        subscription.active = input.active.unwrap_or(subscription.active);
    });
    replaced.await
}

/// Activates or deactivates a subscription. Webhooks of an inactive subscription wait until it is
/// active again.
///
/// # Errors
/// Returns an error if the project has no such subscription, or for an error of the database.
pub async fn set_active(
    app: &App,
    project: &str,
    id: &str,
    active: bool,
) -> Result<Subscription, RequestError> {
    change(app, project, id, |subscription| {
        subscription.active = active
    })
    .await
}

/// Returns the subscriptions of a project, ordered by id.
///
/// # Errors
/// Returns an error of the database.
pub async fn list(app: &App, project: &str) -> Result<Vec<Subscription>, RequestError> {
    let page = Page::first(MOST);
    let subscriptions = app.store.list::<Subscription>(project, page).await?;
    Ok(subscriptions
        .into_iter()
        .map(|stored| stored.value)
        .collect())
}

/// Returns a subscription.
///
/// # Errors
/// Returns an error if the project has no such subscription, or for an error of the database.
pub async fn get(app: &App, project: &str, id: &str) -> Result<Subscription, RequestError> {
    let found = app.store.get::<Subscription>(project, id).await?;
    match found {
        Some(found) => Ok(found.value),
        None => Err(RequestError::not_found("subscription", id)),
    }
}

/// Removes a subscription. Its waiting webhooks are not sent.
///
/// # Errors
/// Returns an error if the project has no such subscription, or for an error of the database.
pub async fn remove(app: &App, project: &str, id: &str) -> Result<(), RequestError> {
    for _ in 0..TRIES {
        let Some(found) = app.store.get::<Subscription>(project, id).await? else {
            return Err(RequestError::not_found("subscription", id));
        };
        let mut changes = Changes::new();
        changes.remove(&found);
        match app.store.commit(changes).await {
            Ok(()) => return copy(app, project, id).await,
            Err(CommitError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(RequestError::Busy)
}

/// Changes a subscription, and its copy.
async fn change(
    app: &App,
    project: &str,
    id: &str,
    change: impl Fn(&mut Subscription),
) -> Result<Subscription, RequestError> {
    for _ in 0..TRIES {
        let Some(mut found) = app.store.get::<Subscription>(project, id).await? else {
            return Err(RequestError::not_found("subscription", id));
        };
        change(&mut found.value);
        check::request(app, &*project_of(app, project).await?, &found).await?;
        let mut changes = Changes::new();
        changes.update(&found);
        match app.store.commit(changes).await {
            Ok(()) => {
                copy(app, project, id).await?;
                return Ok(found.value);
            }
            Err(CommitError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(RequestError::Busy)
}

/// Makes the copy of a subscription in the delivery store equal to the document.
async fn copy(app: &App, project: &str, id: &str) -> Result<(), RequestError> {
    // If the document changes while its copy is written, the copy may be that of the earlier one.
    for _ in 0..TRIES {
        let before = app.store.get::<Subscription>(project, id).await?;
        let settings = project_of(app, project).await?;
        match before
            .as_deref()
            .map(|document| check::available(document, &settings))
        {
            Some(Ok(Some(copy))) => app.store.delivery().put_subscription(copy).await?,
            // No selected kind is available to the project any longer, or the document is gone.
            Some(Ok(None)) | None => remove_copy(app, id).await?,
            Some(Err(error)) => return Err(error),
        }
        let after = app.store.get::<Subscription>(project, id).await?;
        if after.as_deref() == before.as_deref() {
            return Ok(());
        }
    }
    Err(RequestError::Busy)
}

async fn remove_copy(app: &App, id: &str) -> Result<(), RequestError> {
    match app.store.delivery().remove_subscription(id).await {
        Err(error) if error.kind() != StoreErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Makes the copies of a project's subscriptions in the delivery store equal to the documents. To be
/// called after a change of the project's signing variant or products, after its documents were
/// replaced, and with the id of a project that was deleted.
///
/// # Errors
/// Returns an error of the database.
pub async fn sync(app: &App, project: &str) -> Result<(), RequestError> {
    let copies = app.store.delivery().subscriptions(project).await?;
    let subscriptions = list(app, project).await?;
    let Some(settings) = app.project(project).await? else {
        for stale in &copies {
            remove_copy(app, stale.id()).await?;
        }
        return Ok(());
    };
    for subscription in &subscriptions {
        let stored: Option<&Copy> = copies.iter().find(|copy| copy.id() == subscription.id);
        let wanted = check::available(subscription, &settings)?;
        if stored != wanted.as_ref() {
            copy(app, project, &subscription.id).await?;
        }
    }
    for stale in &copies {
        if !subscriptions
            .iter()
            .any(|subscription| subscription.id == stale.id())
        {
            copy(app, project, stale.id()).await?;
        }
    }
    Ok(())
}

/// Compares the copies of all projects.
pub(crate) async fn sync_all(app: &App) -> Result<(), RequestError> {
    let mut after: Option<String> = None;
    loop {
        let page = Page::first(PROJECTS).after(after.as_deref());
        let projects = app.store.list::<Project>("", page).await?;
        for project in &projects {
            // A project whose subscriptions cannot be copied must not keep those of others from it.
            if let Err(error) = sync(app, &project.id).await {
                tracing::warn!(%error, project = project.id, "comparing the subscriptions");
            }
        }
        match projects.last() {
            Some(last) if projects.len() == PROJECTS as usize => after = Some(last.id.clone()),
            _ => return Ok(()),
        }
    }
}
