//! An alternative is chosen by its rules, too: alternatives of one type may differ in nothing else.

use api::operations::{AddHostError, AddHostRequest, AddHostResponse};
use api::server::{DefaultApi, router};
use api::types::{Host, Ip};
use bothends_runtime::server::{Context, Error};
use bothends_test_peers::{post, serve};

bothends_case_tests::document!(api, "unions-by-rules");

/// Returns the host as it is.
struct Hosts;

impl DefaultApi for Hosts {
    async fn add_host(
        &self,
        _: Context,
        request: AddHostRequest,
    ) -> Result<AddHostResponse, Error<AddHostError>> {
        Ok(request.body.into())
    }
}

/// Sends a body, and returns the status and the body of the response.
fn add(body: &str) -> (String, String) {
    let to = serve(router(Hosts).allow_unauthenticated());
    let head = format!(
        "Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    );
    let answer = post(to, "/hosts", &head, body);
    let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
    let status = head.split(' ').nth(1).expect("a status");
    (status.to_owned(), body.to_owned())
}

#[test]
fn a_value_that_one_alternative_accepts_is_valid() {
    for body in [
        r#"{"ip":"10.0.0.1"}"#,
        r#"{"ip":"fe80::1"}"#,
        r#"{"ip":"::","text":"abc","level":3}"#,
        r#"{"ip":"::","text":"abcdef","level":10}"#,
        r#"{"ip":"::","port":{"id":"abc","name":"n"}}"#,
        r#"{"ip":"::","port":{"id":"1234"}}"#,
        r#"{"ip":"::","ips":["1.1","::1","1.2"]}"#,
    ] {
        assert_eq!(add(body), ("200".to_owned(), body.to_owned()));
    }
}

#[test]
fn a_value_that_no_alternative_accepts_is_invalid_by_the_rules_of_the_first() {
    for (body, rule) in [
        (r#"{"ip":"x y"}"#, "ip"),
        (r#"{"ip":"::","port":{"id":"12x4"}}"#, "port.id"),
        (r#"{"ip":"::","ips":["::1","g"]}"#, "ips[1]"),
    ] {
        let (status, answer) = add(body);
        assert_eq!(status, "400", "{body}");
        let problem: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        let errors = problem["errors"].as_object().expect("errors");
        let names: Vec<&String> = errors.keys().collect();
        assert_eq!(names, [rule], "{answer}");
    }
}

#[test]
fn clients_have_the_alternative_whose_rules_are_met() {
    let read = |json: &str| serde_json::from_str::<Host>(json).expect("a host").ip;
    assert!(matches!(read(r#"{"ip":"10.0.0.1"}"#), Ip::V4(_)));
    assert!(matches!(read(r#"{"ip":"fe80::1"}"#), Ip::V6(_)));
    // A response that violates all rules is read all the same.
    assert!(matches!(read(r#"{"ip":"unknown"}"#), Ip::V4(_)));
}
