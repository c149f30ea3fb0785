//! What services and callers send differently from their documents: clients and receivers accept it, and servers by
//! leniencies.

use std::sync::{Arc, Mutex};

use api::client::Client;
use api::operations::{
    AddNoteContent, AddNoteError, AddNoteRequest, AddNoteResponse, GetReportError,
    GetReportRequest, GetReportResponse,
};
use api::server::{DefaultApi, router};
use api::types::{Note, NoteChoice, Report};
use api::webhooks::{self, NotedError, NotedRequest, NotedResponse, WebhookHandler};
use bothends_runtime::Nullable;
use bothends_runtime::server::{Body, Context, Error, Leniency, Router};
use bothends_test_peers::{answering, response};
use bothends_tests::in_process::{block_on, call};
use tower_service::Service as _;

bothends_case_tests::document!(api, "deviations");

#[derive(Default, Clone)]
struct Notes(Arc<Mutex<Option<AddNoteRequest>>>);

impl DefaultApi for Notes {
    async fn add_note(
        &self,
        _: Context,
        request: AddNoteRequest,
    ) -> Result<AddNoteResponse, Error<AddNoteError>> {
        *self.0.lock().expect("a lock") = Some(request);
        Ok(Note::new("t".to_owned()).into())
    }

    async fn get_report(
        &self,
        _: Context,
        _: GetReportRequest,
    ) -> Result<GetReportResponse, Error<GetReportError>> {
        Ok(Report::new(1).into())
    }
}

