//! Projects, credentials, customers, tasks and scenarios.

use super::super::http::send;
use super::super::{Console, token};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test]
async fn projects_and_credentials_live() {
    let console = Console::start().await;
    let new = json!({"name": "Second", "seed": 42, "products": ["payments"], "settings": {"token_lifetime": 60}});
    let created = console
        .call("POST", "/api/projects", Some(new.clone()))
        .await;
    assert_eq!(created.status, 201, "{created:?}");
    let created = created.json();
    assert_eq!(created["project"]["settings"]["token_lifetime"], 60);
    assert_eq!(created["project"]["products"], json!(["payments"]));
    let again = console.call("POST", "/api/projects", Some(new)).await;
    assert_eq!(again.status, 409, "{again:?}");
    let id = created["project"]["id"].as_str().expect("an id");
    let projects = console.call("GET", "/api/projects", None).await.json();
    assert_eq!(projects.as_array().expect("a list").len(), 2);
    let path = format!("/api/projects/{id}");
    let patch = json!({"name": "Renamed", "settings": {"statuses": {"pending": "Queued"}}});
    let patched = console.call("PATCH", &path, Some(patch)).await.json();
    assert_eq!(
        (&patched["name"], &patched["settings"]["token_lifetime"]),
        (&json!("Renamed"), &json!(60))
    );
    assert_eq!(
        patched["settings"]["statuses"],
        json!({"pending": "Queued", "running": "Running"})
    );
    let path_of = |what: &str| format!("{path}{what}");
    assert_eq!(console.call("GET", &path, None).await.json(), patched);

    let credential = json!({"name": "CI", "scopes": ["open-banking:read"]});
    let made = console
        .call("POST", &path_of("/credentials"), Some(credential))
        .await
        .json();
    let client = made["credential"]["client_id"]
        .as_str()
        .expect("a client id");
    assert!(!made["credential"].to_string().contains("hash"), "{made}");
    assert!(token(&console, client, made["client_secret"].as_str()).await);
    let rotated = console
        .call(
            "POST",
            &path_of(&format!("/credentials/{client}/rotate")),
            None,
        )
        .await
        .json();
    assert_ne!(rotated["client_secret"], made["client_secret"]);
    assert!(!token(&console, client, made["client_secret"].as_str()).await);
    assert!(token(&console, client, rotated["client_secret"].as_str()).await);
    let revoked = console
        .call(
            "POST",
            &path_of(&format!("/credentials/{client}/revoke")),
            None,
        )
        .await
        .json();
    assert!(revoked["revoked_at"].is_i64(), "{revoked}");
    assert!(!token(&console, client, rotated["client_secret"].as_str()).await);
    let rotate = console
        .call(
            "POST",
            &path_of(&format!("/credentials/{client}/rotate")),
            None,
        )
        .await;
    assert_eq!(rotate.status, 409);
    let listed = console
        .call("GET", &path_of("/credentials"), None)
        .await
        .json();
    assert_eq!(listed.as_array().expect("a list").len(), 2);

    let deleted = console.call("DELETE", &path, None).await;
    assert_eq!((deleted.status, deleted.body.as_str()), (204, ""));
    assert_eq!(console.call("GET", &path, None).await.status, 404);
    // The id and the client id are free again.
    let new = json!({"name": "Third", "seed": 42});
    assert_eq!(
        console
            .call("POST", "/api/projects", Some(new))
            .await
            .status,
        201
    );
}

