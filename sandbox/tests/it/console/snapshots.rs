//! Snapshots and resets.

use super::Console;
use serde_json::{Value, json};

/// A file of version 1, as it was written once. It must load forever.
const VERSION_1: &str = include_str!("snapshot-1.json");

impl Console {
    /// Returns what a snapshot is about: everything but the time at which it was taken.
    async fn state(&self) -> Value {
        let mut snapshot = self.get("/snapshot").await;
        snapshot["taken_at"] = Value::Null;
        snapshot
    }

    async fn content(&self) -> (usize, usize, usize) {
        let count = async |path: &str| self.get(path).await.as_array().expect("a list").len();
        (
            count("/customers").await,
            count("/subscriptions").await,
            count("/events").await,
        )
    }
}

#[tokio::test]
async fn a_snapshot_is_restored_as_it_was() {
    let console = Console::start().await;
    let url = format!(
        "{}/receivers/{}/a",
        console.sandbox.console_url(),
        console.project()
    );
    let subscription =
        json!({"url": url, "signing_token": "a signing token of more than 32 characters"});
    console
        .expect(201, "POST", "/subscriptions", Some(subscription))
        .await;
    console
        .expect(201, "POST", "/customers", Some(json!({"name": "Grace"})))
        .await;
    console
        .expect(
            201,
            "POST",
            "/events",
            Some(json!({"kind": "refreshCompleted"})),
        )
        .await;
    console.expect(200, "POST", "/clock/freeze", None).await;
    console
        .expect(
            200,
            "PATCH",
            "",
            Some(json!({"settings": {"token_lifetime": 5}})),
        )
        .await;
    let before = console.state().await;
    assert_eq!(
        (&before["format"], &before["version"]),
        (&json!("financial-data-sandbox/snapshot"), &json!(1))
    );
    let file = console.get("/snapshot").await;

    let reset = console.expect(200, "POST", "/reset", None).await;
    assert_eq!(reset["project"]["settings"]["token_lifetime"], 3600);
    assert_eq!(console.content().await, (1, 0, 0));
    let restored = console
        .expect(200, "PUT", "/snapshot", Some(file.clone()))
        .await;
    assert_eq!(restored["settings"]["token_lifetime"], 5);
    assert_eq!(console.state().await, before);
    assert_eq!(console.content().await, (2, 1, 1));

    // Another project cannot have the same credentials.
    let other = console
        .call("POST", "/api/projects", Some(json!({"name": "Other"})))
        .await
        .json();
    let path = format!(
        "/api/projects/{}/snapshot",
        other["project"]["id"].as_str().expect("an id")
    );
    let refused = console.call("PUT", &path, Some(file.clone())).await;
    assert_eq!(refused.status, 409, "{refused:?}");
    assert_eq!(console.state().await, before);

    for (change, field) in [
        (json!({"version": 2}), "version"),
        (json!({"format": "something"}), "format"),
        (
            json!({"documents": {"customer": [{"project": ""}]}}),
            "documents.customer[0]",
        ),
        (
            json!({"documents": {"unknown": [{"project": ""}]}}),
            "documents.unknown",
        ),
    ] {
        let mut wrong = file.clone();
        for (name, value) in change.as_object().expect("an object") {
            wrong[name] = value.clone();
        }
        let path = format!("/api/projects/{}/snapshot", console.project());
        let refused = console.call("PUT", &path, Some(wrong)).await;
        // The document has the one value of `format`.
        let status = if field == "format" { 400 } else { 422 };
        assert_eq!(
            (refused.status, refused.json()["field"].as_str()),
            (status, Some(field)),
            "{refused:?}"
        );
    }
    // What PATCH and POST refuse is refused in a file too.
    for (pointer, value, field) in [
        (
            "/settings/submit_status",
            json!(999),
            "project.settings.submit_status",
        ),
        (
            "/settings/token_lifetime",
            json!(0),
            "project.settings.token_lifetime",
        ),
        (
            "/settings/code_statuses",
            json!({"auth_denied": 200}),
            "project.settings.code_statuses",
        ),
        ("/name", json!(""), "project.name"),
        (
            "/faults",
            json!([fault("createToken", 2.0)]),
            "project.faults[0].probability",
        ),
        (
            "/faults",
            json!([fault("none", 1.0)]),
            "project.faults[0].target.operation",
        ),
        (
            "/faults",
            json!(vec![fault("createToken", 1.0); 101]),
            "project.faults",
        ),
    ] {
        let mut wrong = file.clone();
        *wrong["project"].pointer_mut(pointer).expect("a place") = value;
        let refused = console.expect(422, "PUT", "/snapshot", Some(wrong)).await;
        assert_eq!(refused["field"], field, "{refused}");
    }
    assert_eq!(console.state().await, before);
}

