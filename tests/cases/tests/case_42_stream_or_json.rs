//! One call that is answered by a value or by a stream, and streams that only an extension documents.

use api::client::Client;
use api::operations::{BulkRequest, CompleteBody, CompleteOkContent, CompleteRequest};
use api::types::Line;
use bothends_runtime::Streamed;
use bothends_runtime::client::CallOptions;
use bothends_test_peers::{answering, response};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "42-stream-or-json");
bothends_case_tests::document!(twin, "42-stream-or-json-twin");
bothends_case_tests::document!(watches, "42-watches");

fn answer(media: &str, body: &str) -> String {
    response("200 OK", &format!("Content-Type: {media}\r\n"), body)
}

fn complete(answer: &str) -> (CompleteOkContent, String) {
    let (url, peer) = answering(answer);
    let client = Client::new(&url).expect("a client");
    let body = CompleteBody::new("p".to_owned());
    let received = block_on(client.complete(CompleteRequest::new(body))).expect("a success");
    (received.into_inner(), peer.join().expect("a request"))
}

#[test]
fn the_content_type_decides_between_a_value_and_a_stream() {
    let (content, request) = complete(&answer("application/json", r#"{"text":"whole"}"#));
    assert!(
        matches!(&content, CompleteOkContent::Json(completion) if completion.text == "whole"),
        "{content:?}"
    );
    let accept = request
        .lines()
        .find(|line| line.starts_with("accept: "))
        .expect("Accept");
    assert!(
        accept.contains("application/json") && accept.contains("text/event-stream"),
        "{accept}"
    );
    let (content, _) = complete(&answer(
        "text/event-stream; charset=utf-8",
        "data: {\"delta\":\"a\"}\n\ndata: {\"delta\":\"b\"}\n\ndata: [DONE]\n\n",
    ));
    let CompleteOkContent::Events(stream) = content else {
        panic!("{content:?}");
    };
    let chunks = block_on(stream.try_collect()).expect("chunks");
    let deltas: Vec<&str> = chunks
        .iter()
        .map(|event| event.data.delta.as_str())
        .collect();
    assert_eq!(deltas, ["a", "b"]);
}

#[test]
fn a_broken_line_is_one_error() {
    let (url, _peer) = answering(&answer(
        "application/x-ndjson",
        "{\"at\":1}\n{\"at\":\n{\"at\":3}\n",
    ));
    let client = Client::new(&url).expect("a client");
    let (first, second, third) = block_on(async {
        let mut lines = client.read_logs().await.expect("a stream").into_inner();
        (lines.next().await, lines.next().await, lines.next().await)
    });
    assert_eq!(first.expect("an item").expect("a line").at, 1);
    assert!(second.expect("an item").is_err());
    assert_eq!(third.expect("an item").expect("a line").at, 3);
}

#[test]
fn lines_are_sent_one_json_each() {
    let (url, peer) = answering("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    let client = Client::new(&url).expect("a client");
    let lines = Streamed::from_items([Line::new(1), Line::new(2)]);
    block_on(client.bulk(BulkRequest::new(lines))).expect("no content");
    let request = peer.join().expect("a request").to_ascii_lowercase();
    assert!(
        request.contains("content-type: application/x-ndjson\r\n"),
        "{request}"
    );
}

/// The items of a stream of the twin.
fn twin_client(answer: &str) -> twin::client::Client {
    let (url, _peer) = answering(answer);
    twin::client::Client::new(&url).expect("a client")
}

#[test]
fn a_second_response_of_an_extension_is_a_stream() {
    use twin::operations::{ChatOkContent, GenerateOkContent};
    let sent = "data: {\"delta\":\"a\"}\n\ndata: [DONE]\n\n";
    let client = twin_client(&answer("text/event-stream", sent));
    let body = twin::operations::ChatBody::new().stream(true);
    let content = block_on(client.chat(body)).expect("a success").into_inner();
    let ChatOkContent::Events(stream) = content else {
        panic!("{content:?}");
    };
    let chunks = block_on(stream.try_collect()).expect("chunks");
    assert_eq!(chunks.len(), 1);
    assert_eq!(chunks[0].data.delta, "a");
    for media in ["application/stream+json", "application/x-ndjson"] {
        let client = twin_client(&answer(media, "{\"delta\":\"a\"}\n{\"delta\":\"b\"}\n"));
        let content = block_on(client.generate()).expect("a success").into_inner();
        let GenerateOkContent::StreamJson(stream) = content else {
            panic!("{content:?}");
        };
        assert_eq!(block_on(stream.try_collect()).expect("chunks").len(), 2);
    }
    let client = twin_client(&answer("application/json", "{\"text\":\"whole\"}"));
    let content = block_on(client.generate()).expect("a success").into_inner();
    assert!(matches!(content, GenerateOkContent::Json(_)), "{content:?}");
}

#[test]
fn a_response_that_an_extension_declares_a_stream_is_one() {
    let lines = answer("application/json", "{\"delta\":\"a\"}\n{\"delta\":\"b\"}\n");
    let tail = block_on(async {
        let stream = twin_client(&lines)
            .tail()
            .await
            .expect("a stream")
            .into_inner();
        stream.try_collect().await
    });
    assert_eq!(tail.expect("lines").len(), 2);
    let logs = block_on(async {
        let stream = twin_client(&lines)
            .logs()
            .await
            .expect("a stream")
            .into_inner();
        stream.try_collect().await
    });
    assert_eq!(logs.expect("lines").len(), 2);
    let ticks = block_on(async {
        let events = answer("text/event-stream", "data: {\"delta\":\"a\"}\n\n");
        let stream = twin_client(&events)
            .ticks()
            .await
            .expect("a stream")
            .into_inner();
        stream.try_collect().await
    });
    assert_eq!(ticks.expect("events").len(), 1);
}

fn watching(media: &str, body: &str) -> watches::client::Client {
    let (url, _peer) = answering(&answer(media, body));
    watches::client::Client::new(&url).expect("a client")
}

const WATCH: &str = "{\"type\":\"ADDED\",\"object\":{}}\n{\"type\":\"DELETED\",\"object\":{}}\n";

/// A server of Kubernetes answers a watch in JSON with `application/json`, without the parameter.
#[test]
fn a_watch_is_a_stream_of_events() {
    use watches::operations::ListPodsOkContent;
    let events = block_on(async {
        let stream = watching("application/json", WATCH)
            .watch_pods()
            .await
            .expect("a stream")
            .into_inner();
        stream.try_collect().await
    });
    assert_eq!(events.expect("events")[1].r#type, "DELETED");
    let list = block_on(watching("application/json", "{\"items\":[\"a\"]}").list_pods());
    let list = list.expect("a list").into_inner();
    assert!(
        matches!(&list, ListPodsOkContent::Json(pods) if pods.items == ["a"]),
        "{list:?}"
    );
    for (media, asked) in [
        ("application/json;stream=watch", false),
        ("application/json", true),
    ] {
        let client = watching(media, WATCH);
        let client = match asked {
            true => {
                client.with(CallOptions::new().header("accept", "application/json;stream=watch"))
            }
            false => client,
        };
        let list = block_on(client.list_pods()).expect("a stream").into_inner();
        let ListPodsOkContent::Lines(stream) = list else {
            panic!("{list:?}");
        };
        assert_eq!(block_on(stream.try_collect()).expect("events").len(), 2);
    }
}

#[test]
fn a_gateway_streams_messages_as_lines_of_json() {
    let sent = "{\"result\":{\"memo\":\"a\"}}\n{\"error\":{\"code\":5,\"message\":\"gone\"}}\n";
    let messages = block_on(async {
        let client = watching("application/json", sent);
        let stream = client
            .subscribe_invoices()
            .await
            .expect("a stream")
            .into_inner();
        stream.try_collect().await
    });
    let messages = messages.expect("messages");
    assert_eq!(
        messages[0]
            .result
            .as_ref()
            .expect("a result")
            .memo
            .as_deref(),
        Some("a")
    );
    assert_eq!(messages[1].error.as_ref().expect("an error").code, Some(5));
    let blocks = block_on(async {
        let client = watching("application/json", sent);
        let stream = client.stream_blocks().await.expect("a stream").into_inner();
        stream.try_collect().await
    });
    assert_eq!(blocks.expect("messages").len(), 2);
    let own = block_on(async {
        let client = watching("application/json", "{\"memo\":\"a\"}\n{}\n");
        let stream = client.stream_own().await.expect("a stream").into_inner();
        stream.try_collect().await
    });
    assert_eq!(own.expect("invoices").len(), 2);
}
