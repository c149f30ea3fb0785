//! Plain scalars of YAML, which have the types of JSON (OpenAPI 3.0.4, section 4.3): words and dates of YAML 1.1
//! are strings.

use api::client::Client;
use api::operations::{Empty4xxDefault, GetACountry, GetAError, GetAN, GetARequest, GetAResponse};
use api::server::{DefaultApi, router};
use bothends::Builder;
use bothends_runtime::server::{Context, Error};
use bothends_test_peers::{answering, get, response, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "53-yaml-scalars");

/// What the document lists, as it is sent.
const TEXTS: [(&str, GetACountry); 13] = [
    ("NO", GetACountry::No),
    ("SE", GetACountry::Se),
    ("yes", GetACountry::Yes),
    ("no", GetACountry::No2),
    ("on", GetACountry::On),
    ("off", GetACountry::Off),
    ("y", GetACountry::Y),
    ("n", GetACountry::N),
    ("012", GetACountry::N012),
    ("1_000", GetACountry::N1_000),
    ("12:30:45", GetACountry::N12_30_45),
    ("2024-01-01", GetACountry::N2024_01_01),
    ("null", GetACountry::Null),
];

/// Responds with 200 to what it knows, and with the status of `4xx` to anything else.
struct Known;

impl DefaultApi for Known {
    async fn get_a(
        &self,
        _: Context,
        request: GetARequest,
    ) -> Result<GetAResponse, Error<GetAError>> {
        let country = request
            .country
            .filter(|country| !matches!(country, GetACountry::Unrecognized(_)));
        let n = request
            .n
            .filter(|value| !matches!(value, GetAN::Unrecognized(_)));
        if country.is_some() || n.is_some() {
            return Ok(().into());
        }
        let status = bothends_runtime::StatusCode::from_u16(418).expect("a status");
        Err(Empty4xxDefault::ClientError { status }.into())
    }
}

#[test]
fn words_and_dates_are_strings() {
    let to = serve(router(Known));
    for (text, value) in TEXTS {
        let answer = get(to, &format!("/a?country={}", text.replace(':', "%3A")), "");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{text}: {answer}");
        let (url, peer) = answering(&response("200 OK", "", ""));
        let client = Client::new(&url).expect("a client");
        block_on(client.get_a_with(GetARequest::new().country(value))).expect("a response");
        let request = peer.join().expect("a request").replace("%3A", ":");
        assert!(
            request.starts_with(&format!("GET /a?country={text} HTTP/1.1\r\n")),
            "{request}"
        );
    }
}

#[test]
fn integers_are_decimal_octal_and_signed() {
    for (value, text) in [(GetAN::N10, "10"), (GetAN::N12, "12"), (GetAN::N5, "5")] {
        let (url, peer) = answering(&response("200 OK", "", ""));
        let client = Client::new(&url).expect("a client");
        block_on(client.get_a_with(GetARequest::new().n(value))).expect("a response");
        let request = peer.join().expect("a request");
        assert!(
            request.starts_with(&format!("GET /a?n={text} HTTP/1.1\r\n")),
            "{request}"
        );
    }
}

#[test]
fn statuses_may_be_numbers_and_in_lower_case() {
    let (url, _peer) = answering(&response("404 Not Found", "", ""));
    let client = Client::new(&url).expect("a client");
    let error = block_on(client.get_a()).expect_err("an error");
    assert!(error.to_string().contains("404"), "{error}");
    let to = serve(router(Known));
    let answer = get(to, "/a", "");
    assert!(answer.starts_with("HTTP/1.1 418 "), "{answer}");
}

#[test]
fn numbers_in_a_list_of_texts_are_reported() {
    let document = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/documents/53-yaml-scalars.yaml"
    );
    let report = Builder::new(document).plan().expect("a plan").report();
    for reported in [
        r#"`"1000.0"`, `"31"`, `"inf"`"#,
        r#"values of `enum` are not integers: `"1_000"`"#,
    ] {
        assert!(report.contains(reported), "{reported} in {report}");
    }
}
