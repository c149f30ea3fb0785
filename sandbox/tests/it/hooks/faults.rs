//! Faults of webhooks.

use super::python;
use super::support::{Receiver, TOKEN, change, log, start, subscribe, trigger};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use financial_data_sandbox::app::App;
use financial_data_sandbox::clock;
use financial_data_sandbox::model::{Fault, FaultTarget, SigningVariant, WebhookFault};
use financial_data_sandbox::subscriptions::{self, SubscriptionInput};
use financial_data_sandbox::webhooks;
use serde_json::{Value, json};

/// Injects a fault into the next webhook.
async fn inject(app: &App, id: &str, fault: WebhookFault) {
    change(app, id, |project| {
        project.faults = vec![Fault {
            id: "fault".to_owned(),
            target: FaultTarget::Webhook {
                kind: Some("refreshCompleted".to_owned()),
                fault,
            },
            probability: 1.0,
            seed: 1,
            remaining: Some(1),
            considered: 0,
            hits: 0,
        }];
    })
    .await;
}

#[tokio::test]
async fn webhooks_are_lost_and_duplicated() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = Receiver::always(200).await;
    subscribe(app, &id, &receiver.url).await;
    inject(app, &id, WebhookFault::Lost).await;
    trigger(app, &id, "refreshCompleted").await;
    let lost = log(app, &id, 1).await.remove(0);
    assert_eq!((lost.status, lost.fault.as_deref()), (None, Some("lost")));
    assert_eq!(lost.next_retry, None, "a lost webhook counts as delivered");
    let faults = app.project(&id).await.unwrap().unwrap().faults.clone();
    assert_eq!((faults[0].remaining, faults[0].hits), (Some(0), 1));

    inject(app, &id, WebhookFault::Duplicated).await;
    trigger(app, &id, "refreshCompleted").await;
    let first = receiver.next().await;
    let second = receiver.next().await;
    assert_eq!(first.headers, second.headers);
    assert_eq!(first.body, second.body);
    let sent = log(app, &id, 3).await;
    let words: Vec<_> = sent.iter().map(|sent| sent.fault.as_deref()).collect();
    assert_eq!(
        words,
        [Some("lost"), Some("duplicated"), Some("duplicated")]
    );
    // Other kinds are not concerned, and the fault is used up.
    trigger(app, &id, "ingestionSucceeded").await;
    receiver.next().await;
    trigger(app, &id, "refreshCompleted").await;
    receiver.next().await;
    assert_eq!(log(app, &id, 5).await.len(), 5);
}

#[tokio::test]
async fn a_delay_is_that_of_the_projects_clock_and_no_attempt() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let at = clock::freeze(app, &id)
        .await
        .unwrap()
        .clock
        .frozen_at
        .unwrap();
    let mut receiver = Receiver::always(200).await;
    subscribe(app, &id, &receiver.url).await;
    inject(
        app,
        &id,
        WebhookFault::Delayed {
            milliseconds: 3_600_000,
        },
    )
    .await;
    trigger(app, &id, "refreshCompleted").await;
    clock::advance(app, &id, 3_599_999, true).await.unwrap();
    assert!(receiver.so_far().is_empty());
    clock::advance(app, &id, 1, true).await.unwrap();
    assert_eq!(receiver.so_far().len(), 1);
    let sent = log(app, &id, 2).await;
    assert_eq!(sent[0].fault.as_deref(), Some("delayed"));
    assert_eq!(sent[0].next_retry, Some(at + 3_600_000));
    assert_eq!(
        (sent[1].status, sent[1].fault.as_deref()),
        (Some(200), None)
    );
    assert_eq!(sent[1].project_time, at + 3_600_000);
}

#[tokio::test]
async fn signatures_are_wrong_and_nothing_else() {
    let test = "signatures_are_wrong_and_nothing_else";
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = Receiver::always(200).await;
    let signed = SubscriptionInput {
        url: Some(receiver.url.clone()),
        signing_token: Some(TOKEN.to_owned()),
        ..SubscriptionInput::default()
    };
    subscriptions::create(app, &id, signed).await.unwrap();
    let faults = [
        WebhookFault::WrongKey,
        WebhookFault::AlteredBody,
        WebhookFault::AlgorithmNone,
    ];
    let mut requests = Vec::new();
    for variant in [SigningVariant::Token, SigningVariant::Key] {
        change(app, &id, |project| {
            project.settings.signing = variant;
            project.faults.clear();
        })
        .await;
        subscriptions::sync(app, &id).await.unwrap();
        trigger(app, &id, "refreshCompleted").await;
        let right = receiver.next().await;
        for fault in faults {
            inject(app, &id, fault).await;
            trigger(app, &id, "refreshCompleted").await;
            let wrong = receiver.next().await;
            let names = |arrived: &super::support::Arrived| -> Vec<String> {
                arrived
                    .headers
                    .iter()
                    .map(|(name, _)| name.clone())
                    .collect()
            };
            if (variant, fault) != (SigningVariant::Token, WebhookFault::AlgorithmNone) {
                assert_eq!(names(&wrong), names(&right), "{fault:?}");
            }
            assert_eq!(wrong.header("x-signing-id"), right.header("x-signing-id"));
            assert_eq!(wrong.body == right.body, fault != WebhookFault::AlteredBody);
            requests.push(wrong);
        }
        requests.push(right);
    }
    let jwt = requests[6].header("x-signature").unwrap();
    let mut parts = jwt.split('.');
    let head = URL_SAFE_NO_PAD.decode(parts.next().unwrap()).unwrap();
    let head: Value = serde_json::from_slice(&head).unwrap();
    assert_eq!(head["alg"], json!("none"));
    assert_eq!(parts.next_back(), Some(""));
    // The altered body is still a webhook, of another task.
    assert_eq!(requests[1].json()["data"]["task_type"], "refresh");
    let jwks = webhooks::jwks(app).await.unwrap();
    if let Some(verified) = python::verify(test, &requests, TOKEN, &jwks) {
        assert_eq!(
            verified,
            [false, false, false, true, false, false, false, true]
        );
    }
}

#[tokio::test]
async fn unsigned_webhooks_have_no_faults_of_signatures() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = Receiver::always(200).await;
    subscribe(app, &id, &receiver.url).await;
    inject(app, &id, WebhookFault::WrongKey).await;
    trigger(app, &id, "refreshCompleted").await;
    receiver.next().await;
    let faults = app.project(&id).await.unwrap().unwrap().faults.clone();
    assert_eq!((faults[0].considered, faults[0].remaining), (0, Some(1)));
}
