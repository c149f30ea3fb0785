//! The clocks of projects: freezing, resuming and advancing.
//!
//! What waits for a clock keeps its time of the project: tokens, consents, tasks, and retries of
//! webhooks (see [`crate::webhooks`]). A change of the clock is therefore one write of the project,
//! and what has become due is looked for afterwards, by this instance at once and by others soon.

use crate::app::App;
use crate::model::{Millis, Project, ProjectClock};
use crate::request_error::RequestError;
use crate::store::{Changes, CommitError, Stored};
use crate::tasks;
use crate::webhooks;
use bothends_delivery::DeliveryStore;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How often a change is decided anew because another request has changed the project.
const TRIES: usize = 10;
/// The furthest that a clock moves at once: a hundred years, so that times never overflow.
const FURTHEST: Millis = 3_153_600_000_000;
/// How long [`advance`] waits for what is due. A request with a webhook may take ten seconds.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often the state is looked at without an announcement, for the work of other instances.
const LOOK: Duration = Duration::from_millis(100);

/// The result of [`advance`].
#[derive(Debug, Clone)]
pub struct Advanced {
    /// The project with its clock.
    pub project: Project,
    /// The time of the project.
    pub now: Millis,
    /// Whether everything that became due has ended. `None` if the call did not wait for it.
    pub settled: Option<bool>,
}

/// Stops the clock of a project. A frozen clock remains as it is.
///
/// # Errors
/// Returns an error if there is no such project, or for an error of the database.
pub async fn freeze(app: &App, project: &str) -> Result<Stored<Project>, RequestError> {
    change(app, project, ProjectClock::freeze).await
}

/// Lets the clock of a project run on from where it stands.
///
/// # Errors
/// Returns an error if there is no such project, or for an error of the database.
pub async fn resume(app: &App, project: &str) -> Result<Stored<Project>, RequestError> {
    change(app, project, ProjectClock::resume).await
}

/// Moves the clock of a project forward. With `wait`, the clock moves from one due moment to the
/// next, and the call waits after each until nothing that is due is left or in progress: tasks have
/// ended, and webhooks were responded to or wait for a later time. Otherwise, the clock jumps.
///
/// # Errors
/// Returns an error if there is no such project, if the distance is negative or too large, or for an
/// error of the database.
pub async fn advance(
    app: &App,
    project: &str,
    milliseconds: Millis,
    wait: bool,
) -> Result<Advanced, RequestError> {
    if !(0..=FURTHEST).contains(&milliseconds) {
        let message = format!("a clock moves forward, by at most {FURTHEST} ms");
        return Err(RequestError::invalid("milliseconds", message));
    }
    let settled = match wait {
        true => Some(settle_until(app, project, milliseconds).await?),
        false => {
            step(app, project, milliseconds).await?;
            None
        }
    };
    let project = read(app, project).await?.value;
    Ok(Advanced {
        now: App::now(&project),
        project,
        settled,
    })
}

async fn read(app: &App, project: &str) -> Result<Stored<Project>, RequestError> {
    let found = app.project(project).await?;
    found.ok_or_else(|| RequestError::not_found("project", project))
}

/// Changes the clock of a project, and looks for what has become due.
async fn change(
    app: &App,
    id: &str,
    change: impl Fn(&mut ProjectClock, Millis),
) -> Result<Stored<Project>, RequestError> {
    for _ in 0..TRIES {
        let mut project = read(app, id).await?;
        change(&mut project.value.clock, App::system_now());
        if App::now(&project) > webhooks::LATEST {
            let message = "the clock would reach a time beyond the year 4199";
            return Err(RequestError::invalid("milliseconds", message));
        }
        let mut changes = Changes::new();
        changes.update(&project);
        match app.store.commit(changes).await {
            Ok(()) => {
                let waiting = webhooks::release(app, &project).await?;
                if let Some(time) = waiting {
                    app.hooks.wait_for(id, time);
                }
                app.hooks.pace.notify_one();
                app.due.wake();
                // The version that is stored now.
                return read(app, id).await;
            }
            Err(CommitError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(RequestError::Busy)
}

async fn step(app: &App, project: &str, by: Millis) -> Result<(), RequestError> {
    change(app, project, |clock, _| clock.advance(by)).await?;
    Ok(())
}

/// Moves the clock from one due moment to the next. Returns `false` if the patience ended first: the
/// clock then moves the rest of the distance at once.
async fn settle_until(app: &App, project: &str, by: Millis) -> Result<bool, RequestError> {
    let deadline = Instant::now() + PATIENCE;
    let mut left = by;
    loop {
        let Some(quiet) = quiet(app, project, deadline).await? else {
            step(app, project, left).await?;
            return Ok(false);
        };
        let distance = quiet.next.map(|next| next.saturating_sub(quiet.now));
        match distance {
            Some(distance) if distance <= left => {
                let distance = distance.max(0);
                step(app, project, distance).await?;
                left -= distance;
            }
            _ if left > 0 => {
                step(app, project, left).await?;
                left = 0;
            }
            _ => return Ok(true),
        }
    }
}

/// A moment at which nothing is due or in progress.
struct Quiet {
    /// The time of the project.
    now: Millis,
    /// When the first task or webhook becomes due, by the clock of the project.
    next: Option<Millis>,
}

/// Waits until nothing is due or in progress. Returns `None` at the deadline.
async fn quiet(app: &App, id: &str, deadline: Instant) -> Result<Option<Quiet>, RequestError> {
    let mut changes = app.store.delivery().changes();
    let mut activity = app.recorder.watch();
    loop {
        // Changes after this line end the waiting below.
        changes.borrow_and_update();
        if let Some(quiet) = look(app, id).await? {
            return Ok(Some(quiet));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        let until = deadline.min(Instant::now() + LOOK);
        // Whatever has happened: the next round looks.
        let _ = timeout_at(until, async {
            tokio::select! {
                _ = changes.changed() => {}
                _ = activity.recv() => {}
            }
        })
        .await;
    }
}

/// Returns the state of a project if nothing is due or in progress.
async fn look(app: &App, id: &str) -> Result<Option<Quiet>, RequestError> {
    let project = read(app, id).await?;
    let now = App::now(&project);
    // A task that ends enqueues its webhook in the same commit, so tasks are looked at first.
    tasks::step_due(app, &project).await?;
    let task = app.store.next_due().await?;
    let task = task
        .iter()
        .find(|(project, _)| project == id)
        .map(|(_, due)| *due);
    let backlog = app.store.delivery().backlog(id).await?;
    let webhook = match backlog.next_due {
        Some(due) => match webhooks::project_time(due) {
            Some(time) if time <= now => {
                webhooks::release(app, &project).await?;
                return Ok(None);
            }
            Some(time) => Some(time),
            // Due by the clock of the system: now, or soon.
            None => return Ok(None),
        },
        None => None,
    };
    if backlog.in_progress > 0 || task.is_some_and(|due| due <= now) {
        return Ok(None);
    }
    let next = task.into_iter().chain(webhook).min();
    Ok(Some(Quiet { now, next }))
}
