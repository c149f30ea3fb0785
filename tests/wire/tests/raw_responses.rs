//! Responses as strangers write them: recorded bytes over a socket to the generated client. What is
//! expected is by RFC 6265, RFC 6839 and RFC 9110, and by HTML (9.2) for events.

use bothends_runtime::client::Error;
use bothends_runtime::{Event, NoError, Response};
use bothends_wire_tests::raw::{answering, response};
use bothends_wire_tests::{
    of_event_streams as events, of_lenient_wire as wire, of_statuses as statuses,
};

use wire::operations::{
    GetPictureOkContent, GetReportOkContent, OpenSessionAsTextResponse, OpenSessionResponse,
    OpenSessionResponseBody,
};

fn sid(key: &str) -> wire::client::Credentials {
    wire::client::Credentials {
        session: Some(key.into()),
    }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(future)
}

/// Opens a session at a server that answers these headers; the bytes of the request too.
fn session(status: &str, headers: &str) -> (Result<OpenSessionResponse, Error<NoError>>, String) {
    let (url, served) = answering(&response(status, headers, ""));
    let client = wire::client::Client::new(&url).expect("a client");
    let client = client.with_credentials(sid("a/b%20c=="));
    let came = run(client.open_session());
    (came, served.join().expect("a request"))
}

/// Opens a session whose cookies are one text.
fn session_as_text(headers: &str) -> Result<OpenSessionAsTextResponse, Error<NoError>> {
    let (url, _served) = answering(&response("201 Created", headers, ""));
    let client = wire::client::Client::new(&url).expect("a client");
    run(client.open_session_as_text())
}

#[test]
fn a_key_in_a_cookie_is_sent_as_it_is() {
    let (_, request) = session("200 OK", "");
    assert!(request.contains("cookie: sid=a/b%20c==\r\n"), "{request}");
    for key in ["a b", "a;b", "a,b", "a\"b", "a\\b", "\u{e9}", "a\r\nX: y"] {
        let client = wire::client::Client::new("http://127.0.0.1:1").expect("a client");
        let client = client.with_credentials(sid(key));
        let failed = run(client.open_session());
        let Err(Error::Encode(error)) = failed else {
            panic!("{key:?} was sent: {failed:?}");
        };
        assert_eq!(error.field(), "sid");
        assert!(!error.to_string().contains(key), "{error}");
    }
}

#[test]
fn cookies_are_read_line_by_line() {
    let (came, _) = session(
        "200 OK",
        "Set-Cookie: a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT\r\nSet-Cookie: b=2\r\n\
         WWW-Authenticate: Basic realm=\"a, b\", charset=\"UTF-8\"\r\nWWW-Authenticate: Bearer\r\n",
    );
    let came = came.expect("a session");
    assert_eq!(came.body(), &OpenSessionResponseBody::Ok);
    let headers = came.documented_headers();
    let cookies = ["a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT", "b=2"];
    assert_eq!(
        headers.set_cookie.as_deref(),
        Some(&cookies.map(str::to_owned)[..])
    );
    let challenges = ["Basic realm=\"a, b\", charset=\"UTF-8\"", "Bearer"];
    assert_eq!(
        headers.www_authenticate.as_deref(),
        Some(&challenges.map(str::to_owned)[..])
    );
    // The second success always has a header of the first: there is one field for both.
    let headers = "Set-Cookie: a=1, 2\r\nSet-Cookie: b=2\r\n";
    let (came, _) = session("201 Created", headers);
    let came = came.expect("a session");
    assert_eq!(came.body(), &OpenSessionResponseBody::Created);
    let lines = Some(vec!["a=1, 2".to_owned(), "b=2".to_owned()]);
    assert_eq!(came.documented_headers().set_cookie, lines);
    // As one text, with a line for each.
    let came = session_as_text(headers).expect("a session");
    assert_eq!(came.documented_headers().set_cookie, "a=1, 2\nb=2");
}

#[test]
fn an_optional_header_that_cannot_be_read_is_absent() {
    for headers in [
        "X-Expires: tomorrow\r\nX-Left: many\r\n",
        "X-Expires: \r\nX-Left: \r\n",
        "X-Expires: 2020-01-01T00:00:00\r\nX-Left: 1, 2\r\n",
    ] {
        let (came, _) = session("200 OK", headers);
        let came = came.expect("a session");
        assert_eq!(came.body(), &OpenSessionResponseBody::Ok);
        let read = came.documented_headers();
        assert_eq!(read.x_expires, None, "{headers}");
        assert_eq!(read.x_left, None, "{headers}");
    }
    // One that is required is not.
    let came = session_as_text("");
    assert!(matches!(came, Err(Error::Decode { .. })), "{came:?}");
}

