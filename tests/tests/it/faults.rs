//! What a generated router answers by itself: in the shape of the document's errors where that says
//! what goes into it, in a user's own where he says so, and as a problem of RFC 9457 otherwise.

use bothends_runtime::server::{
    AuthError, Authenticate, Body, Context, Error, Rejection, RejectionKind, Response, Router,
};
use bothends_runtime::{Json, SecurityRequirement, http};
use bothends_tests::in_process::{block_on, call};
use error_shape::operations::*;
use error_shape::server::{Credentials, DefaultApi, router};
use http::header::{ALLOW, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use http::{HeaderMap, Request};
use serde_json::json;

mod error_shape {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/error-shape.rs"));
}

struct Notes;

impl DefaultApi for Notes {
    async fn list_notes(
        &self,
        _: Context,
        request: ListNotesRequest,
    ) -> Result<ListNotesResponse, Error<ListNotesError>> {
        match request.from {
            Some(13) => std::panic::resume_unwind(Box::new("bad luck")),
            _ => Ok(ListNotesResponse::new(Vec::new())),
        }
    }

    async fn add_note(
        &self,
        _: Context,
        _: AddNoteRequest,
    ) -> Result<AddNoteResponse, Error<AddNoteError>> {
        Ok(AddNoteResponse::new(()))
    }
}

/// Lets in who shows any key.
struct AnyKey;

impl Authenticate for AnyKey {
    type Credentials = Credentials;
    type Principal = ();

    async fn authenticate(
        &self,
        shown: Credentials,
        _: &'static [SecurityRequirement],
        _: &Context,
    ) -> Result<(), AuthError> {
        shown.key.map(drop).ok_or(AuthError::Unauthenticated)
    }
}

fn ask(router: &Router<Notes>, method: &str, target: &str) -> (u16, HeaderMap, Json) {
    let mut request = Request::builder().method(method).uri(target);
    if !target.contains("anonymous") {
        request = request.header("x-key", "k");
    }
    let body = if method == "POST" {
        request = request.header(CONTENT_TYPE, "text/plain");
        Body::from("text")
    } else {
        Body::empty()
    };
    let request = request.body(body).expect("a request");
    let (parts, body) = block_on(call(router, request));
    let body = serde_json::from_slice(&body).expect("JSON");
    (parts.status.as_u16(), parts.headers, body)
}

#[test]
fn faults_have_the_shape_of_the_documents_errors() {
    let router = router(Notes).guard(AnyKey);
    for (method, target, status, message) in [
        ("GET", "/elsewhere", 404, "Not Found"),
        ("DELETE", "/notes", 405, "Method Not Allowed"),
        ("GET", "/notes?anonymous", 401, "Unauthorized"),
        ("POST", "/notes", 415, "Unsupported Media Type"),
        (
            "GET",
            "/notes?limit=11&from=x",
            400,
            "Bad Request: limit: is more than 10; from: must be an integer",
        ),
    ] {
        let (came, headers, body) = ask(&router, method, target);
        assert_eq!((came, &headers[CONTENT_TYPE]), (status, &JSON), "{target}");
        assert_eq!(body, json!({ "code": status, "message": message }));
        assert_eq!(headers.contains_key(ALLOW), status == 405);
        assert_eq!(headers.contains_key(WWW_AUTHENTICATE), status == 401);
    }
}

const JSON: HeaderValue = HeaderValue::from_static("application/json");

#[test]
fn where_operations_differ_a_fault_is_a_problem() {
    // One operation says that a 500 has no body.
    let (status, headers, body) = ask(
        &router(Notes).allow_unauthenticated(),
        "GET",
        "/notes?from=13",
    );
    assert_eq!(
        (status, &headers[CONTENT_TYPE]),
        (500, &HeaderValue::from_static("application/problem+json"))
    );
    assert_eq!(body["title"], "Internal Server Error");
}

/// Answers all but one kind of fault.
fn own(fault: &Rejection) -> Option<Response> {
    let kind = fault.kind();
    if kind == RejectionKind::UnsupportedMediaType {
        return None;
    }
    let fields: Vec<&str> = fault
        .fields()
        .iter()
        .map(|error| error.field.as_str())
        .collect();
    let body = json!({ "wrong": fields, "status": kind.status().as_u16() });
    let mut response = Response::new(Body::from(body.to_string()));
    *response.status_mut() = kind.status();
    Some(response)
}

#[test]
fn a_user_has_answers_of_his_own() {
    let router = router(Notes).guard(AnyKey).on_rejection(own);
    for (method, target, status, fields) in [
        ("GET", "/elsewhere", 404, json!([])),
        ("DELETE", "/notes", 405, json!([])),
        ("GET", "/notes?anonymous", 401, json!([])),
        (
            "GET",
            "/notes?limit=11&from=x",
            400,
            json!(["limit", "from"]),
        ),
        ("GET", "/notes?from=13", 500, json!([])),
    ] {
        let (came, headers, body) = ask(&router, method, target);
        assert_eq!(came, status, "{target}");
        assert_eq!(body, json!({ "wrong": fields, "status": status }));
        // What HTTP asks for is there all the same.
        assert_eq!(headers.contains_key(ALLOW), status == 405);
        assert_eq!(headers.contains_key(WWW_AUTHENTICATE), status == 401);
    }
    let (status, _, body) = ask(&router, "POST", "/notes");
    assert_eq!((status, &body["code"]), (415, &json!(415)));
}
