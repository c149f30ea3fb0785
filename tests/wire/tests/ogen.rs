//! `_testdata.positive.*` of ogen: exchanges with bytes written by hand from the standards.
//!
//! The properties of an object are written in the document's order.
use bothends_wire_tests::wire::{answers, sends};
use serde_json::{Value, json};

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Each is answered byte by byte, and read again as the same.
fn answered(spec: &str, operation: &str, bodies: &[&str]) {
    for body in bodies {
        let expected = format!("200\ncontent-type: application/json\n\n{body}");
        answers(spec, operation, json!([0, value(body)]), &expected);
    }
}

/// Each is sent byte by byte, and read again as the same; the answer is the first, without a body.
fn sent(spec: &str, operation: &str, path: &str, bodies: &[&str]) {
    for body in bodies {
        let expected = format!("{path}\ncontent-type: application/json\n\n{body}");
        sends(spec, operation, json!([value(body), 0]), &expected);
    }
}

/// Variants without a discriminator: by the names of their properties, by the types of these, by the
/// types of what is in them, by values that are listed.
#[test]
fn variants_are_told_apart_by_what_they_hold() {
    answered(
        "corpus_positive_field_name_discrimination",
        "getItems",
        &[
            r#"[{"commonField":"x","uniqueA":"y"},{"commonField":"x","uniqueB":1}]"#,
            "[]",
        ],
    );
    answered(
        "corpus_positive_array_object_type_discrimination",
        "getResources",
        &[
            r#"[{"name":"a","items":["b"]},{"name":"a","items":{"id":"b","count":1}},{"name":"a","items":[]}]"#,
        ],
    );
    answered(
        "corpus_positive_type_discriminated_fields",
        "getItems",
        &[r#"[{"id":"1","value":"2"},{"id":1,"value":2.5}]"#],
    );
    answered(
        "corpus_positive_hybrid_discrimination",
        "getItems",
        &[
            r#"[{"id":"p","name":"a","price":1.5,"weight":2.5},{"id":1,"name":"a","price":1.5,"duration":3}]"#,
            // The same required properties as the first: what is optional decides.
            r#"[{"id":"b","name":"a","price":1.5,"items":["x"]}]"#,
        ],
    );
    answered(
        "corpus_positive_nullable_type_discrimination",
        "getData",
        &[
            r#"{"name":"a","metadata":null}"#,
            r#"{"name":"a","count":null}"#,
            r#"{"name":"a","count":1}"#,
        ],
    );
    answered(
        "corpus_positive_optional_type_discrimination",
        "getConfig",
        &[
            r#"{"host":"a","port":80,"timeout":1}"#,
            r#"{"host":"a","port":"dynamic","timeout":1}"#,
            r#"{"host":"a"}"#,
        ],
    );
    sent(
        "corpus_positive_nested_type_discrimination",
        "sendMessage",
        "/messages",
        &[
            r#"{"sender":"a","content":{"text":"b"},"messageType":"c"}"#,
            r#"{"sender":"a","content":{"text":"b","format":"c"}}"#,
            r#"{"sender":"a","content":{"data":"Yg==","size":1},"encoding":"c"}"#,
            r#"{"sender":"a","content":{"data":{"b":[1]},"schema":"c"}}"#,
        ],
    );
    sent(
        "corpus_positive_mixed_discrimination",
        "logEvent",
        "/events",
        &[
            r#"{"timestamp":"2020-02-29T23:59:59Z","userId":"a"}"#,
            r#"{"timestamp":"2020-02-29T23:59:59Z","severity":"high","action":"b"}"#,
            r#"{"timestamp":"2020-02-29T23:59:59Z","severity":5,"action":"b"}"#,
        ],
    );
    let spec = "corpus_positive_value_based_discrimination";
    answered(
        spec,
        "getStatus",
        &[
            r#"{"status":"pending","lastActive":"2020-02-29T23:59:59Z"}"#,
            r#"{"status":"deleted","deletedAt":"2020-02-29T23:59:59Z"}"#,
        ],
    );
    answered(
        spec,
        "getResource",
        &[
            r#"{"type":"user","role":"editor","userId":"a"}"#,
            r#"{"type":"admin","role":"moderator","adminId":"a"}"#,
        ],
    );
    sent(
        spec,
        "logEvent",
        "/event",
        &[
            r#"{"eventType":"user_login","priority":"high","userId":"a"}"#,
            r#"{"eventType":"system_stop","priority":1,"systemId":"a"}"#,
            r#"{"eventType":"metric_alert","priority":1.5,"metricId":"a"}"#,
        ],
    );
}

/// Several values of a mapping name one schema (OpenAPI 3.0.4, 4.8.25), and without a mapping the name
/// of the schema is the value.
#[test]
fn discriminators_with_and_without_mapping() {
    let spec = "corpus_positive_discriminator_mapping";
    for pet in [
        r#"{"petType":"dog","name":"a","breed":"b","barkLoudness":10}"#,
        r#"{"petType":"canine","name":"a","breed":"b"}"#,
        r#"{"petType":"feline","name":"a","breed":"b","meowVolume":1}"#,
        r#"{"petType":"avian","name":"a","species":"b","canTalk":true}"#,
    ] {
        let parts = json!([value(pet), 0, value(pet)]);
        let request = format!("/pets\ncontent-type: application/json\n\n{pet}");
        sends(spec, "createPet", parts.clone(), &request);
        let answer = format!("201\ncontent-type: application/json\n\n{pet}");
        answers(spec, "createPet", parts, &answer);
    }
    answered(
        spec,
        "listVehicles",
        &[
            r#"[{"vehicleType":"Car","make":"a","model":"b","doors":5},{"vehicleType":"Motorcycle","make":"a","model":"b","engineSize":0.5}]"#,
        ],
    );
}

/// Integers before numbers before strings; where everything is text, what JSON would write as a number.
#[test]
fn scalars_of_several_types() {
    answered(
        "corpus_positive_anyof",
        "integerNumber",
        &[r#"{"plain":1}"#, r#"{"plain":1.5}"#, r#"{"plain":"1"}"#],
    );
    answered(
        "corpus_positive_anyof",
        "jaegerAnyOf",
        &[
            r#"{"medium":"a","sizeLimit":1}"#,
            r#"{"medium":"a","sizeLimit":"1Gi"}"#,
        ],
    );
    let spec = "corpus_positive_sum_type_params";
    for (id, path) in [
        (json!(7), "/items/7"),
        (
            json!("67e55044-10b1-426f-9247-bb680e5fe0c8"),
            "/items/67e55044-10b1-426f-9247-bb680e5fe0c8",
        ),
    ] {
        sends(spec, "getItemById", json!([id, 0, {}]), path);
    }
    for (filter, target) in [
        (json!("a b"), "/search?filter=a%20b"),
        (json!(7), "/search?filter=7"),
        (json!("007"), "/search?filter=007"),
        (Value::Null, "/search"),
    ] {
        sends(spec, "searchItems", json!([filter, 0, {}]), target);
    }
}

/// Absent, null and a value are three things.
#[test]
fn types_with_null() {
    let spec = "corpus_positive_nullable_type_list";
    for template in [
        r#"{"id":1,"created_at":"2020-02-29T23:59:59Z"}"#,
        r#"{"id":1,"created_at":"2020-02-29T23:59:59Z","archived_at":null,"author_id":null,"status":null,"tags":null,"folder":null}"#,
        r#"{"id":1,"created_at":"2020-02-29T23:59:59Z","author_id":2,"single":"a","status":"draft","tags":["b",null],"folder":{"name":"c"}}"#,
    ] {
        let parts = json!([value(template), 0, value(template)]);
        let request = format!("/templates\ncontent-type: application/json\n\n{template}");
        sends(spec, "createTemplate", parts, &request);
    }
    let spec = "corpus_positive_nullable_anyof_params";
    for (parts, request) in [
        (json!([null, null, null, 0, "stock"]), "/desktops"),
        (
            json!(["user", "a/b", "c", 0, "stock"]),
            "/desktops?image_type=user&desktop_id=a%2Fb\nx-trace-id: c",
        ),
    ] {
        sends(spec, "listDesktops", parts, request);
    }
}

/// RFC 6839, section 3.1: the suffix says that it is JSON; RFC 6902 and RFC 7396 name two of them.
#[test]
fn media_types_that_are_json() {
    let spec = "corpus_positive_json_suffix_content_types";
    sends(
        spec,
        "patchResource",
        json!(["a", [{"op": "replace", "path": "/name", "value": null}, {"op": "remove", "path": "/tags/0"}], 0, {}]),
        "/resources/a\ncontent-type: application/json-patch+json\n\n\
         [{\"op\":\"replace\",\"path\":\"/name\",\"value\":null},{\"op\":\"remove\",\"path\":\"/tags/0\"}]",
    );
    sends(
        spec,
        "mergeResource",
        json!(["a", {"name": "b"}, 0, {}]),
        "/resources/a/merge\ncontent-type: application/merge-patch+json\n\n{\"name\":\"b\"}",
    );
    sends(
        spec,
        "customVendorJson",
        json!([{"data": "x"}, 0]),
        "/custom\ncontent-type: application/vnd.example.custom+json\n\n{\"data\":\"x\"}",
    );
}

/// A status of its own comes before the range that it is in, and that before `default` (OpenAPI 3.0.4,
/// 4.8.16).
#[test]
fn statuses_and_headers() {
    let spec = "corpus_positive_http_responses";
    let json = "content-type: application/json";
    let answer = |index: u8, rest: &[Value]| {
        let mut parts = vec![json!("200"), json!(index)];
        parts.extend_from_slice(rest);
        Value::Array(parts)
    };
    for (parts, bytes) in [
        (
            answer(0, &[json!({"ok": "a"})]),
            format!("200\n{json}\n\n{{\"ok\":\"a\"}}"),
        ),
        (
            answer(1, &[json!(218), json!(7)]),
            format!("218\n{json}\n\n7"),
        ),
        (
            answer(2, &[json!(503), json!(true)]),
            format!("503\n{json}\n\ntrue"),
        ),
        (
            answer(3, &[json!(404), json!(["a"])]),
            format!("404\n{json}\n\n[\"a\"]"),
        ),
    ] {
        answers(spec, "combined", parts, &bytes);
    }
    // The headers of errors are apart from their values: the runtime's test `error_headers` sends them.
    for (operation, parts, bytes) in [
        ("headers200", json!([0, "a"]), "200\nx-test-header: a"),
        ("headersPattern", json!([1, 418]), "418"),
    ] {
        answers(spec, operation, parts, bytes);
    }
    answers(
        spec,
        "multipleGenericResponses",
        json!([0, null]),
        &format!("200\n{json}\n\nnull"),
    );
    answers(
        spec,
        "multipleGenericResponses",
        json!([1, "a"]),
        &format!("201\n{json}\n\n\"a\""),
    );
}

/// One body in five media types: JSON (RFC 8259), a form (URL standard, 5.2), bytes, a text.
#[test]
fn one_body_in_several_media_types() {
    let spec = "corpus_positive_http_requests";
    let whole = json!({"name": "a b&c", "age": 7});
    for (index, body, bytes) in [
        (
            0,
            whole.clone(),
            "application/json\n\n{\"name\":\"a b&c\",\"age\":7}",
        ),
        (
            1,
            whole,
            "application/x-www-form-urlencoded\n\nname=a+b%26c&age=7",
        ),
        (4, json!("a\r\nb"), "text/plain\n\na\r\nb"),
    ] {
        sends(
            spec,
            "allRequestBodies",
            json!([index, body, 0, [120]]),
            &format!("/allRequestBodies\ncontent-type: {bytes}"),
        );
    }
}

/// `deepObject` (OpenAPI 3.0.4, 4.8.12.3), names and brackets encoded as RFC 3986, section 2.2, has it.
#[test]
fn objects_in_a_query() {
    sends(
        "corpus_positive_deepobjectadditionalproperties",
        "queryWithAdditionalProperties",
        json!([{"a b": "c&d", "e": ""}, 0, {}]),
        "/query?object%5Ba%20b%5D=c%26d&object%5Be%5D=",
    );
    sends(
        "corpus_positive_additionalpropertiespatternproperties",
        "alive",
        json!([{"hello_world": "a", "pat-b": "c", "d": "e"}, 0]),
        "/api/alive?flexData%5Bhello_world%5D=a&flexData%5Bpat-b%5D=c&flexData%5Bd%5D=e",
    );
    sends(
        "corpus_positive_array_defaults",
        "listItems",
        json!([["a", "b,c"], 0, {"priorities": ["low"], "nested": [[1], []]}]),
        "/items?tags=a&tags=b%2Cc",
    );
}

/// Names that no language has.
#[test]
fn names_with_quotes() {
    sends(
        "corpus_positive_param_naming_extensions",
        "getItem",
        json!(["a/b", "c", "d", 0, {"id": "e"}]),
        "/items/a%2Fb?pickuptype=c\nx-custom-header: d",
    );
    let spec = "corpus_positive_convenient_errors_errors";
    sends(
        spec,
        "dataCreate",
        json!([false, {"name": "é"}, 0, {"name": "a"}]),
        "/data\ncontent-type: application/json\n\n{\"name\":\"é\"}",
    );
    answers(
        spec,
        "dataGet",
        json!([1, 503, {"code": -9223372036854775808_i64, "message": "\u{0}\"\\"}]),
        "503\ncontent-type: application/json\n\n\
         {\"code\":-9223372036854775808,\"message\":\"\\u0000\\\"\\\\\"}",
    );
}
