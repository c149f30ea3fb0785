//! The ends of tasks and payments: one commit of the record, what it has changed, and its webhooks.

use crate::app::App;
use crate::model::{
    Consent, ConsentStatus, Customer, Millis, Payment, PaymentKind, Project, Task, TaskKind,
    TaskState,
};
use crate::outcome::SUCCESS;
use crate::seed;
use crate::store::{Changes, Document, Page, StorageError, Store, Stored};
use crate::webhooks::{Payload, emit};
use financial_data::types::{
    AggregationEvent, CustomerManagementEvent, IngestionEvent, IngestionEventName,
    PaymentEventName, PaymentService, PaymentStatusEvent, StringFlag, TaskStatus, TaskType,
};
use financial_data::webhooks::SUBSCRIPTION;

/// The `event` of a payment that has failed. The document names that of a success only.
pub const PAYMENT_FAILURE: &str = "payment.failure";
/// The `operation_id` of the ingestion, from the example of the document.
const INGESTION_OPERATION: &str = "v2_ingest_transactions_post";
/// How many documents are read at once for a deletion.
const PAGE: u32 = 500;

/// Ends a task as its `failure` says.
pub(super) async fn task(
    app: &App,
    project: &Project,
    task: &mut Stored<Task>,
    at: Millis,
    changes: &mut Changes,
) -> Result<(), StorageError> {
    let record = &mut task.value;
    record.state = ended(record.failure.as_deref());
    record.due = None;
    record.finished_at = Some(at);
    changes.update(task);
    let has_succeeded = task.state == TaskState::Completed;
    match task.kind {
        TaskKind::Connect => connected(&app.store, task, at, changes).await?,
        TaskKind::Deletion if has_succeeded => delete(&app.store, task, changes).await?,
        TaskKind::Refresh | TaskKind::Deletion | TaskKind::Ingestion => {}
    }
    let cause = format!("task {}", task.id);
    for payload in payloads(project, task) {
        let id = format!("task:{}:{}", task.id, payload.kind().as_str());
        send(changes, project, payload, &id, &cause, at)?;
    }
    Ok(())
}

/// Ends a payment as its `failure` says.
pub(super) fn payment(
    project: &Project,
    payment: &mut Stored<Payment>,
    at: Millis,
    changes: &mut Changes,
) -> Result<(), StorageError> {
    let record = &mut payment.value;
    record.state = ended(record.failure.as_deref());
    record.due = None;
    record.finished_at = Some(at);
    changes.update(payment);
    let mut event = PaymentStatusEvent::new(match payment.failure {
        None => PaymentEventName::PaymentSuccess,
        Some(_) => PaymentEventName::from(PAYMENT_FAILURE),
    });
    event.payment_id = Some(payment.id.clone());
    event.service = Some(PaymentService::from(payment.service.as_str()));
    event.user_id = Some(payment.user_id.clone());
    let payload = match payment.kind {
        PaymentKind::Single => Payload::SinglePayment(event),
        PaymentKind::StandingOrder => Payload::StandingOrder(event),
        PaymentKind::Scheduled => Payload::ScheduledPayment(event),
    };
    let id = format!("payment:{}:{}", payment.id, payload.kind().as_str());
    let cause = format!("payment {}", payment.id);
    send(changes, project, payload, &id, &cause, at)
}

const fn ended(failure: Option<&str>) -> TaskState {
    match failure {
        None => TaskState::Completed,
        Some(_) => TaskState::Failed,
    }
}

/// Emits a webhook, unless it belongs to a product that the client does not use.
fn send(
    changes: &mut Changes,
    project: &Project,
    payload: Payload,
    id: &str,
    cause: &str,
    at: Millis,
) -> Result<(), StorageError> {
    let product = SUBSCRIPTION.product_of(payload.kind().as_str());
    let mut used = project.products.iter();
    if product.is_some_and(|product| !used.any(|used| used.as_str() == product)) {
        return Ok(());
    }
    emit(changes, project, payload, id, cause, at)
}

