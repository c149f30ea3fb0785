//! Tags with several values, values that the document does not list, and properties that only requests
//! have: byte by byte, with a socket as the other end.

use bothends_runtime::client::{ClientCore, HyperTransport};
use bothends_runtime::server::{Context, Error};
use bothends_runtime::{Json, Validate as _};
use generated::client::Client;
use generated::operations::{
    AddAccountRequest, AddAccountResponse, AddEntryOkBody, AddEntryRequest, AddEntryResponse,
    AddToolRequest, AddToolResponse, ListEventsRequest, ListEventsResponse,
};
use generated::server::{DefaultApi, router};
use generated::types::{
    Account, CustomTool, Entry, Event, Level, MessagePinned, Numbered, Order, Tool, WebSearchTool,
    WebSearchToolType,
};
use serde_json::{from_str, json, to_string, to_value};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/growth.rs"));
}

/// Answers what it is sent.
struct Echo;

impl DefaultApi for Echo {
    async fn list_events(
        &self,
        _: Context,
        _: ListEventsRequest,
    ) -> Result<ListEventsResponse, Error<bothends_runtime::NoError>> {
        Ok(ListEventsResponse::new(Vec::new()))
    }

    async fn add_tool(
        &self,
        _: Context,
        request: AddToolRequest,
    ) -> Result<AddToolResponse, Error<bothends_runtime::NoError>> {
        Ok(AddToolResponse::new(request.body))
    }

    async fn add_entry(
        &self,
        _: Context,
        request: AddEntryRequest,
    ) -> Result<AddEntryResponse, Error<bothends_runtime::NoError>> {
        Ok(AddEntryResponse::new(AddEntryOkBody {
            entry: Some(request.body),
            ..AddEntryOkBody::default()
        }))
    }

    async fn add_account(
        &self,
        _: Context,
        request: AddAccountRequest,
    ) -> Result<AddAccountResponse, Error<bothends_runtime::NoError>> {
        let account = Account {
            password: None,
            ..request.body
        };
        Ok(AddAccountResponse::new(account))
    }
}

/// Status and body for a body that is posted in bytes.
async fn post(path: &str, body: &str) -> (u16, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let app = axum::Router::new().fallback_service(router(Echo));
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let mut stream = TcpStream::connect(address).await.expect("connected");
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("a response");
    server.abort();
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    (status.expect("a status"), body.to_owned())
}

/// What a client makes of a body, and what it has sent.
async fn exchange<T, E>(body: &str, call: impl AsyncFnOnce(Client) -> Result<T, E>) -> (T, String)
where
    E: std::fmt::Debug,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let length = body.len();
    let response = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    );
    let peer = async move {
        let (mut stream, _) = listener.accept().await.expect("a client");
        let mut seen = Vec::new();
        loop {
            let mut piece = [0; 4096];
            let count = stream.read(&mut piece).await.expect("bytes");
            seen.extend(piece.iter().take(count));
            if count == 0 || is_whole(&seen) {
                break;
            }
        }
        stream.write_all(response.as_bytes()).await.expect("sent");
        String::from_utf8(seen).expect("text")
    };
    let client = Client::new(&base).expect("a client");
    let (seen, read) = tokio::join!(peer, call(client));
    let sent = seen.split_once("\r\n\r\n").expect("a head").1.to_owned();
    (read.expect("a response that can be read"), sent)
}

/// Whether a request has come to its end.
fn is_whole(seen: &[u8]) -> bool {
    let text = String::from_utf8_lossy(seen).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"));
    let length = length.and_then(|length| length.trim().parse::<usize>().ok());
    body.len() >= length.unwrap_or_default()
}