fn fault(operation: &str, probability: f64) -> Value {
    let fault = json!({"type": "unavailable"});
    json!({
        "id": "f",
        "target": {"on": "api", "operation": operation, "fault": fault},
        "probability": probability,
    })
}

#[tokio::test]
async fn a_reset_restores_the_secrets_of_the_seed_or_keeps_the_credentials() {
    let console = Console::start().await;
    let random = console.expect(200, "POST", "/reset", None).await;
    assert_eq!(random["client_id"], console.first.client_id.as_str());
    assert_eq!(random["client_secret"], Value::Null);
    let seeded = console
        .call(
            "POST",
            "/api/projects",
            Some(json!({"name": "Seeded", "seed": 5})),
        )
        .await
        .json();
    let path = format!(
        "/api/projects/{}/reset",
        seeded["project"]["id"].as_str().expect("an id")
    );
    let reset = console.call("POST", &path, None).await.json();
    for name in [
        "client_id",
        "client_secret",
        "customer_id",
        "customer_secret",
    ] {
        assert_eq!(reset[name], seeded[name]);
    }
}

#[tokio::test]
async fn a_reset_leaves_no_deliveries() {
    let console = Console::start().await;
    let receiver = format!(
        "{}/receivers/{}/mine",
        console.sandbox.console_url(),
        console.project()
    );
    let subscription =
        json!({"url": receiver, "signing_token": "a signing token of more than 32 characters"});
    let event = json!({"kind": "refreshCompleted"});
    for reset in ["/reset", "/snapshot"] {
        let file = console.get("/snapshot").await;
        console
            .expect(201, "POST", "/subscriptions", Some(subscription.clone()))
            .await;
        for _ in 0..2 {
            console
                .expect(201, "POST", "/events", Some(event.clone()))
                .await;
        }
        let deliveries = console.get("/deliveries").await;
        assert_eq!(deliveries.as_array().expect("a list").len(), 2);
        match reset {
            "/reset" => console.expect(200, "POST", reset, None).await,
            _ => console.expect(200, "PUT", reset, Some(file)).await,
        };
        assert_eq!(console.get("/deliveries").await, json!([]), "{reset}");
        let path = format!(
            "/api/projects/{}/deliveries/{}",
            console.project(),
            deliveries[0]["id"]
        );
        assert_eq!(console.call("GET", &path, None).await.status, 404);
    }
}

#[tokio::test]
async fn a_file_of_version_1_loads() {
    let console = Console::start().await;
    let file: Value = serde_json::from_str(VERSION_1).expect("a file");
    let project = console
        .expect(200, "PUT", "/snapshot", Some(file.clone()))
        .await;
    assert_eq!(project["name"], file["project"]["name"]);
    assert_eq!(project["settings"]["completion"], json!({"mode": "manual"}));
    assert_eq!(project["faults"].as_array().expect("a list").len(), 2);
    let after = console.get("/snapshot").await;
    for (kind, documents) in file["documents"].as_object().expect("documents") {
        let count = |list: &Value| list.as_array().map_or(0, Vec::len);
        assert_eq!(count(&after["documents"][kind]), count(documents), "{kind}");
    }
    for path in [
        "/tasks",
        "/payments",
        "/consents",
        "/credentials",
        "/subscriptions",
        "/events",
    ] {
        assert!(
            !console
                .get(path)
                .await
                .as_array()
                .expect("a list")
                .is_empty(),
            "{path}"
        );
    }
}
