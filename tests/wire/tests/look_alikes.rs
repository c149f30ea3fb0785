//! Variants that only differ within: what is given is sent byte by byte, so nothing of it is dropped
//! on the way into the client's type, and the server and the client read the same again.

use bothends_wire_tests::wire::{answers, sends};
use serde_json::{Value, json};

fn same(query: Value, target: &str, body: &str) {
    let value: Value = serde_json::from_str(body).expect("JSON");
    let parts = json!([query, value, 0, value]);
    let spec = "of_look_alikes";
    let request = format!("{target}\ncontent-type: application/json\n\n{body}");
    sends(spec, "addParty", parts.clone(), &request);
    let answer = format!("200\ncontent-type: application/json\n\n{body}");
    answers(spec, "addParty", parts, &answer);
}

#[test]
fn what_differs_is_within() {
    for body in [
        r#"{"name":"a"}"#,
        r#"{"name":"a","address":{"city":"b"}}"#,
        r#"{"name":"a","address":{"city":"b","street":"c"}}"#,
        r#"{"name":"a","address":{"city":"b","number":1}}"#,
        // Two levels down, in a list, beside others.
        r#"{"name":"a","friends":[{"name":"b","address":{"number":1}},{"name":"c","address":{"street":"d"}}]}"#,
        r#"{"name":"a","address":{"street":"b"},"friends":[{"name":"c","founded":"now"}]}"#,
    ] {
        same(Value::Null, "/parties", body);
    }
}

#[test]
fn scalars_of_overlapping_kinds() {
    for founded in ["2020-02-29", "2020-02-30", "now", "soon", ""] {
        let body = format!(r#"{{"name":"a","founded":"{founded}"}}"#);
        same(Value::Null, "/parties", &body);
    }
    for (mixed, query) in [
        (json!(7), "7"),
        (json!(-7.5), "-7.5"),
        (json!("x y"), "x%20y"),
        (json!("007"), "007"),
        (json!(""), ""),
    ] {
        same(mixed, &format!("/parties?mixed={query}"), r#"{"name":"a"}"#);
    }
}
