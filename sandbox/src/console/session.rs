//! Sign-in for people: the password and sessions. All of it is in the store, so that it holds for
//! every instance.

use super::actions::{Actor, change, note, note_alone};
use super::attempts::{self, Reserved, Source};
use super::documents::documents;
use super::failure::Failure;
use crate::app::App;
use crate::ids;
use crate::model::Millis;
use crate::store::{Changes, CommitError, Page};
use aws_lc_rs::pbkdf2;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

/// The iterations of PBKDF2 with HMAC-SHA256 for a password that a person has chosen.
const CHOSEN: NonZeroU32 = NonZeroU32::new(600_000).expect("not zero");
/// The same for a password of 256 random bits, which cannot be guessed: every first start computes
/// it.
const MADE: NonZeroU32 = NonZeroU32::new(1_000).expect("not zero");
/// How long a session lasts.
pub(super) const LIFETIME: Millis = 12 * 60 * 60 * 1000;
/// How many sessions are read at once.
const BATCH: u32 = 200;

/// The password of the console.
#[derive(Debug, Serialize, Deserialize)]
struct Password {
    id: String,
    /// In hexadecimal.
    salt: String,
    iterations: NonZeroU32,
    /// PBKDF2 with HMAC-SHA256, in hexadecimal.
    hash: String,
}

/// A session. Its id is the hash of the cookie's value.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Session {
    id: String,
    /// The token in every form of the session.
    pub(super) csrf: String,
    /// The end, by the system clock.
    expires_at: Millis,
    /// What the next page says about the last action.
    #[serde(default)]
    notice: Option<Notice>,
}

/// The result of an action, which the next page shows once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Notice {
    /// Whether the action failed.
    pub(super) is_error: bool,
    /// The result in a sentence.
    pub(super) text: String,
}

documents! { Password => "console-password", Session => "console-session" }

/// The id of documents of which there is one.
const ONLY: &str = "only";

fn password(text: &str, iterations: NonZeroU32) -> Result<Password, Failure> {
    let salt = ids::secret()?;
    let mut hash = [0; 32];
    let algorithm = pbkdf2::PBKDF2_HMAC_SHA256;
    pbkdf2::derive(
        algorithm,
        iterations,
        salt.as_bytes(),
        text.as_bytes(),
        &mut hash,
    );
    Ok(Password {
        id: ONLY.to_owned(),
        salt,
        iterations,
        hash: hex::encode(hash),
    })
}

impl Password {
    fn is(&self, text: &str) -> bool {
        let Ok(hash) = hex::decode(&self.hash) else {
            return false;
        };
        let algorithm = pbkdf2::PBKDF2_HMAC_SHA256;
        let salt = self.salt.as_bytes();
        pbkdf2::verify(algorithm, self.iterations, salt, text.as_bytes(), &hash).is_ok()
    }
}

