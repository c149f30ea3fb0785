//! The clock of a project.

use super::{Actor, note_alone, project};
use crate::app::App;
use crate::clock;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::{Millis, Project};

/// Returns the clock of a project.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn get(app: &App, id: &str) -> Result<types::Clock, Failure> {
    Ok(shown(&project(app, id).await?.value))
}

/// Returns the clock as the console API shows it.
pub(crate) fn shown(project: &Project) -> types::Clock {
    let system = App::system_now();
    let now = project.clock.now(system);
    types::Clock::from(types::ClockInit {
        now,
        frozen: project.clock.is_frozen(),
        offset: now.saturating_sub(system),
    })
}

/// Freezes the clock.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn freeze(app: &App, actor: Actor, id: &str) -> Result<types::Clock, Failure> {
    let project = clock::freeze(app, id).await?;
    note_alone(app, actor, "freezeClock", Some(id), "").await?;
    Ok(shown(&project))
}

/// Lets the clock run on.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn resume(app: &App, actor: Actor, id: &str) -> Result<types::Clock, Failure> {
    let project = clock::resume(app, id).await?;
    note_alone(app, actor, "resumeClock", Some(id), "").await?;
    Ok(shown(&project))
}

/// Moves the clock forward. With `wait`, everything that became due has happened afterwards.
///
/// # Errors
/// Returns an error if the project does not exist, or if the distance is too large.
pub async fn advance(
    app: &App,
    actor: Actor,
    id: &str,
    milliseconds: Millis,
    wait: bool,
) -> Result<types::Clock, Failure> {
    let advanced = clock::advance(app, id, milliseconds, wait).await?;
    let detail = format!("{milliseconds} ms");
    note_alone(app, actor, "advanceClock", Some(id), detail).await?;
    let mut shown = shown(&advanced.project);
    shown.settled = advanced.settled;
    Ok(shown)
}
