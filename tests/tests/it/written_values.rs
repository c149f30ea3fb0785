//! What a server says of values: all that is wrong at once, in the document's words, and no more of the
//! request than it takes.

use bothends_runtime::server::{Body, Context, Error};
use bothends_runtime::{Json, NoError};
use bothends_tests::in_process::{block_on, call};
use http::Request;
use serde_json::json;
use values::server::{ReadingsApi, router};
use values::{operations, types};

mod values {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/written-values.rs"));
}

/// Takes everything.
struct Readings;

impl ReadingsApi for Readings {
    async fn find_reading(
        &self,
        _: Context,
        _: operations::FindReadingRequest,
    ) -> Result<operations::FindReadingResponse, Error<NoError>> {
        let mut reading = types::Reading::new(None, 1);
        reading.ratio = Some(f64::NAN);
        Ok(operations::FindReadingResponse::new(reading))
    }

    async fn add_reading(
        &self,
        _: Context,
        _: operations::AddReadingRequest,
    ) -> Result<operations::AddReadingResponse, Error<NoError>> {
        Ok(operations::AddReadingResponse::new(()))
    }
}

/// The status, how long the answer is, and the faults by field where there are any.
fn add(body: String) -> (u16, usize, Json) {
    let request = Request::post("/readings").header("content-type", "application/json");
    let request = request.body(Body::from(body)).expect("a request");
    let (parts, body) = block_on(call(&router(Readings), request));
    let answer: Json = serde_json::from_slice(&body).unwrap_or_default();
    (parts.status.as_u16(), body.len(), answer["errors"].clone())
}

fn faults(body: &str) -> Json {
    let (status, _, faults) = add(body.to_owned());
    assert_eq!(status, if faults.is_null() { 204 } else { 400 }, "{body}");
    faults
}

#[test]
fn wrong_types_and_broken_rules_are_told_together() {
    assert_eq!(
        faults(
            r#"{"count": "x", "name": "", "code": "12", "at": "2030-01-02",
            "step": 0.001, "marks": [1, 1.0], "parts": [{"label": "long", "size": 10}],
            "notes": {"a": {"size": 1}, "b": {"size": 2}, "c": {"size": 3}}}"#
        ),
        json!({
            "count": "must be an integer",
            "at": "must be a date and time with a zone, such as 2030-01-02T03:04:05Z",
            "name": "has fewer than 1 character",
            "code": r"does not match `^\d{3}$`",
            "step": "is not a multiple of 0.01",
            "marks": "has the same item more than once",
            "parts[0].label": "has more than 3 characters",
            "parts[0].size": "is more than 9",
            "notes": "has more than 2 properties",
        })
    );
    // Where an item is wrong, nothing is said of the list; where the list is short, it is.
    assert_eq!(
        faults(
            r#"{"count": null, "parts": [{"label": 1}, {"label": "long"}, {}, {"size": 1, "x": "y"}]}"#
        ),
        json!({
            "count": "must be an integer",
            "parts[0].label": "must be a string",
            "parts[1].label": "has more than 3 characters",
            "parts[2]": "has fewer than 1 property",
            "parts[3].x": "must be an integer",
        })
    );
    assert_eq!(
        faults(
            r#"{"name": "", "parts": [{"size": 1}], "notes": {"a": 1, "b": {"label": "long"}}}"#
        ),
        json!({
            "count": "is required",
            "name": "has fewer than 1 character",
            "parts": "has fewer than 3 items",
            "notes.a": "must be an object",
            "notes.b.label": "has more than 3 characters",
        })
    );
}

#[test]
fn rules_alone_are_told_as_before() {
    assert_eq!(
        faults(r#"{"count": 1.0, "code": "123", "step": 4.35, "short": 0.1}"#),
        Json::Null
    );
    assert_eq!(
        faults(
            r#"{"count": 1e0, "code": "12a", "step": 1e-10, "marks": [{"a": [1]}, {"a": [1.0]}]}"#
        ),
        json!({
            "code": r"does not match `^\d{3}$`",
            "step": "is not a multiple of 0.01",
            "marks": "has the same item more than once",
        })
    );
    assert_eq!(faults(r#"{"count": 1, "step": 1e300}"#), Json::Null);
    assert_eq!(
        faults(r#"{"count": 1, "at": ""}"#)["at"],
        json!("must be a date and time with a zone, such as 2030-01-02T03:04:05Z")
    );
}

#[test]
fn a_number_that_json_has_not_is_never_answered_as_null() {
    let request = Request::get("/readings")
        .body(Body::empty())
        .expect("a request");
    let (parts, body) = block_on(call(&router(Readings), request));
    assert_eq!(parts.status.as_u16(), 500);
    assert!(!String::from_utf8_lossy(&body).contains("ratio"));
}

#[test]
fn what_is_said_is_not_longer_than_what_is_allowed() {
    const MOST: usize = 64 * 1024 + 1024;
    let wrong: String = (0..150)
        .map(|at| format!("{}\"k{at}\": \"x\"", if at > 0 { "," } else { "" }))
        .collect();
    let broken: String = (0..150)
        .map(|at| format!("{}{{\"label\": \"long\"}}", if at > 0 { "," } else { "" }))
        .collect();
    let long = "A".repeat(1_800_000);
    let half = "é".repeat(400_000);
    let control = "\\u0001".repeat(300_000);
    let names: String = (0..150)
        .map(|at| {
            format!(
                "{}\"{}{at}\": 1",
                if at > 0 { "," } else { "" },
                "é".repeat(5000)
            )
        })
        .collect();
    for body in [
        format!(r#"{{"count": 1, "notes": {{"{long}": {{{wrong}}}}}}}"#),
        format!(r#"{{"count": 1, "notes": {{"{control}": {{{wrong}}}}}}}"#),
        format!(r#"{{"count": 1, "notes": {{{names}}}}}"#),
        format!(r#"{{"count": "{half}", "at": "{half}", "parts": [{broken}]}}"#),
        format!(r#"{{"count": 1, "at": "2030-01-02T03:04:05Z{long}"}}"#),
        format!(r#"{{"count": 1, "notes": {{"{half}": {{"label": "{half}"}}}}}}"#),
    ] {
        let (status, length, faults) = add(body);
        assert_eq!(status, 400);
        assert!(faults.is_object());
        assert!(length < MOST, "{length}");
    }
}
