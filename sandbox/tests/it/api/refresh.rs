//! Refreshes, from their start to their end, by polling.

use super::support::{Client, JSON, REFRESH, change, start};
use financial_data_sandbox::app::App;
use financial_data_sandbox::model::{Consent, Statuses};
use financial_data_sandbox::outcome::CODES;
use financial_data_sandbox::store::{Changes, Page};
use financial_data_sandbox::tasks;
use serde_json::{Value, json};

#[tokio::test]
async fn a_refresh_is_polled_to_its_end() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    change(&sandbox, id, |project| {
        project.clock.freeze(App::system_now());
    })
    .await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let started = client.start(&seeded.customer_id, &[]).await;
    assert_eq!(started.status, 200);
    let submission = started.json();
    assert_eq!(submission.as_object().unwrap().len(), 1);
    let task = submission["task_id"].as_str().unwrap().to_owned();
    let expected = |status: &str| {
        json!({
            "task_id": task, "task_type": "refresh", "customer_id": seeded.customer_id,
            "status": status, "provider": "example-bank",
        })
    };
    assert_eq!(client.status(&task).await.json(), expected("Pending"));
    let advance = async || {
        let project = change(&sandbox, id, |project| project.clock.advance(500)).await;
        tasks::step_due(sandbox.app(), &project).await.unwrap();
    };
    advance().await;
    assert_eq!(client.status(&task).await.json(), expected("Running"));
    advance().await;
    let mut ended = expected("Completed");
    ended["result"] = "success".into();
    ended["has_new_transactions"] = "true".into();
    ended["reconnect_required"] = "false".into();
    let reply = client.status(&task).await;
    assert_eq!(reply.json(), ended);
    let order = ["task_id", "task_type", "customer_id", "status", "result"];
    let places = order.map(|field| reply.body.find(&format!("\"{field}\"")).unwrap());
    assert!(places.is_sorted(), "{}", reply.body);
    sandbox.stop().await;
}

