//! Uniqueness of the items of an array.
//!
//! Items are equal if they are the same JSON value (JSON Schema Core, section 4.2.2): numbers are
//! compared by value, so 1 equals 1.0, and objects by their members, whatever their order. Each
//! item is written once in a canonical form, so the time is proportional to the size of the array.

use crate::values::Json;
use crate::values::decimal::Decimal;
use serde::Serialize;
use std::collections::HashSet;

/// Returns whether the items are unique.
pub(in crate::values) fn are_unique<T: Serialize>(items: &[T]) -> bool {
    let mut seen = HashSet::with_capacity(items.len());
    let jsons = items
        .iter()
        .filter_map(|item| serde_json::to_value(item).ok());
    for json in jsons {
        let mut text = String::new();
        write(&json, &mut text);
        if !seen.insert(text) {
            return false;
        }
    }
    true
}

/// Writes JSON in a canonical form: equal values have equal texts.
fn write(json: &Json, out: &mut String) {
    match json {
        Json::Number(number) => {
            let text = number.to_string();
            out.push_str(&Decimal::parse(&text).map_or(text, |number| number.canonical()));
        }
        Json::Array(items) => {
            out.push('[');
            for item in items {
                write(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Json::Object(members) => {
            // Members are sorted: if another crate enables `preserve_order` of serde_json, they are
            // in the order of the input.
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (key, value) in members {
                string(key, out);
                out.push(':');
                write(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Json::String(text) => string(text, out),
        Json::Null => out.push('n'),
        Json::Bool(true) => out.push('t'),
        Json::Bool(false) => out.push('f'),
    }
}

/// Writes a string after its length, so that its content is never confused with the surrounding
/// text.
fn string(text: &str, out: &mut String) {
    out.push_str(&text.len().to_string());
    out.push('"');
    out.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_compared_by_value() {
        for (items, unique) in [
            ("[1, 1.0]", false),
            ("[1000, 1e3]", false),
            ("[0, -0.0]", false),
            ("[1, 1.5]", true),
            ("[1, \"1\"]", true),
            ("[0, false, null, \"\", []]", true),
            (
                "[{\"a\": [1, {\"b\": 2.0}], \"c\": 3}, {\"c\": 3.0, \"a\": [1.0, {\"b\": 2}]}]",
                false,
            ),
            ("[{\"a\": 1}, {\"a\": 1, \"b\": null}]", true),
            ("[[1, 2], [12]]", true),
            ("[[\"a\", \"b\"], [\"a,1b\"]]", true),
            ("[9007199254740993, 9007199254740992.0]", true),
            ("[18446744073709551615, 1.8446744073709551615e19]", true),
            ("[]", true),
        ] {
            let items: Vec<Json> = serde_json::from_str(items).unwrap_or_default();
            assert_eq!(are_unique(&items), unique, "{items:?}");
        }
        assert!(!are_unique(&[1.0_f64, 1.0]));
        assert!(are_unique(&[0.1_f32, 0.2]));
    }
}
