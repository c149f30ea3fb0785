//! What was observed: calls, statistics, the report and the audit log.

use super::super::http::{Events, send};
use super::super::{Console, token};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

#[tokio::test]
async fn calls_statistics_report_and_audit_are_shown() {
    let console = Console::start().await;
    let first = &console.first;
    assert!(!token(&console, "no-such-client", Some("secret")).await);
    assert!(token(&console, &first.client_id, Some(&first.client_secret)).await);
    // Neither is a call of the project, which only the client's secret makes it.
    assert!(!token(&console, &first.client_id, Some("wrong")).await);
    let basic = format!("{}:{}", first.client_id, first.client_secret);
    let basic = format!("Basic {}", STANDARD.encode(basic));
    let headers = [("authorization", basic.as_str())];
    let path = "/v1/open-banking/refresh/x";
    let refused = send(console.sandbox.api_url(), "GET", path, &headers, "").await;
    assert_eq!(refused.status, 401);
    // The log is written in batches, and the stream says when.
    let path = format!("/api/projects/{}/activity?after=", console.project());
    let authorization = format!("Bearer {}", console.sandbox.console_token());
    let headers = [("authorization", authorization.as_str())];
    let mut events = Events::open(console.sandbox.console_url(), &path, &headers).await;
    for _ in 0..2 {
        events.next().await.expect("a call");
    }
    let calls = console.get("/calls").await;
    let statuses: Vec<&Value> = calls
        .as_array()
        .expect("a list")
        .iter()
        .map(|call| &call["status"])
        .collect();
    assert_eq!(statuses, [401, 200]);
    assert_eq!(
        console
            .get("/calls?failed=true")
            .await
            .as_array()
            .expect("a list")
            .len(),
        1
    );
    assert_eq!(
        console
            .get("/calls?operation=startOpenBankingRefresh")
            .await,
        json!([])
    );
    let id = calls[1]["id"].as_str().expect("an id");
    let detail = console.get(&format!("/calls/{id}")).await;
    let curl = detail["curl"].as_str().expect("a command");
    assert!(
        curl.starts_with("curl ") && curl.contains("/v1/oauth/token'"),
        "{curl}"
    );
    assert!(!curl.contains(&first.client_secret), "{curl}");
    let har = console.get("/calls.har").await;
    assert_eq!(
        (
            &har["log"]["version"],
            &har["log"]["entries"][1]["response"]["status"]
        ),
        (&json!("1.2"), &json!(401))
    );
    let lone = console.get(&format!("/calls.har?call={id}")).await;
    assert_eq!(lone["log"]["entries"].as_array().expect("a list").len(), 1);
    let others = loop {
        let others = console.call("GET", "/api/calls", None).await.json();
        if others.as_array().expect("a list").len() == 2 {
            break others;
        }
    };
    assert_eq!(
        (&others[0]["status"], &others[0]["path"]),
        (&json!(401), &json!("/v1/oauth/token"))
    );
    let statistics = console.get("/statistics?buckets=4").await;
    let sum = |name: &str| -> u64 {
        let buckets = statistics["buckets"].as_array().expect("a list");
        assert_eq!(buckets.len(), 4);
        buckets
            .iter()
            .filter_map(|bucket| bucket[name].as_u64())
            .sum()
    };
    assert_eq!((sum("calls"), sum("errors"), sum("delivered")), (2, 1, 0));
    assert_eq!(console.get("/sent-webhooks").await, json!([]));

    let report = console.get("/report").await;
    let findings = report["findings"].as_array().expect("a list");
    assert!(findings.len() >= 9, "{report}");
    let words = ["ok", "violated", "not-shown"];
    assert!(
        findings
            .iter()
            .all(|finding| words.contains(&finding["verdict"].as_str().unwrap_or_default()))
    );
    let probe = console.expect(200, "POST", "/report/probe", None).await;
    assert_eq!(probe["messages"], json!([]));

    let audit = console
        .call(
            "GET",
            &format!("/api/audit?project={}", console.project()),
            None,
        )
        .await
        .json();
    assert_eq!(
        (&audit[0]["action"], &audit[0]["actor"]),
        (&json!("probe"), &json!("token"))
    );
}
