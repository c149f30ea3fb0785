//! The conformance report.

use super::{Actor, note_alone, project, view};
use crate::app::App;
use crate::conformance;
use crate::console::api::types;
use crate::console::failure::Failure;

/// Returns the conformance report of a project.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn report(app: &App, id: &str) -> Result<types::Report, Failure> {
    let project = project(app, id).await?;
    view(&conformance::report(app, &project).await?)
}

/// Sends wrongly signed webhooks next to right ones.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn probe(app: &App, actor: Actor, id: &str) -> Result<types::Probe, Failure> {
    let project = project(app, id).await?;
    let probe = conformance::probe(app, &project, &app.hooks.keys.load()).await?;
    let detail = format!("{} webhooks", probe.messages.len());
    note_alone(app, actor, "probe", Some(id), detail).await?;
    view(&probe)
}
