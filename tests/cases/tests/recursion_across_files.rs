//! Schemas of other files that contain each other: through a list, a property, a `oneOf` and a map.

use bothends_test_peers::serve;

use super::posting::{echo, rejects, returns};

bothends_case_tests::document!(api, "recursion-across-files");
bothends_case_tests::document!(twin, "recursion-across-three-files");

echo! { Twin of twin:
    put_tree PutTreeRequest PutTreeResponse PutTreeError,
    put_map PutMapRequest PutMapResponse PutMapError,
    put_list PutListRequest PutListResponse PutListError,
}

#[test]
fn a_list_of_another_file_contains_itself() {
    let text = r#"{"Nested":[{"id":"a","Nested":[{"id":"b"}]}]}"#;
    let outer: api::types::A = serde_json::from_str(text).expect("an object");
    let first: &api::types::Single = &outer.nested.as_ref().expect("a list")[0];
    let inner: &api::types::Multiple = first.nested.as_ref().expect("a list");
    assert_eq!(inner[0].id.as_deref(), Some("b"));
    assert_eq!(serde_json::to_string(&outer).expect("JSON"), text);
}

#[test]
fn lists_choices_maps_and_files_without_components_contain_themselves() {
    let to = serve(twin::server::router(Twin).allow_unauthenticated());
    returns(
        to,
        "/trees",
        &[r#"[{"leaf":1},{"trees":[{"leaf":2},{"trees":[]}]}]"#],
    );
    rejects(to, "/trees", &[r#"[{"trees":[{"leaf":"a"}]}]"#]);
    returns(
        to,
        "/maps",
        &[r#"{"a":{"size":1,"inside":{"b":{"inside":{}}}}}"#],
    );
    rejects(to, "/maps", &[r#"{"a":{"inside":{"b":1}}}"#]);
    returns(to, "/lists", &[r#"[{"name":"a","parts":[{"name":"b"}]}]"#]);
    rejects(to, "/lists", &[r#"[{"parts":[{"name":1}]}]"#]);
    let local: twin::types::Local =
        serde_json::from_str(r#"{"all":[{"inner":[{}]}]}"#).expect("an object");
    assert_eq!(local.all.expect("a list").len(), 1);
}
