//! Headers of responses against bytes written by hand from RFC 6570 (section 3.2.2, simple expansion,
//! where nothing of a header is percent-encoded) and from JSON.

use std::sync::Arc;

use bothends_runtime::client::{self, InProcess, Transport, TransportError};
use bothends_runtime::http::{HeaderMap, Request, Response, StatusCode};
use bothends_runtime::server::{Body, Context, Error};
use bothends_tests::in_process::{block_on, call};
use generated::client::Client;
use generated::operations::*;
use generated::server::{DefaultApi, router};
use generated::types::{Cursor, Rate};

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/response-headers.rs"));
}

/// The same document without the 204.
mod required_headers {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/required-headers.rs"));
}

/// Answers always the same.
#[derive(Clone)]
struct Same(ReadPageResponse);

impl DefaultApi for Same {
    async fn read_page(
        &self,
        _: Context,
        _: ReadPageRequest,
    ) -> Result<ReadPageResponse, Error<bothends_runtime::NoError>> {
        Ok(self.0.clone())
    }
}

fn rate(unit: Option<&str>) -> Rate {
    let mut rate = Rate::new(100);
    rate.unit = unit.map(str::to_owned);
    rate
}

fn full() -> ReadPageResponse {
    let mut cursor = Cursor::new();
    cursor.after = Some("é, \"x\"".to_owned());
    cursor.ids = Some(vec![1, 2]);
    let headers = ReadPageResponseHeaders::new()
        .x_tags(vec!["red".to_owned(), "a b".to_owned()])
        .x_sizes(vec![1, 2, 3])
        .x_rate(rate(Some("day")))
        .x_rate_exploded(rate(Some("day")))
        .x_cursor(cursor)
        .x_note("plain, as it is")
        .x_fresh(true);
    let body = ReadPageResponseBody::Ok(vec!["x".to_owned()]);
    ReadPageResponse::with_headers(body, headers)
}

const FULL: [(&str, &str); 7] = [
    ("x-tags", "red,a b"),
    ("x-sizes", "1,2,3"),
    ("x-rate", "limit,100,unit,day"),
    ("x-rate-exploded", "limit=100,unit=day"),
    ("x-cursor", r#"{"after":"é, \"x\"","ids":[1,2]}"#),
    ("x-note", "plain, as it is"),
    ("x-fresh", "true"),
];

/// With one tag, and nothing that may be left out.
fn least() -> ReadPageResponse {
    let headers = ReadPageResponseHeaders::new()
        .x_tags(vec!["red".to_owned()])
        .x_rate(rate(None))
        .x_rate_exploded(rate(None))
        .x_cursor(Cursor::new());
    ReadPageResponse::with_headers(ReadPageResponseBody::Ok(Vec::new()), headers)
}

const LEAST: [(&str, &str); 4] = [
    ("x-tags", "red"),
    ("x-rate", "limit,100"),
    ("x-rate-exploded", "limit=100"),
    ("x-cursor", "{}"),
];

fn none() -> ReadPageResponse {
    ReadPageResponseBody::NoContent.into()
}

fn sent(headers: &HeaderMap) -> Vec<(&str, &str)> {
    let own = headers
        .iter()
        .filter(|(name, _)| name.as_str().starts_with("x-"));
    own.map(|(name, value)| {
        let value = std::str::from_utf8(value.as_bytes()).expect("UTF-8");
        (name.as_str(), value)
    })
    .collect()
}

#[test]
fn a_server_writes_them() {
    for (answer, expected) in [(full(), &FULL[..]), (least(), &LEAST), (none(), &[])] {
        let request = Request::builder().uri("/page").body(Body::empty());
        let request = request.expect("a request");
        let (parts, _) = block_on(call(&router(Same(answer)), request));
        assert_eq!(sent(&parts.headers), expected);
    }
}

#[test]
fn a_client_reads_what_a_server_writes() {
    for answer in [full(), least(), none()] {
        let transport = InProcess::new(router(Same(answer.clone())));
        let client = Client::with_transport("http://localhost", transport).expect("a client");
        let came = block_on(client.read_page());
        let came = came.expect("a response").into_parts();
        assert_eq!(came, answer.into_parts());
    }
}

/// Bytes of somebody else.
#[derive(Clone)]
struct Stranger(u16, Arc<[(&'static str, &'static str)]>);

impl Transport for Stranger {
    async fn send(
        &self,
        _: Request<client::Body>,
    ) -> Result<Response<client::Body>, TransportError> {
        let mut response = Response::builder()
            .status(self.0)
            .header("content-type", "application/json");
        for (name, value) in self.1.iter() {
            response = response.header(*name, *value);
        }
        let body = if self.0 == 204 { "" } else { "[\"x\"]" };
        response.body(body.into()).map_err(TransportError::new)
    }
}

fn read(
    status: u16,
    headers: &[(&'static str, &'static str)],
) -> Result<ReadPageResponse, client::Error<bothends_runtime::NoError>> {
    let transport = Stranger(status, headers.into());
    let client = Client::with_transport("http://localhost", transport).expect("a client");
    block_on(client.read_page())
}

#[test]
fn a_client_reads_what_strangers_write() {
    // A list in several headers, space around commas, members in another order, JSON with space.
    let came = read(
        200,
        &[
            ("X-Tags", "red"),
            ("X-Tags", "a b"),
            ("X-Sizes", "1, 2 ,3"),
            ("X-Rate", "unit,day,limit,100"),
            ("X-Rate-Exploded", "unit=day, limit=100"),
            (
                "X-Cursor",
                r#"{ "ids": [ 1, 2 ], "after": "\u00e9, \"x\"" }"#,
            ),
            ("X-Note", "plain, as it is"),
            ("X-Fresh", "true"),
        ],
    );
    assert_eq!(came.expect("a response").into_parts(), full().into_parts());
}

/// What a client makes of bytes, where the document has one success.
fn read_required(
    headers: &[(&'static str, &'static str)],
) -> Result<required_headers::operations::ReadPageResponse, client::Error<bothends_runtime::NoError>>
{
    let transport = Stranger(200, headers.into());
    let client = required_headers::client::Client::with_transport("http://localhost", transport);
    block_on(client.expect("a client").read_page())
}

#[test]
fn a_required_header_that_is_wrong_or_missing_is_an_error() {
    let came = read_required(&LEAST).expect("a response");
    let headers = came.documented_headers();
    assert_eq!((&*headers.x_tags[0], headers.x_rate.limit), ("red", 100));
    assert_eq!((*came.body()).as_slice(), ["x"]);

    let mut wrong = LEAST.to_vec();
    wrong[2] = ("x-rate-exploded", "limit,100");
    let error = read_required(&wrong).expect_err("not exploded");
    assert_eq!(error.status(), Some(StatusCode::OK));
    let shown = format!("{error:#}");
    assert!(shown.contains("X-Rate-Exploded"), "{shown}");
    // What was there is there still.
    assert_eq!(
        error.raw_response().map(|answer| &*answer.body),
        Some(&b"[\"x\"]"[..])
    );

    let mut wrong = LEAST.to_vec();
    wrong[3] = ("x-cursor", "{");
    let error = read_required(&wrong).expect_err("no JSON");
    let shown = format!("{error:#}");
    assert!(shown.contains("X-Cursor"), "{shown}");

    let error = read_required(&LEAST[1..]).expect_err("no tags");
    let shown = format!("{error:#}");
    assert!(shown.contains("X-Tags"), "{shown}");
    // Of several successes, one may have what another has not: there it is absent.
    let came = read(200, &LEAST[1..]).expect("a response");
    assert_eq!(came.documented_headers().x_tags, None);
}
