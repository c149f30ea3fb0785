//! Signing keys.

use super::form::{Field, post};
use super::html::{badge, code, table, word};
use super::layout::page;
use super::time::time;
use super::visit::{Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, keys};
use crate::console::api::types;
use axum::Router;
use axum::routing::{get, post as on_post};
use maud::{Markup, html};

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/keys", get(list))
        .route("/keys/rotate", on_post(rotate))
}

async fn list(visit: Visit) -> Page {
    let found = keys::list(&visit.app).await?;
    let rows: Vec<Markup> = found
        .iter()
        .map(|key| {
            let jwk = serde_json::to_string_pretty(&key.jwk).unwrap_or_default();
            html! { tr {
                th.long scope="row" { code { (key.id) } }
                td { (word(&key.algorithm)) }
                td { (time(key.created_at)) }
                td { @if key.signs { (badge("active")) } @else { (badge("published")) } }
                td { details { summary { "Public key" } (code(&format!("Public key {}", key.id), &jwk)) } }
            } }
        })
        .collect();
    let api = visit.app.urls.get().map_or("", |urls| urls.api.as_str());
    let url = format!("{api}/.well-known/jwks.json");
    let content = html! {
        p { "The keys sign the webhooks of projects with key signing. They are published at " a href=(url) { (url) } "." }
        (table("Keys, the newest first", &["Id", "Algorithm", "Created", "State", "Public key"], &rows, "There are no keys."))
        section aria-labelledby="new" {
            h2 #new { "Sign with a new key" }
            (post(&visit, "/keys/rotate", &html! {
                (Field::new("algorithm", "Algorithm").choice(&[("es256", "ES256"), ("eddsa", "EdDSA")]))
                button { "Make a new key" }
            }))
        }
    };
    Ok(page(&visit, "Keys", &content))
}

async fn rotate(submitted: Submitted) -> Page {
    let visit = &submitted.visit;
    let mut new = types::KeyInput::new();
    new.algorithm = submitted.fields.word("algorithm")?;
    let result = keys::rotate(&visit.app, Actor::Console, &new).await;
    visit
        .after(result, "The new key signs from now on.", "/keys")
        .await
}
