//! Constants that are objects or arrays.

use super::{Checker, Rule};
use crate::values::Json;
use serde_json::Number;

/// Checks that a value is one of the constants.
pub(super) fn check(value: &Json, rules: &[Rule], checker: &mut Checker) {
    for rule in rules {
        if let Rule::Constants(all) = *rule {
            let is = |text: &&str| {
                serde_json::from_str(text).is_ok_and(|constant| is_equal(value, &constant))
            };
            if !all.iter().any(is) {
                checker.error("is not one of the listed values");
            }
        }
    }
}

/// Returns whether two values are equal by JSON Schema: numbers by their value, so that `1` equals
/// `1.0` (Core 2020-12, section 4.2.2).
fn is_equal(value: &Json, other: &Json) -> bool {
    match (value, other) {
        (Json::Number(number), Json::Number(other)) => is_same_number(number, other),
        (Json::Array(items), Json::Array(other)) => {
            items.len() == other.len()
                && items
                    .iter()
                    .zip(other)
                    .all(|(item, other)| is_equal(item, other))
        }
        (Json::Object(members), Json::Object(other)) => {
            let is_there = |(key, value): (&String, &Json)| {
                other.get(key).is_some_and(|other| is_equal(value, other))
            };
            members.len() == other.len() && members.iter().all(is_there)
        }
        _ => value == other,
    }
}

#[allow(clippy::float_cmp)]
fn is_same_number(number: &Number, other: &Number) -> bool {
    let whole = |number: &Number| {
        number
            .as_i64()
            .map(i128::from)
            .or_else(|| number.as_u64().map(i128::from))
    };
    match (whole(number), whole(other)) {
        (Some(int), Some(other)) => int == other,
        _ => number.as_f64() == other.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_equal;
    use serde_json::json;

    #[test]
    fn numbers_are_compared_by_value() {
        for (value, other, is) in [
            (
                json!({"a": 1, "b": [2]}),
                json!({"b": [2.0], "a": 1.0}),
                true,
            ),
            (json!([1, 2]), json!([2, 1]), false),
            (json!({"a": 1}), json!({"a": 1, "b": null}), false),
            (
                json!(9_007_199_254_740_993_i64),
                json!(9_007_199_254_740_992_i64),
                false,
            ),
            (json!(1), json!(true), false),
        ] {
            assert_eq!(is_equal(&value, &other), is, "{value} {other}");
        }
    }
}
