//! Access tokens and refresh tokens. Only their hashes are stored.

use crate::app::App;
use crate::ids::{self, NoRandomness};
use crate::model::{AccessToken, AccessTokens, Credential, Millis, Project, TokenFamily};
use crate::store::{Changes, CommitError, Look, Page, StorageError, Store, Stored};
use bothends_runtime::server::Secret;
use std::sync::Arc;

/// The beginning of an access token.
pub(super) const ACCESS: &str = "fdat_";
/// The beginning of a refresh token.
pub(super) const REFRESH: &str = "fdrt_";
/// How many documents with earlier access tokens are read, to be removed if these have expired.
const EXPIRED: u32 = 16;
/// How many families a project keeps, beside those with a valid access token. Clients that never
/// refresh begin a new one each time.
const FAMILIES: u32 = 10_000;
/// After how many new families, on average, the oldest are removed.
const TRIM_EVERY: u64 = 512;
/// How many families are read at once at most, to be removed if they have ended.
const TRIMMED: u32 = 1024;
/// How often a refresh is decided anew after a conflict.
const ATTEMPTS: u32 = 5;

/// Tokens as they are sent.
#[derive(Debug)]
pub(super) struct Issued {
    pub(super) access_token: String,
    pub(super) refresh_token: String,
}

/// The reason why a token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// The token is not known, or of another client.
    Invalid(&'static str),
    /// The token has expired or was revoked.
    Expired(&'static str),
}

/// An error of issuing tokens.
#[derive(Debug)]
pub(super) enum TokenError {
    Refused(Refused),
    Conflict,
    Storage(StorageError),
    Randomness(NoRandomness),
}

impl From<StorageError> for TokenError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<NoRandomness> for TokenError {
    fn from(error: NoRandomness) -> Self {
        Self::Randomness(error)
    }
}

impl From<CommitError> for TokenError {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Conflict => Self::Conflict,
            CommitError::Storage(error) => Self::Storage(error),
        }
    }
}

/// Returns the id of the family that a token names, and what follows it.
fn split<'t>(token: &'t str, prefix: &str) -> Option<(&'t str, &'t str)> {
    token.strip_prefix(prefix)?.split_once('_')
}

/// Returns the family and the number of the issue that a token names. A token without a number is one
/// of the first.
fn issue_of<'t>(token: &'t str, prefix: &str) -> Option<(&'t str, u32)> {
    let (family, rest) = split(token, prefix)?;
    let number = rest
        .split_once('_')
        .and_then(|(number, _)| number.parse().ok());
    Some((family, number.unwrap_or_default()))
}

/// Returns the secret of a refresh token that all of its family share.
fn shared_of(token: &str) -> Option<&str> {
    let (_, rest) = split(token, REFRESH)?;
    rest.split_once('_')?.1.get(..ids::SECRET)
}

/// Returns whether a family has a refresh token, and whether it is spent.
fn is_spent(family: &TokenFamily, token: &str, issue: u32) -> Option<bool> {
    if family.refresh_hash == ids::hash(token) {
        return Some(false);
    }
    let shared = shared_of(token)?;
    let is_earlier = issue.saturating_add(1) < family.issues;
    (is_earlier && ids::hash(shared) == family.shared_hash).then_some(true)
}

/// Returns the family of a token that was issued, whether it is valid or not.
pub(super) async fn family_of(
    store: &Store,
    token: &str,
) -> Result<Option<TokenFamily>, StorageError> {
    let is_access = token.starts_with(ACCESS);
    let prefix = if is_access { ACCESS } else { REFRESH };
    let Some((id, issue)) = issue_of(token, prefix) else {
        return Ok(None);
    };
    let Some(family) = store.find::<TokenFamily>(id).await? else {
        return Ok(None);
    };
    let is_issued = match is_access {
        true => end_of(store, &family, token, issue).await?.is_some(),
        false => is_spent(&family, token, issue).is_some(),
    };
    Ok(is_issued.then_some(family.value))
}

/// Returns the family of a valid access token of these credentials.
pub(super) async fn check(
    app: &App,
    look: Look,
    credential: &Credential,
    token: &Secret,
    now: Millis,
) -> Result<Result<Arc<Stored<TokenFamily>>, Refused>, StorageError> {
    let token = token.expose();
    let refused = |reason| Ok(Err(Refused::Invalid(reason)));
    if token.starts_with(REFRESH) {
        return refused("a refresh token was sent as an access token");
    }
    let Some((id, issue)) = issue_of(token, ACCESS) else {
        return refused("the token was not issued by this service");
    };
    let Some(family) = app.store.find_shared::<TokenFamily>(look, id).await? else {
        return refused("the token is not known");
    };
    if family.client_id != credential.client_id || family.project != credential.project {
        return refused("the token belongs to another client than X-Client-Id");
    }
    let Some(expires_at) = end_of(&app.store, &family, token, issue).await? else {
        return refused("the token is not known");
    };
    let expired = |reason| Ok(Err(Refused::Expired(reason)));
    if family.revoked_at.is_some() {
        return expired("the token was revoked, because a spent refresh token was used");
    }
    if expires_at <= now {
        return expired("the token has expired by the clock of the project");
    }
    Ok(Ok(family))
}

