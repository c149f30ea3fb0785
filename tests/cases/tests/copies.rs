//! Required values of one type are passed by name: what a call says is what is sent.

use api::client::Client;
use api::operations::{
    GetFileRequest, GetFileRequestInit, GetFileResponseHeaders, GetFileResponseHeadersInit,
};
use api::types::{CopyRequest, CopyRequestInit, CopyRequestInit2};
use bothends_test_peers::{answering, response};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "copies");

#[test]
fn a_body_has_the_values_under_their_names() {
    let (url, peer) = answering(&response("204 No Content", "", ""));
    let client = Client::new(&url).expect("a client");
    let copy = CopyRequest::from(CopyRequestInit2 {
        source: "a".into(),
        destination: "b".into(),
    });
    block_on(client.copy(copy.note("n"))).expect("copied");
    let request = peer.join().expect("a request");
    let body = r#"{"source":"a","destination":"b","note":"n"}"#;
    assert!(request.ends_with(body), "{request}");
}

#[test]
fn a_call_takes_the_values_of_a_request_by_name() {
    for set in [false, true] {
        let (url, peer) = answering(&response(
            "204 No Content",
            "X-Width: 4\r\nX-Height: 3\r\n",
            "",
        ));
        let client = Client::new(&url).expect("a client");
        let values = GetFileRequestInit {
            version: "2".into(),
            owner: "o".into(),
            name: "n".into(),
            branch: "main".into(),
        };
        let response = match set {
            false => block_on(client.get_file(values)),
            true => block_on(client.get_file(GetFileRequest::from(values).raw(true))),
        };
        let response = response.expect("a file");
        let expected = GetFileResponseHeaders::from(GetFileResponseHeadersInit {
            x_height: 3,
            x_width: 4,
        });
        assert_eq!(*response.documented_headers(), expected);
        let request = peer.join().expect("a request");
        let raw = if set { "&raw=true" } else { "" };
        let line = format!("GET /files/o/n?version=2&branch=main{raw} HTTP/1.1\r\n");
        assert!(request.starts_with(&line), "{request}");
    }
}

#[test]
fn a_schema_keeps_the_name_that_such_a_struct_would_have() {
    assert_eq!(CopyRequestInit::new("here".into()).at, "here");
}
