//! Projects and their settings.

use super::{Actor, change, input, note, project, valid, view};
use crate::app::App;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::{Product, Project, Settings};
use crate::seed::{self, Seeded};
use crate::snapshot;
use crate::store::{Page, Stored};
use crate::subscriptions;
use serde_json::{Value, json};

/// How many projects are read at once.
const BATCH: u32 = 200;

/// Returns all projects, ordered by name.
///
/// # Errors
/// Returns an error of the database.
pub async fn all(app: &App) -> Result<Vec<Stored<Project>>, Failure> {
    let mut projects: Vec<Stored<Project>> = Vec::new();
    loop {
        let after = projects.last().map(|project| project.id.clone());
        let page = Page::first(BATCH).after(after.as_deref());
        let more = app.store.list::<Project>("", page).await?;
        if more.is_empty() {
            projects.sort_by(|a, b| (&a.name, a.created_at).cmp(&(&b.name, b.created_at)));
            return Ok(projects);
        }
        projects.extend(more);
    }
}

/// Creates a project with credentials, and a customer who has given consent.
///
/// # Errors
/// Returns an error if a setting is not valid, or if a project with this seed exists.
pub async fn create(
    app: &App,
    actor: Actor,
    new: &types::ProjectInput,
) -> Result<types::NewProject, Failure> {
    let products: Vec<Product> = match &new.products {
        Some(products) => input("products", products)?,
        None => Product::ALL.to_vec(),
    };
    let settings = merged(&Settings::default(), new.settings.as_ref())?;
    let mut seeded = seed::generate(&new.name, &products, new.seed)?;
    seeded.project.settings = settings;
    change!(app, changes, {
        if app.project(&seeded.project.id).await?.is_some() {
            return Err(Failure::conflict(
                "A project with this seed exists already.",
            ));
        }
        seed::insert(&mut changes, &seeded);
        let detail = format!("name {:?}", new.name);
        note(
            &mut changes,
            actor,
            "createProject",
            Some(&seeded.project.id),
            detail,
        );
    });
    shown(&seeded)
}

/// Returns a new project with the secrets that are shown once.
pub(super) fn shown(seeded: &Seeded) -> Result<types::NewProject, Failure> {
    Ok(types::NewProject::from(types::NewProjectInit {
        project: view(&seeded.project)?,
        client_id: seeded.client_id.clone(),
        client_secret: seeded.client_secret.clone(),
        customer_id: seeded.customer_id.clone(),
        customer_secret: seeded.customer_secret.clone(),
    }))
}

/// Changes name, products and settings.
///
/// # Errors
/// Returns an error if the project does not exist, or if a setting is not valid.
pub async fn update(
    app: &App,
    actor: Actor,
    id: &str,
    patch: &types::ProjectPatch,
) -> Result<types::Project, Failure> {
    let changed = change!(app, changes, {
        let mut found = project(app, id).await?;
        if let Some(name) = &patch.name {
            found.value.name.clone_from(name);
        }
        if let Some(products) = &patch.products {
            found.value.products = input("products", products)?;
        }
        found.value.settings = merged(&found.settings, patch.settings.as_ref())?;
        changes.update(&found);
        note(
            &mut changes,
            actor,
            "updateProject",
            Some(id),
            changed_parts(patch)?,
        );
        found
    });
    // Signing and products decide what is sent to a subscription.
    subscriptions::sync(app, id).await?;
    app.due.wake();
    view(&changed.value)
}

/// Returns which parts of a project a patch changes, for the audit log.
fn changed_parts(patch: &types::ProjectPatch) -> Result<String, Failure> {
    let patch = serde_json::to_value(patch).map_err(Failure::internal)?;
    Ok(patch.to_string())
}

/// Returns settings after a JSON merge patch.
pub(crate) fn merged(
    settings: &Settings,
    patch: Option<&types::Settings>,
) -> Result<Settings, Failure> {
    let Some(patch) = patch else {
        return Ok(settings.clone());
    };
    let mut value = serde_json::to_value(settings).map_err(Failure::internal)?;
    let patch = serde_json::to_value(patch).map_err(Failure::internal)?;
    merge(&mut value, patch);
    let merged: Settings =
        serde_json::from_value(value).map_err(|error| Failure::field("settings", error))?;
    check(&merged)?;
    Ok(merged)
}

