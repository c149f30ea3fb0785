//! Starting tasks and payments.

use super::TaskError;
use super::consent::{Access, customer_exists};
use crate::app::App;
use crate::ids;
use crate::model::{
    Completion, Consent, ConsentStatus, Millis, Payment, PaymentKind, Project, Settings, Task,
    TaskKind, TaskState,
};
use crate::outcome::Outcome;
use crate::seed;
use crate::store::Changes;

/// A connect or refresh task to start.
#[derive(Debug, Clone, Default)]
pub struct TaskRequest {
    /// The customer.
    pub customer_id: String,
    /// The provider; `None` for that of the consent, or the example of the sandbox.
    pub provider: Option<String>,
    /// How the task ends; `None` if the identities decide.
    pub outcome: Option<Outcome>,
    /// Whether a refresh finds new transactions; `None` for a success that does.
    pub has_new_transactions: Option<bool>,
    /// Whether the customer has to connect again; `None` if the code decides.
    pub reconnect_required: Option<bool>,
}

/// A payment to start.
#[derive(Debug, Clone)]
pub struct PaymentRequest {
    /// The kind.
    pub kind: PaymentKind,
    /// The payment service; `None` for that of the kind.
    pub service: Option<String>,
    /// The client's own identifier of the user.
    pub user_id: Option<String>,
    /// The amount in the smallest unit of the currency. Reserved amounts decide the outcome.
    pub amount: i64,
    /// How the payment ends; `None` if the amount decides.
    pub outcome: Option<Outcome>,
}

/// Starts a refresh of a customer's data.
///
/// # Errors
/// Returns an error with a code if the customer does not exist, or has no consent that permits the
/// refresh.
pub async fn start_refresh(
    app: &App,
    project: &Project,
    request: TaskRequest,
) -> Result<Task, TaskError> {
    let customer = request.customer_id.as_str();
    require_customer(app, project, customer).await?;
    let now = App::now(project);
    let provider = request.provider.as_deref();
    let access = Access::to_refresh(&app.store, &project.id, customer, provider, now).await?;
    let task = Task {
        consent_id: Some(access.consent_id),
        provider: Some(access.provider),
        ..of_customer(project, TaskKind::Refresh, &request, now)
    };
    insert(app, project, Changes::new(), task).await
}

/// Starts to connect a customer with a provider. A consent is added, which is pending until the
/// task ends.
///
/// # Errors
/// Returns an error with a code if the customer does not exist.
pub async fn start_connect(
    app: &App,
    project: &Project,
    request: TaskRequest,
) -> Result<Task, TaskError> {
    let customer = request.customer_id.as_str();
    require_customer(app, project, customer).await?;
    let now = App::now(project);
    let provider = request.provider.as_deref().unwrap_or(seed::PROVIDER);
    let consent = Consent {
        project: project.id.clone(),
        id: ids::fresh(),
        customer_id: customer.to_owned(),
        provider: provider.to_owned(),
        status: ConsentStatus::Pending,
        permits_refresh: true,
        expires_at: now.saturating_add(seed::CONSENT_VALIDITY),
        created_at: now,
    };
    let task = Task {
        consent_id: Some(consent.id.clone()),
        provider: Some(provider.to_owned()),
        ..of_customer(project, TaskKind::Connect, &request, now)
    };
    let mut changes = Changes::new();
    changes.insert(&consent);
    insert(app, project, changes, task).await
}

/// Starts to delete a customer with all data.
///
/// # Errors
/// Returns an error with a code if the customer does not exist.
pub async fn start_deletion(
    app: &App,
    project: &Project,
    customer: &str,
    outcome: Option<Outcome>,
) -> Result<Task, TaskError> {
    require_customer(app, project, customer).await?;
    let request = TaskRequest {
        customer_id: customer.to_owned(),
        outcome,
        ..TaskRequest::default()
    };
    let task = of_customer(project, TaskKind::Deletion, &request, App::now(project));
    insert(app, project, Changes::new(), task).await
}

