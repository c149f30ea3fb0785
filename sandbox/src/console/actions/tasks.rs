//! Tasks and payments.

use super::inspector::newest;
use super::{Actor, document, input, limit, note_alone, project, view, views};
use crate::app::App;
use crate::console::api::operations::{ListPaymentsRequest, ListTasksRequest};
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::{Payment, PaymentKind, Task, TaskKind, TaskState};
use crate::outcome::Outcome;
use crate::store::{Document, Page};
use crate::tasks::{
    Finished, PaymentRequest, TaskError, TaskRequest, finish as end, start_connect, start_deletion,
    start_ingestion, start_payment,
};

/// How many tasks are read at once while those that match are looked for.
const BATCH: u32 = 200;
/// The amount of a payment that states none.
const AMOUNT: i64 = 1000;

impl From<TaskError> for Failure {
    fn from(error: TaskError) -> Self {
        match error {
            TaskError::NotFound => Self::missing("task"),
            TaskError::AlreadyFinished => Self::conflict("The task has already ended."),
            TaskError::Code(code) if code.id == "customer_not_found" => Self::missing("customer"),
            TaskError::Code(code) => Self::conflict(format!("{}: {}", code.id, code.message)),
            TaskError::Conflict => Self::Unavailable,
            TaskError::Storage(error) => error.into(),
            // The enum may grow.
            #[allow(
                unreachable_patterns,
                reason = "the enum is not exhaustive for other crates"
            )]
            other => Self::internal(other),
        }
    }
}

/// Returns the outcome that a word selects.
pub(crate) fn outcome(word: Option<&str>) -> Result<Option<Outcome>, Failure> {
    let Some(word) = word else { return Ok(None) };
    match Outcome::parse(word) {
        Some(outcome) => Ok(Some(outcome)),
        None => {
            let message = format!("`{word}` is neither `success` nor a code of the interface");
            Err(Failure::field("outcome", message))
        }
    }
}

/// Returns tasks of a project.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn list(app: &App, request: &ListTasksRequest) -> Result<Vec<types::Task>, Failure> {
    let id = &request.project;
    project(app, id).await?;
    let kind: Option<TaskKind> = request
        .kind
        .as_ref()
        .map(|kind| input("kind", kind))
        .transpose()?;
    let state = request.state.as_ref().map(|state| input("state", state));
    let state: Option<TaskState> = state.transpose()?;
    let wanted = usize::try_from(limit(request.limit_or_default())).map_err(Failure::internal)?;
    let mut after = request.after.clone();
    let mut found: Vec<Task> = Vec::new();
    while found.len() < wanted {
        let mut page = Page::first(BATCH).after(after.as_deref());
        page.parent = request.customer.as_deref();
        let tasks = app.store.list::<Task>(id, page).await?;
        let Some(last) = tasks.last() else { break };
        after = Some(last.id.clone());
        let tasks = tasks.into_iter().map(|task| task.value);
        found.extend(tasks.filter(|task| {
            kind.is_none_or(|kind| task.kind == kind)
                && state.is_none_or(|state| task.state == state)
        }));
    }
    found.truncate(wanted);
    views(&found)
}

/// Returns payments of a project.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn payments(
    app: &App,
    request: &ListPaymentsRequest,
) -> Result<Vec<types::Payment>, Failure> {
    project(app, &request.project).await?;
    let page = Page::first(limit(request.limit_or_default())).after(request.after.as_deref());
    let found = app.store.list::<Payment>(&request.project, page).await?;
    views(found.iter().map(|stored| &stored.value))
}

/// Returns all documents of a type, at most `wanted`. Ids of tasks are not in the order of time, so
/// that the caller sorts them.
pub(crate) async fn all<T: Document>(app: &App, id: &str, wanted: u32) -> Result<Vec<T>, Failure> {
    newest(app, id, None, wanted, |_: &T| true).await
}

/// Returns a task.
///
/// # Errors
/// Returns an error if the task does not exist.
pub async fn get(app: &App, id: &str, task: &str) -> Result<types::Task, Failure> {
    view(&document::<Task>(app, id, task, "task").await?.value)
}

/// Returns a payment.
///
/// # Errors
/// Returns an error if the payment does not exist.
pub async fn payment(app: &App, id: &str, payment: &str) -> Result<types::Payment, Failure> {
    view(
        &document::<Payment>(app, id, payment, "payment")
            .await?
            .value,
    )
}