#[tokio::test]
async fn customers_consents_tasks_and_payments_live() {
    let console = Console::start().await;
    console
        .expect(
            200,
            "PATCH",
            "",
            Some(json!({"settings": {"completion": {"mode": "manual"}}})),
        )
        .await;
    let made = console
        .expect(
            201,
            "POST",
            "/customers",
            Some(json!({"name": "Grace", "id": "customer-7"})),
        )
        .await;
    assert!(
        made["customer_secret"]
            .as_str()
            .is_some_and(|secret| secret.len() > 32)
    );
    let twice = Some(json!({"name": "Grace", "id": "customer-7"}));
    console.expect(409, "POST", "/customers", twice).await;
    assert_eq!(console.get("/customers/customer-7").await, made["customer"]);
    let ids = |list: Value| -> BTreeSet<String> {
        let list = list.as_array().expect("a list").clone();
        list.iter()
            .map(|item| item["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    let customers = ids(console.get("/customers").await);
    assert_eq!(customers.len(), 2);
    let first = customers.first().expect("a customer");
    let rest = ids(console
        .get(&format!("/customers?limit=1&after={first}"))
        .await);
    assert_eq!(
        rest.iter().collect::<Vec<_>>(),
        [customers.last().expect("a customer")]
    );

    let consent = json!({"customer_id": "customer-7", "provider": "bank-2"});
    let consent = console
        .expect(201, "POST", "/consents", Some(consent))
        .await;
    assert_eq!(
        (&consent["status"], &consent["permits_refresh"]),
        (&json!("active"), &json!(true))
    );
    let id = consent["id"].as_str().expect("an id");
    let revoked = console
        .expect(200, "POST", &format!("/consents/{id}/revoke"), None)
        .await;
    assert_eq!(revoked["status"], "revoked");
    let expired = console
        .expect(200, "POST", &format!("/consents/{id}/expire"), None)
        .await;
    assert!(expired["expires_at"].as_i64() < consent["expires_at"].as_i64());
    let consents = console.get("/consents?customer=customer-7").await;
    assert_eq!(consents, json!([expired]));
    console
        .expect(
            422,
            "POST",
            "/consents",
            Some(json!({"customer_id": "none"})),
        )
        .await;

    let connect = Some(json!({"customer_id": "customer-7", "provider": "bank-3"}));
    let task = console.expect(202, "POST", "/connections", connect).await;
    assert_eq!(
        (&task["kind"], &task["state"]),
        (&json!("connect"), &json!("pending"))
    );
    let path = format!("/tasks/{}", task["id"].as_str().expect("an id"));
    console
        .expect(
            422,
            "POST",
            &format!("{path}/finish"),
            Some(json!({"outcome": "none"})),
        )
        .await;
    let ended = console
        .expect(
            200,
            "POST",
            &format!("{path}/finish"),
            Some(json!({"outcome": "auth_denied"})),
        )
        .await;
    assert_eq!(
        (&ended["state"], &ended["failure"]),
        (&json!("failed"), &json!("auth_denied"))
    );
    console
        .expect(
            409,
            "POST",
            &format!("{path}/finish"),
            Some(json!({"outcome": "success"})),
        )
        .await;
    assert_eq!(console.get(&path).await, ended);
    let ingestion = console
        .expect(202, "POST", "/ingestions", Some(json!({})))
        .await;
    let pending = console.get("/tasks?state=pending&kind=ingestion").await;
    assert_eq!(pending, json!([ingestion]));

    for kind in ["single", "standing-order", "scheduled"] {
        let payment = console
            .expect(202, "POST", "/payments", Some(json!({"kind": kind})))
            .await;
        let path = format!("/payments/{}", payment["id"].as_str().expect("an id"));
        assert_eq!(console.get(&path).await["kind"], kind);
        let ended = console
            .expect(
                200,
                "POST",
                &format!("{path}/finish"),
                Some(json!({"outcome": "success"})),
            )
            .await;
        assert_eq!(ended["state"], "completed");
    }
    assert_eq!(
        console
            .get("/payments")
            .await
            .as_array()
            .expect("a list")
            .len(),
        3
    );

    let deletion = console
        .expect(202, "DELETE", "/customers/customer-7", None)
        .await;
    let path = format!("/tasks/{}/finish", deletion["id"].as_str().expect("an id"));
    console
        .expect(200, "POST", &path, Some(json!({"outcome": "success"})))
        .await;
    console
        .expect(404, "GET", "/customers/customer-7", None)
        .await;
    assert_eq!(
        console.get("/consents?customer=customer-7").await,
        json!([])
    );
}

#[tokio::test]
async fn a_scenario_is_a_whole_project_or_nothing() {
    let console = Console::start().await;
    let receiver = console.sandbox.console_url();
    let scenario = json!({
        "name": "Nightly",
        "seed": 9,
        "settings": {"completion": {"mode": "manual"}, "customer_headers": {"startOpenBankingRefresh": "none"}},
        "customers": [{"name": "Grace", "id": "grace", "secret": "s", "consents": [{"provider": "p", "status": "revoked"}]}],
        "subscriptions": [{"url": format!("{receiver}/receivers/x/y"), "events": ["refreshCompleted"]}],
        "faults": [{"target": {"on": "webhook", "fault": {"type": "lost"}}, "remaining": 1}],
        "clock": {"frozen": true, "advance_milliseconds": 1000},
        "events": [{"kind": "refreshCompleted", "set": {"status": "Failed"}}],
    });
    let loaded = console
        .call("POST", "/api/scenarios", Some(scenario.clone()))
        .await;
    assert_eq!(loaded.status, 201, "{loaded:?}");
    let loaded = loaded.json();
    assert_eq!(loaded["customers"][0]["customer"]["id"], "grace");
    assert_eq!(loaded["events"][0]["body"]["data"]["status"], "Failed");
    assert!(loaded["project"]["clock"]["frozen_at"].is_i64());
    assert_eq!(loaded["project"]["faults"][0]["seed"], 9);
    let twice = console
        .call("POST", "/api/scenarios", Some(scenario.clone()))
        .await;
    assert_eq!(twice.status, 409);
    let replaced = console
        .call(
            "POST",
            "/api/scenarios?replace=true",
            Some(scenario.clone()),
        )
        .await;
    assert_eq!(replaced.status, 201, "{replaced:?}");
    for name in ["client_id", "client_secret", "customer_secret"] {
        assert_eq!(replaced.json()[name], loaded[name]);
    }
    let mut wrong = scenario;
    wrong["seed"] = json!(10);
    wrong["subscriptions"][0]["events"] = json!(["none"]);
    let refused = console.call("POST", "/api/scenarios", Some(wrong)).await;
    assert_eq!(
        (refused.status, &refused.json()["field"]),
        (422, &json!("subscriptions[0].events"))
    );
    let projects = console.call("GET", "/api/projects", None).await.json();
    assert_eq!(projects.as_array().expect("a list").len(), 2, "{projects}");
}

#[tokio::test]
async fn a_scenario_may_be_yaml() {
    let console = Console::start().await;
    let base = console.sandbox.console_url();
    let authorization = format!("Bearer {}", console.sandbox.console_token());
    let headers = [
        ("authorization", authorization.as_str()),
        ("content-type", "application/yaml"),
    ];
    let load = async |yaml: &str| send(base, "POST", "/api/scenarios", &headers, yaml).await;
    let yaml = "# Comments are allowed.\nname: Nightly\nseed: 9\ncustomers:\n  - { name: Grace, id: grace }\n";
    let loaded = load(yaml).await;
    assert_eq!(loaded.status, 201, "{loaded:?}");
    assert_eq!(loaded.json()["customers"][0]["customer"]["id"], "grace");
    // The project is that of the same scenario as JSON.
    let json =
        json!({"name": "Nightly", "seed": 9, "customers": [{"name": "Grace", "id": "grace"}]});
    let same = console
        .call("POST", "/api/scenarios?replace=true", Some(json))
        .await;
    assert_eq!(same.status, 201, "{same:?}");
    assert_eq!(same.json()["client_secret"], loaded.json()["client_secret"]);
    assert_eq!(same.json()["project"]["id"], loaded.json()["project"]["id"]);

    let wrong = load("name: A\nsettings:\n  token_lifetime: soon\n").await;
    assert_eq!(wrong.status, 422, "{wrong:?}");
    let message = wrong.json()["message"]
        .as_str()
        .expect("a message")
        .to_owned();
    assert!(
        message.starts_with("line 3: settings.token_lifetime: "),
        "{message}"
    );
    let invalid = load("name: A\nsubscriptions:\n  - url: nowhere\n").await;
    assert_eq!(
        invalid.json()["field"],
        "subscriptions[0].url",
        "{invalid:?}"
    );
}
