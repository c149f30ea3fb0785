//! Constants that are objects or arrays.

use super::{Checker, Rule};
use crate::values::Json;
use serde_json::Number;

/// Checks that a value is one of the constants.
pub(super) fn check(value: &Json, rules: &[Rule], checker: &mut Checker) {
    for rule in rules {
        if let Rule::Constants(all) = *rule {
            let is = |text: &&str| serde_json::from_str(text).is_ok_and(|of| is_equal(value, &of));
            if !all.iter().any(is) {
                checker.error("is none of the listed values");
            }
        }
    }
}

/// Returns whether two values are equal by JSON Schema: numbers by their value, so that `1` equals
/// `1.0` (Core 2020-12, section 4.2.2).
fn is_equal(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => is_same_number(one, other),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, of)| is_equal(one, of))
        }
        (Json::Object(one), Json::Object(other)) => {
            let is_there = |(key, one): (&String, &Json)| {
                other.get(key).is_some_and(|other| is_equal(one, other))
            };
            one.len() == other.len() && one.iter().all(is_there)
        }
        _ => one == other,
    }
}

#[allow(clippy::float_cmp)]
fn is_same_number(one: &Number, other: &Number) -> bool {
    let whole = |of: &Number| {
        of.as_i64()
            .map(i128::from)
            .or_else(|| of.as_u64().map(i128::from))
    };
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one.as_f64() == other.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_equal;
    use serde_json::json;

    #[test]
    fn numbers_are_compared_by_value() {
        for (one, other, is) in [
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
            assert_eq!(is_equal(&one, &other), is, "{one} {other}");
        }
    }
}