#[tokio::test]
async fn without_a_frozen_clock_a_refresh_ends_by_itself() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let started = client.start("customer-provider-timeout+ci42", &[]).await;
    let task = started.json()["task_id"].as_str().unwrap().to_owned();
    let ended = loop {
        let record = client.status(&task).await.json();
        if record["status"] != "Pending" && record["status"] != "Running" {
            break record;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(ended["status"], "Failed");
    assert_eq!(ended["result"], "provider_timeout");
    sandbox.stop().await;
}

#[tokio::test]
async fn names_and_statuses_are_those_of_the_settings() {
    let (sandbox, seeded) = start().await;
    change(&sandbox, &seeded.project.id, |project| {
        project.clock.freeze(App::system_now());
        project.settings.task_id_field = "id".to_owned();
        project.settings.submit_status = 202;
        project.settings.statuses = Statuses {
            pending: "queued".to_owned(),
            running: "working".to_owned(),
        };
        project.settings.optional_fields.provider = false;
    })
    .await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let started = client.start(&seeded.customer_id, &[]).await;
    assert_eq!(started.status, 202);
    assert_eq!(started.header("content-type"), Some("application/json"));
    let task = started.json()["id"].as_str().unwrap().to_owned();
    let record = client.status(&task).await.json();
    assert_eq!(record["status"], "queued");
    assert_eq!(record.get("provider"), None);
    sandbox.stop().await;
}

#[tokio::test]
async fn every_code_is_reached_over_http() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    change(&sandbox, id, |project| {
        project.clock.freeze(App::system_now());
    })
    .await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let mut tasks_of = Vec::new();
    let words = CODES.iter().map(|code| (code.id, Some(code)));
    for (word, code) in words.chain([("success", None)]) {
        let dashed = word.replace('_', "-");
        let provider = format!(r#"{{"provider":"provider-{dashed}"}}"#);
        let customer = [("X-Customer-Id", seeded.customer_id.as_str()), JSON];
        let replies = [
            client.start(&format!("customer-{dashed}+http"), &[]).await,
            client.call("POST", REFRESH, &customer, &provider).await,
        ];
        for reply in replies {
            match code {
                Some(code) if code.is_of_consent() => {
                    assert_eq!(reply.status, code.status);
                    assert_eq!(reply.json()["operation_id"], "open_banking_refresh_post");
                    assert_eq!(reply.code(), word);
                }
                _ => tasks_of.push((reply.json()["task_id"].clone(), word)),
            }
        }
        let header = [("X-Sandbox-Result", word)];
        let reply = client.start(&seeded.customer_id, &header).await;
        tasks_of.push((reply.json()["task_id"].clone(), word));
        // The header counts more than the customer.
        let reply = client.start("customer-account-not-found", &header).await;
        tasks_of.push((reply.json()["task_id"].clone(), word));
    }
    assert_eq!(tasks_of.len(), 4 * 30 - 2 * 5);
    let project = change(&sandbox, id, |project| project.clock.advance(1000)).await;
    tasks::step_due(sandbox.app(), &project).await.unwrap();
    for (task, word) in tasks_of {
        let record = client.status(task.as_str().unwrap()).await.json();
        let status = if word == "success" {
            "Completed"
        } else {
            "Failed"
        };
        assert_eq!(
            (&record["result"], &record["status"]),
            (&word.into(), &status.into())
        );
    }
    let wrong = client
        .start(&seeded.customer_id, &[("X-Sandbox-Result", "x")])
        .await;
    assert!(
        wrong.json()["errors"]["X-Sandbox-Result"].is_string(),
        "{wrong:?}"
    );
    sandbox.stop().await;
}

#[tokio::test]
async fn consent_is_a_precondition() {
    let (sandbox, seeded) = start().await;
    let (id, store) = (&seeded.project.id, &sandbox.app().store);
    let mut client = Client::open(&sandbox, &seeded).await;
    let wanted = [("X-Customer-Id", seeded.customer_id.as_str()), JSON];
    let elsewhere = client
        .call("POST", REFRESH, &wanted, r#"{"provider":"another-bank"}"#)
        .await;
    assert_eq!(
        (elsewhere.status, elsewhere.code().as_str()),
        (404, "connection_not_found")
    );
    assert_eq!(
        elsewhere.json()["operation_id"],
        "open_banking_refresh_post"
    );
    let there = client
        .call("POST", REFRESH, &wanted, r#"{"provider":"example-bank"}"#)
        .await;
    assert_eq!(there.status, 200);
    let typed = client
        .call("POST", REFRESH, &wanted, r#"{"provider":1}"#)
        .await;
    assert_eq!(
        typed.json()["errors"],
        json!({"provider": "is not a string"})
    );
    // The consent expires by the clock of the project.
    change(&sandbox, id, |project| {
        project.clock.advance(90 * 24 * 60 * 60 * 1000);
        project.settings.token_lifetime = u32::MAX;
    })
    .await;
    let reply = client.token().await;
    client.take(&reply);
    let expired = client.start(&seeded.customer_id, &[]).await;
    assert_eq!(
        (expired.status, expired.code().as_str()),
        (403, "connection_expired")
    );
    let consents = store.list::<Consent>(id, Page::first(1)).await.unwrap();
    let mut changes = Changes::new();
    changes.remove(&consents[0]);
    store.commit(changes).await.unwrap();
    let missing = client.start(&seeded.customer_id, &[]).await;
    assert_eq!(missing.code(), "connection_not_found");
    sandbox.stop().await;
}

#[tokio::test]
async fn a_task_is_visible_to_its_customer_only() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let started: Value = client.start(&seeded.customer_id, &[]).await.json();
    let path = format!("{REFRESH}/{}", started["task_id"].as_str().unwrap());
    let other = [("X-Customer-Id", "customer-success")];
    let refused = client.call("GET", &path, &other, "").await;
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (404, "task_not_found")
    );
    assert_eq!(refused.json()["operation_id"], "open_banking_refresh_get");
    let own = [("X-Customer-Id", seeded.customer_id.as_str())];
    assert_eq!(client.call("GET", &path, &own, "").await.status, 200);
    let head = client.call("HEAD", &path, &own, "").await;
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    // A task of another kind has no status here.
    let app = sandbox.app();
    let project = super::support::project(&sandbox, &seeded.project.id).await;
    let deletion = tasks::start_deletion(app, &project, "customer-success", None).await;
    assert_eq!(client.status(&deletion.unwrap().id).await.status, 404);
    sandbox.stop().await;
}
