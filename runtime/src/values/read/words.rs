//! Error messages for the expectations of serde's visitors, in the terms of JSON.

use serde::de::Unexpected;
use std::fmt::Display;

/// The message of an absent value.
pub(crate) const REQUIRED: &str = "is required";

/// The message of a number that its type cannot represent.
pub(crate) const OUT_OF_RANGE: &str = "is a number that is out of range";

/// Returns the minimum and the maximum of a number type.
fn range(name: &str) -> Option<(i128, u128)> {
    Some(match name {
        "i8" => (i8::MIN.into(), i8::MAX as u128),
        "i16" => (i16::MIN.into(), i16::MAX as u128),
        "i32" => (i32::MIN.into(), i32::MAX as u128),
        "i64" | "isize" => (i64::MIN.into(), i64::MAX as u128),
        "i128" => (i128::MIN, i128::MAX as u128),
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" | "usize" => (0, u64::MAX.into()),
        "u128" => (0, u128::MAX),
        _ => return None,
    })
}

/// Returns the message for an integer type, by its name in Rust.
pub(super) fn integer_in_range(name: &str) -> String {
    match range(name) {
        Some((least, most)) => format!("must be an integer from {least} to {most}"),
        None => "must be an integer".to_owned(),
    }
}

/// Returns what a value must be, by the expectation of a visitor and the value that was found.
pub(super) fn must_be(found: Unexpected<'_>, expected: &str) -> String {
    if range(expected).is_some() {
        return match found {
            Unexpected::Signed(_) | Unexpected::Unsigned(_) => integer_in_range(expected),
            _ => "must be an integer".to_owned(),
        };
    }
    let what = match expected {
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "unit" | "null" => "null",
        "string" | "str" => "a string",
        "a sequence" => "an array",
        "a map" => "an object",
        "a formatted UUID string" => "a UUID",
        _ if expected.starts_with("a string") || expected.starts_with("a borrowed string") => {
            "a string"
        }
        _ if expected.starts_with("struct ") => "an object",
        _ => {
            let count = expected
                .strip_prefix("a tuple of size ")
                .or_else(|| expected.strip_prefix("an array of length "));
            return match count {
                Some(count) => format!("must be an array of {count} items"),
                None => format!("must be {expected}"),
            };
        }
    };
    format!("must be {what}")
}

/// Returns the message for a list of permitted values.
pub(crate) fn one_of<T: Display>(known: impl IntoIterator<Item = T>) -> String {
    let known: Vec<String> = known
        .into_iter()
        .map(|value| format!("`{value}`"))
        .collect();
    match &known[..] {
        [only] => format!("must be {only}"),
        _ => format!("must be one of {}", known.join(", ")),
    }
}

/// Converts the text of an error of serde to the terms of JSON.
pub(crate) fn of_text(text: &str) -> String {
    if text.starts_with("UUID parsing failed") {
        return "must be a UUID".to_owned();
    }
    let invalid = ["invalid type: ", "invalid value: ", "invalid length "];
    let found = |what: &str| match what {
        what if what.starts_with("integer") => Unexpected::Unsigned(0),
        _ => Unexpected::Other("another"),
    };
    for start in invalid {
        if let Some((what, expected)) = text
            .strip_prefix(start)
            .and_then(|rest| rest.rsplit_once(", expected "))
        {
            return must_be(found(what), expected);
        }
    }
    let listed = text
        .strip_prefix("unknown variant `")
        .and_then(|rest| rest.split_once("`, expected "));
    match listed {
        Some((_, known)) => {
            let known = known.strip_prefix("one of ").unwrap_or(known);
            let known = known.replace("` or `", "`, `");
            let mark = if known.contains("`, `") {
                "one of "
            } else {
                ""
            };
            format!("must be {mark}{known}")
        }
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_no_rust_type() {
        for (found, expected, message) in [
            (Unexpected::Str("x"), "i64", "must be an integer"),
            (Unexpected::Float(1.5), "u8", "must be an integer"),
            (
                Unexpected::Unsigned(256),
                "u8",
                "must be an integer from 0 to 255",
            ),
            (
                Unexpected::Signed(-129),
                "i8",
                "must be an integer from -128 to 127",
            ),
            (Unexpected::Unit, "a string of Color", "must be a string"),
            (Unexpected::Seq, "struct Pet", "must be an object"),
            (Unexpected::Map, "a sequence", "must be an array"),
            (
                Unexpected::Seq,
                "a tuple of size 2",
                "must be an array of 2 items",
            ),
            (Unexpected::Str("x"), "base64", "must be base64"),
        ] {
            assert_eq!(must_be(found, expected), message, "{expected}");
        }
        for (text, message) in [
            (
                "invalid type: string \"a, expected b\", expected i64",
                "must be an integer",
            ),
            (
                "invalid value: integer `300`, expected u8",
                "must be an integer from 0 to 255",
            ),
            ("unknown variant `b`, expected `a`", "must be `a`"),
            (
                "unknown variant `c`, expected `a` or `b`",
                "must be one of `a`, `b`",
            ),
            (
                "unknown variant `d`, expected one of `a`, `b`, `c`",
                "must be one of `a`, `b`, `c`",
            ),
            ("something else", "something else"),
        ] {
            assert_eq!(of_text(text), message, "{text}");
        }
    }
}
