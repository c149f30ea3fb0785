//! `polymorphism.yaml` and `discriminators.yaml` of the examples: which JSON is which variant.
//!
//! The properties of an object are written in the document's order.
use bothends_wire_tests::wire::sends;
use serde_json::{Value, json};

/// What is given, in an optional body, is sent byte by byte, and read as the same variant.
fn same(spec: &str, operation: &str, path: &str, body: &str) {
    let value: Value = serde_json::from_str(body).expect("JSON");
    let expected = format!("{path}\ncontent-type: application/json\n\n{body}");
    sends(spec, operation, json!([false, value, 0]), &expected);
}

#[test]
fn one_of_and_any_of() {
    let spec = "corpus_3_0_yaml_polymorphism";
    // A discriminator without a mapping: its values are the names of the schemas.
    for body in [
        r#"{"pet_type":"Cat","hunts":true}"#,
        r#"{"pet_type":"Cat","age":9}"#,
        r#"{"pet_type":"Dog"}"#,
    ] {
        same(spec, "patch pets", "/pets", body);
    }
    for body in [r#"{"a":"x"}"#, r#"{"c":"x"}"#, r#"{"c":"x","d":"y"}"#] {
        let path = "/anything/any-of-object";
        same(spec, "post anything any-of-object", path, body);
        let path = "/anything/one-of-object";
        same(spec, "post anything one-of-object", path, body);
    }
    for body in [r#""5""#, "5", r#""""#] {
        let path = "/anything/one-of-primitive";
        same(spec, "post anything one-of-primitive", path, body);
        let path = "/anything/any-of-primitive";
        same(spec, "post anything any-of-primitive", path, body);
    }
    let merged = r#"{"a":"1","b":"2","c":"3","d":"4"}"#;
    let path = "/anything/all-of-object";
    same(spec, "post anything all-of-object", path, merged);
}

#[test]
fn discriminators() {
    let spec = "corpus_3_0_yaml_discriminators";
    // The values of the mapping, and the names of the schemas where there is none.
    let operation = "oneOfWithTopLevelDiscriminatorAndMapping";
    let path = "/discriminator-with-mapping";
    same(
        spec,
        operation,
        path,
        r#"{"discrim":"Option One","optionone":1.5}"#,
    );
    same(
        spec,
        operation,
        path,
        r#"{"discrim":"Option Two","optiontwo":"x"}"#,
    );
    let operation = "oneOfWithTopLevelDiscriminatorNoMapping";
    let path = "/discriminator-with-no-mapping";
    same(
        spec,
        operation,
        path,
        r#"{"discrim":"OptionOneNoDisc","optionone":2.5}"#,
    );
    same(spec, operation, path, r#"{"discrim":"OptionTwoNoDisc"}"#);
    // A mapping may name a schema without a path to it.
    let operation = "patch mapping-of-schema-names";
    let path = "/mapping-of-schema-names";
    same(
        spec,
        operation,
        path,
        r#"{"discrim":"Option Two","optiontwo":"x"}"#,
    );
}
