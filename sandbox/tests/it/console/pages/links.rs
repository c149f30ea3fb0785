//! Links between a call, its task, the events of the task, and the attempts to deliver them.

use super::super::http::send;
use super::{Browser, after};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

#[tokio::test]
async fn a_call_its_task_its_event_and_the_attempts_are_linked() {
    let browser = Browser::start().await;
    let receiver = format!(
        "{}/receivers/{}/links",
        browser.console.sandbox.console_url(),
        browser.console.project()
    );
    let subscription = json!({"url": receiver, "events": ["refreshCompleted"]});
    let console = &browser.console;
    console
        .expect(201, "POST", "/subscriptions", Some(subscription))
        .await;
    // Characters that mean something in a URL.
    let customer = "a/b?c#d e";
    let fields = [("name", "Ada"), ("id", customer)];
    assert_eq!(
        browser
            .post(&browser.path("/customers"), &fields)
            .await
            .status,
        200
    );
    let page = browser.page("/customers").await;
    let link = browser.path("/customers/a%2Fb%3Fc%23d%20e");
    assert!(page.contains(&format!("href=\"{link}\"")), "{page}");
    assert!(browser.get(&link).await.contains("a/b?c#d e"));
    let reply = browser.post(&format!("{link}/connect"), &[]).await;
    assert!(reply.status < 400, "{reply:?}");

    let first = &console.first;
    let (client, secret) = (first.client_id.clone(), first.client_secret.clone());
    let customer = first.customer_id.clone();
    let api = browser.console.sandbox.api_url().to_owned();
    let basic = format!("Basic {}", STANDARD.encode(format!("{client}:{secret}")));
    let form = [
        ("authorization", basic.as_str()),
        ("content-type", super::FORM),
    ];
    let token = send(
        &api,
        "POST",
        "/v1/oauth/token",
        &form,
        "grant_type=client_credentials",
    )
    .await;
    let bearer = format!("Bearer {}", after(&token.body, "\"access_token\":\""));
    let headers = [
        ("authorization", bearer.as_str()),
        ("x-client-id", client.as_str()),
        ("x-customer-id", customer.as_str()),
    ];
    let started = send(&api, "POST", "/v1/open-banking/refresh", &headers, "").await;
    let task = after(&started.body, "\"task_id\":\"").to_owned();
    let minute = json!({"milliseconds": 60_000});
    console
        .expect(200, "POST", "/clock/advance?wait=settled", Some(minute))
        .await;

    // The log is written after the response.
    let mut activity = browser.console.sandbox.app().recorder.watch();
    let page = browser.path(&format!("/tasks/{task}"));
    let task_page = loop {
        let text = browser.get(&page).await;
        if text.contains("POST /v1/open-banking/refresh") && text.contains("refreshCompleted 1") {
            break text;
        }
        let _ = activity.recv().await;
    };
    let link = format!("href=\"{page}\"");
    let (_, call) = task_page
        .split_once(&format!("href=\"{}", browser.path("/calls/")))
        .expect("a call");
    let call = call.split_once('"').expect("a quote").0;
    for linked in [
        format!("/calls/{call}"),
        "/deliveries/1".into(),
        "/events".into(),
        "/tasks".into(),
    ] {
        let text = browser.page(&linked).await;
        assert!(text.contains(&link), "{linked}: {text}");
    }
    // The list of calls is searched by the id of the task, and by other things.
    for (query, is_found) in [
        (format!("search={task}"), true),
        (
            format!("search={task}&status=200&operation=startOpenBankingRefresh"),
            true,
        ),
        (
            format!("customer={customer}&client={client}&minutes=5"),
            true,
        ),
        (format!("search={task}&status=404"), false),
        (format!("search={task}&failed=1"), false),
        (format!("search={task}&operation=createToken"), false),
    ] {
        let text = browser.page(&format!("/calls?{query}")).await;
        assert_eq!(
            text.contains(&format!("/calls/{call}\"")),
            is_found,
            "{query}"
        );
    }
    let missing = browser
        .send("GET", &browser.path("/tasks/nothing"), &[], "")
        .await;
    assert_eq!(missing.status, 404);
}