/// Stores the configured password, or makes one at the first start. Returns the one that was made.
/// Another password than the stored one ends all sessions.
pub(super) async fn prepare(app: &App) -> Result<Option<String>, Failure> {
    let stored = app.store.get::<Password>("", ONLY).await?;
    let configured = app.config.console_password.clone();
    let made = match (&stored, &configured) {
        (Some(_), None) => return Ok(None),
        (Some(stored), Some(configured)) if stored.is(configured) => return Ok(None),
        (_, Some(_)) => None,
        (None, None) => Some(ids::secret()?),
    };
    let new = match (&made, &configured) {
        (Some(made), _) => password(made, MADE)?,
        (None, configured) => password(configured.as_deref().unwrap_or_default(), CHOSEN)?,
    };
    let mut changes = Changes::new();
    match stored {
        Some(mut stored) => {
            stored.value = new;
            changes.update(&stored);
            end_sessions(app, |_| true, &mut changes).await?;
        }
        None => {
            changes.insert(&new);
        }
    }
    match app.store.commit(changes).await {
        Ok(()) => Ok(made),
        // Another instance was faster, and has printed its password.
        Err(CommitError::Conflict) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Adds the removal of sessions to the changes.
async fn end_sessions(
    app: &App,
    which: impl Fn(&Session) -> bool,
    changes: &mut Changes,
) -> Result<(), Failure> {
    let mut after: Option<String> = None;
    loop {
        let page = Page::first(BATCH).after(after.as_deref());
        let sessions = app.store.list::<Session>("", page).await?;
        let Some(last) = sessions.last() else {
            return Ok(());
        };
        after = Some(last.id.clone());
        for session in sessions.iter().filter(|session| which(session)) {
            changes.remove(session);
        }
    }
}

/// The result of an attempt to sign in.
#[derive(Debug)]
pub(super) enum SignIn {
    /// The value of the cookie of the session, and that of a browser that has no cookie of its own yet.
    Done(String, Option<String>),
    /// The password is wrong.
    Wrong,
    /// Too many attempts have failed. The seconds until the next one is looked at.
    TooMany(i64),
}

/// Checks a password, and begins a session. The attempt counts before the password is looked at, so
/// that attempts in parallel are limited too.
pub(super) async fn sign_in(app: &App, source: &Source, text: String) -> Result<SignIn, Failure> {
    if let Reserved::TooMany(seconds) = attempts::reserve(app, source).await? {
        return Ok(SignIn::TooMany(seconds));
    }
    let Some(stored) = app.store.get::<Password>("", ONLY).await? else {
        return Ok(SignIn::Wrong);
    };
    let hashing = attempts::hashing(app, source).await?;
    // The hash takes long on purpose, so it is computed where it delays nobody else.
    let is_right = tokio::task::spawn_blocking(move || {
        let is_right = stored.is(&text);
        drop(hashing);
        is_right
    });
    if !is_right.await.map_err(Failure::internal)? {
        note_alone(
            app,
            Actor::Stranger,
            "signInFailed",
            None,
            source.to_string(),
        )
        .await?;
        return Ok(SignIn::Wrong);
    }
    let now = App::system_now();
    let cookie = ids::secret()?;
    let session = Session {
        id: ids::hash(&cookie),
        csrf: ids::secret()?,
        expires_at: now + LIFETIME,
        notice: None,
    };
    let browser = attempts::new_browser(source)?;
    change!(app, changes, {
        end_sessions(app, |session| session.expires_at <= now, &mut changes).await?;
        changes.insert(&session);
        if let Some((browser, _)) = &browser {
            changes.insert(browser);
        }
        attempts::release(app, source, &mut changes).await?;
        note(
            &mut changes,
            Actor::Console,
            "signIn",
            None,
            source.to_string(),
        );
    });
    Ok(SignIn::Done(cookie, browser.map(|(_, cookie)| cookie)))
}

/// Returns the session of a cookie, if it has not ended.
pub(super) async fn find(app: &App, cookie: &str) -> Result<Option<Session>, Failure> {
    let found = app.store.get::<Session>("", &ids::hash(cookie)).await?;
    let now = App::system_now();
    Ok(found
        .map(|session| session.value)
        .filter(|session| now < session.expires_at))
}

/// Ends a session.
pub(super) async fn sign_out(app: &App, session: &Session) -> Result<(), Failure> {
    change!(app, changes, {
        if let Some(found) = app.store.get::<Session>("", &session.id).await? {
            changes.remove(&found);
        }
    });
    Ok(())
}

/// Leaves a notice for the next page.
pub(super) async fn leave_notice(
    app: &App,
    session: &Session,
    notice: Notice,
) -> Result<(), Failure> {
    change!(app, changes, {
        if let Some(mut found) = app.store.get::<Session>("", &session.id).await? {
            found.value.notice = Some(notice.clone());
            changes.update(&found);
        }
    });
    Ok(())
}

/// Takes the notice of a session.
pub(super) async fn take_notice(app: &App, session: &Session) -> Result<Option<Notice>, Failure> {
    if session.notice.is_none() {
        return Ok(None);
    }
    change!(app, changes, {
        if let Some(mut found) = app.store.get::<Session>("", &session.id).await? {
            found.value.notice = None;
            changes.update(&found);
        }
    });
    Ok(session.notice.clone())
}
