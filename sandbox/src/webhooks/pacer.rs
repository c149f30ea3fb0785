//! The pacer: makes retries due when the clock of their project has reached them.

use super::{due, keys};
use crate::app::{App, Shared};
use crate::model::{Millis, Project};
use crate::store::{Page, StorageError};
use bothends_delivery::DeliveryStore;
use bothends_delivery::store::Reschedule;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// How often the pacer looks at clocks and keys that other instances may have changed.
const LOOK: Duration = Duration::from_secs(1);
/// How often the pacer looks at the retries of all projects, including those of instances that
/// were lost.
const SCAN: Duration = Duration::from_secs(10);
/// The shortest time between two changes of due times, so that retries shortly after each other
/// share one.
const SHORTEST: Duration = Duration::from_millis(10);
/// The pause after an error of the database.
const PAUSE: Duration = Duration::from_secs(1);
/// The number of projects that are read at once.
const PROJECTS: u32 = 100;

/// Makes the retries of a project due that its clock has reached. Returns the project's time of the
/// first retry that waits, if there is one.
///
/// # Errors
/// Returns an error of the database.
pub(crate) async fn release(app: &App, project: &Project) -> Result<Option<Millis>, StorageError> {
    let store = app.store.delivery();
    let reached = due::reached(App::now(project));
    let released = store.reschedule(&project.id, reached, Reschedule::Now);
    released.await.map_err(StorageError::new)?;
    first_waiting(app, project).await
}

/// Returns the project's time of the first retry that waits for the clock.
async fn first_waiting(app: &App, project: &Project) -> Result<Option<Millis>, StorageError> {
    let backlog = app.store.delivery().backlog(&project.id);
    let backlog = backlog.await.map_err(StorageError::new)?;
    Ok(backlog.next_due.and_then(due::project_time))
}

/// Makes retries due until the future is dropped.
pub(super) async fn run(app: Shared) {
    let mut scanned: Option<Instant> = None;
    let mut followed: Option<Instant> = None;
    loop {
        let mut notified = std::pin::pin!(app.hooks.pace.notified());
        notified.as_mut().enable();
        if scanned.is_none_or(|at| at.elapsed() >= SCAN) {
            match scan(&app).await {
                Ok(()) => scanned = Some(Instant::now()),
                Err(error) => tracing::warn!(%error, "looking for waiting retries"),
            }
        }
        if followed.is_none_or(|at| at.elapsed() >= LOOK) {
            match keys::follow(&app).await {
                Ok(()) => followed = Some(Instant::now()),
                Err(error) => tracing::warn!(%error, "reading the signing keys"),
            }
        }
        let now = Instant::now();
        let wait = wake(&app).await;
        tokio::select! {
            () = notified => sleep_until(now + SHORTEST).await,
            () = sleep_until(now + wait.clamp(SHORTEST, LOOK)) => {}
        }
    }
}

/// Notes the projects with retries that wait.
async fn scan(app: &App) -> Result<(), StorageError> {
    let mut after: Option<String> = None;
    loop {
        let page = Page::first(PROJECTS).after(after.as_deref());
        let projects = app.store.list::<Project>("", page).await?;
        for project in &projects {
            if let Some(time) = first_waiting(app, project).await? {
                app.hooks.wait_for(&project.id, time);
            }
        }
        match projects.last() {
            Some(last) if projects.len() == PROJECTS as usize => after = Some(last.id.clone()),
            _ => return Ok(()),
        }
    }
}

/// Makes the retries due that clocks have reached. Returns the time until the next.
async fn wake(app: &App) -> Duration {
    let mut wait = LOOK;
    for (id, time) in app.hooks.take_waiting() {
        match wake_project(app, &id, time).await {
            Ok(next) => wait = wait.min(next),
            Err(error) => {
                tracing::warn!(%error, project = id, "retries wait longer");
                app.hooks.wait_for(&id, time);
                wait = wait.min(PAUSE);
            }
        }
    }
    wait
}

async fn wake_project(app: &App, id: &str, time: Millis) -> Result<Duration, StorageError> {
    let Some(project) = app.project(id).await? else {
        return Ok(LOOK);
    };
    let first = if time <= App::now(&project) {
        release(app, &project).await?
    } else {
        Some(time)
    };
    let Some(first) = first else { return Ok(LOOK) };
    app.hooks.wait_for(id, first);
    if project.clock.is_frozen() {
        return Ok(LOOK);
    }
    let ahead = first.saturating_sub(App::now(&project));
    Ok(Duration::from_millis(u64::try_from(ahead).unwrap_or(0)))
}
