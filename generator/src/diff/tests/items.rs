//! A public name that only one crate has is a change.

use serde_json::json;

use super::super::{Options, compare};
use super::table::document;
use super::{api, shown};
use crate::ir::TypeKind;

#[test]
fn a_name_that_nothing_explains_is_reported() {
    let old = api(&document(&json!({ "components": { "schemas": {
        "State": { "type": "string", "enum": ["a", "b"], "x-extensible-enum": true },
    } } })));
    let mut new = old.clone();
    for def in &mut new.types {
        if let TypeKind::StringEnum(of) = &mut def.kind {
            of.fallback.as_mut().expect("an open enum").rust = "Other".to_owned();
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