fn report(headers: &str, body: &str) -> Result<GetReportOkContent, Error<NoError>> {
    let (url, _served) = answering(&response("200 OK", headers, body));
    let client = wire::client::Client::new(&url).expect("a client");
    let came = run(client.get_report());
    came.map(Response::into_inner)
}

fn picture(headers: &str, body: &str) -> Result<GetPictureOkContent, Error<NoError>> {
    let (url, _served) = answering(&response("200 OK", headers, body));
    let client = wire::client::Client::new(&url).expect("a client");
    let came = run(client.get_picture());
    came.map(Response::into_inner)
}

#[test]
fn one_rule_says_what_a_response_is_read_as() {
    let json = r#"{"title":"t"}"#;
    for headers in [
        "",
        "Content-Type: application/json\r\n",
        "Content-Type: application/vnd.x+json; charset=utf-8\r\n",
        "Content-Type: application/problem+json\r\n",
    ] {
        let came = report(headers, json);
        assert!(
            matches!(&came, Ok(GetReportOkContent::Json(value)) if value.title == "t"),
            "{came:?}"
        );
    }
    for media in ["text/plain", "text/html", "text/markdown"] {
        let came = report(&format!("Content-Type: {media}\r\n"), "hi");
        assert!(
            matches!(&came, Ok(GetReportOkContent::Text(text)) if text == "hi"),
            "{came:?}"
        );
    }
    for media in ["application/octet-stream", "application/zip", "image/png"] {
        let came = report(&format!("Content-Type: {media}\r\n"), "hi");
        let Ok(GetReportOkContent::Bytes(bytes)) = came else {
            panic!("{media}: {came:?}");
        };
        assert_eq!(bytes.content_type(), Some(media));
    }
    let came = picture("Content-Type: image/webp\r\n", "hi");
    assert!(
        matches!(came, Ok(GetPictureOkContent::ImagePng(_))),
        "{came:?}"
    );
    // What is of no documented kind is JSON if it can be read as such.
    let came = picture("Content-Type: text/html\r\n", json);
    assert!(matches!(came, Ok(GetPictureOkContent::Json(_))), "{came:?}");
    let came = picture("Content-Type: text/html\r\n", "<html>");
    let Err(Error::Decode {
        response: answer, ..
    }) = came
    else {
        panic!("{came:?}");
    };
    assert_eq!(&*answer.body, b"<html>");
}

