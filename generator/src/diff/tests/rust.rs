//! Answers for Rust depend on where the generated code is.

use serde_json::{Value, json};

use super::super::{Audience, Level, Options, Rust, Severities};
use super::report;
use super::table::{document, pairs};

fn levels(row: &Value, rust: Rust) -> [Level; 4] {
    let pairs = pairs(row);
    let options = Options {
        rust,
        ..Options::default()
    };
    let report = report(&pairs[1].old, &pairs[1].new, &options);
    Audience::ALL.map(|audience| report.changes[0].outcome(audience).level)
}

#[test]
fn non_exhaustive_protects_other_crates_only() {
    let property = json!({
        "raw": "PropertyAdded",
        "schema": { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } },
        "new": { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" }, "b": { "type": "string" } } },
    });
    let value = json!({
        "raw": "ValueAdded",
        "schema": { "type": "string", "enum": ["a", "b"] },
        "new": { "type": "string", "enum": ["a", "b", "c"] },
    });
    use Level::{Attention, Breaking, Safe};
    assert_eq!(levels(&property, Rust::Crate), [Safe; 4]);
    assert_eq!(
        levels(&property, Rust::Module),
        [Safe, Safe, Breaking, Breaking]
    );
    assert_eq!(
        levels(&value, Rust::Crate),
        [Attention, Safe, Attention, Safe]
    );
    assert_eq!(
        levels(&value, Rust::Module),
        [Attention, Safe, Breaking, Breaking]
    );
}

/// A document whose type is in requests and in responses.
fn echoed(properties: &Value) -> Value {
    let content =
        json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } });
    document(&json!({
        "paths": { "/things": { "put": {
            "requestBody": { "required": true, "content": content },
            "responses": { "200": { "description": "The thing.", "content": content } },
        } } },
        "components": { "schemas": { "Thing": { "type": "object", "properties": properties } } },
    }))
}

#[test]
fn a_rule_without_a_level_of_the_configuration_keeps_that_of_the_module() {
    let text = json!({ "type": "string" });
    let (old, new) = (json!({ "a": text }), json!({ "a": text, "b": text }));
    let options = Options {
        rust: Rust::Module,
        ..Options::default()
    };
    let mut report = report(&echoed(&old), &echoed(&new), &options);
    let [rule, _] = report.changes[0].rules[..] else {
        panic!("one rule for requests and one for responses: {report:?}");
    };
    let mut severities = Severities::default();
    severities.set(rule.id, Audience::RustCallers, Level::Safe);
    report.rate(&severities, Rust::Module);
    let outcome = report.changes[0].outcome(Audience::RustCallers);
    assert_eq!(outcome.level, Level::Breaking);
}

#[test]
fn errors_that_only_get_another_name_are_not_a_change() {
    let operation = |id: &str, headers: Value| {
        json!({ "get": { "operationId": id, "responses": {
            "204": { "description": "Done." },
            "429": { "description": "Busy.", "headers": headers },
        } } })
    };
    let header = json!({ "Retry-After": { "schema": { "type": "string" } } });
    let document = |paths: Value| json!({ "openapi": "3.1.0", "info": { "title": "T", "version": "1" }, "paths": paths });
    let old = document(json!({ "/a": operation("a", header.clone()) }));
    let new = document(json!({ "/a": operation("a", header), "/b": operation("b", json!({})) }));
    let name = |value: &Value| {
        let sets = super::api(value).error_sets.into_iter();
        sets.map(|set| set.name.rust).collect::<Vec<_>>()
    };
    assert_eq!(name(&old), ["Empty429"]);
    assert_eq!(name(&new), ["Empty429WithRetryAfter", "Empty429"]);
    let changes = report(&old, &new, &Options::default()).changes;
    let shown: Vec<String> = changes.iter().map(super::shown).collect();
    assert!(
        shown.iter().all(|shown| !shown.contains("errors")),
        "{shown:?}"
    );
    assert_eq!(changes.len(), 1, "{shown:?}");
}
