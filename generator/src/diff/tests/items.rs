//! A public name that only one crate has is a change.

use serde_json::json;

use super::super::{Options, compare};
use super::table::document;
use super::{api, report, shown};
use crate::ir::TypeKind;

#[test]
fn an_unexplained_name_is_reported() {
    let old = api(&document(&json!({ "components": { "schemas": {
        "State": { "type": "string", "enum": ["a", "b"], "x-extensible-enum": true },
    } } })));
    let mut new = old.clone();
    for def in &mut new.types {
        if let TypeKind::StringEnum(string_enum) = &mut def.kind {
            string_enum.fallback.as_mut().expect("an open enum").rust = "Other".to_owned();
        }
    }
    let report = compare(&old, &new, &Options::default());
    let lines: Vec<String> = report.changes.iter().map(shown).collect();
    let expected = [
        "D0730  types::State::Other public name added",
        "D0731  types::State::Unrecognized public name removed",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn different_types_of_the_same_name_have_their_kinds() {
    let with = |schema: &serde_json::Value| {
        document(&json!({ "components": { "schemas": { "State": schema } } }))
    };
    let object = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let words = json!({ "type": "string", "enum": ["a", "b"] });
    let report = report(&with(&object), &with(&words), &Options::default());
    let expected = "type changed: `State (object)` to `State (enum of strings)`";
    let messages: Vec<String> = report
        .changes
        .iter()
        .map(|change| change.message())
        .collect();
    assert!(
        messages.iter().any(|message| message == expected),
        "{messages:?}"
    );
}
