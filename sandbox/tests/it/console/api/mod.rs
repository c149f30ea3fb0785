//! Every operation of the console API.

mod life;
mod observed;
mod webhooks;

use super::Console;
use super::http::send;
use serde_json::{Value, json};

#[tokio::test]
async fn the_token_is_required_and_compared_as_a_whole() {
    let console = Console::start().await;
    let base = console.sandbox.console_url();
    let token = console.sandbox.console_token();
    let shortened = format!("Bearer {}", &token[..token.len() - 1]);
    for authorization in [
        "",
        "Bearer ",
        "Bearer wrong",
        &shortened,
        "Basic d3Jvbmc6d3Jvbmc=",
    ] {
        let headers = [("authorization", authorization)];
        let reply = send(base, "GET", "/api/projects", &headers, "").await;
        assert_eq!(reply.status, 401, "{authorization}: {reply:?}");
        let message = "The token of the console API is missing or wrong.";
        assert_eq!(reply.json(), json!({ "message": message }));
        let challenge = reply.header("www-authenticate").expect("a challenge");
        assert!(challenge.starts_with("Bearer"), "{challenge}");
    }
    let reply = send(base, "GET", "/api/projects", &[], "").await;
    assert_eq!(reply.status, 401);
    assert_eq!(console.call("GET", "/api/projects", None).await.status, 200);
}

#[tokio::test]
async fn the_document_is_served_with_the_url_of_the_listener() {
    let console = Console::start().await;
    let base = console.sandbox.console_url();
    let document = send(base, "GET", "/openapi.yaml", &[], "").await;
    assert_eq!(document.status, 200);
    assert_eq!(document.header("content-type"), Some("application/yaml"));
    let written = include_str!("../../../../../spec/console.yaml");
    let here = format!("- url: {base}\n");
    assert_eq!(
        document.body,
        written.replacen("- url: http://127.0.0.1:8081\n", &here, 1)
    );
    assert_eq!(document.body.matches(&here).count(), 1);
    // What the document says of this server is there.
    let read: serde_yaml::Value = serde_yaml::from_str(&document.body).expect("YAML");
    let server = read["servers"][0]["url"].as_str().expect("a URL");
    assert!(read["paths"]["/api/projects"]["get"].is_mapping());
    let authorization = format!("Bearer {}", console.sandbox.console_token());
    let headers = [("authorization", authorization.as_str())];
    assert_eq!(
        send(server, "GET", "/api/projects", &headers, "")
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn errors_have_one_body_that_names_the_field() {
    let console = Console::start().await;
    let id = console.project();
    let expect =
        async |method: &str, path: &str, body: Option<Value>, status: u16, field: Option<&str>| {
            let reply = console.call(method, path, body).await;
            assert_eq!(reply.status, status, "{method} {path}: {reply:?}");
            let problem = reply.json();
            assert!(
                problem["message"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{problem}"
            );
            assert_eq!(
                problem["field"].as_str(),
                field,
                "{method} {path}: {problem}"
            );
        };
    expect("GET", "/api/projects/none", None, 404, None).await;
    expect("GET", "/api/nothing", None, 404, None).await;
    expect("DELETE", "/api/projects", None, 405, None).await;
    expect(
        "POST",
        "/api/projects",
        Some(json!({"name": ""})),
        400,
        Some("name"),
    )
    .await;
    expect("POST", "/api/projects", Some(json!({})), 400, Some("name")).await;
    let settings = json!({"settings": {"submit_status": 204}});
    let path_of = |path: &str| format!("/api/projects/{id}{path}");
    expect(
        "PATCH",
        &path_of(""),
        Some(settings),
        400,
        Some("settings.submit_status"),
    )
    .await;
    let unknown = json!({"settings": {"no_such_setting": 1}});
    expect("PATCH", &path_of(""), Some(unknown), 422, Some("settings")).await;
    let scopes = json!({"name": "a", "scopes": ["everything"]});
    expect(
        "POST",
        &path_of("/credentials"),
        Some(scopes),
        422,
        Some("scopes"),
    )
    .await;
    expect("GET", &path_of("/calls?limit=0"), None, 400, Some("limit")).await;
    expect(
        "GET",
        &path_of("/deliveries/x"),
        None,
        400,
        Some("delivery"),
    )
    .await;
    let subscription = json!({"url": "ftp://127.0.0.1/"});
    expect(
        "POST",
        &path_of("/subscriptions"),
        Some(subscription),
        422,
        Some("url"),
    )
    .await;
    let token = json!({"url": "http://127.0.0.1:9/", "signing_token": "too short"});
    expect(
        "POST",
        &path_of("/subscriptions"),
        Some(token),
        422,
        Some("signing_token"),
    )
    .await;
    let target =
        json!({"target": {"on": "api", "operation": "none", "fault": {"type": "unavailable"}}});
    expect(
        "POST",
        &path_of("/faults"),
        Some(target),
        422,
        Some("target.operation"),
    )
    .await;
    let fault = json!({"target": {"on": "api", "fault": {"type": "lost"}}});
    expect(
        "POST",
        &path_of("/faults"),
        Some(fault),
        422,
        Some("target"),
    )
    .await;
    let kind = json!({"kind": "none"});
    expect("POST", &path_of("/events"), Some(kind), 422, Some("kind")).await;
    let outcome = json!({"kind": "single", "outcome": "no_such_code"});
    expect(
        "POST",
        &path_of("/payments"),
        Some(outcome),
        422,
        Some("outcome"),
    )
    .await;
    expect(
        "POST",
        &path_of("/clock/advance"),
        Some(json!({"milliseconds": -1})),
        400,
        Some("milliseconds"),
    )
    .await;
    expect(
        "POST",
        "/api/signature-checks",
        Some(json!({"body": "", "headers": []})),
        422,
        Some("token"),
    )
    .await;
    for (method, path) in [
        ("POST", "/credentials/none/rotate"),
        ("POST", "/credentials/none/revoke"),
        ("GET", "/customers/none"),
        ("POST", "/consents/none/expire"),
        ("GET", "/tasks/none"),
        ("GET", "/payments/none"),
        ("GET", "/subscriptions/none"),
        ("DELETE", "/subscriptions/none"),
        ("GET", "/deliveries/999999"),
        ("POST", "/deliveries/999999/replay"),
        ("GET", "/calls/none"),
        ("DELETE", "/faults/none"),
    ] {
        expect(method, &path_of(path), None, 404, None).await;
    }
}
