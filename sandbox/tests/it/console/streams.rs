//! Live streams, and how they are resumed.

use super::Console;
use super::http::Events;
use serde_json::{Value, json};

impl Console {
    async fn stream(&self, path: &str, after: Option<&str>) -> Events {
        let path = format!("/api/projects/{}{path}", self.project());
        let authorization = format!("Bearer {}", self.sandbox.console_token());
        let mut headers = vec![("authorization", authorization.as_str())];
        headers.extend(after.map(|after| ("last-event-id", after)));
        Events::open(self.sandbox.console_url(), &path, &headers).await
    }

    /// Subscribes the built-in receiver to all events.
    async fn receive(&self) {
        let url = format!(
            "{}/receivers/{}/mine",
            self.sandbox.console_url(),
            self.project()
        );
        self.expect(201, "POST", "/subscriptions", Some(json!({"url": url})))
            .await;
    }

    async fn trigger(&self, kind: &str) {
        self.expect(201, "POST", "/events", Some(json!({"kind": kind})))
            .await;
    }
}

#[tokio::test]
async fn received_webhooks_are_streamed_and_resumed() {
    let console = Console::start().await;
    console.receive().await;
    let mut live = console.stream("/received-stream", None).await;
    console.trigger("refreshCompleted").await;
    let first = live.next().await.expect("a webhook");
    let received: Value = serde_json::from_str(&first.data).expect("JSON");
    assert_eq!(
        (&received["receiver"], &received["id"]),
        (&json!("mine"), &json!(first.id))
    );
    drop(live);
    console.trigger("customersDeleted").await;
    console
        .expect(
            200,
            "POST",
            "/clock/advance?wait=settled",
            Some(json!({"milliseconds": 0})),
        )
        .await;
    let mut resumed = console
        .stream("/received-stream?receiver=mine", Some(&first.id))
        .await;
    let second = resumed.next().await.expect("the next webhook");
    assert!(second.id > first.id, "{second:?}");
    let mut all = console.stream("/received-stream?after=", None).await;
    assert_eq!(all.next().await.expect("the first").id, first.id);
    assert_eq!(all.next().await.expect("the second").id, second.id);
}

#[tokio::test]
async fn activity_contains_calls_webhooks_and_what_was_received() {
    let console = Console::start().await;
    console.receive().await;
    let mut live = console.stream("/activity", None).await;
    console.trigger("ingestionSucceeded").await;
    let mut types = Vec::new();
    let mut last = String::new();
    while types.len() < 2 {
        let event = live.next().await.expect("an entry");
        let entry: Value = serde_json::from_str(&event.data).expect("JSON");
        let word = entry["type"].as_str().expect("a type").to_owned();
        assert_eq!(entry[&word]["id"], event.id.as_str(), "{entry}");
        types.push(word);
        last = last.max(event.id);
    }
    types.sort();
    assert_eq!(types, ["received", "webhook"]);
    let mut resumed = console.stream("/activity", Some(&last)).await;
    console.trigger("ingestionSucceeded").await;
    let next = resumed.next().await.expect("an entry");
    assert!(next.id > last);
}

#[tokio::test]
async fn streams_end_when_the_sandbox_stops() {
    let console = Console::start().await;
    let mut activity = console.stream("/activity", None).await;
    let mut received = console.stream("/received-stream", None).await;
    console.sandbox.stop().await;
    assert!(activity.next().await.is_none());
    assert!(received.next().await.is_none());
}

#[tokio::test]
async fn silent_streams_send_comments() {
    let console = Console::start().await;
    let mut activity = console.stream("/activity", None).await;
    // From here on, the clock of tokio moves on whenever nothing else can be done.
    tokio::time::pause();
    let until = tokio::time::Instant::now() + std::time::Duration::from_secs(60);
    let silence = tokio::time::timeout_at(until, activity.next()).await;
    assert!(silence.is_err(), "{silence:?}");
    assert!(
        (3..=4).contains(&activity.comments),
        "{}",
        activity.comments
    );
    tokio::time::resume();
}
