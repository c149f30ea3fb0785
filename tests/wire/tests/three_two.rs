//! What OpenAPI 3.2 adds, byte by byte.

use bothends_wire_tests::wire::{answers, sends};
use serde_json::json;

const SPEC: &str = "of_three_two";

/// OpenAPI 3.2.0, 4.12.3 (`in: querystring`): the query is the value, as its media type is written.
#[test]
fn the_whole_query_is_one_value() {
    for (search, target) in [
        (json!({"text": "a b&c"}), "/pets?text=a+b%26c"),
        (
            json!({"text": "", "tags": ["x", "y,z"], "limit": 7}),
            "/pets?text=&tags=x&tags=y%2Cz&limit=7",
        ),
    ] {
        sends(SPEC, "findPets", json!([search, null, 0, []]), target);
    }
    sends(
        SPEC,
        "copyPets",
        json!([{"text": "a+b", "limit": 7}, 0]),
        "/pets?%7B%22text%22%3A%22a%2Bb%22%2C%22limit%22%3A7%7D",
    );
    sends(SPEC, "copyPets", json!([null, 0]), "/pets");
}

/// 4.12.8 (`style: cookie`): RFC 6265, and nothing is encoded.
#[test]
fn cookies_are_as_they_are() {
    sends(
        SPEC,
        "findPets",
        json!([{"text": "a"}, "b%20c/d", 0, []]),
        "/pets?text=a\nCookie: session=b%20c/d",
    );
}

/// 4.25 (`defaultMapping`): a tag that is not listed, or none, is of that schema, and stays as it is.
#[test]
fn a_discriminator_has_a_default() {
    let body = r#"[{"kind":"cat","lives":9},{"kind":"other","name":"a"},{"kind":"dog","name":"b"},{"name":"c"},{}]"#;
    let pets: serde_json::Value = serde_json::from_str(body).expect("JSON");
    answers(
        SPEC,
        "findPets",
        json!([{"text": "a"}, null, 0, pets]),
        &format!("200\ncontent-type: application/json\n\n{body}"),
    );
}
