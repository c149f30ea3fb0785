//! Signing keys.

use super::{Actor, input, note_alone, view};
use crate::app::App;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::webhooks::keys::{self, KeyAlgorithm, PublishedKey};
use serde_json::json;

fn shown(key: &PublishedKey) -> Result<types::Key, Failure> {
    view(&json!({
        "id": key.id,
        "algorithm": key.algorithm,
        "created_at": key.created_at,
        "signs": key.signs,
        "jwk": key.jwk,
    }))
}

/// Returns the published keys, the newest first.
///
/// # Errors
/// Returns an error of the database.
pub async fn list(app: &App) -> Result<Vec<types::Key>, Failure> {
    keys::list(app).await?.iter().map(shown).collect()
}

/// Makes a new key, which signs from now on.
///
/// # Errors
/// Returns an error of the database.
pub async fn rotate(app: &App, actor: Actor, new: &types::KeyInput) -> Result<types::Key, Failure> {
    let algorithm: Option<KeyAlgorithm> = new
        .algorithm
        .as_ref()
        .map(|algorithm| input("algorithm", algorithm))
        .transpose()?;
    let id = keys::rotate(app, algorithm.unwrap_or_default()).await?;
    note_alone(app, actor, "rotateKeys", None, format!("key {id}")).await?;
    let all = keys::list(app).await?;
    let made = all.iter().find(|key| key.id == id);
    shown(made.ok_or_else(|| Failure::missing("key"))?)
}
