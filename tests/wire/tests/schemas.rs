//! Schemas of which one value matches several, and names that are required without a property: bytes
//! that a client sends and reads, against bytes written by hand.

use bothends_wire_tests::wire::{answers, sends};
use serde_json::{Value, json};

/// What is read from these bytes is written again as it came, by both ends.
fn same(spec: &str, body: &str) {
    let value: Value = serde_json::from_str(body).expect("JSON");
    let parts = json!([value, 0, value]);
    let request = format!("/cases\ncontent-type: application/json\n\n{body}");
    sends(spec, "echo", parts.clone(), &request);
    let answer = format!("200\ncontent-type: application/json\n\n{body}");
    answers(spec, "echo", parts, &answer);
}

#[test]
fn members_of_every_matching_schema_travel() {
    for body in [
        r#"{"contact":{"email":"a@b","name":"n","phone":"1"}}"#,
        r#"{"mixed":[{"email":"a@b","phone":"1"},{"phone":"2"}]}"#,
        r#"{"mixed":{"email":"a@b","phone":"1"}}"#,
        r#"{"node":{"label":"a","next":{"label":"b","weight":2.5},"weight":1.5}}"#,
        r#"{"deep":{"box":{"area":1,"colour":"red"},"parts":[{"a":1,"b":2},{"b":3}]}}"#,
    ] {
        same("of_any_of", body);
    }
}

#[test]
fn required_names_and_first_items_travel() {
    for body in [
        r#"{"undeclared":{"id":1,"token":{"a":[null]}}}"#,
        r#"{"undeclared":{"id":1,"token":null}}"#,
        r#"{"typed":{"default":1,"a":2}}"#,
    ] {
        same("of_required_names", body);
    }
    for body in [
        r#"{"open":[]}"#,
        r#"{"open":["a",1,null,{"b":2}]}"#,
        r#"{"least":["a",null,true,5]}"#,
        r#"{"named":["a",["b",["c"]],["d"]]}"#,
    ] {
        same("of_prefix_items", body);
    }
    for body in [
        r#"{"const_null":null,"type_null":null}"#,
        r#"{"holder":{"no":null,"id":1}}"#,
    ] {
        same("of_constants", body);
    }
}
