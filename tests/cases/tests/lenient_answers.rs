//! What services answer in other words than their documents, and what a server decides by the head
//! of a request.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use api::client::Client;
use api::operations::*;
use api::server::{DefaultApi, router};
use api::types::Blob;
use bothends_runtime::Base64;
use bothends_runtime::server::{Context, Error};
use bothends_test_peers::{answering, response, send, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "lenient-answers");

struct Blobs;

impl DefaultApi for Blobs {
    async fn get_blob(
        &self,
        _: Context,
        _: GetBlobRequest,
    ) -> Result<GetBlobResponse, Error<GetBlobError>> {
        Ok(Blob::new(Base64(vec![0, 0xff, 0xfe])).into())
    }

    async fn put_blob(
        &self,
        _: Context,
        _: PutBlobRequest,
    ) -> Result<PutBlobResponse, Error<PutBlobError>> {
        Ok(().into())
    }
}

fn put(to: SocketAddr, data: &str) -> String {
    let body = format!(r#"{{"data":"{data}"}}"#);
    let length = body.len();
    send(
        to,
        &format!(
            "PUT /blobs HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    )
}

#[test]
fn a_client_reads_every_base64_and_a_server_the_documented_one() {
    let to = serve(router(Blobs).allow_unauthenticated());
    // RFC 4648, sections 4 and 5, and RFC 2045, section 6.8.
    for (data, bytes, status) in [
        ("AP/+", &[0, 0xff, 0xfe][..], 204),
        ("AP_-", &[0, 0xff, 0xfe], 400),
        ("_w", &[0xff], 400),
        ("/w==", &[0xff], 204),
        ("/w", &[0xff], 400),
        ("AP/+\\r\\nAP/+\\n", &[0, 0xff, 0xfe, 0, 0xff, 0xfe], 400),
    ] {
        let body = format!(r#"{{"data":"{data}"}}"#);
        let head = "Content-Type: application/json\r\n";
        let (url, _peer) = answering(&response("200 OK", head, &body));
        let client = Client::new(&url).expect("a client");
        let blob = block_on(client.get_blob()).expect("a blob");
        assert_eq!(blob.data.0, bytes, "{data}");
        let answer = put(to, data);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{data}: {answer}"
        );
    }
}

#[test]
fn a_client_reads_a_body_that_is_only_labelled_as_gzip() {
    let head = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n";
    let (url, _peer) = answering(&response("200 OK", head, r#"{"data":""}"#));
    let client = Client::new(&url).expect("a client");
    let blob = block_on(client.get_blob()).expect("a blob");
    assert!(blob.data.is_empty());
}

/// Sends the head of a request that waits for `100 Continue`, and returns the first bytes of the
/// response.
fn first_answer(to: SocketAddr, content_type: &str) -> String {
    let mut stream = TcpStream::connect(to).expect("a connection");
    let head = format!(
        "PUT /blobs HTTP/1.1\r\nHost: peer\r\nExpect: 100-continue\r\nContent-Type: {content_type}\r\nContent-Length: 11\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("a request");
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("an answer");
        answer.extend_from_slice(&byte);
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_body_of_another_media_type_is_not_asked_for() {
    let to = serve(router(Blobs).allow_unauthenticated());
    let answer = first_answer(to, "application/json");
    assert!(answer.starts_with("HTTP/1.1 100 "), "{answer}");
    let answer = first_answer(to, "text/plain");
    assert!(answer.starts_with("HTTP/1.1 415 "), "{answer}");
}

#[test]
fn options_of_the_whole_server_are_its_methods() {
    for router in [router(Blobs), router(Blobs).base_path("/v1")] {
        let to = serve(router.allow_unauthenticated());
        let answer = send(to, "OPTIONS * HTTP/1.1\r\n\r\n");
        assert!(answer.starts_with("HTTP/1.1 204 "), "{answer}");
        assert!(
            answer.contains("\r\nallow: GET, HEAD, OPTIONS, PUT\r\n"),
            "{answer}"
        );
    }
}
