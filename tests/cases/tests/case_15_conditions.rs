//! Properties of `then`, `else`, `dependentSchemas` and `dependencies` are optional fields, and
//! `unevaluatedProperties` with a schema is a map.

use bothends_test_peers::serve;

use super::posting::{echo, posted, rejects, returns};

bothends_case_tests::document!(api, "15-conditions");
bothends_case_tests::document!(twin, "15-conditions-twin");

echo! { Echo of api: put_address PutAddressRequest PutAddressResponse PutAddressError => () }

echo! { Twin of twin:
    put_thing PutThingRequest PutThingResponse PutThingError,
    put_map PutMapRequest PutMapResponse PutMapError,
    put_closed PutClosedRequest PutClosedResponse PutClosedError,
}

#[test]
fn conditional_properties_are_fields() {
    let text = r#"{"country":"US","zip":"12345","postcode":"x","area":3,"phone":"p"}"#;
    let address: api::types::Address = serde_json::from_str(text).expect("an address");
    assert_eq!(address.zip.as_deref(), Some("12345"));
    assert_eq!(address.postcode.as_deref(), Some("x"));
    assert_eq!(address.area, Some(3));
    assert_eq!(serde_json::to_string(&address).expect("JSON"), text);
}

#[test]
fn a_constraint_that_applies_to_no_value_rejects_none() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    // The pattern of `zip` is that of the US.
    assert_eq!(
        posted(
            to,
            "/addresses",
            r#"{"country":"CA","zip":"K1A","postcode":"K1A"}"#
        )
        .0,
        204
    );
    assert_eq!(
        posted(to, "/addresses", r#"{"country":"CA","postcode":"K1A"}"#).0,
        204
    );
    rejects(
        to,
        "/addresses",
        &[
            r#"{"country":"CA","postcode":1}"#,
            // `dependentSchemas` requires `area` where `phone` is.
            r#"{"country":"CA","postcode":"K1A","phone":"p"}"#,
        ],
    );
}

#[test]
fn conditions_in_parts_and_references_lose_nothing() {
    let to = serve(twin::server::router(Twin).allow_unauthenticated());
    for body in [
        r#"{"kind":"box","width":1,"size":2,"inner":{"kind":"ball","size":"big"}}"#,
        r#"{"kind":"ball","size":"big","colour":"blue"}"#,
        r#"{"kind":"x","sealed":false,"nested":{"deep":1}}"#,
        r#"{"kind":"x","owner":"o","address":"a","city":"c"}"#,
    ] {
        let (status, text) = posted(to, "/things", body);
        assert_eq!(status, 200, "{body}: {text}");
        let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
        assert_eq!(read(&text), read(body));
    }
    rejects(
        to,
        "/things",
        &[
            r#"{"kind":"x","owner":"o"}"#,
            r#"{"kind":"x","address":"a"}"#,
        ],
    );
}

#[test]
fn unevaluated_properties_with_a_schema_are_a_map() {
    let text = r#"{"kind":"k","name":"n","a":1,"b":2}"#;
    let named: twin::types::Named = serde_json::from_str(text).expect("an object");
    assert_eq!(named.extra.get("b"), Some(&2));
    let to = serve(twin::server::router(Twin).allow_unauthenticated());
    returns(to, "/maps", &[text]);
    rejects(to, "/maps", &[r#"{"kind":"k","a":"text"}"#]);
    returns(to, "/closed", &[r#"{"kind":"a","more":"m"}"#]);
    rejects(to, "/closed", &[r#"{"kind":"a","other":"m"}"#]);
}

#[test]
fn a_warning_names_the_keywords_that_are_not_checked() {
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/documents/15-conditions.yaml");
    let plan = bothends::Builder::new(document).module(true).plan();
    let report = plan.expect("a plan").report();
    let reported = "`if`, `then`, `else`, `dependentSchemas`, `not` are not checked";
    assert!(report.contains(reported), "{report}");
    assert!(report.contains("declare each property"), "{report}");
}
