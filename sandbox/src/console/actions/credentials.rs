//! API credentials.

use super::{Actor, change, document, note, project, view, views};
use crate::app::App;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::ids;
use crate::model::{Credential, TokenFamily};
use crate::seed::SCOPES;
use crate::store::{Changes, Page};

/// The maximum number of credentials that are listed.
const LISTED: u32 = 500;

/// Returns the credentials of a project, without secrets.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn list(app: &App, id: &str) -> Result<Vec<types::Credential>, Failure> {
    project(app, id).await?;
    let found = app
        .store
        .list::<Credential>(id, Page::first(LISTED))
        .await?;
    let mut found: Vec<Credential> = found.into_iter().map(|stored| stored.value).collect();
    found.sort_by_key(|credential| credential.created_at);
    views(&found)
}

/// Creates credentials.
///
/// # Errors
/// Returns an error if the project does not exist, or if a scope is unknown.
pub async fn create(
    app: &App,
    actor: Actor,
    id: &str,
    new: &types::CredentialInput,
) -> Result<types::NewCredential, Failure> {
    project(app, id).await?;
    let scopes = match &new.scopes {
        Some(scopes) => scopes.clone(),
        None => SCOPES.map(str::to_owned).to_vec(),
    };
    if let Some(unknown) = scopes
        .iter()
        .find(|scope| !SCOPES.contains(&scope.as_str()))
    {
        let known = SCOPES.join(", ");
        let message = format!("`{unknown}` is not a scope; the scopes are {known}");
        return Err(Failure::field("scopes", message));
    }
    let secret = ids::secret()?;
    let credential = Credential {
        project: id.to_owned(),
        client_id: ids::fresh(),
        secret_hash: ids::hash(&secret),
        name: new.name.clone(),
        scopes,
        created_at: App::system_now(),
        rotated_at: None,
        revoked_at: None,
    };
    let mut changes = Changes::new();
    changes.insert(&credential);
    let detail = format!("client {}", credential.client_id);
    note(&mut changes, actor, "createCredential", Some(id), detail);
    app.store.commit(changes).await?;
    Ok(types::NewCredential::new(secret, view(&credential)?))
}

/// Replaces the secret of credentials.
///
/// # Errors
/// Returns an error if the credentials do not exist, or were revoked.
pub async fn rotate(
    app: &App,
    actor: Actor,
    id: &str,
    client_id: &str,
) -> Result<types::NewCredential, Failure> {
    let secret = ids::secret()?;
    let credential = change!(app, changes, {
        let mut found = document::<Credential>(app, id, client_id, "client id").await?;
        if found.revoked_at.is_some() {
            return Err(Failure::conflict("The credentials were revoked."));
        }
        found.value.secret_hash = ids::hash(&secret);
        found.value.rotated_at = Some(App::system_now());
        changes.update(&found);
        let detail = format!("client {client_id}");
        note(&mut changes, actor, "rotateCredential", Some(id), detail);
        found
    });
    Ok(types::NewCredential::new(secret, view(&credential.value)?))
}

/// Revokes credentials with all their tokens.
///
/// # Errors
/// Returns an error if the credentials do not exist.
pub async fn revoke(
    app: &App,
    actor: Actor,
    id: &str,
    client_id: &str,
) -> Result<types::Credential, Failure> {
    let credential = change!(app, changes, {
        let mut found = document::<Credential>(app, id, client_id, "client id").await?;
        if found.revoked_at.is_none() {
            found.value.revoked_at = Some(App::system_now());
            changes.update(&found);
            let detail = format!("client {client_id}");
            note(&mut changes, actor, "revokeCredential", Some(id), detail);
        }
        found
    });
    revoke_tokens(app, id, client_id).await?;
    view(&credential.value)
}

/// Revokes the families of a client, which is rare enough that all of the project are read. Families of other clients
/// are added meanwhile, more slowly than they are read.
async fn revoke_tokens(app: &App, id: &str, client_id: &str) -> Result<(), Failure> {
    let mut last: Option<String> = None;
    loop {
        let page = Page::first(LISTED).after(last.as_deref());
        let families = app.store.list::<TokenFamily>(id, page).await?;
        let Some(family) = families.last() else {
            return Ok(());
        };
        last = Some(family.id.clone());
        for family in families {
            if family.client_id != client_id {
                continue;
            }
            change!(app, changes, {
                let now = App::now(&project(app, id).await?.value);
                let found = app.store.get::<TokenFamily>(id, &family.id).await?;
                if let Some(mut found) = found
                    && found.revoked_at.is_none()
                {
                    found.value.revoked_at = Some(now);
                    changes.update(&found);
                }
            });
        }
    }
}
