//! Documents with other texts and the same meaning.

use serde_json::json;

use super::super::Options;
use super::table::document;
use super::{report, shown};

fn none(old: &serde_json::Value, new: &serde_json::Value) {
    let changes = report(old, new, &Options::default()).changes;
    let lines: Vec<String> = changes.iter().map(shown).collect();
    assert_eq!(lines, Vec::<String>::new());
}

/// A document with a schema, in the given dialect.
fn with(version: &str, schema: &serde_json::Value) -> serde_json::Value {
    let mut document = document(&json!({
        "paths": { "/things": { "post": {
            "operationId": "thing",
            "requestBody": { "required": true, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } } },
            "responses": { "200": { "description": "Done.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } } } },
        } } },
        "components": { "schemas": {
            "Thing": schema,
            "Text": { "type": "string" },
            "Base": { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } },
        } },
    }));
    document["openapi"] = json!(version);
    document
}

fn property(schema: &serde_json::Value) -> serde_json::Value {
    json!({ "type": "object", "required": ["a"], "properties": { "a": schema } })
}

#[test]
fn spellings_of_null_are_equal() {
    let spellings = [
        with(
            "3.0.3",
            &property(&json!({ "type": "string", "nullable": true })),
        ),
        with("3.1.0", &property(&json!({ "type": ["string", "null"] }))),
        with(
            "3.1.0",
            &property(&json!({ "oneOf": [{ "type": "string" }, { "type": "null" }] })),
        ),
        with(
            "3.1.0",
            &property(&json!({ "anyOf": [{ "type": "null" }, { "type": "string" }] })),
        ),
    ];
    for old in &spellings {
        for new in &spellings {
            none(old, new);
        }
    }
}

#[test]
fn wrapping_and_flattening_are_equal() {
    let forms = [
        with("3.1.0", &property(&json!({ "type": "string" }))),
        with(
            "3.1.0",
            &property(&json!({ "oneOf": [{ "type": "string" }] })),
        ),
        with(
            "3.1.0",
            &property(&json!({ "allOf": [{ "type": "string" }] })),
        ),
        with(
            "3.1.0",
            &property(&json!({ "$ref": "#/components/schemas/Text" })),
        ),
    ];
    for old in &forms {
        for new in &forms {
            none(old, new);
        }
    }
}

/// A struct that becomes an alias of an equal one keeps its path. In the other order, a path is
/// lost or no longer interchangeable with another one.
#[test]
fn an_alias_keeps_the_path() {
    let own =
        json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } });
    let plain = with("3.1.0", &own);
    for (flat, code, added) in [
        (
            json!({ "allOf": [{ "$ref": "#/components/schemas/Base" }, { "type": "object" }] }),
            "D0715",
            Vec::new(),
        ),
        (
            json!({ "allOf": [own.clone()] }),
            "D0701",
            vec!["D0730  types::ThingInner public name added"],
        ),
    ] {
        let flat = with("3.1.0", &flat);
        let changes = report(&plain, &flat, &Options::default()).changes;
        let lines: Vec<String> = changes.iter().map(shown).collect();
        assert_eq!(lines, added);
        let changes = report(&flat, &plain, &Options::default()).changes;
        let codes: Vec<String> = changes.iter().map(super::super::Change::code).collect();
        assert!(
            !codes.is_empty() && codes.iter().all(|found| found == code),
            "{codes:?}"
        );
    }
}

/// The alias has the contents of the other type.
#[test]
fn an_alias_of_another_type_is_compared_with_it() {
    let base = json!({ "$ref": "#/components/schemas/Base" });
    let more =
        json!({ "type": "object", "required": ["b"], "properties": { "b": { "type": "string" } } });
    let [old, new] =
        [json!([base, more]), json!([base])].map(|parts| with("3.1.0", &json!({ "allOf": parts })));
    let changes = report(&old, &new, &Options::default()).changes;
    assert!(!changes.is_empty());
}

#[test]
fn a_document_of_3_0_rewritten_as_3_1_has_no_changes() {
    let old = with(
        "3.0.3",
        &json!({
            "type": "object",
            "required": ["a", "b"],
            "properties": {
                "a": { "type": "string", "nullable": true, "maxLength": 5 },
                "b": { "type": "integer", "minimum": 1, "exclusiveMinimum": true },
                "c": { "type": "string", "enum": ["x", "y"] },
                "d": { "type": "string", "format": "byte" },
                "e": { "type": "array", "items": { "type": "string", "nullable": true } },
            },
        }),
    );
    let new = with(
        "3.1.0",
        &json!({
            "type": "object",
            "required": ["a", "b"],
            "properties": {
                "a": { "type": ["string", "null"], "maxLength": 5 },
                "b": { "type": "integer", "exclusiveMinimum": 1 },
                "c": { "type": "string", "enum": ["x", "y"] },
                "d": { "type": "string", "contentEncoding": "base64" },
                "e": { "type": "array", "items": { "type": ["string", "null"] } },
            },
        }),
    );
    none(&old, &new);
    none(&new, &old);
}

#[test]
fn reordering_is_not_a_change() {
    let old = with(
        "3.1.0",
        &json!({ "type": "object", "required": ["a", "b"], "properties": { "a": { "type": "string" }, "b": { "type": "string", "enum": ["x", "y"] } } }),
    );
    let new = with(
        "3.1.0",
        &json!({ "type": "object", "required": ["b", "a"], "properties": { "b": { "type": "string", "enum": ["y", "x"] }, "a": { "type": "string" } } }),
    );
    none(&old, &new);
}