/// Returns the end of the validity of an access token of a family.
async fn end_of(
    store: &Store,
    family: &TokenFamily,
    token: &str,
    issue: u32,
) -> Result<Option<Millis>, StorageError> {
    let hash = ids::hash(token);
    let find = |tokens: &[AccessToken]| {
        let found = tokens.iter().find(|access| access.hash == hash);
        found.map(|access| access.expires_at)
    };
    let found = find(&family.access);
    if found.is_some() || issue >= family.issues {
        return Ok(found);
    }
    let id = AccessTokens::id_of(&family.id, issue);
    let earlier = store.get::<AccessTokens>(&family.project, &id).await?;
    Ok(earlier.and_then(|earlier| find(&earlier.tokens)))
}

/// Issues the first tokens of a new family.
pub(super) async fn issue(
    app: &App,
    project: &Project,
    credential: &Credential,
) -> Result<Issued, TokenError> {
    // The order of these ids is that of time, so that the oldest can be removed.
    let mut family = TokenFamily {
        project: project.id.clone(),
        id: ids::ordered(),
        client_id: credential.client_id.clone(),
        scopes: credential.scopes.clone(),
        access: Vec::new(),
        issues: 0,
        valid_until: Millis::MIN,
        shared_hash: String::new(),
        refresh_hash: String::new(),
        revoked_at: None,
    };
    let issued = add(&mut family, project, &ids::secret()?)?;
    let mut changes = Changes::new();
    changes.insert(&family);
    app.store.commit(changes).await?;
    if fastrand::u64(..TRIM_EVERY) == 0 {
        forget(&app.store, &project.id, FAMILIES, App::now(project)).await?;
    }
    Ok(issued)
}

/// Removes the oldest families beyond the last `keep`, unless one of their access tokens is valid.
async fn forget(store: &Store, project: &str, keep: u32, now: Millis) -> Result<(), StorageError> {
    let newest = Page::last(1).skip(keep);
    let beyond = store.list::<TokenFamily>(project, newest).await?;
    let Some(last) = beyond.first().map(|family| &family.id) else {
        return Ok(());
    };
    let oldest = store.list::<TokenFamily>(project, Page::first(TRIMMED));
    let mut changes = Changes::new();
    for family in oldest.await?.iter().filter(|family| family.id <= *last) {
        let is_valid = |access: &AccessToken| access.expires_at > now;
        if family.valid_until > now || family.access.iter().any(is_valid) {
            continue;
        }
        let earlier = Page::first(TRIMMED).under(&family.id);
        let earlier = match family.issues > AccessTokens::ISSUES {
            true => store.list::<AccessTokens>(project, earlier).await?,
            false => Vec::new(),
        };
        for earlier in &earlier {
            changes.remove(earlier);
        }
        // With more of them, the family is left to the next turn.
        if earlier.len() < TRIMMED as usize {
            changes.remove(family);
        }
    }
    match store.commit(changes).await {
        // Another request or instance has used or removed one of them: the next turn removes the others.
        Ok(()) | Err(CommitError::Conflict) => Ok(()),
        Err(CommitError::Storage(error)) => Err(error),
    }
}

