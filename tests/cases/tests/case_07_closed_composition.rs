//! Closed objects that are composed of parts (JSON Schema 2020-12, core, 10.3.2.3 and 11.3).

use api::client::Client;
use api::operations::{
    PutChoiceError, PutChoiceRequest, PutChoiceResponse, PutClosedOutsideError,
    PutClosedOutsideRequest, PutClosedOutsideResponse, PutClosedPartsError, PutClosedPartsRequest,
    PutClosedPartsResponse, PutUnevaluatedError, PutUnevaluatedRequest, PutUnevaluatedResponse,
};
use api::server::{DefaultApi, router};
use bothends_runtime::server::{Body, Context, Error};
use bothends_test_peers::{answering, response};
use bothends_tests::in_process::{block_on, call};
use twin::types::Shape;

bothends_case_tests::document!(api, "07-closed-composition");
bothends_case_tests::document!(twin, "07-closed-composition-twin");

struct Closed;

impl DefaultApi for Closed {
    async fn put_unevaluated(
        &self,
        _: Context,
        _: PutUnevaluatedRequest,
    ) -> Result<PutUnevaluatedResponse, Error<PutUnevaluatedError>> {
        Ok(().into())
    }

    async fn put_choice(
        &self,
        _: Context,
        _: PutChoiceRequest,
    ) -> Result<PutChoiceResponse, Error<PutChoiceError>> {
        Ok(().into())
    }

    async fn put_closed_parts(
        &self,
        _: Context,
        _: PutClosedPartsRequest,
    ) -> Result<PutClosedPartsResponse, Error<PutClosedPartsError>> {
        Ok(().into())
    }

    async fn put_closed_outside(
        &self,
        _: Context,
        _: PutClosedOutsideRequest,
    ) -> Result<PutClosedOutsideResponse, Error<PutClosedOutsideError>> {
        Ok(().into())
    }
}

/// The status of a request with a JSON body, with and without all leniencies.
fn status(path: &str, body: &'static str) -> u16 {
    let statuses = [router(Closed), router(Closed).lenient()].map(|router| {
        let request = http::Request::post(path)
            .header("content-type", "application/json")
            .body(Body::from(body))
            .expect("a request");
        let (parts, _) = block_on(call(&router, request));
        parts.status.as_u16()
    });
    assert_eq!(statuses[0], statuses[1], "{path} {body}");
    statuses[0]
}

#[test]
fn unevaluated_properties_are_those_that_no_part_declares() {
    assert_eq!(status("/unevaluated", r#"{"foo":"a","bar":"b"}"#), 204);
    assert_eq!(status("/unevaluated", r#"{"foo":"a"}"#), 204);
    assert_eq!(status("/unevaluated", r#"{"foo":"a","x":1}"#), 400);
    assert_eq!(status("/unevaluated", r#"{"bar":"b"}"#), 400);
}

#[test]
fn a_closed_choice_accepts_the_properties_of_one_alternative() {
    assert_eq!(status("/choice", r#"{"id":"1","card":"c"}"#), 204);
    assert_eq!(status("/choice", r#"{"id":"1","iban":"i"}"#), 204);
    assert_eq!(status("/choice", r#"{"id":"1","card":"c","x":1}"#), 400);
    assert_eq!(
        status("/choice", r#"{"id":"1","card":"c","iban":"i"}"#),
        400
    );
    assert_eq!(status("/choice", r#"{"id":"1"}"#), 400);
}

#[test]
fn a_composition_closed_from_outside_means_all_declared_properties() {
    assert_eq!(status("/closed-outside", r#"{"foo":"a","bar":"b"}"#), 204);
    assert_eq!(status("/closed-outside", r#"{"foo":"a","x":1}"#), 400);
    assert_eq!(status("/closed-outside", "{}"), 400);
}

#[test]
fn compositions_without_a_valid_object_are_reported() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("documents");
    let document = folder.join("07-closed-composition.yaml");
    let plan = bothends::Builder::new(document).module(true).plan();
    let report = plan.expect("a plan").report();
    assert!(report.contains("warning[W0311]: required property `foo`"));
    // `ClosedParts` and `ClosedOutside`.
    for line in ["40:5", "44:5"] {
        let place = format!("07-closed-composition.yaml:{line}");
        assert!(report.contains(&place), "{report}");
    }
}

#[test]
fn a_client_ignores_what_a_closed_response_adds() {
    for (body, is_square) in [
        (r#"{"kind":"square","side":2,"added":{"x":[1]}}"#, true),
        (r#"{"kind":"square","side":2}"#, true),
        (r#"{"kind":"circle","radius":1.5,"added":null}"#, false),
    ] {
        let answer = response("200 OK", "Content-Type: application/json\r\n", body);
        let (url, _peer) = answering(&answer);
        let client = twin::client::Client::new(&url).expect("a client");
        let shape = block_on(client.get_shape()).expect("a shape");
        assert_eq!(matches!(*shape, Shape::Square(_)), is_square, "{body}");
    }
    let (url, _peer) = answering(&response("204 No Content", "", ""));
    let client = Client::new(&url).expect("a client");
    let sent = api::types::Unevaluated::new("a".to_owned());
    block_on(client.put_unevaluated(sent)).expect("a response");
}

#[test]
fn a_client_chooses_the_alternative_that_declares_a_property() {
    for (body, expected) in [
        (r#"{"id":"1","iban":"i","added":1}"#, "Iban"),
        (r#"{"id":"1","card":"c","added":1}"#, "Card"),
        (r#"{"id":"1","iban":"i"}"#, "Iban"),
    ] {
        let answer = response("200 OK", "Content-Type: application/json\r\n", body);
        let (url, _peer) = answering(&answer);
        let client = twin::client::Client::new(&url).expect("a client");
        let means = block_on(client.get_means()).expect("means of payment");
        assert!(format!("{means:?}").contains(expected), "{means:?}");
    }
}

#[test]
fn an_error_with_an_added_property_keeps_its_type() {
    let answer = response(
        "404 Not Found",
        "Content-Type: application/json\r\n",
        r#"{"code":7,"trace":"t"}"#,
    );
    let (url, _peer) = answering(&answer);
    let client = twin::client::Client::new(&url).expect("a client");
    let error = block_on(client.get_shape()).expect_err("an error");
    let error = error.api().expect("a documented error");
    assert!(format!("{error:?}").contains("code: Some(7)"), "{error:?}");
}