/// Applies a JSON merge patch (RFC 7396).
fn merge(target: &mut Value, patch: Value) {
    match (target, patch) {
        (Value::Object(target), Value::Object(patch)) => {
            for (name, value) in patch {
                if value.is_null() {
                    target.remove(&name);
                } else {
                    merge(target.entry(name).or_insert(Value::Null), value);
                }
            }
        }
        (target, Value::Object(patch)) => {
            *target = Value::Object(serde_json::Map::new());
            merge(target, Value::Object(patch));
        }
        (target, patch) => *target = patch,
    }
}

/// Checks what the types of the settings permit, and the service would not do.
pub(super) fn check(settings: &Settings) -> Result<(), Failure> {
    let refuse =
        |field: &str, message: &str| Err(Failure::field(format!("settings.{field}"), message));
    if !(200..=202).contains(&settings.submit_status) {
        return refuse("submit_status", "is not 200, 201 or 202");
    }
    if settings.token_lifetime == 0 {
        return refuse("token_lifetime", "is 0");
    }
    if settings.task_id_field.is_empty() {
        return refuse("task_id_field", "is empty");
    }
    if settings.statuses.pending.is_empty() || settings.statuses.running.is_empty() {
        return refuse("statuses", "has an empty word");
    }
    let clients = settings.code_statuses.values();
    if clients
        .into_iter()
        .any(|status| !(400..=499).contains(status))
    {
        return refuse("code_statuses", "has a status that is not from 400 to 499");
    }
    Ok(())
}

/// Checks a project that was read from a file as the API checks a change to the same values.
pub(super) fn check_project(project: &Project) -> Result<(), Failure> {
    let patch = json!({
        "name": project.name,
        "products": project.products,
        "settings": project.settings,
    });
    let patch: types::ProjectPatch = input("settings", &patch)?;
    valid(&patch)?;
    check(&project.settings)
}

/// Deletes a project with everything in it.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn delete(app: &App, actor: Actor, id: &str) -> Result<(), Failure> {
    change!(app, changes, {
        let found = project(app, id).await?;
        changes.remove(&found);
        changes.replace(id, &snapshot::EVERYTHING, Vec::new());
        let detail = format!("name {:?}", found.name);
        note(&mut changes, actor, "deleteProject", Some(id), detail);
    });
    Ok(subscriptions::sync(app, id).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_changes_what_it_names() {
        let patch = |patch: Value| {
            let patch: types::Settings = serde_json::from_value(patch).expect("settings");
            merged(&Settings::default(), Some(&patch))
        };
        let settings = patch(json!({
            "token_lifetime": 60,
            "completion": {"mode": "manual"},
            "code_statuses": {"auth_denied": 401},
            "statuses": {"running": "InProgress"},
        }))
        .expect("a patch");
        assert_eq!(settings.token_lifetime, 60);
        assert_eq!(settings.statuses.pending, "Pending");
        assert_eq!(settings.statuses.running, "InProgress");
        assert_eq!(settings.code_statuses["auth_denied"], 401);
        let none: types::Settings =
            serde_json::from_value(json!({"code_statuses": {"auth_denied": null}})).expect("null");
        assert!(
            merged(&settings, Some(&none))
                .expect("a patch")
                .code_statuses
                .is_empty()
        );

        for (wrong, field) in [
            (json!({"submit_status": 204}), "settings.submit_status"),
            (
                json!({"code_statuses": {"auth_denied": 200}}),
                "settings.code_statuses",
            ),
            (json!({"no_such_setting": true}), "settings"),
            (json!({"completion": {"mode": "sometimes"}}), "settings"),
        ] {
            let failure = patch(wrong).expect_err("a wrong setting");
            assert_eq!(failure.field_name(), Some(field), "{failure}");
        }
    }
}
