//! `x-bothends-rejections` and the responses that can be named, for any document: what the router answers
//! by itself, and what is told of an extension that cannot be read.

use bothends_runtime::server::{
    AuthError, Authenticate, Body, Context, Error, RejectionBody, Response, Router,
};
use bothends_runtime::{SecurityRequirement, http};
use bothends_tests::in_process::{block_on, call};
use http::header::{CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderMap, Request};
use rejections::operations::*;
use rejections::server::rejections as named;
use rejections::server::{Credentials, DefaultApi, router};

mod rejections {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/rejections.rs"));
}

struct Things;

impl DefaultApi for Things {
    async fn add_thing(
        &self,
        _: Context,
        request: AddThingRequest,
    ) -> Result<AddThingResponse, Error<AddThingError>> {
        match request.body.size {
            1 => Err(named::TYPE.into()),
            2 => Err(named::GONE)?,
            _ => Ok(AddThingResponse::new(())),
        }
    }
}

struct Keys;

impl Authenticate for Keys {
    type Credentials = Credentials;
    type Principal = ();

    async fn authenticate(
        &self,
        shown: Credentials,
        _: &'static [SecurityRequirement],
        _: &Context,
    ) -> Result<(), AuthError> {
        match shown.key.as_ref().map(|key| key.expose()) {
            Some("good") => Ok(()),
            Some("weak") => Err(AuthError::Forbidden),
            Some("other") => Err(named::unauthorized::SELF.into()),
            _ => Err(AuthError::Unauthenticated),
        }
    }
}

fn ask(router: &Router<Things>, method: &str, key: &str, body: &str) -> (u16, HeaderMap, String) {
    let request = Request::builder()
        .method(method)
        .uri("/things")
        .header("x-key", key)
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_owned()))
        .expect("a request");
    let (parts, body) = block_on(call(router, request));
    let body = String::from_utf8(body.to_vec()).expect("a text");
    (parts.status.as_u16(), parts.headers, body)
}

#[test]
fn faults_are_responses_of_the_document() {
    let router = router(Things).guard(Keys).body_limit(20);
    for (key, sent, status, body) in [
        ("good", r#"{"size":3}"#, 204, ""),
        // With the status that operations have the response for.
        (
            "weak",
            "{}",
            401,
            r#"{"kind":"failure","error":{"title":"Not you."}}"#,
        ),
        (
            "other",
            "{}",
            401,
            r#"{"kind":"failure","error":{"title":"Not yourself."}}"#,
        ),
        (
            "good",
            "{}",
            422,
            r#"{"kind":"failure","error":{"title":"Wrong","fields":{"size":"is required"}}}"#,
        ),
        // With a status and a message of its own.
        (
            "good",
            r#"{"size":3,      "more":1}"#,
            413,
            r#"{"kind":"failure","error":{"title":"Content Too Large"}}"#,
        ),
        // By a handler.
        ("good", r#"{"size":1}"#, 409, r#"{"title":"There is one"}"#),
        (
            "good",
            r#"{"size":2}"#,
            410,
            r#"{"kind":"failure","error":{"title":"Gone"}}"#,
        ),
    ] {
        let (came, headers, text) = ask(&router, "POST", key, sent);
        assert_eq!((came, &*text), (status, body), "{key} {sent}");
        assert_eq!(headers.contains_key(WWW_AUTHENTICATE), status == 401);
    }
}

#[test]
fn the_rest_is_filled_where_everything_required_has_one_value() {
    let router = router(Things).guard(Keys);
    let filled = |status: u16, phrase: &str| {
        format!(
            r#"{{"kind":"failure","message":"{phrase}","status":{status},"details":{{}},"hints":[],"version":2}}"#
        )
    };
    let (status, _, body) = ask(&router, "PUT", "good", "");
    assert_eq!((status, body), (405, filled(405, "Method Not Allowed")));
    // The 401 of the operation has a shape that is not filled: its `error` is an object.
    let (status, headers, _) = ask(&router, "POST", "none", "");
    assert_eq!(status, 401);
    assert_eq!(headers[CONTENT_TYPE], "application/problem+json");
}

#[test]
fn constants_have_the_status_that_operations_have_them_for() {
    let all: [(RejectionBody, u16); 4] = [
        (named::unauthorized::UNKNOWN, 401),
        (named::unauthorized::MISSING_SCOPE, 401),
        (named::TYPE, 409),
        (named::UNPROCESSABLE, 422),
    ];
    for (body, status) in all {
        assert_eq!(Response::from(body).status().as_u16(), status);
    }
}

/// What is told of an extension.
fn reported(entries: &str) -> Vec<String> {
    let text = format!(
        "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\nx-bothends-rejections: {entries}\npaths: {{}}\n\
         components: {{responses: {{A: {{description: d, content: {{application/json: \
         {{schema: {{}}, example: {{a: [b, 1]}}}}}}}}}}}}\n"
    );
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("api.yaml");
    std::fs::write(&path, text).expect("written");
    let plan = bothends::Builder::new(&path).module(true).plan();
    let diagnostics = plan.expect("a plan").diagnostics;
    let reported = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code.id == "E0307");
    reported
        .map(|diagnostic| diagnostic.message.clone())
        .collect()
}

#[test]
fn what_cannot_be_read_is_told() {
    let a = "response: '#/components/responses/A'";
    for (entry, message) in [
        (format!("{a}, status: 413, message: /a/0"), None),
        (
            format!("{a}, massage: /a"),
            Some(
                "unknown key `massage`; keys are `response`, `example`, `status`, `message`, `fields`",
            ),
        ),
        (
            format!("{a}, status: 200"),
            Some("expected a number from 400 to 599 for `status`"),
        ),
        (
            format!("{a}, status: x"),
            Some("expected a number from 400 to 599 for `status`"),
        ),
        (
            format!("{a}, message: /a/1"),
            Some("missing text at `/a/1` of the example"),
        ),
        (
            format!("{a}, message: a"),
            Some("missing text at `a` of the example"),
        ),
        (
            format!("{a}, message: 1"),
            Some("expected a string for `message`"),
        ),
        (
            format!("{a}, example: b"),
            Some("unknown example of `#/components/responses/A`"),
        ),
    ] {
        let expected: Vec<String> = message
            .map(|message| format!("`too-large`: {message}"))
            .into_iter()
            .collect();
        assert_eq!(reported(&format!("{{too-large: {{{entry}}}}}")), expected);
    }
}
