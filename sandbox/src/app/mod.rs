//! What all parts of the program share.

mod hooks;
mod schedule;
mod sign_in;

pub use hooks::SendingState;
pub(crate) use hooks::{Flight, Instead};
pub use schedule::Schedule;
pub use sign_in::SignInState;

use crate::config::Config;
use crate::model::{Millis, Project};
use crate::recorder::Recorder;
use crate::store::{Look, StorageError, Store, Stored};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::watch;

/// The state of the program. Everything durable is in the store; any number of instances can share
/// one database.
#[derive(Debug)]
pub struct App {
    /// The store.
    pub store: Store,
    /// The configuration.
    pub config: Config,
    /// The log of calls and webhooks.
    pub recorder: Recorder,
    /// Wakes the scheduler when a task may have become due.
    pub due: Schedule,
    /// What the sending of webhooks shares within the instance.
    pub hooks: SendingState,
    /// What attempts to sign in to the console share within the instance.
    pub attempts: SignInState,
    /// The SHA-256 hash of the bearer token of the console API, in hexadecimal.
    pub console_token_hash: String,
    /// The URLs, once the listeners are bound.
    pub urls: OnceLock<Urls>,
    /// Whether the program stops: responses that stream end then.
    pub stopping: watch::Receiver<bool>,
}

/// The URLs of the program, without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Urls {
    /// The API.
    pub api: String,
    /// The console.
    pub console: String,
}

/// The state, shared.
pub type Shared = Arc<App>;

impl App {
    /// Returns the time of the system clock.
    pub fn system_now() -> Millis {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    /// Returns the time of a project.
    pub fn now(project: &Project) -> Millis {
        project.clock.now(Self::system_now())
    }

    /// Returns a project.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn project(&self, id: &str) -> Result<Option<Stored<Project>>, StorageError> {
        self.store.get("", id).await
    }

    /// Returns a project for a request that does not change it.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn shared_project(
        &self,
        look: Look,
        id: &str,
    ) -> Result<Option<Arc<Stored<Project>>>, StorageError> {
        self.store.get_shared(look, "", id).await
    }
}