#[tokio::test]
async fn a_variant_is_sent_with_the_tag_that_it_was_given() {
    let tool = Tool::WebSearchTool(WebSearchTool::new(WebSearchToolType::WebSearch2025));
    let echo = r#"{"type":"web_search","level":2}"#;
    let request = AddToolRequest::new(tool);
    let (read, sent) = exchange(echo, async |client| client.add_tool(request).await).await;
    assert_eq!(sent, r#"{"type":"web_search_2025"}"#);
    let expected = Tool::WebSearchTool(WebSearchTool {
        level: Some(Level::N2),
        ..WebSearchTool::new(WebSearchToolType::WebSearch)
    });
    assert_eq!(read.into_inner(), expected);
}

#[tokio::test]
async fn a_server_takes_every_value_that_a_variant_lists() {
    for body in [
        r#"{"type":"function","name":"f"}"#,
        r#"{"type":"web_search"}"#,
        r#"{"type":"web_search_2025","level":1}"#,
        // By `mapping`, and listed beside it.
        r#"{"type":"custom"}"#,
        r#"{"type":"bespoke","grammar":"g"}"#,
    ] {
        assert_eq!(post("/tools", body).await, (200, body.to_owned()));
        // Within another union.
        let expected = format!(r#"{{"entry":{body}}}"#);
        assert_eq!(post("/entries", body).await, (200, expected));
    }
    // The names of the schemas are values of no variant.
    for body in [
        r#"{"type":"WebSearchTool"}"#,
        r#"{"type":"FunctionTool","name":"f"}"#,
        r#"{"type":"CustomTool"}"#,
        r#"{"type":"later","x":1}"#,
    ] {
        let (status, text) = post("/tools", body).await;
        assert_eq!(status, 400, "{text}");
        assert!(text.contains("is not one of the listed values"), "{text}");
        let text: Json = from_str(&text).expect("JSON");
        assert!(text.to_string().contains("type"), "{text}");
    }
    let (status, text) = post("/tools", r#"{"name":"f"}"#).await;
    assert_eq!(status, 400);
    assert!(text.contains("is required"), "{text}");
    let (status, text) = post("/tools", r#"{"type":"web_search","level":9}"#).await;
    assert_eq!(status, 400);
    assert!(text.contains("level"), "{text}");
}

#[test]
fn an_optional_tag_is_always_sent() {
    let tool = Tool::CustomTool(CustomTool::new());
    assert_eq!(to_string(&tool).expect("JSON"), r#"{"type":"custom"}"#);
}

#[tokio::test]
async fn one_new_kind_does_not_fail_a_list_of_a_hundred() {
    let mut events: Vec<Json> = (0..99)
        .map(|_| json!({"kind": "message", "text": "a"}))
        .collect();
    events.insert(
        50,
        json!({"kind": "reaction", "emoji": ["x", {"y": null}], "n": 1e3}),
    );
    events.push(json!({"kind": "message", "text": "b", "level": 4, "pinned": 7}));
    events.push(json!({"kind": "voice_call", "seconds": 1.5}));
    let text = Json::from(events.clone()).to_string();
    let (read, _) = exchange(&text, async |client| client.list_events().await).await;
    let read = read.into_inner();
    assert!(matches!(&read[50], Event::Unrecognized(value) if value.as_json()["emoji"][0] == "x"));
    let Event::Message(message) = &read[100] else {
        unreachable!("no message: {:?}", read[100]);
    };
    assert!(matches!(&message.level, Some(Level::Unrecognized(value)) if *value.as_json() == 4));
    assert!(
        matches!(&message.pinned, Some(MessagePinned::Unrecognized(value)) if *value.as_json() == 7)
    );
    assert_eq!(to_value(&read).expect("JSON"), Json::from(events));
}

#[test]
fn what_is_no_value_of_the_listed_types_is_refused() {
    for text in [
        // Another type than any that is listed.
        r#"{"kind": "message", "text": "a", "level": "4"}"#,
        r#"{"kind": "message", "text": "a", "level": 1.5}"#,
        r#"{"kind": "message", "text": "a", "pinned": [1]}"#,
        // No tag, or one that is no string.
        r#"{"text": "a"}"#,
        r#"{"kind": 1, "text": "a"}"#,
        r#"{"kind": null}"#,
        // A known tag with what its variant does not take.
        r#"{"kind": "message"}"#,
        "[]",
    ] {
        assert!(from_str::<Event>(text).is_err(), "{text}");
    }
    // 1.0 is an integer, and the listed one.
    let event = r#"{"kind": "message", "text": "a", "level": 1.0}"#;
    let event: Event = from_str(event).expect("an event");
    assert!(matches!(&event, Event::Message(message) if message.level == Some(Level::N1)));
    assert_eq!(Level::N1.to_json(), 1);
}

#[test]
fn a_union_that_is_said_to_be_complete_is_closed() {
    let body =
        |form: &str| from_str::<AddEntryOkBody>(&format!(r#"{{"shape":{{"form":"{form}"}}}}"#));
    assert!(body("circle").is_ok());
    let error = body("oval").expect_err("no shape").to_string();
    assert!(error.contains("must be one of"), "{error}");
}

#[test]
fn variants_that_share_a_value_are_told_apart_by_content() {
    for (tag, more, variant) in [
        ("one", "", "One"),
        ("two", "", "Two"),
        ("both", r#","left":1"#, "One"),
        ("both", r#","right":1"#, "Two"),
    ] {
        let body = format!(r#"{{"overlap":{{"t":"{tag}"{more}}}}}"#);
        let read: AddEntryOkBody = from_str(&body).expect("a body");
        let overlap = format!("{:?}", read.overlap.as_ref().expect("it is there"));
        assert!(overlap.starts_with(variant), "{overlap}");
        assert_eq!(to_string(&read).expect("JSON"), body);
    }
}

#[test]
fn tags_that_are_no_strings_are_told_apart_by_content() {
    let read = |n: Json| serde_json::from_value::<Numbered>(json!({ "n": n }));
    assert!(matches!(read(json!(1)), Ok(Numbered::First(_))));
    assert!(matches!(read(json!(3)), Ok(Numbered::Second(_))));
    assert!(matches!(read(json!(true)), Ok(Numbered::Flagged(_))));
    assert!(read(json!("1")).is_err());
}

#[tokio::test]
async fn what_only_requests_have_is_required_of_them() {
    let (status, text) = post("/accounts", r#"{"name":"a"}"#).await;
    assert_eq!(status, 400, "{text}");
    let text: Json = from_str(&text).expect("JSON");
    assert!(text.to_string().contains("password"), "{text}");
    assert!(text.to_string().contains("is required"), "{text}");
    let (status, text) = post("/accounts", r#"{"name":"a","password":"x"}"#).await;
    assert_eq!(status, 400, "{text}");
    assert!(text.contains("fewer than 3"), "{text}");
    // Within an optional property, and `readOnly` is not asked for.
    let body = r#"{"name":"a","password":"xyz","secret":{}}"#;
    let (status, text) = post("/accounts", body).await;
    assert_eq!(status, 400, "{text}");
    assert!(text.contains("secret.pin"), "{text}");
    let body = r#"{"name":"a","password":"xyz"}"#;
    assert_eq!(
        post("/accounts", body).await,
        (200, r#"{"name":"a"}"#.to_owned())
    );
}

#[tokio::test]
async fn a_client_that_checks_fails_before_it_sends_an_incomplete_request() {
    // Nothing listens there.
    let core = ClientCore::new(
        "http://127.0.0.1:9",
        HyperTransport::new().expect("a transport"),
    );
    let client = Client::from_core(core.expect("a core").validate_requests());
    let request = AddAccountRequest::new(Account::new("a".to_owned()));
    assert!(request.validate().is_err());
    let error = client
        .add_account(request)
        .await
        .expect_err("it is incomplete");
    assert!(
        format!("{error:#}").contains("password: is required"),
        "{error:#}"
    );
    // What a service sends need not have it.
    let echo = r#"{"id":1,"name":"a"}"#;
    let account = Account {
        password: Some("xyz".to_owned()),
        ..Account::new("a".to_owned())
    };
    let request = AddAccountRequest::new(account);
    let (read, sent) = exchange(echo, async |client| client.add_account(request).await).await;
    assert_eq!(sent, r#"{"name":"a","password":"xyz"}"#);
    assert_eq!(read.into_inner().id, Some(1));
}

#[test]
fn defaults_of_parameters_have_accessors() {
    let mut request = ListEventsRequest::new();
    assert_eq!(request.limit_or_default(), 20);
    assert_eq!(request.order_or_default(), Order::Newest);
    assert_eq!(request.after_or_default(), "start");
    assert_eq!(request.levels_or_default(), [1, 2]);
    request.limit = Some(5);
    request.after = Some("x".to_owned());
    assert_eq!(
        (request.limit_or_default(), request.after_or_default()),
        (5, "x")
    );
}

#[test]
fn an_entry_of_an_unknown_kind_is_itself_unknown() {
    let text = r#"{"type":"later","x":[1]}"#;
    let entry: Entry = from_str(text).expect("an entry");
    assert!(matches!(entry, Entry::Unrecognized(_)), "{entry:?}");
    assert_eq!(to_string(&entry).expect("JSON"), text);
}
