//! The first steps, up to the first received event.

use super::form::action;
use super::html::{badge, code, facts};
use super::layout::project_page;
use super::live::{self, received_row};
use super::visit::{Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, credentials, events, subscriptions};
use crate::console::api::types;
use crate::model::{Call, Project, Received};
use crate::store::{Page as Part, StorageError};
use axum::Router;
use axum::extract::Path;
use axum::response::Response;
use axum::routing::{get, post};
use maud::{Markup, html};

/// The name of the receiver to which the button subscribes.
const RECEIVER: &str = "first";
/// How many received webhooks are shown.
const SHOWN: u32 = 10;

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/start", get(show))
        .route("/projects/{id}/start/secret", post(secret))
        .route("/projects/{id}/start/subscribe", post(subscribe))
        .route("/projects/{id}/start/trigger", post(trigger))
}

/// Returns the URL of the built-in receiver.
pub(super) fn receiver(visit: &Visit, project: &str, name: &str) -> String {
    let console = visit
        .app
        .urls
        .get()
        .map_or("", |urls| urls.console.as_str());
    format!("{console}/receivers/{project}/{name}")
}

async fn show(visit: Visit, Path(id): Path<String>) -> Page {
    let project = visit.project(&id).await?;
    steps(&visit, &project, None).await
}

/// Returns the page. A new secret is shown once.
async fn steps(visit: &Visit, project: &Project, new: Option<&types::NewCredential>) -> Page {
    let id = &project.id;
    let credentials = credentials::list(&visit.app, id).await?;
    let client = credentials
        .iter()
        .find(|credential| credential.revoked_at.value().is_none());
    let has_token = has_obtained_token(visit, id).await?;
    let subscribed = subscriptions::list(&visit.app, id).await?;
    let url = receiver(visit, id, RECEIVER);
    let is_subscribed = subscribed
        .iter()
        .any(|subscription| subscription.url.as_ref().is_some_and(|known| *known == url));
    let received = visit
        .app
        .store
        .list::<Received>(id, Part::last(SHOWN))
        .await?;
    let rows: Vec<Markup> = received
        .iter()
        .map(|webhook| received_row(webhook))
        .collect();
    let path = |step: &str| format!("/projects/{id}/start/{step}");
    let done = |is_done: bool| html! { @if is_done { " " (badge("done")) } };
    let content = html! {
        ol.steps {
            li {
                h2 { "Obtain an access token" (done(has_token)) }
                (command(visit, client, new))
                @if new.is_none() { (action(visit, &path("secret"), "Make a new secret and show the command")) }
            }
            li {
                h2 { "Subscribe to webhooks" (done(is_subscribed)) }
                p { "The sandbox has a receiver, so that webhooks are visible before you have written one: " code { (url) } }
                @if is_subscribed { p { "It is subscribed to all events." } }
                @else { (action(visit, &path("subscribe"), "Subscribe the built-in receiver")) }
            }
            li {
                h2 { "See the first event arrive" (done(!received.is_empty())) }
                (action(visit, &path("trigger"), "Trigger a test event"))
                (live::list(
                    "Received webhooks, the newest first",
                    &format!("/projects/{id}/live?of=received"),
                    &["Arrival", "Receiver", "Response", "Body"],
                    &rows,
                ))
            }
        }
    };
    Ok(project_page(
        visit,
        project,
        "/start",
        "First steps",
        &content,
    ))
}

fn command(
    visit: &Visit,
    client: Option<&types::Credential>,
    new: Option<&types::NewCredential>,
) -> Markup {
    let api = visit.app.urls.get().map_or("", |urls| urls.api.as_str());
    let (id, secret) = match (new, client) {
        (Some(new), _) => (
            new.credential.client_id.as_str(),
            new.client_secret.as_str(),
        ),
        (None, Some(client)) => (client.client_id.as_str(), "CLIENT_SECRET"),
        (None, None) => ("CLIENT_ID", "CLIENT_SECRET"),
    };
    let curl =
        format!("curl -s -u {id}:{secret} -d grant_type=client_credentials {api}/v1/oauth/token");
    html! {
        @if let Some(new) = new {
            p.notice role="status" { "The secret is shown once. Keep it now." }
            (facts(&[
                ("Client id", html! { code { (new.credential.client_id) } }),
                ("Client secret", html! { code { (new.client_secret) } }),
            ]))
        }
        (code("curl command", &curl))
    }
}

async fn has_obtained_token(visit: &Visit, id: &str) -> Result<bool, StorageError> {
    let calls = visit.app.store.list::<Call>(id, Part::last(200)).await?;
    Ok(calls
        .iter()
        .any(|call| call.operation.as_deref() == Some("createToken") && call.status == Some(200)))
}

async fn secret(submitted: Submitted) -> Page {
    let visit = &submitted.visit;
    let id = submitted.project();
    let project = visit.project(id).await?;
    let known = credentials::list(&visit.app, id).await?;
    let new = match known
        .iter()
        .find(|credential| credential.revoked_at.value().is_none())
    {
        Some(credential) => {
            credentials::rotate(&visit.app, Actor::Console, id, &credential.client_id).await?
        }
        None => {
            let new = types::CredentialInput::new("First steps".to_owned());
            credentials::create(&visit.app, Actor::Console, id, &new).await?
        }
    };
    let page: Response = steps(visit, &project, Some(&new)).await?;
    Ok(page)
}

async fn subscribe(submitted: Submitted) -> Page {
    let visit = &submitted.visit;
    let id = submitted.project();
    let mut new = types::SubscriptionInput::new();
    new.url = Some(receiver(visit, id, RECEIVER));
    let result = subscriptions::create(&visit.app, Actor::Console, id, &new).await;
    let next = format!("/projects/{id}/start");
    visit
        .after(result, "The built-in receiver is subscribed.", &next)
        .await
}

async fn trigger(submitted: Submitted) -> Page {
    let visit = &submitted.visit;
    let id = submitted.project();
    let kinds = events::kinds(&visit.app, id).await?;
    let kind = kinds.iter().find(|kind| kind.available);
    let kind = kind.map_or("customersDeleted", |kind| kind.kind.as_str());
    let new = types::TriggerInput::new(kind.to_owned());
    let result = events::trigger(&visit.app, Actor::Console, id, &new).await;
    let next = format!("/projects/{id}/start");
    visit
        .after(result, "The event was sent. It arrives below.", &next)
        .await
}
