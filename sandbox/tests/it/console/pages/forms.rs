//! Settings, customers, tasks, faults, clock, credentials, snapshots and scenarios.

use super::Browser;
use serde_json::json;
use std::fmt::Write as _;

#[tokio::test]
async fn texts_of_users_are_escaped() {
    let browser = Browser::start().await;
    let script = "<script>alert(1)</script>";
    browser
        .done("/settings", &settings(script), "The settings were saved.")
        .await;
    for path in ["", "/settings", "/start"] {
        let page = browser.page(path).await;
        assert!(!page.contains(script), "{path}");
        assert!(
            page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
            "{path}"
        );
    }
}

fn settings(name: &str) -> Vec<(&str, &str)> {
    vec![
        ("name", name),
        ("products", "connection"),
        ("signing", "key"),
        ("optional_fields", "provider"),
        ("backoff_base", "1"),
        ("backoff_cap", "60"),
        ("completion", "manual"),
        ("step_milliseconds", "100"),
        ("pending", "Queued"),
        ("running", "Running"),
        ("task_id_field", "id"),
        ("submit_status", "202"),
        ("token_lifetime", "60"),
        ("startOpenBankingRefresh", "id-and-secret"),
        ("getOpenBankingRefreshStatus", "none"),
        ("code_statuses", "auth_denied: 401\r\nprovider_failure: 499"),
    ]
}

#[tokio::test]
async fn settings_are_saved_as_a_whole() {
    let browser = Browser::start().await;
    browser
        .done(
            "/settings",
            &settings("Changed"),
            "The settings were saved.",
        )
        .await;
    let project = browser.console.get("").await;
    assert_eq!(
        (&project["name"], &project["products"]),
        (&json!("Changed"), &json!(["connection"]))
    );
    let saved = &project["settings"];
    assert_eq!(saved["signing"], "key");
    assert_eq!(
        saved["optional_fields"],
        json!({"consent_id": false, "provider": true, "has_new_transactions": false, "reconnect_required": false})
    );
    assert_eq!(
        saved["code_statuses"],
        json!({"auth_denied": 401, "provider_failure": 499})
    );
    assert_eq!(saved["completion"], json!({"mode": "manual"}));
    assert_eq!(
        saved["customer_headers"]["startOpenBankingRefresh"],
        "id-and-secret"
    );
    let mut fewer = settings("Changed");
    fewer.retain(|(name, _)| *name != "code_statuses");
    browser
        .done("/settings", &fewer, "The settings were saved.")
        .await;
    assert_eq!(
        browser.console.get("").await["settings"]["code_statuses"],
        json!({})
    );
    let mut wrong = settings("Changed");
    wrong.push(("unused", ""));
    wrong.retain(|(name, _)| *name != "token_lifetime");
    wrong.push(("token_lifetime", "soon"));
    browser
        .done("/settings", &wrong, "token_lifetime: is not such a number")
        .await;
}

