//! The audit log.

use super::{limit, views};
use crate::app::App;
use crate::console::api::operations::ListAuditRequest;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::AuditEntry;
use crate::store::{Page, StorageError, Store};

/// How many entries are read at once while those of a project are looked for.
const BATCH: u32 = 500;

/// How many entries are kept.
const KEPT: u32 = 20_000;

/// Removes the oldest entries.
///
/// # Errors
/// Returns an error of the database.
pub(crate) async fn trim(store: &Store) -> Result<u64, StorageError> {
    store.trim::<AuditEntry>("", KEPT).await
}

/// Returns actions in the console, the newest first.
///
/// # Errors
/// Returns an error of the database.
pub async fn list(
    app: &App,
    request: &ListAuditRequest,
) -> Result<Vec<types::AuditEntry>, Failure> {
    let wanted = usize::try_from(limit(request.limit_or_default())).map_err(Failure::internal)?;
    let mut found: Vec<AuditEntry> = Vec::new();
    let mut before = request.before.clone();
    while found.len() < wanted {
        let page = Page::last(BATCH).after(before.as_deref());
        let entries = app.store.list::<AuditEntry>("", page).await?;
        let Some(last) = entries.last() else { break };
        before = Some(last.id.clone());
        let concerned = |entry: &AuditEntry| {
            let project = request.project.as_ref();
            project.is_none_or(|project| entry.subject.as_ref() == Some(project))
        };
        let entries = entries.into_iter().map(|entry| entry.value);
        found.extend(entries.filter(concerned));
    }
    found.truncate(wanted);
    views(&found)
}
