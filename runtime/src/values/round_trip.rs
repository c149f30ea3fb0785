//! Whether types of the user read and write values that are valid for the schemas they replace.

use super::{Json, Validate};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;

/// The number of values of a kind that a report lists for a schema.
const SHOWN: usize = 10;

/// A report of valid values that types do not keep: values that a type refuses, and values that it
/// writes differently. Generated tests of the types of `[types]` use it.
///
/// ```
/// let mut report = bothends_runtime::RoundTripReport::new();
/// report.check::<u8>("#/components/schemas/Level", &["7", "7.5", "300"]);
/// assert_eq!(
///     report.to_string(),
///     "#/components/schemas/Level as `u8`: 2 of 3 values do not survive
///   refuses 7.5: invalid type: floating point `7.5`, expected u8 at line 1 column 3
///   refuses 300: invalid value: integer `300`, expected u8 at line 1 column 3
/// "
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct RoundTripReport {
    text: String,
    examples: Vec<Found>,
}

/// A wrong example.
#[derive(Debug, Clone)]
struct Found {
    place: String,
    /// The type or the operation.
    subject: String,
    what: String,
}

impl RoundTripReport {
    /// Creates an empty report.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads each value, a text of JSON, as a type, writes it again, and reports what differs. Numbers
    /// are compared by value, and objects without the order of their members.
    pub fn check<T: Serialize + DeserializeOwned>(&mut self, schema: &str, values: &[&str]) {
        let all = values.iter().map(|text| round_trip::<T>(text));
        let (mut refused, mut changed) = (Vec::new(), Vec::new());
        for (text, result) in values.iter().zip(all) {
            match result {
                Ok(None) => {}
                Ok(Some(written)) => changed.push(format!("  changes {text} to {written}\n")),
                Err(error) => refused.push(format!("  refuses {text}: {error}\n")),
            }
        }
        let lost = refused.len() + changed.len();
        if lost == 0 {
            return;
        }
        let (count, name) = (values.len(), std::any::type_name::<T>());
        let head = format!("{schema} as `{name}`: {lost} of {count} values do not survive\n");
        self.text.push_str(&head);
        for lines in [refused, changed] {
            let more = lines.len().saturating_sub(SHOWN);
            lines
                .iter()
                .take(SHOWN)
                .for_each(|line| self.text.push_str(line));
            if more > 0 {
                self.text.push_str(&format!("  and {more} more\n"));
            }
        }
    }

    /// Reads examples, texts of JSON with their places, as a type, checks the rules of the document, writes
    /// them again, and reports what differs. Generated tests of the examples of a document use it.
    pub fn examples<T>(&mut self, examples: &[(&str, &str)])
    where
        T: Serialize + DeserializeOwned + Validate,
    {
        for (place, text) in examples {
            self.example::<T>(place, text);
        }
    }

    fn example<T>(&mut self, place: &str, text: &str)
    where
        T: Serialize + DeserializeOwned + Validate,
    {
        let violated = |value: T| value.validate().err().map(|errors| errors.to_string());
        let found = match round_trip::<T>(text) {
            Err(error) => Some(format!("is refused: {error}")),
            Ok(Some(written)) => Some(format!("is written as {written}")),
            Ok(None) => {
                let value = serde_json::from_str(text);
                value
                    .ok()
                    .and_then(violated)
                    .map(|errors| format!("is invalid: {errors}"))
            }
        };
        if let Some(found) = found {
            let subject = format!("as `{}`", std::any::type_name::<T>());
            self.add_example(place, subject, found);
        }
    }

    /// Adds a wrong example, unless a part of it is known to be wrong.
    pub(crate) fn add_example(&mut self, place: &str, subject: String, what: String) {
        let is_part = |found: &Found| {
            let rest = found.place.strip_prefix(place);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if !self.examples.iter().any(is_part) {
            self.examples.push(Found {
                place: place.to_owned(),
                subject,
                what,
            });
        }
    }

    /// Returns the wrong examples: for each its place, and what is wrong with it.
    pub fn wrong_examples(&self) -> impl Iterator<Item = (&str, &str)> {
        let examples = self.examples.iter();
        examples.map(|found| (found.place.as_str(), found.what.as_str()))
    }

    /// Returns whether all values survived.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty() && self.examples.is_empty()
    }
}

impl fmt::Display for RoundTripReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        let mut examples = self.examples.iter();
        examples.try_for_each(
            |Found {
                 place,
                 subject,
                 what,
             }| writeln!(f, "{place} {subject} {what}"),
        )
    }
}

/// Returns what a type writes for a value if it differs from the value.
fn round_trip<T: Serialize + DeserializeOwned>(
    text: &str,
) -> Result<Option<String>, serde_json::Error> {
    let value: T = serde_json::from_str(text)?;
    let written = serde_json::to_string(&value)?;
    let (before, after): (Json, Json) =
        (serde_json::from_str(text)?, serde_json::from_str(&written)?);
    Ok((!is_same(&before, &after)).then_some(written))
}

/// Returns whether two values are equal: numbers by value, objects without the order of their members.
pub(crate) fn is_same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => {
            a == b || (a.is_f64() || b.is_f64()) && a.as_f64() == b.as_f64()
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            let same = |(key, value): (&String, &Json)| {
                b.get(key).is_some_and(|other| is_same(value, other))
            };
            a.len() == b.len() && a.iter().all(same)
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_as_values_of_json() {
        let mut report = RoundTripReport::new();
        report.check::<f64>("#/a", &["1", "1.0", "-2.50"]);
        report.check::<Json>("#/b", &[r#"{"a": 1, "b": [2]}"#, "null"]);
        assert!(report.is_empty(), "{report}");
        report.check::<(u64, u64)>("#/c", &["[1, 2]"]);
        assert!(report.is_empty(), "{report}");
        report.check::<std::collections::BTreeSet<u8>>("#/d", &["[2, 1]", "[1, 2]"]);
        let text = report.to_string();
        let (head, rest) = text.split_once('\n').unwrap_or_default();
        assert!(head.starts_with("#/d as `"), "{text}");
        assert!(head.ends_with("`: 1 of 2 values do not survive"), "{text}");
        assert_eq!(rest, "  changes [2, 1] to [1,2]\n");
    }

    #[test]
    fn a_report_lists_some_values_of_each_kind() {
        let values: Vec<String> = (250..300).map(|number: u32| number.to_string()).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let mut report = RoundTripReport::new();
        report.check::<u8>("#/a", &values);
        let text = report.to_string();
        assert_eq!(text.lines().count(), 1 + SHOWN + 1);
        assert!(text.ends_with("  and 34 more\n"), "{text}");
    }
}
