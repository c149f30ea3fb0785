//! The way of an event: the first steps, subscriptions, deliveries and replays.

use super::super::http::{Events, send};
use super::{Browser, FORM};
use serde_json::json;

#[tokio::test]
async fn the_first_steps_lead_to_a_received_event() {
    let browser = Browser::start().await;
    let secret = browser.post(&browser.path("/start/secret"), &[]).await;
    assert_eq!(secret.status, 200);
    let command = secret.body.split_once("curl -s -u ").expect("a command").1;
    let (basic, _) = command.split_once(' ').expect("a word");
    let (client, secret) = basic.split_once(':').expect("id and secret");
    let authorization = {
        use base64::Engine;
        format!(
            "Basic {}",
            base64::engine::general_purpose::STANDARD.encode(format!("{client}:{secret}"))
        )
    };
    let headers = [
        ("authorization", authorization.as_str()),
        ("content-type", FORM),
    ];
    let token = send(
        browser.console.sandbox.api_url(),
        "POST",
        "/v1/oauth/token",
        &headers,
        "grant_type=client_credentials",
    )
    .await;
    assert_eq!(token.status, 200, "{token:?}");
    browser
        .done(
            "/start/subscribe",
            &[],
            "The built-in receiver is subscribed.",
        )
        .await;
    let live = browser.path("/live?of=received&after=");
    let headers = [("cookie", browser.cookie.as_str())];
    let mut live = Events::open(browser.console.sandbox.console_url(), &live, &headers).await;
    browser
        .done("/start/trigger", &[], "The event was sent.")
        .await;
    let row = live.next().await.expect("a row");
    assert!(
        row.data.starts_with("<tr data-id=")
            && row
                .data
                .contains("&quot;task_type&quot;:&quot;connect&quot;"),
        "{row:?}"
    );
    let page = browser.page("/start").await;
    assert!(
        page.contains("&quot;task_type&quot;:&quot;connect&quot;"),
        "{page}"
    );
}

#[tokio::test]
async fn subscriptions_events_and_deliveries_have_pages() {
    let browser = Browser::start().await;
    let url = format!(
        "{}/receivers/{}/page?status=400",
        browser.console.sandbox.console_url(),
        browser.console.project()
    );
    let fields = [
        ("url", url.as_str()),
        ("events", "refreshCompleted"),
        (
            "signing_token",
            "a signing token of more than 32 characters",
        ),
        ("headers", "X-Test: 1"),
    ];
    browser
        .done("/subscriptions", &fields, "The subscription was created.")
        .await;
    browser
        .done("/subscriptions", &[("url", "ftp://a")], "url: ")
        .await;
    let id = browser.console.get("/subscriptions").await[0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    browser
        .done(
            &format!("/subscriptions/{id}/deactivate"),
            &[],
            "The subscription is inactive.",
        )
        .await;
    browser
        .done(
            &format!("/subscriptions/{id}/activate"),
            &[],
            "The subscription is active.",
        )
        .await;
    let page = browser.page(&format!("/subscriptions/{id}")).await;
    assert!(
        page.contains("X-Test: 1") && !page.contains("a signing token of"),
        "{page}"
    );

    let wrong = browser
        .post(
            &browser.path("/events/refreshCompleted"),
            &[("body", "{\"data\":{\"status\":7}}")],
        )
        .await;
    assert_eq!(wrong.status, 422);
    assert!(
        wrong.body.contains("body: ")
            && wrong
                .body
                .contains("{&quot;data&quot;:{&quot;status&quot;:7}}"),
        "{wrong:?}"
    );
    browser
        .done(
            "/events/refreshCompleted",
            &[("body", "{\"data\":{\"status\":\"Failed\"}}")],
            "The event was sent",
        )
        .await;
    browser
        .console
        .expect(
            200,
            "POST",
            "/clock/advance?wait=settled",
            Some(json!({"milliseconds": 0})),
        )
        .await;
    let dead = browser.console.get("/deliveries?state=dead").await;
    let number = dead[0]["id"].as_i64().expect("an id");
    let page = browser.page(&format!("/deliveries/{number}")).await;
    for part in ["x-token-signature", "rejected", "answered"] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    browser
        .done(
            &format!("/deliveries/{number}/replay"),
            &[],
            "The message is sent again.",
        )
        .await;
    browser
        .console
        .expect(
            200,
            "POST",
            "/clock/advance?wait=settled",
            Some(json!({"milliseconds": 0})),
        )
        .await;
    browser
        .done(
            "/replays",
            &[("minutes", "60")],
            "1 deliveries are sent again.",
        )
        .await;
    browser
        .done(
            &format!("/subscriptions/{id}/remove"),
            &[],
            "The subscription was removed.",
        )
        .await;
}
