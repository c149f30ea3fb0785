//! A client that does everything wrong, by raw HTTP.

use super::support::{Fixture, TOKEN, http, serve, verdicts};
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use bothends_delivery::SigningToken;
use financial_data_sandbox::conformance::Verdict;
use financial_data_sandbox::model::Activity;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;

/// Looks only whether there is a signature, rejects what is repeated, and rejects unknown fields.
fn receiver() -> Router {
    let seen: Arc<Mutex<HashSet<String>>> = Arc::default();
    let receive = move |headers: HeaderMap, body: String| {
        let id = headers["webhook-id"].to_str().unwrap().to_owned();
        let is_new = seen.lock().unwrap().insert(id);
        std::future::ready(if !headers.contains_key("x-token-signature") {
            StatusCode::UNAUTHORIZED
        } else if !is_new {
            StatusCode::CONFLICT
        } else if body.contains("unknown_field") {
            StatusCode::BAD_REQUEST
        } else {
            StatusCode::OK
        })
    };
    Router::new().route("/hooks", post(receive))
}

/// Breaks the rules about tokens and calls.
async fn misbehave(fixture: &Fixture) {
    let client = [("x-client-id", fixture.client_id.as_str())];
    for _ in 0..15 {
        fixture.tokens().await;
    }
    let (access, _) = fixture.tokens().await;
    // Without `X-Client-Id`.
    let customer = ("x-customer-id", fixture.customer_id.as_str());
    let start = "/v1/open-banking/refresh";
    let response = fixture.api("POST", start, &access, &[customer]).await;
    assert_eq!(response.status, 401);
    // A task, polled in a tight loop.
    let both = [client[0], customer];
    let started = fixture.api("POST", start, &access, &both).await;
    assert_eq!(started.status, 200, "{started:?}");
    let task = format!("{start}/{}", started.body["task_id"].as_str().unwrap());
    for _ in 0..10 {
        assert_eq!(
            fixture.api("GET", &task, &access, &client).await.status,
            200
        );
    }
    // Another customer: no token helps.
    let nobody = [client[0], ("x-customer-id", "nobody")];
    for _ in 0..2 {
        let response = fixture.api("GET", &task, &access, &nobody).await;
        assert_eq!(response.body["code_id"], "customer_not_found");
        fixture.tokens().await;
    }
    // A refresh token twice, which revokes the access token.
    let (revoked, refresh) = fixture.tokens().await;
    let form = format!("grant_type=refresh_token&refresh_token={refresh}");
    assert_eq!(fixture.token(&form).await.status, 200);
    assert_eq!(fixture.token(&form).await.status, 401);
    // A token that is not valid, again and again.
    for _ in 0..6 {
        let response = fixture.api("GET", &task, &revoked, &client).await;
        assert_eq!(response.body["code_id"], "token_expired");
    }
    // And once, without a retry.
    let other = format!("{start}/other");
    assert_eq!(
        fixture.api("GET", &other, &revoked, &client).await.status,
        401
    );
    fixture.api("GET", &task, &access, &client).await;
    fixture.api("POST", start, &access, &both).await;
}

