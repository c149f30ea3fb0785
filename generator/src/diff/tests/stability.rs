//! `x-stability-level`: changes of an operation that the old document does not promise to keep.

use serde_json::{Value, json};

use super::super::rules::{Audience, Level, Raw};
use super::super::{Change, Options, Stability};
use super::report;
use super::table::document;

const WIRE: [Audience; 2] = [Audience::WireClients, Audience::WireServers];

/// A document whose operations have these levels. All of them receive the same type.
fn operations(levels: &[&str], required: &[&str]) -> Value {
    let mut paths = json!({});
    for (index, level) in levels.iter().enumerate() {
        paths[format!("/{index}")] = json!({ "post": {
            "x-stability-level": level,
            "requestBody": { "required": true, "content": { "application/json": {
                "schema": { "$ref": "#/components/schemas/Thing" },
            } } },
            "responses": { "204": { "description": "Done." } },
        } });
    }
    let property = json!({ "type": "string" });
    document(&json!({
        "paths": paths,
        "components": { "schemas": { "Thing": {
            "type": "object", "required": required, "properties": { "a": property, "b": property },
        } } },
    }))
}

fn only(old: &Value, new: &Value, raw: Raw) -> Change {
    let changes = report(old, new, &Options::default()).changes;
    let mut found = changes
        .into_iter()
        .filter(|change| change.rules[0].raw == raw);
    let change = found.next().expect("a change");
    assert_eq!(found.next(), None);
    change
}

/// Returns the level for clients if a property becomes required.
fn narrowed(old: &[&str], new: &[&str]) -> Level {
    let (old, new) = (operations(old, &["a"]), operations(new, &["a", "b"]));
    let change = only(&old, &new, Raw::PropertyRequired);
    // Code of the crate breaks at any level, so that the bump of its version stays the same.
    assert_eq!(change.outcome(Audience::RustCallers).level, Level::Breaking);
    change.outcome(Audience::WireClients).level
}

#[test]
fn provisional_operations_may_change() {
    for (level, expected) in [
        ("draft", Level::Safe),
        ("alpha", Level::Safe),
        ("beta", Level::Breaking),
        ("stable", Level::Breaking),
        ("unknown", Level::Breaking),
    ] {
        assert_eq!(narrowed(&[level], &[level]), expected, "{level}");
    }
}

#[test]
fn the_configuration_has_the_lowest_level_that_promises() {
    let removed = |level: &str, stable_from: Stability| {
        let options = Options {
            stable_from: Some(stable_from),
            ..Options::default()
        };
        let old = operations(&["stable", level], &[]);
        let report = report(&old, &operations(&["stable"], &[]), &options);
        let found = report
            .changes
            .into_iter()
            .find(|change| change.rules[0].raw == Raw::OperationRemoved);
        found
            .expect("the removal")
            .outcome(Audience::WireClients)
            .clone()
    };
    let beta = removed("beta", Stability::Stable);
    assert_eq!(beta.level, Level::Safe);
    assert!(
        beta.reason
            .starts_with("The old document has it as `draft` or `alpha` or `beta`. ")
    );
    assert_eq!(removed("stable", Stability::Stable).level, Level::Breaking);
    assert_eq!(removed("draft", Stability::Draft).level, Level::Breaking);
    assert_eq!(removed("draft", Stability::Alpha).level, Level::Safe);
}

#[test]
fn the_level_of_the_old_document_decides() {
    assert_eq!(narrowed(&["stable"], &["draft"]), Level::Breaking);
    assert_eq!(narrowed(&["draft"], &["stable"]), Level::Safe);
}

#[test]
fn a_stable_operation_that_uses_the_type_breaks() {
    let both = ["draft", "stable"];
    assert_eq!(narrowed(&both, &both), Level::Breaking);
    let both = ["draft", "alpha"];
    assert_eq!(narrowed(&both, &both), Level::Safe);
}

#[test]
fn a_provisional_operation_may_be_removed() {
    for (level, expected) in [("alpha", Level::Safe), ("beta", Level::Breaking)] {
        let (old, new) = (
            operations(&["stable", level], &[]),
            operations(&["stable"], &[]),
        );
        let change = only(&old, &new, Raw::OperationRemoved);
        let outcome = change.outcome(Audience::WireClients);
        assert_eq!(outcome.level, expected, "{level}: {}", outcome.reason);
        assert_eq!(
            outcome
                .reason
                .starts_with("The old document has it as `draft` or `alpha`. "),
            expected == Level::Safe
        );
        assert_eq!(change.outcome(Audience::RustCallers).level, Level::Breaking);
        // An added operation is in no old document, whatever its level.
        let change = only(&new, &old, Raw::OperationAdded);
        assert_eq!(change.outcome(Audience::WireServers).level, Level::Breaking);
    }
}

#[test]
fn lowering_breaks_a_promise_that_was_made() {
    let level = |from: &str, to: &str, raw: Raw| {
        let change = only(&operations(&[from], &[]), &operations(&[to], &[]), raw);
        let levels = WIRE.map(|audience| change.outcome(audience).level);
        assert_eq!(levels[1], Level::Safe);
        assert_eq!(
            change.message().rsplit_once(": `").map(|(_, end)| end),
            Some(&*format!("{from}` to `{to}`"))
        );
        levels[0]
    };
    let lowered = Raw::StabilityLowered;
    assert_eq!(level("stable", "beta", lowered), Level::Breaking);
    assert_eq!(level("beta", "draft", lowered), Level::Breaking);
    assert_eq!(level("alpha", "draft", lowered), Level::Safe);
    assert_eq!(level("draft", "stable", Raw::StabilityRaised), Level::Safe);
}
