//! A `oneOf` with a discriminator and null: an optional union, whose variants keep their tags.

use bothends_runtime::Nullable;
use bothends_test_peers::serve;

use super::posting::{echo, rejects, returns};

bothends_case_tests::document!(api, "03-tagged-union-with-null");

echo! { Echo of api: put_job PutJobRequest PutJobResponse PutJobError }

#[test]
fn null_is_no_variant() {
    let job: api::types::Job = serde_json::from_str(
        r#"{"id":"1","must":null,"may":null,"fast":{"status":"bad","why":null}}"#,
    )
    .expect("a job");
    let must: Option<api::types::JobMust> = job.must;
    assert_eq!(must, None);
    assert_eq!(job.may, Nullable::Null);
    let Nullable::Value(api::types::JobFast::Failed(failed)) = job.fast else {
        panic!("{:?}", job.fast);
    };
    assert_eq!(failed.why, None);
}

#[test]
fn variants_and_null_come_back_and_others_are_rejected() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    returns(
        to,
        "/jobs",
        &[
            r#"{"id":"1","must":null}"#,
            r#"{"id":"1","must":null,"may":null,"fast":null}"#,
            r#"{"id":"1","must":{"status":"ok","url":"u"},"may":{"status":"bad","why":"w"},"fast":{"status":"bad","why":null}}"#,
        ],
    );
    rejects(
        to,
        "/jobs",
        &[
            r#"{"id":"1"}"#,
            r#"{"id":"1","must":{"status":"ok"}}"#,
            r#"{"id":"1","must":{"status":"other"}}"#,
        ],
    );
}
