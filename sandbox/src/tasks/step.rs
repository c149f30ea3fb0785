//! Moving tasks and payments on.

use super::start::next_due;
use super::{TaskError, end};
use crate::app::App;
use crate::model::{Millis, Payment, Project, Task, TaskState};
use crate::outcome::Outcome;
use crate::store::{Changes, CommitError, Document, Row, StorageError, Stored};

/// The maximum number of steps that are committed together.
const BATCH: u32 = 64;
/// How often a change is decided anew after a conflict.
const ATTEMPTS: u32 = 20;

/// A task or payment that has ended.
#[derive(Debug, Clone)]
pub enum Finished {
    /// A task.
    Task(Task),
    /// A payment.
    Payment(Payment),
}

/// A task or payment with a step to take.
#[derive(Debug, Clone)]
enum Step {
    Task(Stored<Task>),
    Payment(Stored<Payment>),
}

/// Takes all steps of a project that are due now, and returns their number. Each step happens at
/// the time at which it was due, however far the clock has moved on.
///
/// # Errors
/// Returns an error of the database.
pub async fn step_due(app: &App, project: &Project) -> Result<usize, StorageError> {
    let now = App::now(project);
    let mut taken = 0;
    let mut fruitless = 0;
    // Without a step of our own, another instance is taking them: its next ones may be due.
    while fruitless < ATTEMPTS {
        let due = app.store.due(&project.id, now, BATCH).await?;
        let steps = due.iter().map(Step::read).collect::<Result<Vec<_>, _>>()?;
        if steps.is_empty() {
            return Ok(taken);
        }
        let here = take_all(app, project, steps, now).await?;
        fruitless = if here == 0 { fruitless + 1 } else { 0 };
        taken += here;
    }
    Ok(taken)
}

/// Ends a task or payment at once, whatever its state, unless it has ended.
///
/// # Errors
/// Returns an error if the project has no such task or payment, or if it has ended.
pub async fn finish(
    app: &App,
    project: &Project,
    id: &str,
    outcome: Outcome,
) -> Result<Finished, TaskError> {
    for _ in 0..ATTEMPTS {
        let now = App::now(project);
        let mut changes = Changes::new();
        let task = app.store.get::<Task>(&project.id, id).await?;
        let finished = if let Some(mut task) = task {
            if task.state.is_final() {
                return Err(TaskError::AlreadyFinished);
            }
            task.value.failure = outcome.failure().map(str::to_owned);
            end::task(app, project, &mut task, now, &mut changes).await?;
            Finished::Task(task.value)
        } else {
            let payment = app.store.get::<Payment>(&project.id, id).await?;
            let mut payment = payment.ok_or(TaskError::NotFound)?;
            if payment.state.is_final() {
                return Err(TaskError::AlreadyFinished);
            }
            payment.value.failure = outcome.failure().map(str::to_owned);
            end::payment(project, &mut payment, now, &mut changes)?;
            Finished::Payment(payment.value)
        };
        match app.store.commit(changes).await {
            Ok(()) => return Ok(finished),
            Err(CommitError::Conflict) => {}
            Err(CommitError::Storage(error)) => return Err(error.into()),
        }
    }
    Err(TaskError::Conflict)
}

/// Takes steps in one commit. After a conflict, each is taken alone, and those that another
/// instance has taken are skipped.
async fn take_all(
    app: &App,
    project: &Project,
    steps: Vec<Step>,
    now: Millis,
) -> Result<usize, StorageError> {
    if commit(app, project, &steps, now).await? {
        return Ok(steps.len());
    }
    let mut taken = 0;
    for step in &steps {
        if commit(app, project, std::slice::from_ref(step), now).await? {
            taken += 1;
        }
    }
    Ok(taken)
}

/// Returns `false` if one of the documents has changed.
async fn commit(
    app: &App,
    project: &Project,
    steps: &[Step],
    now: Millis,
) -> Result<bool, StorageError> {
    let mut changes = Changes::new();
    for step in steps {
        step.clone().take(app, project, now, &mut changes).await?;
    }
    match app.store.commit(changes).await {
        Ok(()) => Ok(true),
        Err(CommitError::Conflict) => Ok(false),
        Err(CommitError::Storage(error)) => Err(error),
    }
}

impl Step {
    /// Only tasks and payments are ever due.
    fn read(row: &Row) -> Result<Self, StorageError> {
        Ok(match row.kind.as_str() {
            Task::KIND => Self::Task(row.read()?),
            _ => Self::Payment(row.read()?),
        })
    }

    fn due(&self) -> Option<Millis> {
        match self {
            Self::Task(task) => task.due,
            Self::Payment(payment) => payment.due,
        }
    }

    async fn take(
        self,
        app: &App,
        project: &Project,
        now: Millis,
        changes: &mut Changes,
    ) -> Result<(), StorageError> {
        let at = self.due().map_or(now, |due| due.min(now));
        let settings = &project.settings;
        match self {
            Self::Task(mut task) if task.state == TaskState::Pending => {
                task.value.state = TaskState::Running;
                task.value.due = next_due(settings, at);
                changes.update(&task);
            }
            Self::Task(mut task) => end::task(app, project, &mut task, at, changes).await?,
            Self::Payment(mut payment) if payment.state == TaskState::Pending => {
                payment.value.state = TaskState::Running;
                payment.value.due = next_due(settings, at);
                changes.update(&payment);
            }
            Self::Payment(mut payment) => end::payment(project, &mut payment, at, changes)?,
        }
        Ok(())
    }
}
