//! Answers for Rust depend on where the generated code is.

use serde_json::{Value, json};

use super::super::{Audience, Level, Options, Rust};
use super::report;
use super::table::pairs;

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
