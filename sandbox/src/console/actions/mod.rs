//! What can be done in the console. The pages and the API call the same functions.

pub mod audit;
pub mod clock;
pub mod credentials;
pub mod customers;
pub mod deliveries;
pub mod events;
pub mod faults;
pub mod har;
pub mod inspector;
pub mod keys;
pub mod projects;
pub mod receiver;
pub mod report;
pub mod scenarios;
pub mod signatures;
pub mod state;
pub mod statistics;
pub mod subscriptions;
pub mod tasks;
pub mod watch;

use super::failure::Failure;
use crate::app::App;
use crate::model::{AuditEntry, Project};
use crate::store::{Changes, Stored};
use crate::{ids, store};
use bothends_runtime::Validate;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// A person who signed in.
    Console,
    /// The holder of the token of the console API.
    Token,
    /// A caller who has shown neither.
    Stranger,
}

impl Actor {
    /// Returns the word of the audit log.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Console => "console",
            Self::Token => "token",
            Self::Stranger => "stranger",
        }
    }
}

/// How often an action is decided anew after a conflict.
pub(super) const ATTEMPTS: u32 = 8;

/// Reads, decides and commits, and begins again if another request has changed the same data. The
/// block adds its writes to the changes, and its value is the result.
macro_rules! change {
    ($app:expr, $changes:ident, $body:block) => {{
        let mut attempt = 0;
        loop {
            let mut $changes = $crate::store::Changes::new();
            let value = $body;
            match $app.store.commit($changes).await {
                Ok(()) => break value,
                Err($crate::store::CommitError::Conflict)
                    if attempt < $crate::console::actions::ATTEMPTS =>
                {
                    attempt += 1;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }};
}
pub(super) use change;

/// Adds an entry of the audit log to the changes of an action.
pub(super) fn note(
    changes: &mut Changes,
    actor: Actor,
    action: &str,
    project: Option<&str>,
    detail: impl Into<String>,
) {
    changes.insert(&AuditEntry {
        id: ids::ordered(),
        at: App::system_now(),
        actor: actor.as_str().to_owned(),
        action: action.to_owned(),
        subject: project.map(str::to_owned),
        detail: detail.into(),
    });
}

/// Adds an entry of the audit log after an action that another part of the program has committed.
pub(super) async fn note_alone(
    app: &App,
    actor: Actor,
    action: &str,
    project: Option<&str>,
    detail: impl Into<String>,
) -> Result<(), Failure> {
    let mut changes = Changes::new();
    note(&mut changes, actor, action, project, detail);
    Ok(app.store.commit(changes).await?)
}

/// Returns a project.
pub(super) async fn project(app: &App, id: &str) -> Result<Stored<Project>, Failure> {
    app.project(id)
        .await?
        .ok_or_else(|| Failure::missing("project"))
}

/// Returns a document of a project.
pub(super) async fn document<T: store::Document>(
    app: &App,
    project: &str,
    id: &str,
    what: &str,
) -> Result<Stored<T>, Failure> {
    app.store
        .get::<T>(project, id)
        .await?
        .ok_or_else(|| Failure::missing(what))
}

/// Returns a document as the console API shows it: its properties have the same names, and those
/// that the API does not have, such as hashes of secrets, are left out.
pub(super) fn view<G: DeserializeOwned>(document: &impl Serialize) -> Result<G, Failure> {
    let value = serde_json::to_value(document).map_err(Failure::internal)?;
    serde_json::from_value(value).map_err(Failure::internal)
}

/// Returns documents as the console API shows them.
pub(super) fn views<'a, T: Serialize + 'a, G: DeserializeOwned>(
    documents: impl IntoIterator<Item = &'a T>,
) -> Result<Vec<G>, Failure> {
    documents.into_iter().map(view).collect()
}

/// Returns an input of the API as one of the documents, or names the field that is wrong.
pub(super) fn input<T: DeserializeOwned>(
    field: &str,
    input: &impl Serialize,
) -> Result<T, Failure> {
    let value = serde_json::to_value(input).map_err(Failure::internal)?;
    serde_json::from_value(value).map_err(|error| Failure::field(field, error))
}

/// Checks an input by the constraints of the document, which the router does for those of the API.
pub(super) fn valid(input: &impl Validate) -> Result<(), Failure> {
    let Err(errors) = input.validate() else {
        return Ok(());
    };
    match errors.field_errors() {
        [first, ..] => Err(Failure::field(first.field.clone(), &first.message)),
        [] => Err(Failure::field("", errors)),
    }
}

/// Returns the `limit` of a list as the store takes it. The API has checked it.
pub(super) fn limit(limit: i32) -> u32 {
    u32::try_from(limit).unwrap_or(1)
}