/// The request that a handler receives, or the body of the response.
fn add(
    (query, headers): (&str, &[(&'static str, &str)]),
    body: &str,
    with: fn(Router<Notes>) -> Router<Notes>,
) -> Result<AddNoteRequest, String> {
    let notes = Notes::default();
    let mut request = http::Request::post(format!("/notes?{query}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request
        .body(Body::from(body.to_owned()))
        .expect("a request");
    let (parts, body) = block_on(call(&with(router(notes.clone())), request));
    let received = notes.0.lock().expect("a lock").take();
    received.ok_or_else(|| {
        assert_eq!(parts.status, 400);
        String::from_utf8_lossy(&body).into_owned()
    })
}

const JSON: (&str, &str) = ("content-type", "application/json");

fn note(body: &str, with: fn(Router<Notes>) -> Router<Notes>) -> Result<Note, String> {
    match add(("", &[JSON]), body, with)?.body {
        AddNoteContent::Json(note) => Ok(note),
        other => unreachable!("{other:?}"),
    }
}

fn strict(router: Router<Notes>) -> Router<Notes> {
    router
}

#[test]
fn null_is_absent_where_the_schema_gives_it_no_meaning() {
    let body = r#"{"text":"t","token":1,"title":null,"stars":null,"mood":null,"tags":{"a":null,"b":"c"},"parts":[{"kind":"k","checksum":null,"size":null}]}"#;
    let error = note(body, strict).expect_err("strict");
    for field in ["title", "stars", "tags.a", "parts[0].size"] {
        assert!(error.contains(field), "{field}: {error}");
    }
    assert!(!error.contains("mood"), "{error}");
    for with in [Router::lenient, |router: Router<Notes>| {
        router.leniency(Leniency::NullAsAbsent)
    }] {
        let note = note(body, with).expect("a note");
        assert_eq!((note.title, note.stars), (None, None));
        assert_eq!(note.mood, Nullable::Null);
        let tags = note.tags.expect("tags");
        assert_eq!(tags.keys().collect::<Vec<_>>(), ["b"]);
        let parts = note.parts.expect("parts");
        assert_eq!(
            (parts[0].size, &parts[0].checksum),
            (None, &Some(serde_json::Value::Null))
        );
    }
    // The other leniencies do not accept it.
    assert!(note(body, |router| router.leniency(Leniency::BooleanTexts)).is_err());
    // A required property stays required.
    for body in [r#"{"text":null,"token":1}"#, r#"{"title":null,"token":1}"#] {
        let error = note(body, Router::lenient).expect_err("an error");
        assert!(error.contains("text"), "{error}");
    }
}

#[test]
fn a_variant_that_permits_null_takes_precedence() {
    let body = r#"{"text":"t","token":1,"choice":{"id":"1","mark":null}}"#;
    for with in [strict as fn(_) -> _, Router::lenient] {
        let choice = note(body, with).expect("a note").choice.expect("a choice");
        let NoteChoice::Marked(marked) = &choice else {
            panic!("{choice:?}");
        };
        assert_eq!(marked.mark, Nullable::Null);
    }
}

#[test]
fn a_required_name_without_a_property_is_enforced_by_servers() {
    for (body, field) in [
        (r#"{"text":"t"}"#, "token"),
        (
            r#"{"text":"t","token":1,"place":{"city":"c"}}"#,
            "place.country",
        ),
        (
            r#"{"text":"t","token":1,"parts":[{"kind":"k"}]}"#,
            "parts[0].checksum",
        ),
    ] {
        for with in [strict as fn(_) -> _, Router::lenient] {
            let error = note(body, with).expect_err("an error");
            assert!(
                error.contains(field) && error.contains("is required"),
                "{error}"
            );
        }
    }
    let body = r#"{"text":"t","token":null,"place":{"country":"DE"},"parts":[{"kind":"k","checksum":"1"}]}"#;
    let note = note(body, strict).expect("a note");
    assert_eq!(note.token, Some(serde_json::Value::Null));
}

#[test]
fn a_client_and_a_receiver_read_objects_without_it() {
    let body = r#"{"text":"t","place":{"city":"c"},"parts":[{"kind":"k"}],"title":null,"tags":{"a":null}}"#;
    let json = "Content-Type: application/json\r\n";
    let (url, peer) = answering(&response("200 OK", json, body));
    let client = Client::new(&url).expect("a client");
    let sent = AddNoteContent::Json(Note::new("t".to_owned()));
    let note = block_on(client.add_note(sent)).expect("a note");
    assert_eq!(note.token, None);
    assert_eq!(note.place.as_ref().expect("a place").country, None);
    assert_eq!(note.parts.as_ref().expect("parts")[0].checksum, None);
    let request = peer.join().expect("a request");
    assert!(request.ends_with("\r\n\r\n{\"text\":\"t\"}"), "{request}");

    let (url, _peer) = answering(&response("500 Failed", json, r#"{"message":"m"}"#));
    let client = Client::new(&url).expect("a client");
    let sent = AddNoteContent::Json(Note::new("t".to_owned()));
    let error = block_on(client.add_note(sent)).expect_err("an error");
    assert!(format!("{:?}", error.api().expect("a documented error")).contains("trace: None"));

    let report = r#"{"total":2,"extended":{"size":3},"typed":{"other":1}}"#;
    let (url, _peer) = answering(&response("200 OK", json, report));
    let client = Client::new(&url).expect("a client");
    let report = block_on(client.get_report()).expect("a report");
    assert_eq!((report.total, &report.missing), (2, &None));
    assert_eq!(report.extended.as_ref().expect("a part").size, 3);
    assert_eq!(report.typed.as_ref().expect("a map").fallback, None);

    let received = Arc::new(Mutex::new(None));
    let request = http::Request::post("/noted")
        .header(JSON.0, JSON.1)
        .body(Body::from(body))
        .expect("a request");
    let handler = Received(Arc::clone(&received));
    let answer = block_on(webhooks::router(handler).call(request)).expect("a response");
    assert_eq!(answer.status(), 204);
    let note = received.lock().expect("a lock").take().expect("a webhook");
    assert_eq!((note.token, note.title), (None, None));
}

struct Received(Arc<Mutex<Option<Note>>>);

impl WebhookHandler for Received {
    async fn noted(
        &self,
        _: Context,
        request: NotedRequest,
    ) -> Result<NotedResponse, Error<NotedError>> {
        *self.0.lock().expect("a lock") = Some(request.body);
        Ok(().into())
    }
}

#[test]
fn a_part_that_a_sibling_declares_is_required() {
    let (url, _peer) = answering(&response(
        "200 OK",
        "Content-Type: application/json\r\n",
        r#"{"total":2,"extended":{}}"#,
    ));
    let client = Client::new(&url).expect("a client");
    let error = block_on(client.get_report()).expect_err("an error");
    assert!(format!("{error:?}").contains("extended.size"), "{error}");
}

#[test]
fn boolean_texts_are_accepted_wherever_the_type_is_a_boolean() {
    let body = r#"{"text":"t","token":1}"#;
    let headers = [JSON, ("x-draft", "True")];
    let query = "pins=1&pins=FALSE&filter%5Bopen%5D=t&switch=0&on=1";
    let error = add((query, &headers), body, strict).expect_err("strict");
    for field in [
        "X-Draft",
        "pins[0]",
        "pins[1]",
        "filter.open",
        "switch",
        "on",
    ] {
        assert!(error.contains(field), "{field}: {error}");
    }
    let request = add((query, &headers), body, Router::lenient).expect("a request");
    assert_eq!(request.x_draft, Some(true));
    assert_eq!(request.pins, Some(vec![true, false]));
    assert_eq!(request.filter.expect("a filter").open, Some(true));
    assert_eq!(format!("{:?}", request.switch), "Some(Boolean(false))");
    assert!(request.on.is_some());
    assert!(
        add(
            ("on=0", &[JSON]),
            r#"{"text":"t","token":1}"#,
            Router::lenient
        )
        .is_err()
    );

    let form = [("content-type", "application/x-www-form-urlencoded")];
    assert!(add(("", &form), "pinned=1&done=F", strict).is_err());
    let request = add(("", &form), "pinned=1&done=F", Router::lenient).expect("a request");
    let AddNoteContent::Form(flags) = request.body else {
        panic!("{:?}", request.body);
    };
    assert_eq!((flags.pinned, flags.done), (Some(true), Some(false)));

    let multipart = [("content-type", "multipart/form-data; boundary=x")];
    let part = |name: &str, text: &str| {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    };
    let body = format!("{}{}--x--\r\n", part("pinned", "TRUE"), part("done", "0"));
    assert!(add(("", &multipart), &body, strict).is_err());
    let request = add(("", &multipart), &body, Router::lenient).expect("a request");
    let AddNoteContent::Multipart(flags) = request.body else {
        panic!("{:?}", request.body);
    };
    assert_eq!((flags.pinned, flags.done), (Some(true), Some(false)));
}

#[test]
fn another_variant_that_accepts_the_text_takes_precedence() {
    let body = r#"{"text":"t","token":1}"#;
    for with in [strict as fn(_) -> _, Router::lenient] {
        let query = "either=1&any=1";
        let request = add((query, &[JSON]), body, with).expect("a request");
        assert_eq!(format!("{:?}", request.either), "Some(Integer(1))");
        assert_eq!(format!("{:?}", request.any), "Some(String(\"1\"))");
    }
    let request = add(("either=T&any=true", &[JSON]), body, Router::lenient).expect("a request");
    assert_eq!(format!("{:?}", request.either), "Some(Boolean(true))");
    assert_eq!(format!("{:?}", request.any), "Some(Boolean(true))");
}

#[test]
fn json_stays_strict_about_types() {
    let body = r#"{"text":"t","token":1,"stars":"3"}"#;
    assert!(note(body, Router::lenient).is_err());
}

#[test]
fn the_response_does_not_name_the_leniency() {
    let error = note(r#"{"text":"t","token":1,"title":null}"#, strict).expect_err("an error");
    assert!(!error.to_ascii_lowercase().contains("lenien"), "{error}");
}

#[test]
fn accept_is_a_preference_unless_it_is_enforced() {
    for (enforced, accept, status) in [
        (false, "text/html", 200),
        (false, "application/json;q=0", 200),
        (true, "text/html", 406),
        (true, "application/json", 200),
    ] {
        let router = match enforced {
            true => router(Notes::default()).enforce_accept(),
            false => router(Notes::default()),
        };
        let request = http::Request::get("/report").header("accept", accept);
        let request = request.body(Body::default()).expect("a request");
        let (parts, _) = block_on(call(&router, request));
        assert_eq!(parts.status, status, "{accept}");
        if status == 200 {
            assert_eq!(parts.headers["content-type"], "application/json");
        }
    }
}
