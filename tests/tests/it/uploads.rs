//! Long multipart bodies against a server that is not ours: `tests/python/uploads.py`, which reads them by Python's
//! parser of e-mail, and fails at first.

use super::mutations::served::bodies::client::Client;
use super::mutations::served::bodies::operations::{SendMultipartBody, SendMultipartRequest};
use bothends_runtime::Binary;
use bothends_runtime::client::{Backoff, CallOptions};
use bothends_tests::has_python;
use bothends_tests::in_process::block_on;
use bothends_tests::python::Running;
use serde_json::{Value, json};

#[test]
fn long_parts_arrive_whole_and_are_sent_again() {
    if !has_python("long_parts_arrive_whole_and_are_sent_again") {
        return;
    }
    let mut server = Running::start("uploads.py", &[]).expect("python3 runs");
    let port = server.line().expect("a line");
    let client = Client::new(&format!("http://127.0.0.1:{port}")).expect("a client");
    // More than a buffer of a connection, and every byte with line breaks among them.
    let file: Vec<u8> = (0..=u8::MAX).cycle().take(3 << 20).collect();
    let body = SendMultipartBody::new(Binary::new(file.clone())).labels(vec!["a".to_owned()]);
    let options = CallOptions::new()
        .idempotency_key("k")
        .retry(Backoff::default());
    let sent = block_on(
        client
            .with(options)
            .send_multipart(SendMultipartRequest::new(body)),
    );
    sent.expect("the second attempt succeeds");
    let parts = json!([
        ["file", "image/png", file.len(), true],
        ["labels", "text/plain", 1, "a"],
    ]);
    let first: Value = serde_json::from_str(&server.line().expect("a line")).expect("JSON");
    assert_eq!(first["parts"], parts);
    assert_eq!(first["lengths"][0], first["lengths"][1]);
    let second: Value = serde_json::from_str(&server.line().expect("a line")).expect("JSON");
    assert_eq!(second, first);
}
