//! `nullable` beside a reference of OpenAPI 3.0 in each of its forms: null is a value.

use bothends_test_peers::serve;

use super::posting::{echo, rejects, returns};

bothends_case_tests::document!(api, "02-nullable-ref-30");

echo! { Echo of api: put_node PutNodeRequest PutNodeResponse PutNodeError }

#[test]
fn null_is_read_and_written_back() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    returns(
        to,
        "/nodes",
        &[
            r#"{"parent":null,"shape":null,"colour":null,"size":null,"place":null,"hue":null,"mix":null}"#,
            r#"{"parent":{"x":1},"shape":{"kind":"circle","r":1.5},"colour":"red","size":"small","mix":{"x":2}}"#,
        ],
    );
    rejects(
        to,
        "/nodes",
        &[
            r#"{"shape":null,"colour":null,"size":null}"#,
            r#"{"parent":null,"shape":null,"colour":"blue","size":null}"#,
        ],
    );
}

#[test]
fn required_properties_are_options_and_a_choice_with_null_is_one_type() {
    let node: api::types::Node = serde_json::from_str(
        r#"{"parent":null,"shape":null,"colour":null,"size":null,"mix":{"x":1}}"#,
    )
    .expect("a node");
    let nothing: Option<api::types::Place> = node.parent;
    assert_eq!(nothing, None);
    assert_eq!(
        node.mix,
        bothends_runtime::Nullable::Value(api::types::Place::new(1))
    );
    assert_eq!(node.hue, bothends_runtime::Nullable::Absent);
}