/// Exchanges a refresh token. One that was used before revokes its family.
pub(super) async fn refresh(
    app: &App,
    project: &Project,
    credential: &Credential,
    token: &str,
) -> Result<Issued, TokenError> {
    let unknown = TokenError::Refused(Refused::Invalid("the refresh token is not known"));
    let Some((id, issue)) = issue_of(token, REFRESH) else {
        return Err(unknown);
    };
    for _ in 0..ATTEMPTS {
        let Some(mut family) = app.store.find::<TokenFamily>(id).await? else {
            return Err(unknown);
        };
        if family.client_id != credential.client_id || family.project != credential.project {
            return Err(TokenError::Refused(Refused::Invalid(
                "the refresh token belongs to another client than X-Client-Id",
            )));
        }
        let Some(is_spent) = is_spent(&family, token, issue) else {
            return Err(unknown);
        };
        if family.revoked_at.is_some() {
            return Err(TokenError::Refused(Refused::Expired(
                "the refresh token was revoked, because an earlier one was used again",
            )));
        }
        let mut changes = Changes::new();
        let result = if is_spent {
            family.value.revoked_at = Some(App::now(project));
            Err(TokenError::Refused(Refused::Expired(
                "the refresh token was used before; all tokens of its family are revoked",
            )))
        } else {
            store_earlier(app, &mut family.value, project, &mut changes).await?;
            // One that was issued without such a secret gets it now.
            let shared = shared_of(token).filter(|shared| ids::hash(shared) == family.shared_hash);
            let shared = shared.map_or_else(ids::secret, |shared| Ok(shared.to_owned()))?;
            Ok(add(&mut family.value, project, &shared)?)
        };
        changes.update(&family);
        match app.store.commit(changes).await {
            Ok(()) => return result,
            // Another request has used the same token: then this one is the second.
            Err(CommitError::Conflict) => {}
            Err(CommitError::Storage(error)) => return Err(error.into()),
        }
    }
    Err(TokenError::Conflict)
}

/// Moves the access tokens of a family to a document of their own if it has enough of them, and removes
/// documents whose tokens have expired.
async fn store_earlier(
    app: &App,
    family: &mut TokenFamily,
    project: &Project,
    changes: &mut Changes,
) -> Result<(), StorageError> {
    if family.issues == 0 || !family.issues.is_multiple_of(AccessTokens::ISSUES) {
        return Ok(());
    }
    let now = App::now(project);
    let is_expired = |access: &AccessToken| access.expires_at <= now;
    let page = Page::first(EXPIRED).under(&family.id);
    for earlier in app.store.list::<AccessTokens>(&project.id, page).await? {
        if earlier.tokens.iter().all(is_expired) {
            changes.remove(&earlier);
        }
    }
    let tokens = std::mem::take(&mut family.access);
    if !tokens.iter().all(is_expired) {
        changes.insert(&AccessTokens {
            project: project.id.clone(),
            id: AccessTokens::id_of(&family.id, family.issues - 1),
            family: family.id.clone(),
            tokens,
        });
    }
    Ok(())
}

/// Adds tokens to a family whose refresh tokens share a secret.
fn add(family: &mut TokenFamily, project: &Project, shared: &str) -> Result<Issued, NoRandomness> {
    let (id, issue) = (&family.id, family.issues);
    let access_token = format!("{ACCESS}{id}_{issue}_{}", ids::secret()?);
    let refresh_token = format!("{REFRESH}{id}_{issue}_{shared}{}", ids::secret()?);
    let lifetime = i64::from(project.settings.token_lifetime) * 1000;
    let expires_at = App::now(project).saturating_add(lifetime);
    family.access.push(AccessToken {
        hash: ids::hash(&access_token),
        expires_at,
    });
    family.issues += 1;
    family.valid_until = family.valid_until.max(expires_at);
    family.shared_hash = ids::hash(shared);
    family.refresh_hash = ids::hash(&refresh_token);
    Ok(Issued {
        access_token,
        refresh_token,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(id: &str, expires_at: Millis) -> TokenFamily {
        let hash = format!("the hash of {id}");
        TokenFamily {
            project: "p".to_owned(),
            id: id.to_owned(),
            client_id: "c".to_owned(),
            scopes: Vec::new(),
            access: vec![AccessToken { hash, expires_at }],
            issues: 1,
            valid_until: expires_at,
            shared_hash: String::new(),
            refresh_hash: String::new(),
            revoked_at: None,
        }
    }

    /// A token is accepted until it expires, however many tokens the client has obtained since then.
    #[tokio::test]
    async fn only_families_without_a_valid_access_token_are_forgotten() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        let mut changes = Changes::new();
        for (id, expires_at) in [("1", 10), ("2", 30), ("3", 20), ("4", 10), ("5", 10)] {
            changes.insert(&family(id, expires_at));
        }
        store.commit(changes).await.unwrap();
        let left = async |keep, now| {
            forget(&store, "p", keep, now).await.unwrap();
            let left = store.list::<TokenFamily>("p", Page::first(10)).await;
            let ids: Vec<String> = left
                .unwrap()
                .iter()
                .map(|family| family.id.clone())
                .collect();
            ids.concat()
        };
        assert_eq!(left(5, 50).await, "12345");
        assert_eq!(left(2, 9).await, "12345");
        assert_eq!(left(2, 20).await, "245");
        assert_eq!(left(2, 30).await, "45");
        assert_eq!(left(0, 30).await, "");
    }
}
