//! Error messages in the terms of JSON.

use std::fmt::Display;

/// The message of an absent value.
pub(crate) const REQUIRED: &str = "is required";

/// The message of a number that its type cannot represent.
pub(crate) const OUT_OF_RANGE: &str = "is a number that is out of range";

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