/// Ends a task now.
///
/// # Errors
/// Returns an error if the task does not exist or has ended, or if the outcome is not known.
pub async fn finish(
    app: &App,
    actor: Actor,
    id: &str,
    task: &str,
    word: &str,
) -> Result<types::Task, Failure> {
    document::<Task>(app, id, task, "task").await?;
    match end_now(app, id, task, word).await? {
        Finished::Task(ended) => {
            let detail = format!("task {task}, {word}");
            note_alone(app, actor, "finishTask", Some(id), detail).await?;
            view(&ended)
        }
        Finished::Payment(_) => Err(Failure::missing("task")),
    }
}

/// Ends a payment now.
///
/// # Errors
/// Returns an error if the payment does not exist or has ended, or if the outcome is not known.
pub async fn finish_payment(
    app: &App,
    actor: Actor,
    id: &str,
    payment: &str,
    word: &str,
) -> Result<types::Payment, Failure> {
    document::<Payment>(app, id, payment, "payment").await?;
    match end_now(app, id, payment, word).await? {
        Finished::Payment(ended) => {
            let detail = format!("payment {payment}, {word}");
            note_alone(app, actor, "finishPayment", Some(id), detail).await?;
            view(&ended)
        }
        Finished::Task(_) => Err(Failure::missing("payment")),
    }
}

async fn end_now(app: &App, id: &str, target: &str, word: &str) -> Result<Finished, Failure> {
    let project = project(app, id).await?;
    // A word was given.
    let outcome = outcome(Some(word))?.unwrap_or(Outcome::Success);
    Ok(end(app, &project, target, outcome).await?)
}

/// Starts a connect task.
///
/// # Errors
/// Returns an error if the customer does not exist, or if the outcome is not known.
pub async fn connect(
    app: &App,
    actor: Actor,
    id: &str,
    new: &types::ConnectInput,
) -> Result<types::Task, Failure> {
    let project = project(app, id).await?;
    let request = TaskRequest {
        customer_id: new.customer_id.clone(),
        provider: new.provider.clone(),
        outcome: outcome(new.outcome.as_deref())?,
        ..TaskRequest::default()
    };
    let task = start_connect(app, &project, request).await?;
    let detail = format!("task {}", task.id);
    note_alone(app, actor, "startConnect", Some(id), detail).await?;
    view(&task)
}

/// Starts the deletion of a customer.
///
/// # Errors
/// Returns an error if the customer does not exist.
pub async fn delete_customer(
    app: &App,
    actor: Actor,
    id: &str,
    customer: &str,
) -> Result<types::Task, Failure> {
    let project = project(app, id).await?;
    let task = start_deletion(app, &project, customer, None).await?;
    let detail = format!("customer {customer}, task {}", task.id);
    note_alone(app, actor, "deleteCustomer", Some(id), detail).await?;
    view(&task)
}

/// Starts an ingestion.
///
/// # Errors
/// Returns an error if the project does not exist, or if the outcome is not known.
pub async fn ingest(
    app: &App,
    actor: Actor,
    id: &str,
    new: &types::IngestionInput,
) -> Result<types::Task, Failure> {
    let project = project(app, id).await?;
    let task = start_ingestion(app, &project, outcome(new.outcome.as_deref())?).await?;
    let detail = format!("task {}", task.id);
    note_alone(app, actor, "startIngestion", Some(id), detail).await?;
    view(&task)
}

/// Starts a payment.
///
/// # Errors
/// Returns an error if the project does not exist, or if the outcome is not known.
pub async fn pay(
    app: &App,
    actor: Actor,
    id: &str,
    new: &types::PaymentInput,
) -> Result<types::Payment, Failure> {
    let project = project(app, id).await?;
    let kind: PaymentKind = input("kind", &new.kind)?;
    let request = PaymentRequest {
        kind,
        service: new.service.clone(),
        user_id: new.user_id.clone(),
        amount: new.amount.unwrap_or(AMOUNT),
        outcome: outcome(new.outcome.as_deref())?,
    };
    let payment = start_payment(app, &project, request).await?;
    let detail = format!("payment {}", payment.id);
    note_alone(app, actor, "startPayment", Some(id), detail).await?;
    view(&payment)
}