/// Starts an ingestion of transactions.
///
/// # Errors
/// Returns an error of the database.
pub async fn start_ingestion(
    app: &App,
    project: &Project,
    outcome: Option<Outcome>,
) -> Result<Task, TaskError> {
    let task = Task {
        failure: failure(outcome),
        ..new_task(project, TaskKind::Ingestion, App::now(project))
    };
    insert(app, project, Changes::new(), task).await
}

/// Starts a payment.
///
/// # Errors
/// Returns an error of the database.
pub async fn start_payment(
    app: &App,
    project: &Project,
    request: PaymentRequest,
) -> Result<Payment, TaskError> {
    let now = App::now(project);
    let outcome = request.outcome.or(Outcome::of_amount(request.amount));
    let service = request.service.unwrap_or_else(|| {
        let usual = match request.kind {
            PaymentKind::Single => "domestic-single-payment",
            PaymentKind::StandingOrder => "domestic-standing-order",
            PaymentKind::Scheduled => "domestic-scheduled-payment",
        };
        usual.to_owned()
    });
    let payment = Payment {
        project: project.id.clone(),
        id: ids::fresh(),
        kind: request.kind,
        service,
        user_id: request.user_id.unwrap_or_else(|| "user-1".to_owned()),
        amount: request.amount,
        state: TaskState::Pending,
        failure: failure(outcome),
        due: next_due(&project.settings, now),
        created_at: now,
        finished_at: None,
    };
    let mut changes = Changes::new();
    changes.insert(&payment);
    app.store.commit(changes).await?;
    schedule(app, project, payment.due);
    Ok(payment)
}

/// Returns the time of the step after `at`. `None` if tasks end only when the console says so.
pub(super) fn next_due(settings: &Settings, at: Millis) -> Option<Millis> {
    match settings.completion {
        Completion::Automatic { step_milliseconds } => {
            Some(at.saturating_add(i64::from(step_milliseconds)))
        }
        Completion::Manual => None,
    }
}

async fn require_customer(app: &App, project: &Project, customer: &str) -> Result<(), TaskError> {
    if customer_exists(&app.store, &project.id, customer).await? {
        Ok(())
    } else {
        Err(TaskError::code("customer_not_found"))
    }
}

/// Returns a new task of a customer. The request decides its outcome, then the customer, then the
/// provider.
fn of_customer(project: &Project, kind: TaskKind, request: &TaskRequest, now: Millis) -> Task {
    let provider = request.provider.as_deref();
    let outcome = request
        .outcome
        .or_else(|| Outcome::of_customer(&request.customer_id))
        .or_else(|| provider.and_then(Outcome::of_provider))
        .unwrap_or(Outcome::Success);
    let reconnection = match outcome {
        Outcome::Success => false,
        Outcome::Failure(code) => code.needs_reconnection(),
    };
    Task {
        customer_id: Some(request.customer_id.clone()),
        failure: failure(Some(outcome)),
        has_new_transactions: request
            .has_new_transactions
            .unwrap_or(outcome == Outcome::Success),
        reconnect_required: request.reconnect_required.unwrap_or(reconnection),
        ..new_task(project, kind, now)
    }
}

fn new_task(project: &Project, kind: TaskKind, now: Millis) -> Task {
    Task {
        project: project.id.clone(),
        id: ids::fresh(),
        kind,
        state: TaskState::Pending,
        customer_id: None,
        consent_id: None,
        provider: None,
        failure: None,
        has_new_transactions: false,
        reconnect_required: false,
        due: next_due(&project.settings, now),
        created_at: now,
        finished_at: None,
    }
}

fn failure(outcome: Option<Outcome>) -> Option<String> {
    outcome.and_then(Outcome::failure).map(str::to_owned)
}

async fn insert(
    app: &App,
    project: &Project,
    mut changes: Changes,
    task: Task,
) -> Result<Task, TaskError> {
    changes.insert(&task);
    app.store.commit(changes).await?;
    schedule(app, project, task.due);
    Ok(task)
}

/// Wakes the scheduler if it would sleep beyond this time of the project.
fn schedule(app: &App, project: &Project, due: Option<Millis>) {
    if let Some(due) = due {
        let wait = due.saturating_sub(App::now(project));
        app.due.wake_for(App::system_now().saturating_add(wait));
    }
}
