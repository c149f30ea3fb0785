//! The bodies of a probe's webhooks.

use crate::ids;
use crate::model::Task;
use bytes::Bytes;
use financial_data::webhooks::WebhookKind;
use serde_json::{Value, json};

/// The kinds, in the order in which they are chosen for an endpoint of several kinds.
pub(super) const KINDS: [WebhookKind; 8] = [
    WebhookKind::RefreshCompleted,
    WebhookKind::ConnectionCompleted,
    WebhookKind::SyncCompleted,
    WebhookKind::SinglePaymentStatusUpdated,
    WebhookKind::StandingOrderStatusUpdated,
    WebhookKind::ScheduledPaymentStatusUpdated,
    WebhookKind::IngestionSucceeded,
    WebhookKind::CustomersDeleted,
];

/// A code that no version of the interface has.
const UNKNOWN_CODE: &str = "sandbox_unknown_code";

/// Returns an event with ids that belong to nothing.
pub(super) fn usual(kind: WebhookKind) -> Bytes {
    written(&json!({ "data": data(kind) }))
}

/// Returns the event that a running refresh has completed.
pub(super) fn completed(task: &Task) -> Bytes {
    let mut data = data(WebhookKind::RefreshCompleted);
    data["task_id"] = json!(task.id);
    data["customer_id"] = json!(task.customer_id);
    written(&json!({ "data": data }))
}

/// Returns an event with unknown fields, and with an unknown code where the kind has a code.
pub(super) fn with_unknown_fields(kind: WebhookKind) -> Bytes {
    let mut data = data(kind);
    data["sandbox_unknown_field"] = json!({ "list": [1, null, "text"], "flag": true });
    if data.get("result").is_some() {
        data["result"] = json!(UNKNOWN_CODE);
    }
    if data.get("status").is_some() {
        data["status"] = json!("Failed");
    }
    written(&json!({ "data": data, "sandbox_unknown_field": 1 }))
}

fn data(kind: WebhookKind) -> Value {
    let aggregation = |task_type: &str| {
        json!({
            "task_id": ids::fresh(),
            "task_type": task_type,
            "customer_id": ids::fresh(),
            "status": "Completed",
            "result": "success",
        })
    };
    match kind {
        WebhookKind::ConnectionCompleted => aggregation("connect"),
        WebhookKind::RefreshCompleted | WebhookKind::SyncCompleted => aggregation("refresh"),
        WebhookKind::CustomersDeleted => json!({
            "result": "success",
            "task_id": ids::fresh(),
            "customer_id": ids::fresh(),
        }),
        WebhookKind::IngestionSucceeded => json!({
            "event": "first_party_ingester.ingest.succeeded",
            "operation_id": "v2_ingest_transactions_post",
            "task_id": ids::fresh(),
        }),
        WebhookKind::SinglePaymentStatusUpdated
        | WebhookKind::StandingOrderStatusUpdated
        | WebhookKind::ScheduledPaymentStatusUpdated => json!({
            "payment_id": ids::fresh(),
            "service": "domestic-single-payment",
            "user_id": "probe",
            "event": "payment.success",
        }),
        // Generated code may know further kinds one day.
        _ => json!({}),
    }
}

fn written(value: &Value) -> Bytes {
    Bytes::from(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_its_own_and_unknown_fields_are_added() {
        for kind in KINDS {
            assert_ne!(usual(kind), usual(kind), "{kind:?}");
            let body: Value =
                serde_json::from_slice(&with_unknown_fields(kind)).expect("the body is JSON");
            assert_eq!(body["sandbox_unknown_field"], 1);
            assert_eq!(body["data"]["sandbox_unknown_field"]["flag"], true);
            let result = body["data"].get("result");
            assert!(result.is_none_or(|result| result == UNKNOWN_CODE), "{body}");
        }
    }
}