#[tokio::test]
async fn every_rule_is_violated() {
    let fixture = Fixture::start().await;
    misbehave(&fixture).await;
    let url = serve(receiver()).await;
    let input = json!({"url": format!("{url}/hooks"), "signing_token": TOKEN});
    fixture.subscribe(&input).await;
    // Slower than the service waits.
    let (console, project) = (fixture.sandbox.console_url(), &fixture.project);
    let slow = format!("{console}/receivers/{project}/slow?delay=11s");
    let input = json!({"url": slow, "events": ["refreshCompleted"]});
    fixture.subscribe(&input).await;
    fixture.console("POST", "/report/probe", &Value::Null).await;

    let report = fixture.report().await;
    let rules: Vec<&str> = report
        .findings
        .iter()
        .map(|finding| finding.rule.as_str())
        .collect();
    assert_eq!(rules.len(), 11);
    verdicts(&report, Verdict::Violated, &rules);
    for finding in &report.findings {
        let evidence = &finding.evidence;
        assert!(!evidence.is_empty() && evidence.len() <= 10, "{finding:#?}");
        let named = evidence
            .iter()
            .all(|evidence| evidence.call.is_some() ^ evidence.webhook.is_some());
        assert!(named, "{finding:#?}");
    }
    // The same over the console API.
    let api = fixture.console("GET", "/report", &Value::Null).await;
    let named: Vec<&str> = api["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    assert_eq!(named, rules);
    fixture.sandbox.stop().await;
}

/// A client that responds to everything with 200 and asks for each task that a webhook names.
#[tokio::test]
async fn a_client_that_believes_every_forgery_violates_the_rule() {
    let fixture = Fixture::start().await;
    let tasks: Arc<Mutex<Vec<(bool, String)>>> = Arc::default();
    let named = Arc::clone(&tasks);
    let receive = move |headers: HeaderMap, body: String| {
        let body: Value = serde_json::from_str(&body).unwrap();
        let task = body["data"]["task_id"].as_str().unwrap().to_owned();
        let is_signed = headers.contains_key("x-token-signature");
        named.lock().unwrap().push((is_signed, task));
        std::future::ready(StatusCode::OK)
    };
    let url = serve(Router::new().route("/hooks", post(receive))).await;
    let input = json!({"url": format!("{url}/hooks"), "events": ["refreshCompleted"], "signing_token": TOKEN});
    fixture.subscribe(&input).await;
    fixture.console("POST", "/report/probe", &Value::Null).await;
    let rule = "webhook-signature-verified";
    let report = fixture.report().await;
    let verdict = report.finding(rule).unwrap().verdict;
    assert_eq!(verdict, Verdict::NotShown, "responses alone show nothing");

    let (access, _) = fixture.tokens().await;
    let client = [("x-client-id", fixture.client_id.as_str())];
    let asked = tasks.lock().unwrap().clone();
    assert_eq!(asked.iter().filter(|(is_signed, _)| !is_signed).count(), 1);
    for (_, task) in asked {
        let path = format!("/v1/open-banking/refresh/{task}");
        let response = fixture.api("GET", &path, &access, &client).await;
        assert_eq!(response.status, 404);
    }
    let report = fixture.report().await;
    let finding = report.finding(rule).unwrap();
    assert_eq!(finding.verdict, Verdict::Violated, "{finding:#?}");
    assert_eq!(finding.evidence.len(), 3, "one for each kind of forgery");
}

/// A client that responds to everything with 200, and asks for its own tasks that a webhook names: for any
/// webhook, or only if the signature is right. Returns whether each webhook was believed.
async fn asking_client(
    fixture: &Fixture,
    verifies: bool,
) -> (Arc<Mutex<HashSet<String>>>, mpsc::UnboundedReceiver<bool>) {
    let own: Arc<Mutex<HashSet<String>>> = Arc::default();
    let (handled, results) = mpsc::unbounded_channel();
    let (access, _) = fixture.tokens().await;
    let (api, client_id) = (
        fixture.sandbox.api_url().to_owned(),
        fixture.client_id.clone(),
    );
    let known = Arc::clone(&own);
    let receive = move |headers: HeaderMap, body: Bytes| {
        let signature = SigningToken::new(TOKEN).unwrap().sign(&body);
        let shown = headers
            .get("x-token-signature")
            .map(|shown| shown.to_str().unwrap());
        let body: Value = serde_json::from_slice(&body).unwrap();
        let task = body["data"]["task_id"].as_str().unwrap();
        let believed = !verifies || shown == Some(signature.as_str());
        let asks = believed && known.lock().unwrap().contains(task);
        let url = format!("{api}/v1/open-banking/refresh/{task}");
        let (access, client_id, handled) = (access.clone(), client_id.clone(), handled.clone());
        async move {
            // After the response, as a client does that stores webhooks first.
            tokio::spawn(async move {
                if asks {
                    let bearer = format!("Bearer {access}");
                    let headers = [
                        ("authorization", bearer.as_str()),
                        ("x-client-id", client_id.as_str()),
                    ];
                    assert_eq!(http("GET", &url, &headers, "").await.status, 200);
                }
                let _ = handled.send(asks);
            });
            StatusCode::OK
        }
    };
    let url = serve(Router::new().route("/hooks", post(receive))).await;
    let input = json!({"url": format!("{url}/hooks"), "events": ["refreshCompleted"], "signing_token": TOKEN});
    fixture.subscribe(&input).await;
    (own, results)
}

/// The client knows only its own tasks, so that forgeries with ids of nothing have no effect. Of its two
/// running tasks, the probe forges the end of the later one.
#[tokio::test]
async fn a_forged_end_of_a_running_task_shows_who_believes_it() {
    let rule = "webhook-signature-verified";
    for (verifies, verdict) in [(false, Verdict::Violated), (true, Verdict::NotShown)] {
        let fixture = Fixture::start().await;
        let manual = json!({"settings": {"completion": {"mode": "manual"}}});
        fixture.console("PATCH", "", &manual).await;
        let (own, mut results) = asking_client(&fixture, verifies).await;
        let (access, _) = fixture.tokens().await;
        let headers = [
            ("x-client-id", fixture.client_id.as_str()),
            ("x-customer-id", fixture.customer_id.as_str()),
        ];
        let mut tasks = Vec::new();
        for _ in 0..2 {
            let path = "/v1/open-banking/refresh";
            let started = fixture.api("POST", path, &access, &headers).await;
            tasks.push(started.body["task_id"].as_str().unwrap().to_owned());
        }
        own.lock().unwrap().extend(tasks.clone());
        fixture.console("POST", "/report/probe", &Value::Null).await;
        // The right one, one with unknown fields and a repetition; three forgeries, and three of the task.
        let mut believed = 0;
        for _ in 0..9 {
            believed += usize::from(results.recv().await.unwrap());
        }
        assert_eq!(believed, if verifies { 0 } else { 3 });
        let finding = fixture.report().await.finding(rule).unwrap().clone();
        assert_eq!(
            finding.verdict,
            Verdict::NotShown,
            "it may be a poll: {finding:#?}"
        );

        // The client asks after the right webhook, and has not asked before.
        let mut activity = fixture.app().recorder.watch();
        let finish = format!("/tasks/{}/finish", tasks[0]);
        fixture
            .console("POST", &finish, &json!({"outcome": "success"}))
            .await;
        assert_eq!(results.recv().await, Some(true));
        loop {
            // Webhooks are announced when they are in the log.
            let announced = activity.recv().await.unwrap();
            if matches!(announced, Activity::Webhook(sent) if sent.message_id.starts_with("task:"))
            {
                break;
            }
        }
        let finding = fixture.report().await.finding(rule).unwrap().clone();
        assert_eq!(finding.verdict, verdict, "{finding:#?}");
        if !verifies {
            let call = finding.evidence[0].call.clone().unwrap();
            let call = fixture
                .console("GET", &format!("/calls/{call}"), &Value::Null)
                .await;
            let path = call["call"]["path"].as_str().unwrap();
            assert!(path.ends_with(&tasks[1]), "{call}");
        }
        fixture.sandbox.stop().await;
    }
}

#[tokio::test]
async fn what_is_unknown_is_accepted_and_listed() {
    let fixture = Fixture::start().await;
    let (access, _) = fixture.tokens().await;
    let headers = [
        ("x-client-id", fixture.client_id.as_str()),
        ("x-customer-id", fixture.customer_id.as_str()),
        ("x-shop-version", "12"),
    ];
    let path = "/v1/open-banking/refresh?verbose=1";
    assert_eq!(
        fixture.api("POST", path, &access, &headers).await.status,
        200
    );
    let form = "grant_type=client_credentials&audience=shop";
    assert_eq!(fixture.token(form).await.status, 200);
    let report = fixture.report().await;
    assert_eq!(
        report.unknown,
        [
            "form field `audience` of `createToken`",
            "header `x-shop-version`",
            "query parameter `verbose` of `startOpenBankingRefresh`",
        ]
    );
    assert!(report.conforms(), "{report:#?}");
}
