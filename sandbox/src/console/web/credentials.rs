//! API credentials.

use super::form::{Field, action, check, danger, post};
use super::html::{badge, code, facts, table};
use super::layout::project_page;
use super::time::time;
use super::visit::{Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, credentials};
use crate::console::api::types;
use crate::seed::SCOPES;
use axum::Router;
use axum::extract::Path;
use axum::routing::{get, post as on_post};
use maud::{Markup, html};

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/credentials", get(list).post(create))
        .route(
            "/projects/{id}/credentials/{client}/rotate",
            on_post(rotate),
        )
        .route(
            "/projects/{id}/credentials/{client}/revoke",
            on_post(revoke),
        )
}

async fn list(visit: Visit, Path(id): Path<String>) -> Page {
    shown(&visit, &id, None).await
}

/// Returns the page. A new secret is shown once.
async fn shown(visit: &Visit, id: &str, new: Option<&types::NewCredential>) -> Page {
    let project = visit.project(id).await?;
    let found = credentials::list(&visit.app, id).await?;
    let rows: Vec<Markup> = found
        .iter()
        .map(|credential| row(visit, id, credential))
        .collect();
    let content = html! {
        @if let Some(new) = new { (secret(visit, new)) }
        (table("Credentials", &["Name", "Client id", "Scopes", "Created", "State", ""], &rows, "There are no credentials."))
        section aria-labelledby="new" {
            h2 #new { "Create credentials" }
            (post(visit, &format!("/projects/{id}/credentials"), &html! {
                (Field::new("name", "Name").required().line())
                fieldset {
                    legend { "Scopes" }
                    @for scope in SCOPES { (check("scopes", scope, scope, true)) }
                }
                button { "Create the credentials" }
            }))
        }
    };
    Ok(project_page(
        visit,
        &project,
        "/credentials",
        "Credentials",
        &content,
    ))
}

fn secret(visit: &Visit, new: &types::NewCredential) -> Markup {
    let api = visit.app.urls.get().map_or("", |urls| urls.api.as_str());
    let curl = format!(
        "curl -s -u {}:{} -d grant_type=client_credentials {api}/v1/oauth/token",
        new.credential.client_id, new.client_secret
    );
    html! {
        p.notice role="status" { "The secret is shown once. Keep it now." }
        (facts(&[
            ("Client id", html! { code { (new.credential.client_id) } }),
            ("Client secret", html! { code { (new.client_secret) } }),
        ]))
        (code("curl command", &curl))
    }
}

fn row(visit: &Visit, id: &str, credential: &types::Credential) -> Markup {
    let path = format!("/projects/{id}/credentials/{}", credential.client_id);
    let is_revoked = credential.revoked_at.value().is_some();
    let question = format!("Revoke {} with all its tokens?", credential.name);
    html! { tr {
        th scope="row" { (credential.name) }
        td.long { code { (credential.client_id) } }
        td { (credential.scopes.join(" ")) }
        td { (time(credential.created_at)) }
        td {
            @if let Some(at) = credential.revoked_at.value() { (badge("revoked")) " " (time(*at)) }
            @else if let Some(at) = credential.rotated_at.value() { (badge("active")) " secret of " (time(*at)) }
            @else { (badge("active")) }
        }
        td.actions {
            @if !is_revoked {
                (action(visit, &format!("{path}/rotate"), "New secret"))
                (danger(visit, &format!("{path}/revoke"), "Revoke", &question))
            }
        }
    } }
}

async fn create(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let mut new = types::CredentialInput::new(submitted.fields.required("name")?);
    new.scopes = Some(submitted.fields.all("scopes").map(str::to_owned).collect());
    let new = credentials::create(&visit.app, Actor::Console, id, &new).await?;
    shown(visit, id, Some(&new)).await
}

async fn rotate(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let client = submitted.path("client");
    let new = credentials::rotate(&visit.app, Actor::Console, id, client).await?;
    shown(visit, id, Some(&new)).await
}

async fn revoke(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let client = submitted.path("client");
    let result = credentials::revoke(&visit.app, Actor::Console, id, client).await;
    let next = format!("/projects/{id}/credentials");
    visit
        .after(result, "The credentials were revoked.", &next)
        .await
}