/// Returns the webhooks of a task that has ended.
fn payloads(project: &Project, task: &Task) -> Vec<Payload> {
    let has_succeeded = task.state == TaskState::Completed;
    match task.kind {
        TaskKind::Connect | TaskKind::Refresh => {
            let event = aggregation_event(project, task);
            let sync = project.settings.sync_webhook;
            let sync = sync.then(|| Payload::Sync(event.clone()));
            let own = match task.kind {
                TaskKind::Connect => Payload::Connection(event),
                _ => Payload::Refresh(event),
            };
            std::iter::once(own).chain(sync).collect()
        }
        // The documented event is that the data has been removed.
        TaskKind::Deletion if has_succeeded => {
            let mut event = CustomerManagementEvent::new();
            event.result = Some(SUCCESS.to_owned());
            event.task_id = Some(task.id.clone());
            event.customer_id.clone_from(&task.customer_id);
            vec![Payload::CustomersDeleted(event)]
        }
        TaskKind::Ingestion if has_succeeded => {
            let name = IngestionEventName::FirstPartyIngesterIngestSucceeded;
            let mut event = IngestionEvent::new(name);
            event.operation_id = Some(INGESTION_OPERATION.to_owned());
            event.task_id = Some(task.id.clone());
            vec![Payload::Ingestion(event)]
        }
        TaskKind::Deletion | TaskKind::Ingestion => Vec::new(),
    }
}

/// Returns the body of the webhook about a connect or refresh task.
pub fn aggregation_event(project: &Project, task: &Task) -> AggregationEvent {
    let fields = project.settings.optional_fields;
    let is_refresh = task.kind == TaskKind::Refresh;
    let flag = |is_sent: bool, value: bool| {
        let value = if value {
            StringFlag::True
        } else {
            StringFlag::False
        };
        (is_refresh && is_sent).then_some(value)
    };
    let mut event = AggregationEvent::new();
    event.task_id = Some(task.id.clone());
    event.task_type = Some(match is_refresh {
        true => TaskType::Refresh,
        false => TaskType::Connect,
    });
    event.customer_id.clone_from(&task.customer_id);
    event.status = Some(match task.failure {
        None => TaskStatus::Completed,
        Some(_) => TaskStatus::Failed,
    });
    event.result = Some(task.failure.as_deref().unwrap_or(SUCCESS).to_owned());
    if fields.consent_id && !is_refresh {
        event.consent_id.clone_from(&task.consent_id);
    }
    if fields.provider {
        event.provider.clone_from(&task.provider);
    }
    event.has_new_transactions = flag(fields.has_new_transactions, task.has_new_transactions);
    event.reconnect_required = flag(fields.reconnect_required, task.reconnect_required);
    event
}

/// Activates the consent of a connect task, or removes it after a failure.
async fn connected(
    store: &Store,
    task: &Task,
    at: Millis,
    changes: &mut Changes,
) -> Result<(), StorageError> {
    let Some(id) = &task.consent_id else {
        return Ok(());
    };
    let Some(mut consent) = store.get::<Consent>(&task.project, id).await? else {
        return Ok(());
    };
    if task.failure.is_some() {
        changes.remove(&consent);
        return Ok(());
    }
    consent.value.status = ConsentStatus::Active;
    consent.value.expires_at = at.saturating_add(seed::CONSENT_VALIDITY);
    changes.update(&consent);
    Ok(())
}

/// Removes a customer with consents, tasks and payments. The record of the deletion remains.
async fn delete(store: &Store, deletion: &Task, changes: &mut Changes) -> Result<(), StorageError> {
    let Some(id) = deletion.customer_id.as_deref() else {
        return Ok(());
    };
    let project = &deletion.project;
    let customer = store.get::<Customer>(project, id).await?;
    for consent in all::<Consent>(store, project, Some(id)).await? {
        changes.remove(&consent);
    }
    for task in all::<Task>(store, project, Some(id)).await? {
        if task.id != deletion.id {
            changes.remove(&task);
        }
    }
    let user = customer
        .as_ref()
        .and_then(|customer| customer.user_id.as_deref());
    for payment in all::<Payment>(store, project, None).await? {
        if payment.user_id == id || Some(payment.user_id.as_str()) == user {
            changes.remove(&payment);
        }
    }
    if let Some(customer) = customer {
        changes.remove(&customer);
    }
    Ok(())
}

async fn all<T: Document + Clone>(
    store: &Store,
    project: &str,
    parent: Option<&str>,
) -> Result<Vec<Stored<T>>, StorageError> {
    let mut found: Vec<Stored<T>> = Vec::new();
    loop {
        let after = found.last().map(|last| last.value.id().to_owned());
        let page = Page {
            parent,
            ..Page::first(PAGE).after(after.as_deref())
        };
        let next = store.list::<T>(project, page).await?;
        let is_last = next.len() < PAGE as usize;
        found.extend(next);
        if is_last {
            return Ok(found);
        }
    }
}
