//! The life of tasks and payments: pending, running, and completed or failed. All times are those
//! of the project's clock.

mod consent;
mod end;
mod start;
mod step;

pub use consent::{Access, customer_exists};
pub use end::{PAYMENT_FAILURE, aggregation_event};
pub use start::{
    PaymentRequest, TaskRequest, start_connect, start_deletion, start_ingestion, start_payment,
    start_refresh,
};
pub use step::{Finished, finish, step_due};

use crate::app::{App, Shared};
use crate::outcome::Code;
use crate::store::{CommitError, StorageError};
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

/// How long the scheduler waits at most until it looks again: other instances add tasks, and
/// clocks are moved, without a notification.
const POLL: Duration = Duration::from_millis(250);

/// Takes the steps of tasks that are due, until `shutdown` completes. Any number of instances can
/// do so on one database: a step that another instance has taken is a conflict, and is skipped.
pub async fn run(app: Shared, shutdown: impl Future<Output = ()>) {
    let mut shutdown = pin!(shutdown);
    loop {
        let pause = round(&app).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "tasks were not moved on");
            POLL
        });
        tokio::select! {
            biased;
            () = &mut shutdown => return,
            () = app.due.sleep(pause) => {}
        }
    }
}

/// Takes all steps that are due. Returns the time until the next one is.
async fn round(app: &App) -> Result<Duration, StorageError> {
    let mut pause = POLL;
    let look = app.store.look().await?;
    for (id, due) in app.store.next_due().await? {
        let Some(project) = app.shared_project(look, &id).await? else {
            continue;
        };
        let wait = due.saturating_sub(App::now(&project));
        if wait <= 0 {
            if step_due(app, &project).await? > 0 {
                // The next steps of the same tasks may be due as well.
                pause = Duration::ZERO;
            }
        } else if !project.clock.is_frozen() {
            pause = pause.min(Duration::from_millis(wait.unsigned_abs()));
        }
    }
    Ok(pause)
}

/// An error of starting or finishing a task.
#[derive(Debug)]
#[non_exhaustive]
pub enum TaskError {
    /// The service refuses the request with a code.
    Code(&'static Code),
    /// The task does not exist.
    NotFound,
    /// The task has already ended.
    AlreadyFinished,
    /// Other requests change the same data all the time.
    Conflict,
    /// An error of the database.
    Storage(StorageError),
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "{}: {}", code.id, code.message),
            Self::NotFound => f.write_str("the task does not exist"),
            Self::AlreadyFinished => f.write_str("the task has already ended"),
            Self::Conflict => f.write_str("other requests change the same data"),
            Self::Storage(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TaskError {}

impl From<StorageError> for TaskError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<CommitError> for TaskError {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Conflict => Self::Conflict,
            CommitError::Storage(error) => Self::Storage(error),
        }
    }
}

impl TaskError {
    /// Returns the error of a code. An unknown one is an error of this program.
    fn code(id: &str) -> Self {
        Code::find(id).map_or_else(
            || Self::Storage(StorageError::new(format!("`{id}` is not a code"))),
            Self::Code,
        )
    }
}
