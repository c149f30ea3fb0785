//! The whole state of a project: reset, snapshot and restore.

use super::{Actor, change, faults, note, project, projects, view};
use crate::app::App;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::{Credential, Project, ProjectClock, Settings};
use crate::seed::{self, Seeded};
use crate::snapshot::{self, EVERYTHING, Snapshot, SnapshotError};
use crate::store::{Page, Row, Stored};
use crate::subscriptions;
use bothends_delivery::DeliveryStore;
use serde_json::Value;

/// The maximum number of credentials that a reset keeps.
const CREDENTIALS: u32 = 500;

impl From<SnapshotError> for Failure {
    fn from(error: SnapshotError) -> Self {
        Self::field(error.place, error.message)
    }
}

/// Resets a project to its seed.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn reset(app: &App, actor: Actor, id: &str) -> Result<types::ResetProject, Failure> {
    let found = project(app, id).await?;
    let has_seed = found.seed != 0;
    let mut seeded = seed::generate(&found.name, &found.products, has_seed.then_some(found.seed))?;
    seeded.project.id = id.to_owned();
    let kept = if has_seed {
        Vec::new()
    } else {
        let credentials = app.store.list::<Credential>(id, Page::first(CREDENTIALS));
        credentials
            .await?
            .into_iter()
            .map(|stored| stored.value)
            .collect()
    };
    let rows = rows_of(&seeded, &kept)?;
    let project = change!(app, changes, {
        let mut found = project(app, id).await?;
        changes.replace(id, &EVERYTHING, rows.clone());
        found.value.settings = Settings::default();
        found.value.clock = ProjectClock::default();
        found.value.faults = Vec::new();
        found.value.forgotten_deliveries = last_delivery(app, id).await?;
        changes.update(&found);
        note(&mut changes, actor, "resetProject", Some(id), "");
        found
    });
    subscriptions::sync(app, id).await?;
    let valid = kept
        .iter()
        .find(|credential| credential.revoked_at.is_none());
    let client_id = valid.map_or(&seeded.client_id, |credential| &credential.client_id);
    let mut result = types::ResetProject::from(types::ResetProjectInit {
        project: view(&project.value)?,
        client_id: client_id.clone(),
        customer_id: seeded.customer_id.clone(),
        customer_secret: seeded.customer_secret.clone(),
    });
    result.client_secret = valid.is_none().then(|| seeded.client_secret.clone());
    Ok(result)
}

/// Returns the id of the last delivery of a project, or 0.
async fn last_delivery(app: &App, id: &str) -> Result<i64, Failure> {
    let store = app.store.delivery();
    let last = store.latest_deliveries_of(id, None, 1).await?;
    Ok(last.first().map_or(0, |last| last.id.0))
}

/// Returns the content of a project after a reset. Credentials that are kept replace the new ones.
fn rows_of(seeded: &Seeded, kept: &[Credential]) -> Result<Vec<Row>, Failure> {
    let mut rows = vec![
        snapshot::row(&seed::customer(seeded)),
        snapshot::row(&seed::consent(seeded)),
    ];
    if kept
        .iter()
        .all(|credential| credential.revoked_at.is_some())
    {
        rows.push(snapshot::row(&seed::credential(seeded)));
    }
    rows.extend(kept.iter().map(snapshot::row));
    rows.into_iter()
        .collect::<Result<_, _>>()
        .map_err(Failure::internal)
}

/// Takes a snapshot of a project.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn snapshot(app: &App, id: &str) -> Result<types::Snapshot, Failure> {
    let found = project(app, id).await?;
    view(&snapshot::take(app, &found).await?)
}

/// Replaces the state of a project by that of a snapshot.
///
/// # Errors
/// Returns an error if the project does not exist, or if the snapshot cannot be read.
pub async fn restore(
    app: &App,
    actor: Actor,
    id: &str,
    file: &types::Snapshot,
) -> Result<types::Project, Failure> {
    let file: Value = serde_json::to_value(file).map_err(Failure::internal)?;
    project(app, id).await?;
    let snapshot = snapshot::read(file)?;
    check(&snapshot.project)?;
    let rows = snapshot::rows(&snapshot, id)?;
    let restored = exchange(app, actor, id, &snapshot, &rows).await;
    let restored = restored.map_err(|failure| match failure {
        Failure::Conflict(_) => Failure::conflict(
            "Credentials or tokens of the snapshot belong to another project. Delete that project \
             first, or restore the snapshot there.",
        ),
        other => other,
    })?;
    subscriptions::sync(app, id).await?;
    app.due.wake();
    view(&restored.value)
}

/// Checks the project of a snapshot as one that is changed by the API.
fn check(project: &Project) -> Result<(), Failure> {
    let wrong = |failure: Failure| {
        let field = failure.field_name().unwrap_or_default();
        Failure::field(format!("project.{field}"), &failure)
    };
    projects::check_project(project).map_err(wrong)?;
    faults::check_faults(&project.faults).map_err(wrong)
}

/// Replaces a project and its documents in one transaction.
async fn exchange(
    app: &App,
    actor: Actor,
    id: &str,
    snapshot: &Snapshot,
    rows: &[Row],
) -> Result<Stored<Project>, Failure> {
    let from = &snapshot.project;
    Ok(change!(app, changes, {
        let mut found = project(app, id).await?;
        changes.replace(id, &EVERYTHING, rows.to_vec());
        found.value = Project {
            id: id.to_owned(),
            created_at: found.created_at,
            forgotten_deliveries: last_delivery(app, id).await?,
            ..from.clone()
        };
        changes.update(&found);
        let detail = format!("from project {}, taken at {}", from.id, snapshot.taken_at);
        note(&mut changes, actor, "restoreSnapshot", Some(id), detail);
        found
    }))
}
