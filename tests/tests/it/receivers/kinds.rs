//! All eight kinds of the financial data service reach their typed handlers, signed in both ways.

use super::{Log, Published, TOKEN, send, serve, statuses};
use bothends_runtime::StatusCode;
use bothends_runtime::server::{Context, Error};
use bothends_runtime::webhook::{KeySignature, Receiver, TokenSignature, Verifier};
use bothends_tests::{has_program, has_python, python};
use financial_data::types::{AggregationWebhook, PaymentWebhook};
use financial_data::webhooks::{self, *};
use serde_json::{Value, json};

#[derive(Clone, Default)]
struct Handler(Log);

fn aggregation(kind: &str, body: &AggregationWebhook) -> String {
    let data = &body.data;
    format!(
        "{kind}: {:?} {:?} {:?} {:?}",
        data.task_id.as_deref(),
        data.task_type.as_ref().map(ToString::to_string),
        data.status.as_ref().map(ToString::to_string),
        data.has_new_transactions.as_ref().map(ToString::to_string),
    )
}

fn payment(kind: &str, body: &PaymentWebhook) -> String {
    let data = &body.data;
    format!("{kind}: {:?} {}", data.payment_id.as_deref(), data.event)
}

impl WebhookHandler for Handler {
    async fn connection_completed(
        &self,
        _: Context,
        request: ConnectionCompletedRequest,
    ) -> Result<ConnectionCompletedResponse, Error<ConnectionCompletedError>> {
        self.0.add(aggregation("connection", &request.body));
        Ok(ConnectionCompletedResponse::new(()).with_status(StatusCode::NO_CONTENT))
    }

    async fn refresh_completed(
        &self,
        _: Context,
        request: RefreshCompletedRequest,
    ) -> Result<RefreshCompletedResponse, Error<RefreshCompletedError>> {
        self.0.add(aggregation("refresh", &request.body));
        Ok(RefreshCompletedResponse::new(()).with_status(StatusCode::OK))
    }

    async fn sync_completed(
        &self,
        _: Context,
        request: SyncCompletedRequest,
    ) -> Result<SyncCompletedResponse, Error<SyncCompletedError>> {
        self.0.add(aggregation("sync", &request.body));
        Ok(SyncCompletedResponse::new(()).with_status(StatusCode::ACCEPTED))
    }

    async fn customers_deleted(
        &self,
        _: Context,
        request: CustomersDeletedRequest,
    ) -> Result<CustomersDeletedResponse, Error<CustomersDeletedError>> {
        let data = &request.body.data;
        self.0
            .add(format!("deleted: {:?}", data.customer_id.as_deref()));
        Ok(CustomersDeletedResponse::new(()).with_status(StatusCode::OK))
    }

    async fn single_payment_status_updated(
        &self,
        _: Context,
        request: SinglePaymentStatusUpdatedRequest,
    ) -> Result<SinglePaymentStatusUpdatedResponse, Error<SinglePaymentStatusUpdatedError>> {
        self.0.add(payment("single", &request.body));
        Ok(SinglePaymentStatusUpdatedResponse::new(()).with_status(StatusCode::OK))
    }

    async fn standing_order_status_updated(
        &self,
        _: Context,
        request: StandingOrderStatusUpdatedRequest,
    ) -> Result<StandingOrderStatusUpdatedResponse, Error<StandingOrderStatusUpdatedError>> {
        self.0.add(payment("standing", &request.body));
        Ok(StandingOrderStatusUpdatedResponse::new(()).with_status(StatusCode::OK))
    }

    async fn scheduled_payment_status_updated(
        &self,
        _: Context,
        request: ScheduledPaymentStatusUpdatedRequest,
    ) -> Result<ScheduledPaymentStatusUpdatedResponse, Error<ScheduledPaymentStatusUpdatedError>>
    {
        self.0.add(payment("scheduled", &request.body));
        Ok(ScheduledPaymentStatusUpdatedResponse::new(()).with_status(StatusCode::OK))
    }

    async fn ingestion_succeeded(
        &self,
        _: Context,
        request: IngestionSucceededRequest,
    ) -> Result<IngestionSucceededResponse, Error<IngestionSucceededError>> {
        let data = &request.body.data;
        self.0
            .add(format!("ingestion: {} {:?}", data.event, data.operation_id));
        Ok(IngestionSucceededResponse::new(()).with_status(StatusCode::OK))
    }
}

