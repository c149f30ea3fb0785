//! Python sends every kind of webhook, signed in both variants, to the generated receiver; forged ones do not
//! come through. A task is awaited by its webhook.

use super::facts::facts;
use super::python;
use super::service::serve;
use bothends_runtime::server::{BodyError, Context, Error};
use bothends_runtime::tasks::TaskNotifier;
use bothends_runtime::webhook::{KeyFetcher, KeySignature, Receiver, TokenSignature, Verifier};
use bothends_runtime::{Bytes, StatusCode};
use bothends_tests::in_process::block_on;
use financial_data::types::{AggregationWebhook, TaskStatus};
use financial_data::webhooks::*;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// What came, in the order in which it came: kind and payload.
#[derive(Clone)]
struct Handler {
    came: Arc<Mutex<Vec<(&'static str, Value)>>>,
    notifier: TaskNotifier<AggregationWebhook>,
}

impl Handler {
    fn new() -> Self {
        Self {
            came: Arc::default(),
            notifier: TaskNotifier::new(10),
        }
    }

    fn note(&self, kind: &'static str, payload: &impl serde::Serialize) {
        let payload = serde_json::to_value(payload).expect("JSON");
        self.came.lock().expect("no poison").push((kind, payload));
    }
}

macro_rules! handlers {
    ($($method:ident $Request:ident $Response:ident $Error:ident $kind:literal;)*) => {
        impl WebhookHandler for Handler {
            $(async fn $method(
                &self,
                _: Context,
                request: $Request,
            ) -> Result<$Response, Error<$Error>> {
                self.note($kind, &request.body);
                let body = serde_json::to_value(&request.body).expect("JSON");
                if let Some(id) = inbox().id_in($kind, &body.to_string().into()) {
                    let event = serde_json::from_value(body).expect("an aggregation");
                    self.notifier.notify(&id, event);
                }
                Ok($Response::new(()).with_status(StatusCode::NO_CONTENT))
            })*
        }
    };
}

handlers! {
    connection_completed ConnectionCompletedRequest ConnectionCompletedResponse ConnectionCompletedError "connectionCompleted";
    refresh_completed RefreshCompletedRequest RefreshCompletedResponse RefreshCompletedError "refreshCompleted";
    sync_completed SyncCompletedRequest SyncCompletedResponse SyncCompletedError "syncCompleted";
    customers_deleted CustomersDeletedRequest CustomersDeletedResponse CustomersDeletedError "customersDeleted";
    single_payment_status_updated SinglePaymentStatusUpdatedRequest SinglePaymentStatusUpdatedResponse SinglePaymentStatusUpdatedError "singlePaymentStatusUpdated";
    standing_order_status_updated StandingOrderStatusUpdatedRequest StandingOrderStatusUpdatedResponse StandingOrderStatusUpdatedError "standingOrderStatusUpdated";
    scheduled_payment_status_updated ScheduledPaymentStatusUpdatedRequest ScheduledPaymentStatusUpdatedResponse ScheduledPaymentStatusUpdatedError "scheduledPaymentStatusUpdated";
    ingestion_succeeded IngestionSucceededRequest IngestionSucceededResponse IngestionSucceededError "ingestionSucceeded";
}

/// The keys that Python publishes.
struct Published(Bytes);

impl KeyFetcher for Published {
    async fn fetch(&self) -> Result<Bytes, BodyError> {
        Ok(self.0.clone())
    }
}

fn by_token() -> TokenSignature {
    let rules = SIGNING.token.expect("the document has it");
    let token = "a signing token of well over thirty-two characters";
    TokenSignature::from_rules(&rules, [token]).expect("it is long enough")
}

/// Sends everything, and says what came through.
fn sent(variant: &str, verifier: impl Verifier + 'static) -> Handler {
    let handler = Handler::new();
    let receiver = Receiver::new(router(handler.clone()), verifier);
    let address = serve(axum::Router::new().fallback_service(receiver));
    python::run(&["sender", &format!("http://{address}"), variant]);
    handler
}

/// Every payload of the document, by kind.
fn expected() -> Vec<(String, Value)> {
    let facts = facts();
    let kinds = facts["kinds"].as_array().expect("kinds").iter();
    let each = kinds.flat_map(|kind| {
        let name = kind["kind"].as_str().expect("a name").to_owned();
        let payloads = kind["payloads"].as_array().expect("payloads").clone();
        payloads
            .into_iter()
            .map(move |payload| (name.clone(), payload))
    });
    each.collect()
}

#[test]
fn every_kind_reaches_its_handler_signed_in_both_variants() {
    if !python::is_there("every_kind_reaches_its_handler_signed_in_both_variants") {
        return;
    }
    let keys = Published(Bytes::from(python::run(&["jwks"])));
    let by_key = KeySignature::from_rules(&SIGNING.key.expect("the document has it"), keys);
    for handler in [sent("token", by_token()), sent("key", by_key)] {
        let came = handler.came.lock().expect("no poison");
        let came: Vec<(String, Value)> = (came.iter())
            .map(|(kind, payload)| ((*kind).to_owned(), payload.clone()))
            .collect();
        assert_eq!(came, expected());
        let failed = came
            .iter()
            .filter(|(_, payload)| payload["data"]["status"] == "Failed");
        assert_eq!(failed.count(), 3, "tasks that failed come through too");
    }
}

#[test]
fn a_key_of_another_algorithm_is_not_good() {
    if !python::is_there("a_key_of_another_algorithm_is_not_good") {
        return;
    }
    // The signature is right, but the document names another algorithm than the key has.
    let keys = Published(Bytes::from(python::run(&["jwks"])));
    let rules = SIGNING.key.expect("the document has it").algorithm("ES256");
    let receiver = Receiver::new(
        router(Handler::new()),
        KeySignature::from_rules(&rules, keys),
    );
    let address = serve(axum::Router::new().fallback_service(receiver));
    let url = format!("http://{address}");
    let complaint = python::fails(&["sender", &url, "key"]);
    assert!(complaint.contains("connectionCompleted"), "{complaint}");
}

#[test]
fn a_task_is_awaited_by_its_webhook() {
    if !python::is_there("a_task_is_awaited_by_its_webhook") {
        return;
    }
    let handler = sent("token", by_token());
    for (id, end) in [
        (
            "0b6f9a52-5a2e-4c5e-9f39-6f1f3a1d7c13",
            TaskStatus::Completed,
        ),
        ("0b6f9a52-5a2e-4c5e-9f39-6f1f3a1d7c14", TaskStatus::Failed),
    ] {
        let event = block_on(handler.notifier.wait(id));
        assert_eq!(event.data.status, Some(end));
        assert_eq!(json!(event)["data"]["task_id"], id);
    }
}
