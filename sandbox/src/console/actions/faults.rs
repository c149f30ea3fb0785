//! Faults that are injected on request.

use super::{Actor, change, input, note, project, valid, view, views};
use crate::app::App;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::ids;
use crate::model::{Fault, FaultTarget};
use financial_data::webhooks::WebhookKind;
use serde_json::json;

/// The maximum number of faults of a project, which are a part of its document.
const MAXIMUM: usize = 100;
/// The operations of the documented API.
pub const OPERATIONS: [&str; 3] = [
    "createToken",
    "startOpenBankingRefresh",
    "getOpenBankingRefreshStatus",
];

/// Returns the faults of a project.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn list(app: &App, id: &str) -> Result<Vec<types::Fault>, Failure> {
    views(&project(app, id).await?.faults)
}

/// Adds a fault.
///
/// # Errors
/// Returns an error if the project does not exist, or if the fault is not one of its target.
pub async fn add(
    app: &App,
    actor: Actor,
    id: &str,
    new: &types::FaultInput,
) -> Result<types::Fault, Failure> {
    let mut fault = read(new)?;
    change!(app, changes, {
        let mut found = project(app, id).await?;
        if found.faults.len() >= MAXIMUM {
            let message = format!("The project has {MAXIMUM} faults already. Remove one first.");
            return Err(Failure::conflict(message));
        }
        fault.seed = new.seed.unwrap_or(found.seed);
        found.value.faults.push(fault.clone());
        changes.update(&found);
        let detail = serde_json::to_string(&fault.target).map_err(Failure::internal)?;
        note(&mut changes, actor, "addFault", Some(id), detail);
    });
    view(&fault)
}

/// Returns the fault of an input. Its seed is that of the input, or 0.
///
/// # Errors
/// Returns an error if the fault is not one of its target, or if operation or kind are unknown.
pub(crate) fn read(new: &types::FaultInput) -> Result<Fault, Failure> {
    let target: FaultTarget = input("target", &new.target)?;
    match &target {
        FaultTarget::Api {
            operation: Some(operation),
            ..
        } if !OPERATIONS.contains(&operation.as_str()) => {
            let known = OPERATIONS.join(", ");
            let message = format!("`{operation}` is not an operation; they are {known}");
            return Err(Failure::field("target.operation", message));
        }
        FaultTarget::Webhook {
            kind: Some(kind), ..
        } if kind.parse::<WebhookKind>().is_err() => {
            return Err(Failure::field(
                "target.kind",
                format!("`{kind}` is not a webhook"),
            ));
        }
        _ => {}
    }
    Ok(Fault {
        id: ids::fresh(),
        target,
        probability: new.probability.unwrap_or(1.0),
        seed: new.seed.unwrap_or(0),
        remaining: new.remaining,
        considered: 0,
        hits: 0,
    })
}

/// Checks faults that were read from a file as the API checks a new one.
pub(super) fn check_faults(faults: &[Fault]) -> Result<(), Failure> {
    if faults.len() > MAXIMUM {
        return Err(Failure::field("faults", format!("has more than {MAXIMUM}")));
    }
    for (index, fault) in faults.iter().enumerate() {
        let new = json!({
            "target": fault.target,
            "probability": fault.probability,
            "seed": fault.seed,
        });
        let new = input("target", &new).and_then(|new| valid(&new).and_then(|()| read(&new)));
        new.map_err(|failure| {
            let field = failure.field_name().unwrap_or_default();
            Failure::field(format!("faults[{index}].{field}"), &failure)
        })?;
    }
    Ok(())
}

/// Removes a fault.
///
/// # Errors
/// Returns an error if the project or the fault does not exist.
pub async fn remove(app: &App, actor: Actor, id: &str, fault: &str) -> Result<(), Failure> {
    change!(app, changes, {
        let mut found = project(app, id).await?;
        let before = found.faults.len();
        found.value.faults.retain(|known| known.id != fault);
        if found.faults.len() == before {
            return Err(Failure::missing("fault"));
        }
        changes.update(&found);
        note(
            &mut changes,
            actor,
            "removeFault",
            Some(id),
            format!("fault {fault}"),
        );
    });
    Ok(())
}