#[test]
fn events_of_another_media_type_are_an_error() {
    let call = |headers: &str, body: &str| {
        let (url, _served) = answering(&response("200 OK", headers, body));
        let client = events::client::Client::new(&url).expect("a client");
        run(async {
            let came = client.chat().await?;
            Ok::<_, Error<NoError>>(came.into_inner().try_collect().await.expect("items"))
        })
    };
    for (media, body) in [
        ("text/html", "<html>down</html>"),
        ("application/json", r#"{"error":"busy"}"#),
        ("text/plain", ""),
    ] {
        let came = call(&format!("Content-Type: {media}\r\n"), body);
        let Err(Error::Decode {
            response: answer,
            source,
        }) = came
        else {
            panic!("{media}: {came:?}");
        };
        assert_eq!(source.field(), "content-type");
        assert_eq!(&*answer.body, body.as_bytes());
    }
    for headers in ["", "Content-Type: text/event-stream; charset=utf-8\r\n"] {
        let came = call(headers, "data: {\"text\":\"a\"}\n\n").expect("items");
        assert_eq!(came.len(), 1);
    }
}

/// The texts of a stream, each item that is none as its error.
macro_rules! texts {
    ($method:ident $body:expr) => {{
        let headers = "Content-Type: text/event-stream\r\n";
        let (url, _served) = answering(&response("200 OK", headers, $body));
        let client = events::client::Client::new(&url).expect("a client");
        run(async {
            let came = client.$method().await.expect("a stream");
            let mut items = came.into_inner();
            let mut texts = Vec::new();
            while let Some(item) = items.next().await {
                texts.push(item.map_or_else(|error| error.to_string(), |event| event.data.text));
            }
            texts
        })
    }};
}

#[test]
fn a_stream_ends_at_its_last_event() {
    let done = "data: {\"text\":\"a\"}\n\ndata: [DONE]\n\ndata: {\"text\":\"b\"}\n\n";
    assert_eq!(texts!(chat done), ["a"]);
    let stop = "data: {\"text\":\"a\"}\n\ndata: [STOP]\n\n";
    assert_eq!(texts!(chat_other stop), ["a"]);
    let endless = texts!(chat_endless done);
    assert_eq!(endless.len(), 3, "{endless:?}");
    // Without it, the end of the body is the end.
    assert_eq!(texts!(chat "data: {\"text\":\"a\"}\n\n"), ["a"]);
    // A text is a text.
    let headers = "Content-Type: text/event-stream\r\n";
    let (url, _served) = answering(&response("200 OK", headers, "data: [DONE]\n\n"));
    let client = events::client::Client::new(&url).expect("a client");
    let notes = run(async {
        let came = client.watch_notes().await;
        came.expect("a stream").into_inner().try_collect().await
    });
    assert_eq!(notes.expect("notes"), [Event::new("[DONE]".to_owned())]);
}

#[test]
fn data_with_a_schema_of_its_content_is_typed() {
    let body = "event: piece\ndata: {\"text\":\"a\"}\n\n";
    assert_eq!(texts!(watch_embedded body), ["a"]);
    // Events of several names have data of several types.
    let headers = "Content-Type: text/event-stream\r\n";
    let several = "event: addString\ndata: x y\n\nevent: addJson\ndata: {\"text\":\"a\"}\n\n";
    let (url, _served) = answering(&response("200 OK", headers, several));
    let client = events::client::Client::new(&url).expect("a client");
    let items = run(async {
        let came = client.watch_several().await;
        came.expect("a stream").into_inner().try_collect().await
    });
    let data: Vec<_> = items
        .expect("items")
        .into_iter()
        .map(|item| item.data)
        .collect();
    let [
        events::operations::WatchSeveralOkBody::AddString(text),
        events::operations::WatchSeveralOkBody::AddJson(piece),
    ] = &data[..]
    else {
        panic!("{data:?}");
    };
    assert_eq!((text.as_str(), piece.text.as_str()), ("x y", "a"));
}

#[test]
fn json_in_a_string_is_typed() {
    let job =
        r#"{"payload":"{\"text\":\"a\"}","next":"{\"payload\":\"{\\\"text\\\":\\\"b\\\"}\"}"}"#;
    let headers = "Content-Type: application/json\r\n";
    let (url, served) = answering(&response("200 OK", headers, job));
    let client = events::client::Client::new(&url).expect("a client");
    let sent: events::types::Job = serde_json::from_str(job).expect("a job");
    let came = run(client.post_job(sent));
    let came = came.expect("a job").into_inner();
    assert_eq!(came.payload.text, "a");
    assert_eq!(came.next.expect("another").payload.text, "b");
    let request = served.join().expect("a request");
    assert!(request.ends_with(job), "{request}");
}

#[test]
fn a_redirect_beside_a_success_is_an_error() {
    let call = |status: &str, headers: &str| {
        let (url, _served) = answering(&response(status, headers, ""));
        let client = statuses::client::Client::new(&url).expect("a client");
        run(client.overlap()).expect_err("no result")
    };
    let moved = call("302 Found", "Location: https://example.com/b\r\n");
    let Some(statuses::operations::OverlapError::Redirection { status }) = moved.api() else {
        panic!("{moved:?}");
    };
    assert_eq!(status.as_u16(), 302);
    let location = moved.documented_headers().expect("headers").location;
    assert_eq!(location.as_deref(), Some("https://example.com/b"));
    assert!(!moved.is_not_modified() && !moved.is_retryable());
    assert!(call("304 Not Modified", "").is_not_modified());
}

#[test]
fn a_redirect_is_a_success_where_nothing_else_is_documented() {
    let (url, _served) = answering(&response("304 Not Modified", "", ""));
    let client = statuses::client::Client::new(&url).expect("a client");
    let came = run(client.redirect()).expect("a response");
    assert_eq!(
        came.body(),
        &statuses::operations::RedirectResponseBody::NotModified
    );
}