/// Each kind: its path, a payload as the interface document has it, and what the handler notes.
fn sent() -> Vec<(&'static str, Value, &'static str)> {
    let task = |task_type: &str, status: &str| {
        json!({ "data": {
            "task_id": "t-1", "task_type": task_type, "customer_id": "c-1", "status": status,
            "result": "success", "has_new_transactions": "true", "reconnect_required": "false",
        } })
    };
    let payment = json!({ "data": {
        "payment_id": "p-1", "service": "domestic-single-payment", "user_id": "u-1",
        "event": "payment.success",
    } });
    vec![
        (
            "/connectionCompleted",
            task("connect", "Completed"),
            r#"connection: Some("t-1") Some("connect") Some("Completed") Some("true")"#,
        ),
        (
            "/refreshCompleted",
            task("refresh", "Failed"),
            r#"refresh: Some("t-1") Some("refresh") Some("Failed") Some("true")"#,
        ),
        (
            "/syncCompleted",
            task("refresh", "Completed"),
            r#"sync: Some("t-1") Some("refresh") Some("Completed") Some("true")"#,
        ),
        (
            "/customersDeleted",
            json!({ "data": { "result": "success", "task_id": "t-2", "customer_id": "c-2" } }),
            r#"deleted: Some("c-2")"#,
        ),
        (
            "/singlePaymentStatusUpdated",
            payment.clone(),
            r#"single: Some("p-1") payment.success"#,
        ),
        (
            "/standingOrderStatusUpdated",
            payment.clone(),
            r#"standing: Some("p-1") payment.success"#,
        ),
        (
            "/scheduledPaymentStatusUpdated",
            payment,
            r#"scheduled: Some("p-1") payment.success"#,
        ),
        (
            "/ingestionSucceeded",
            json!({ "data": {
                "event": "first_party_ingester.ingest.succeeded",
                "operation_id": "v2_ingest_transactions_post", "task_id": "t-3",
            } }),
            r#"ingestion: first_party_ingester.ingest.succeeded Some("v2_ingest_transactions_post")"#,
        ),
    ]
}

async fn every_kind(verifier: impl Verifier + 'static, signing: Value) {
    let handler = Handler::default();
    let receiver = Receiver::new(webhooks::router(handler.clone()), verifier);
    let url = serve(receiver).await;
    let request = |path: &str, body: &Value, forge: bool| {
        let mut request = signing.clone();
        request["path"] = json!(path);
        request["body"] = json!(body.to_string());
        request["forge"] = json!(forge);
        request
    };
    let all = sent();
    let genuine = all.iter().map(|(path, body, _)| request(path, body, false));
    let responses = send(&url, genuine.collect()).await;
    assert_eq!(
        statuses(&responses),
        [204, 200, 202, 200, 200, 200, 200, 200]
    );
    let notes: Vec<_> = all.iter().map(|(.., note)| (*note).to_owned()).collect();
    assert_eq!(handler.0.take(), notes);

    let forged = all.iter().map(|(path, body, _)| request(path, body, true));
    let responses = send(&url, forged.collect()).await;
    assert_eq!(statuses(&responses), [401; 8]);
    for response in &responses {
        assert_eq!(response["type"], "application/problem+json");
        let body: Value = serde_json::from_str(response["body"].as_str().unwrap()).unwrap();
        assert_eq!(body["status"], 401);
    }
    assert_eq!(handler.0.take(), Vec::<String>::new());
}

#[tokio::test]
async fn every_kind_signed_with_a_token_reaches_its_handler() {
    if !has_python("every_kind_signed_with_a_token_reaches_its_handler") {
        return;
    }
    let verifier = TokenSignature::new([TOKEN]).unwrap();
    every_kind(verifier, json!({ "scheme": "token", "secret": TOKEN })).await;
}

#[tokio::test]
async fn every_kind_signed_with_a_key_reaches_its_handler() {
    let test = "every_kind_signed_with_a_key_reaches_its_handler";
    if !has_python(test) || !has_program(test, "openssl", "version", "install OpenSSL") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let set = python::run("webhooks.py", &["keys", path], "").unwrap();
    let verifier = KeySignature::new(Published(set));
    let signing = json!({ "scheme": "key", "key": format!("{path}/key.pem") });
    every_kind(verifier, signing).await;
}
