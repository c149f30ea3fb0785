//! All kinds, with exact bodies.

use super::support::{Receiver, TOKEN, log, project, start, subscribe, trigger};
use financial_data_sandbox::RequestError;
use financial_data_sandbox::catalogue::catalogue;
use financial_data_sandbox::model::Product;
use financial_data_sandbox::subscriptions::{self, SubscriptionInput};
use financial_data_sandbox::webhooks::{self, Trigger};
use serde_json::json;
use std::collections::BTreeMap;

#[tokio::test]
async fn every_kind_is_sent_with_its_example() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = Receiver::always(200).await;
    let input = SubscriptionInput {
        url: Some(format!("{}/hook?a=1", receiver.url)),
        headers: vec![("X-Own".to_owned(), "secret-value".to_owned())],
        signing_token: Some(TOKEN.to_owned()),
        ..SubscriptionInput::default()
    };
    subscriptions::create(app, &id, input).await.unwrap();
    let kinds = catalogue().unwrap();
    for (index, kind) in kinds.iter().enumerate() {
        let triggered = trigger(app, &id, &kind.kind).await;
        assert_eq!(triggered.receivers, 1);
        let arrived = receiver.next().await;
        assert_eq!(arrived.method, "POST");
        assert_eq!(arrived.path, "/hook?a=1");
        assert_eq!(arrived.body, serde_json::to_vec(&kind.example).unwrap());
        let message_id = Some(triggered.event.message_id.as_str());
        assert_eq!(arrived.header("webhook-id"), message_id);
        assert_eq!(arrived.header("content-type"), Some("application/json"));
        assert_eq!(arrived.header("x-own"), Some("secret-value"));
        let agent = arrived.header("user-agent").unwrap();
        assert!(agent.starts_with("financial-data-sandbox/"), "{agent}");
        let sent = log(app, &id, index + 1).await.pop().unwrap();
        assert_eq!((sent.kind.as_str(), sent.attempt), (kind.kind.as_str(), 1));
        assert_eq!((sent.status, sent.next_retry), (Some(200), None));
        assert_eq!(sent.detail, "ok");
        assert_eq!(sent.request_body.as_bytes(), arrived.body);
        // The log has the headers as they arrived, but for the secret one.
        let logged: BTreeMap<_, _> = sent.request_headers.into_iter().collect();
        let mut seen: BTreeMap<_, _> = arrived.headers.into_iter().collect();
        seen.insert("x-own".to_owned(), "secret…".to_owned());
        assert_eq!(logged, seen);
    }
}

#[tokio::test]
async fn fields_are_set_and_further_ones_are_kept() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = Receiver::always(200).await;
    subscribe(app, &id, &receiver.url).await;
    let project = project(app, &id).await;
    let settings = [
        "status=Failed",
        "result=provider_timeout",
        "new:={\"a\":[1]}",
    ];
    let event = Trigger {
        set: settings.iter().map(|text| text.parse().unwrap()).collect(),
        message_id: Some("order 7".to_owned()),
        ..Trigger::default()
    };
    let triggered = webhooks::trigger(app, &project, "refreshCompleted", event.clone());
    triggered.await.unwrap();
    let arrived = receiver.next().await;
    assert_eq!(
        arrived.json()["data"],
        json!({
            "task_id": "0b6f9a52-5a2e-4c5e-9f39-6f1f3a1d7c12",
            "task_type": "refresh",
            "customer_id": "7f0f7c8e-0a55-4a0c-9a3b-0c4d7f1f2b22",
            "status": "Failed",
            "result": "provider_timeout",
            "has_new_transactions": "true",
            "reconnect_required": "false",
            "new": {"a": [1]},
        })
    );
    assert_eq!(arrived.header("webhook-id"), Some("order 7"));
    // The same message a second time is not sent; the next one is.
    let again = webhooks::trigger(app, &project, "refreshCompleted", event);
    again.await.unwrap();
    trigger(app, &id, "ingestionSucceeded").await;
    let next = receiver.next().await.json();
    assert_eq!(
        next["data"]["event"],
        "first_party_ingester.ingest.succeeded"
    );
}

#[tokio::test]
async fn wrong_events_are_refused() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let project = super::support::change(app, &id, |project| {
        project.products = vec![Product::Payments];
    });
    let project = project.await;
    let refused = async |kind: &str, event: Trigger| {
        let error = webhooks::trigger(app, &project, kind, event).await;
        match error.unwrap_err() {
            RequestError::Invalid { field, message } => (field, message),
            error => panic!("{error}"),
        }
    };
    let (field, message) = refused("refreshDone", Trigger::default()).await;
    assert_eq!(field, "kind");
    assert!(message.contains("`refreshCompleted`"), "{message}");
    let (field, message) = refused("refreshCompleted", Trigger::default()).await;
    assert_eq!(field, "kind");
    assert!(message.contains("product `connection`"), "{message}");
    let body = |body| Trigger {
        body: Some(body),
        ..Trigger::default()
    };
    let kind = "singlePaymentStatusUpdated";
    let (field, message) = refused(kind, body(json!({"data": {"event": 1}}))).await;
    assert_eq!(field, "body", "{message}");
    let (field, message) = refused(kind, body(json!({"data": {}}))).await;
    assert_eq!(field, "body", "{message}");
    let id = Trigger {
        message_id: Some("é".to_owned()),
        ..Trigger::default()
    };
    assert_eq!(refused(kind, id).await.0, "message_id");
}
