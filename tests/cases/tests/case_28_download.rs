//! Downloads with ranges and redirects, and bodies that no schema describes.

use api::client::Client;
use api::operations::{GetArchiveError, GetArchiveRequest, GetArchiveResponseBody};
use bothends_runtime::StatusCode;
use bothends_test_peers::{answering, response};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "28-download");
bothends_case_tests::document!(twin, "28-download-twin");

#[test]
fn a_part_is_a_stream_with_its_own_header() {
    let (url, peer) = answering(&response(
        "206 Partial Content",
        "Content-Type: application/zip\r\nContent-Range: bytes 2-3/4\r\n",
        "34",
    ));
    let client = Client::new(&url).expect("a client");
    let request = GetArchiveRequest::new("1".into()).range("bytes=2-3");
    let part = block_on(async {
        let part = client.get_archive(request).await.expect("a part");
        assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
        let range = part.documented_headers().content_range.clone();
        assert_eq!(range.as_deref(), Some("bytes 2-3/4"));
        let GetArchiveResponseBody::PartialContent(bytes) = part.into_inner() else {
            panic!("another response");
        };
        bytes.collect(10).await.expect("bytes")
    });
    assert_eq!(part, "34");
    let request = peer.join().expect("a request");
    assert!(request.contains("\r\nrange: bytes=2-3\r\n"), "{request}");
}

#[test]
fn a_whole_archive_has_the_headers_of_a_whole_one() {
    let (url, _peer) = answering(&response(
        "200 OK",
        "Content-Type: application/zip\r\nETag: \"a\"\r\nContent-Disposition: attachment\r\n",
        "PK",
    ));
    let client = Client::new(&url).expect("a client");
    let archive = block_on(client.get_archive("1")).expect("an archive");
    let headers = archive.documented_headers();
    assert_eq!(headers.etag.as_deref(), Some("\"a\""));
    assert_eq!(headers.content_disposition.as_deref(), Some("attachment"));
    assert!(matches!(*archive, GetArchiveResponseBody::Ok(_)));
}

#[test]
fn a_redirect_and_an_unchanged_archive_are_documented_errors() {
    let (url, _peer) = answering(&response(
        "302 Found",
        "Location: https://example.com/a.zip\r\nContent-Type: text/html\r\n",
        "<a>elsewhere</a>",
    ));
    let client = Client::new(&url).expect("a client");
    let found = block_on(client.get_archive("1")).expect_err("a redirect");
    assert!(
        matches!(found.api(), Some(GetArchiveError::Found)),
        "{found:?}"
    );
    let to = found.documented_headers().expect("headers").location;
    assert_eq!(to.as_deref(), Some("https://example.com/a.zip"));
    let raw = found.raw_response().expect("a response");
    assert_eq!(raw.text(), "<a>elsewhere</a>");

    let (url, peer) =
        answering("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nConnection: close\r\n\r\n");
    let client = Client::new(&url).expect("a client");
    let request = GetArchiveRequest::new("1".into()).if_none_match("\"a\"");
    let unchanged = block_on(client.get_archive(request)).expect_err("no archive");
    assert!(unchanged.is_not_modified(), "{unchanged:?}");
    assert!(matches!(
        unchanged.api(),
        Some(GetArchiveError::NotModified)
    ));
    let request = peer.join().expect("a request");
    assert!(
        request.contains("\r\nif-none-match: \"a\"\r\n"),
        "{request}"
    );
}

#[test]
fn a_body_without_a_schema_is_readable() {
    use twin::client::Client;
    use twin::operations::CreateJobResponseBody;

    let json = "Content-Type: application/json\r\n";
    let (url, _peer) = answering(&response("200 OK", json, r#"{"version":1}"#));
    let client = Client::new(&url).expect("a client");
    let version = block_on(client.get_version()).expect("a version");
    assert_eq!(version.undocumented_body(), r#"{"version":1}"#);

    let (url, _peer) = answering(&response("202 Accepted", json, r#"{"queued":true}"#));
    let client = Client::new(&url).expect("a client");
    let job = block_on(client.create_job()).expect("a job");
    assert_eq!(*job, CreateJobResponseBody::Accepted);
    assert_eq!(job.undocumented_body(), r#"{"queued":true}"#);

    let (url, _peer) = answering(&response("200 OK", json, r#"{"id":1}"#));
    let client = Client::new(&url).expect("a client");
    let job = block_on(client.create_job()).expect("a job");
    assert!(job.undocumented_body().is_empty());
}
