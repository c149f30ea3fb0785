//! From an event to an enqueued webhook.

use crate::ids;
use crate::model::{Event, Millis, Project};
use crate::store::{Changes, StorageError};
use bothends_delivery::{Message, MessageId};
use bothends_runtime::OutgoingWebhook;
use financial_data::types::{
    AggregationEvent, AggregationWebhook, CustomerManagementEvent, CustomerManagementWebhook,
    IngestionEvent, IngestionWebhook, PaymentStatusEvent, PaymentWebhook,
};
use financial_data::webhooks::{
    ConnectionCompletedRequest, CustomersDeletedRequest, IngestionSucceededRequest,
    RefreshCompletedRequest, ScheduledPaymentStatusUpdatedRequest,
    SinglePaymentStatusUpdatedRequest, StandingOrderStatusUpdatedRequest, SyncCompletedRequest,
    WebhookKind,
};

/// The content of a webhook.
#[derive(Debug, Clone, PartialEq)]
pub enum Payload {
    /// `connectionCompleted`
    Connection(AggregationEvent),
    /// `refreshCompleted`
    Refresh(AggregationEvent),
    /// `syncCompleted`
    Sync(AggregationEvent),
    /// `customersDeleted`
    CustomersDeleted(CustomerManagementEvent),
    /// `singlePaymentStatusUpdated`
    SinglePayment(PaymentStatusEvent),
    /// `standingOrderStatusUpdated`
    StandingOrder(PaymentStatusEvent),
    /// `scheduledPaymentStatusUpdated`
    ScheduledPayment(PaymentStatusEvent),
    /// `ingestionSucceeded`
    Ingestion(IngestionEvent),
}

impl Payload {
    /// Returns the kind of the webhook.
    pub const fn kind(&self) -> WebhookKind {
        match self {
            Self::Connection(_) => WebhookKind::ConnectionCompleted,
            Self::Refresh(_) => WebhookKind::RefreshCompleted,
            Self::Sync(_) => WebhookKind::SyncCompleted,
            Self::CustomersDeleted(_) => WebhookKind::CustomersDeleted,
            Self::SinglePayment(_) => WebhookKind::SinglePaymentStatusUpdated,
            Self::StandingOrder(_) => WebhookKind::StandingOrderStatusUpdated,
            Self::ScheduledPayment(_) => WebhookKind::ScheduledPaymentStatusUpdated,
            Self::Ingestion(_) => WebhookKind::IngestionSucceeded,
        }
    }

    /// Returns the request of the webhook, without signature.
    fn outgoing(self) -> Result<OutgoingWebhook, StorageError> {
        let aggregation = AggregationWebhook::new;
        let payment = PaymentWebhook::new;
        match self {
            Self::Connection(event) => {
                OutgoingWebhook::new(&ConnectionCompletedRequest::new(aggregation(event)))
            }
            Self::Refresh(event) => {
                OutgoingWebhook::new(&RefreshCompletedRequest::new(aggregation(event)))
            }
            Self::Sync(event) => {
                OutgoingWebhook::new(&SyncCompletedRequest::new(aggregation(event)))
            }
            Self::CustomersDeleted(event) => OutgoingWebhook::new(&CustomersDeletedRequest::new(
                CustomerManagementWebhook::new(event),
            )),
            Self::SinglePayment(event) => {
                OutgoingWebhook::new(&SinglePaymentStatusUpdatedRequest::new(payment(event)))
            }
            Self::StandingOrder(event) => {
                OutgoingWebhook::new(&StandingOrderStatusUpdatedRequest::new(payment(event)))
            }
            Self::ScheduledPayment(event) => {
                OutgoingWebhook::new(&ScheduledPaymentStatusUpdatedRequest::new(payment(event)))
            }
            Self::Ingestion(event) => OutgoingWebhook::new(&IngestionSucceededRequest::new(
                IngestionWebhook::new(event),
            )),
        }
        .map_err(StorageError::new)
    }
}

/// Adds an event and its webhook to the changes that cause it, so that they are committed together.
/// A second webhook of the project with the same message id is not sent.
///
/// # Errors
/// Returns an error if the message id is not valid, or if the body cannot be written.
pub fn emit(
    changes: &mut Changes,
    project: &Project,
    payload: Payload,
    message_id: &str,
    cause: &str,
    now: Millis,
) -> Result<(), StorageError> {
    let kind = payload.kind();
    let outgoing = payload.outgoing()?;
    let body = serde_json::from_slice(&outgoing.body).map_err(StorageError::new)?;
    let message = Message::from(outgoing)
        .id(MessageId::new(message_id).map_err(StorageError::new)?)
        .owner(&project.id);
    changes.insert(&Event {
        project: project.id.clone(),
        id: ids::ordered(),
        kind: kind.as_str().to_owned(),
        body,
        message_id: message_id.to_owned(),
        cause: cause.to_owned(),
        at: now,
    });
    changes.enqueue(message);
    Ok(())
}