#[tokio::test]
async fn customers_tasks_faults_and_clock_have_pages() {
    let browser = Browser::start().await;
    let made = browser
        .post(
            &browser.path("/customers"),
            &[("name", "Grace"), ("id", "grace")],
        )
        .await;
    assert!(made.body.contains("The secret is shown once."), "{made:?}");
    browser
        .done(
            "/customers/grace/consents",
            &[
                ("provider", "bank"),
                ("status", "pending"),
                ("permits_refresh", "false"),
            ],
            "The consent was created.",
        )
        .await;
    let consent = browser.console.get("/consents?customer=grace").await;
    assert_eq!(
        (&consent[0]["status"], &consent[0]["permits_refresh"]),
        (&json!("pending"), &json!(false))
    );
    let consent = format!(
        "/customers/grace/consents/{}",
        consent[0]["id"].as_str().expect("an id")
    );
    browser
        .done(
            &format!("{consent}/revoke"),
            &[],
            "The consent was revoked.",
        )
        .await;
    browser
        .done(
            &format!("{consent}/expire"),
            &[],
            "The consent has expired.",
        )
        .await;
    browser
        .console
        .expect(
            200,
            "PATCH",
            "",
            Some(json!({"settings": {"completion": {"mode": "manual"}}})),
        )
        .await;
    browser
        .done(
            "/customers/grace/connect",
            &[("connect_provider", "bank")],
            "The connect task was started.",
        )
        .await;
    let task = browser.console.get("/tasks").await[0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    browser
        .done(
            &format!("/tasks/{task}/finish"),
            &[("outcome", "provider_failure")],
            "The task has ended.",
        )
        .await;
    browser
        .done(
            "/payments",
            &[("kind", "scheduled"), ("amount", "5")],
            "The payment was started.",
        )
        .await;
    let payment = browser.console.get("/payments").await[0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    browser
        .done(
            &format!("/payments/{payment}/finish"),
            &[("outcome", "success")],
            "The payment has ended.",
        )
        .await;
    browser
        .done("/ingestions", &[], "The ingestion was started.")
        .await;
    browser
        .done(
            "/customers/grace/delete",
            &[],
            "The deletion task was started.",
        )
        .await;

    browser
        .done(
            "/faults",
            &[
                ("fault", "webhook delayed"),
                ("place", "syncCompleted"),
                ("milliseconds", "10"),
                ("probability", "0.5"),
            ],
            "The fault is injected",
        )
        .await;
    browser
        .done(
            "/faults",
            &[("fault", "webhook lost"), ("place", "createToken")],
            "place: ",
        )
        .await;
    let fault = browser.console.get("/faults").await[0].clone();
    assert_eq!(
        fault["target"],
        json!({"on": "webhook", "kind": "syncCompleted", "fault": {"type": "delayed", "milliseconds": 10}})
    );
    browser
        .done(
            &format!("/faults/{}/remove", fault["id"].as_str().expect("an id")),
            &[],
            "no longer injected",
        )
        .await;

    browser
        .done("/clock/freeze", &[], "The clock is frozen.")
        .await;
    let before = browser.console.get("/clock").await["now"]
        .as_i64()
        .expect("a time");
    browser
        .done(
            "/clock/advance",
            &[("distance", "2"), ("unit", "60000"), ("settle", "yes")],
            "The clock has moved.",
        )
        .await;
    assert_eq!(
        browser.console.get("/clock").await["now"].as_i64(),
        Some(before + 120_000)
    );
    browser
        .done("/clock/resume", &[], "The clock runs on.")
        .await;
    browser
        .done("/report/probe", &[], "No webhook was sent")
        .await;
}

/// Returns a form with a file, as browsers send it.
fn multipart(csrf: &str, name: &str, file: &str, more: &[(&str, &str)]) -> String {
    let mut body = String::new();
    let fields = [("csrf", csrf)];
    for (name, value) in fields.iter().chain(more) {
        let _ = write!(
            body,
            "--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
    }
    let _ = write!(
        body,
        "--b\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"f\"\r\n\r\n{file}\r\n--b--\r\n"
    );
    body
}

#[tokio::test]
async fn credentials_snapshots_scenarios_keys_and_signatures_have_pages() {
    let browser = Browser::start().await;
    let made = browser
        .post(
            &browser.path("/credentials"),
            &[("name", "CI"), ("scopes", "open-banking:read")],
        )
        .await;
    assert!(made.body.contains("The secret is shown once."), "{made:?}");
    let credentials = browser.console.get("/credentials").await;
    let client = credentials[1]["client_id"].as_str().expect("a client id");
    let rotated = browser
        .post(&browser.path(&format!("/credentials/{client}/rotate")), &[])
        .await;
    assert!(rotated.body.contains("The secret is shown once."));
    browser
        .done(
            &format!("/credentials/{client}/revoke"),
            &[],
            "The credentials were revoked.",
        )
        .await;

    let snapshot = browser.page("/snapshot").await;
    let reset = browser.post(&browser.path("/reset"), &[]).await;
    assert!(reset.body.contains("The project was reset."), "{reset:?}");
    assert_eq!(
        browser
            .console
            .get("/credentials")
            .await
            .as_array()
            .expect("a list")
            .len(),
        2
    );
    let form = "multipart/form-data; boundary=b";
    let upload = multipart(&browser.csrf, "snapshot", &snapshot, &[]);
    let restored = browser
        .send(
            "POST",
            &browser.path("/snapshot"),
            &[("content-type", form)],
            &upload,
        )
        .await;
    assert_eq!(restored.status, 303, "{restored:?}");
    assert!(
        browser
            .page("/settings")
            .await
            .contains("The snapshot was restored.")
    );
    let forged = multipart("wrong", "snapshot", &snapshot, &[]);
    let forged = browser
        .send(
            "POST",
            &browser.path("/snapshot"),
            &[("content-type", form)],
            &forged,
        )
        .await;
    assert_eq!(forged.status, 403);

    let scenario = "name: From a file\nseed: 3\ncustomers:\n  - name: Grace\n";
    let upload = multipart(&browser.csrf, "scenario", scenario, &[]);
    let loaded = browser
        .send("POST", "/scenarios", &[("content-type", form)], &upload)
        .await;
    assert!(
        loaded.status == 200 && loaded.body.contains("Project From a file"),
        "{loaded:?}"
    );
    let wrong = multipart(&browser.csrf, "scenario", "name: A\nsede: 3\n", &[]);
    let wrong = browser
        .send("POST", "/scenarios", &[("content-type", form)], &wrong)
        .await;
    assert!(
        wrong.status == 422
            && wrong.body.contains("line 2")
            && wrong.body.contains("<code>sede</code>"),
        "{wrong:?}"
    );

    let reply = browser
        .post("/keys/rotate", &[("algorithm", "eddsa")])
        .await;
    assert_eq!(reply.status, 303);
    assert!(browser.get("/keys").await.contains("eddsa"));
    let fields = [
        ("body", "{}"),
        ("headers", "X-Token-Signature: 00"),
        ("way", "token"),
        ("token", "a signing token of more than 32 characters"),
    ];
    let checked = browser.post("/workbench", &fields).await;
    assert!(
        checked
            .body
            .contains("format: has 2 characters, and must have 64"),
        "{checked:?}"
    );
    let audit = browser.get("/audit").await;
    for action in [
        "signIn",
        "createCredential",
        "resetProject",
        "restoreSnapshot",
        "loadScenario",
        "rotateKeys",
    ] {
        assert!(audit.contains(action), "{action} is not in the audit log");
    }
}
