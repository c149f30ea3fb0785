//! Filters of messages by their bodies.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value as Json};
use std::cmp::Ordering;
use std::fmt;

/// Conditions on members of JSON bodies, all of which have to hold. A member is named by a JSON pointer (RFC
/// 6901): `/data/items/0/price`. A body that is not JSON meets no condition.
///
/// ```
/// use bothends_delivery::Filter;
///
/// let filter = Filter::new().equals("/data/state", "paid").at_least("/data/amount", 100);
/// assert!(filter.matches(br#"{ "data": { "state": "paid", "amount": 250.5 } }"#));
/// assert!(!filter.matches(br#"{ "data": { "state": "paid", "amount": "250.5" } }"#));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
#[must_use]
pub struct Filter {
    conditions: Vec<Condition>,
}

/// A condition on one member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Condition {
    at: String,
    #[serde(flatten)]
    test: Test,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is", content = "of")]
enum Test {
    Equal(Json),
    OneOf(Vec<Json>),
    AtLeast(Json),
    MoreThan(Json),
    AtMost(Json),
    LessThan(Json),
    Present,
    Absent,
}

impl Filter {
    /// Creates a filter without conditions, which every message meets.
    pub fn new() -> Self {
        Self::default()
    }

    /// Requires that a member is this string, number or boolean, or null. Numbers are compared by value: `1`
    /// equals `1.0`.
    pub fn equals(self, pointer: impl Into<String>, value: impl Into<Json>) -> Self {
        self.with(pointer, Test::Equal(value.into()))
    }

    /// Requires that a member is one of these values.
    pub fn one_of<V: Into<Json>>(
        self,
        pointer: impl Into<String>,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        let values = values.into_iter().map(Into::into);
        self.with(pointer, Test::OneOf(values.collect()))
    }

    /// Requires that a member is a number and not less than this one.
    pub fn at_least(self, pointer: impl Into<String>, number: impl Into<Json>) -> Self {
        self.with(pointer, Test::AtLeast(number.into()))
    }

    /// Requires that a member is a number greater than this one.
    pub fn more_than(self, pointer: impl Into<String>, number: impl Into<Json>) -> Self {
        self.with(pointer, Test::MoreThan(number.into()))
    }

    /// Requires that a member is a number and not greater than this one.
    pub fn at_most(self, pointer: impl Into<String>, number: impl Into<Json>) -> Self {
        self.with(pointer, Test::AtMost(number.into()))
    }

    /// Requires that a member is a number less than this one.
    pub fn less_than(self, pointer: impl Into<String>, number: impl Into<Json>) -> Self {
        self.with(pointer, Test::LessThan(number.into()))
    }

    /// Requires that a member is present, also if it is null.
    pub fn exists(self, pointer: impl Into<String>) -> Self {
        self.with(pointer, Test::Present)
    }

    /// Requires that a member is absent.
    pub fn is_absent(self, pointer: impl Into<String>) -> Self {
        self.with(pointer, Test::Absent)
    }

    fn with(mut self, pointer: impl Into<String>, test: Test) -> Self {
        let at = pointer.into();
        self.conditions.push(Condition { at, test });
        self
    }

    /// Returns whether a body meets all conditions.
    pub fn matches(&self, body: &[u8]) -> bool {
        self.conditions.is_empty() || self.holds(serde_json::from_slice(body).ok().as_ref())
    }

    /// Returns whether a body meets all conditions. `None` is a body that is not JSON.
    pub(crate) fn holds(&self, body: Option<&Json>) -> bool {
        let mut conditions = self.conditions.iter();
        let holds = |body| conditions.all(|condition| condition.holds(body));
        self.conditions.is_empty() || body.is_some_and(holds)
    }

    /// Returns an error if a condition can never hold.
    pub(crate) fn check(&self) -> Result<(), InvalidFilter> {
        let mut conditions = self.conditions.iter();
        conditions.try_for_each(|condition| {
            let wrong = |why| InvalidFilter {
                pointer: condition.at.clone(),
                why,
            };
            if !is_pointer(&condition.at) {
                return Err(wrong(
                    "not a JSON pointer: it begins with `/`, and `~` is `~0`",
                ));
            }
            let number = condition.test.number();
            if number.is_some_and(|(_, number)| !number.is_number()) {
                return Err(wrong("only numbers are ordered"));
            }
            let values = condition.test.values();
            match values {
                [] if matches!(condition.test, Test::OneOf(_)) => Err(wrong("no value is listed")),
                _ if values
                    .iter()
                    .any(|value| value.is_array() || value.is_object()) =>
                {
                    Err(wrong("arrays and objects cannot be compared"))
                }
                _ => Ok(()),
            }
        })
    }

    /// Checks the conditions against the type of an event's body: each pointer leads to a member of the type,
    /// each value that the member is compared with is one of the type (and listed, if the type is an enum), and
    /// only numbers are ordered. A filter for several kinds of events is checked against the type of each.
    ///
    /// # Errors
    /// Returns the first condition that no value of the type can meet.
    #[cfg(feature = "typed-filters")]
    pub fn checked<T: bothends_runtime::sample::Sample>(self) -> Result<Self, InvalidFilter> {
        self.check()?;
        for Condition { at, test } in &self.conditions {
            let wrong = |why| InvalidFilter {
                pointer: at.clone(),
                why,
            };
            let member = T::member(at).ok_or_else(|| wrong("the event has no such member"))?;
            if test.values().iter().any(|value| !member.accepts(value)) {
                return Err(wrong("the member never has this value"));
            }
            if test.number().is_some() && !member.may_be_number() {
                return Err(wrong("the member is not a number"));
            }
        }
        Ok(self)
    }
}

impl Condition {
    fn holds(&self, body: &Json) -> bool {
        let found = body.pointer(&self.at);
        let value = match (&self.test, found) {
            (Test::Absent, found) => return found.is_none(),
            (_, Some(value)) => value,
            (_, None) => return false,
        };
        let ordered = |number: &Json, is: fn(Ordering) -> bool| {
            let numbers = value.as_number().zip(number.as_number());
            let order = numbers.and_then(|(value, number)| compare(value, number));
            order.is_some_and(is)
        };
        match &self.test {
            Test::Present => true,
            Test::Absent => false,
            Test::Equal(expected) => equal(value, expected),
            Test::OneOf(expected) => expected.iter().any(|expected| equal(value, expected)),
            Test::AtLeast(number) => ordered(number, Ordering::is_ge),
            Test::MoreThan(number) => ordered(number, Ordering::is_gt),
            Test::AtMost(number) => ordered(number, Ordering::is_le),
            Test::LessThan(number) => ordered(number, Ordering::is_lt),
        }
    }
}

impl Test {
    /// Returns the values that the member is compared with.
    fn values(&self) -> &[Json] {
        match self {
            Self::Equal(value) => std::slice::from_ref(value),
            Self::OneOf(values) => values,
            _ => &[],
        }
    }

    /// Returns the number of a condition that orders, with its sign.
    const fn number(&self) -> Option<(&'static str, &Json)> {
        match self {
            Self::AtLeast(number) => Some((">=", number)),
            Self::MoreThan(number) => Some((">", number)),
            Self::AtMost(number) => Some(("<=", number)),
            Self::LessThan(number) => Some(("<", number)),
            _ => None,
        }
    }
}

/// Shows the conditions for people: `/state = "paid" and /amount >= 100`.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Condition { at, test }) in self.conditions.iter().enumerate() {
            if index > 0 {
                f.write_str(" and ")?;
            }
            f.write_str(at)?;
            match (test, test.number()) {
                (_, Some((sign, number))) => write!(f, " {sign} {number}")?,
                (Test::Absent, None) => f.write_str(" is absent")?,
                (Test::Equal(value), None) => write!(f, " = {value}")?,
                (Test::OneOf(values), None) => {
                    let values: Vec<_> = values.iter().map(Json::to_string).collect();
                    write!(f, " is one of {}", values.join(", "))?;
                }
                _ => f.write_str(" exists")?,
            }
        }
        Ok(())
    }
}

/// The body of a message, which is parsed for the first filter.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct Content<'a> {
    body: &'a [u8],
    parsed: Option<Option<Json>>,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl<'a> Content<'a> {
    pub(crate) const fn new(body: &'a [u8]) -> Self {
        Self { body, parsed: None }
    }

    /// Returns whether the body meets a stored filter.
    pub(crate) fn meets(&mut self, filter: &str) -> Result<bool, serde_json::Error> {
        let filter: Filter = serde_json::from_str(filter)?;
        let body = self.body;
        let parsed = self
            .parsed
            .get_or_insert_with(|| serde_json::from_slice(body).ok());
        Ok(filter.holds(parsed.as_ref()))
    }
}

fn is_pointer(text: &str) -> bool {
    let mut escapes = text.split('~').skip(1);
    (text.is_empty() || text.starts_with('/')) && escapes.all(|rest| rest.starts_with(['0', '1']))
}

/// Compares scalars, numbers by value.
fn equal(value: &Json, expected: &Json) -> bool {
    match (value, expected) {
        (Json::Number(value), Json::Number(expected)) => {
            compare(value, expected) == Some(Ordering::Equal)
        }
        _ => value == expected,
    }
}

/// Compares numbers: integers exactly, others as `f64`.
fn compare(left: &Number, right: &Number) -> Option<Ordering> {
    let integer = |number: &Number| {
        let signed = number.as_i64().map(i128::from);
        signed.or_else(|| number.as_u64().map(i128::from))
    };
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        _ => left.as_f64()?.partial_cmp(&right.as_f64()?),
    }
}

/// A condition of a filter that can never hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidFilter {
    pointer: String,
    why: &'static str,
}

impl InvalidFilter {
    /// Returns the JSON pointer of the condition.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for InvalidFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the filter for `{}`: {}", self.pointer, self.why)
    }
}

impl std::error::Error for InvalidFilter {}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(filter: &Filter) -> Option<&'static str> {
        filter.check().err().map(|error| error.why)
    }

    #[test]
    fn conditions_hold_or_not() {
        let body = br#"{ "s": "paid", "n": 100, "f": 1.0, "big": 18446744073709551615, "z": null,
            "b": true, "list": [{ "a/b": 1 }, 2], "text": "100" }"#;
        let new = Filter::new;
        for (filter, holds) in [
            (new(), true),
            (new().equals("/s", "paid"), true),
            (new().equals("/s", "PAID"), false),
            (new().equals("/s", "paid").equals("/b", false), false),
            (new().equals("/f", 1), true),
            (new().equals("/z", Json::Null), true),
            (new().equals("/missing", Json::Null), false),
            (new().one_of("/s", ["open", "paid"]), true),
            (new().one_of("/n", [1, 2]), false),
            (new().at_least("/n", 100), true),
            (new().more_than("/n", 100), false),
            (new().at_most("/n", 100), true),
            (new().less_than("/n", 100), false),
            (new().less_than("/n", 101), true),
            (new().more_than("/big", i64::MAX), true),
            (new().at_least("/text", 1), false),
            (new().at_least("/missing", 1), false),
            (new().exists("/z"), true),
            (new().exists("/list/1"), true),
            (new().exists("/list/2"), false),
            (new().equals("/list/0/a~1b", 1), true),
            (new().is_absent("/missing"), true),
            (new().is_absent("/z"), false),
            (new().exists(""), true),
        ] {
            assert_eq!(filter.matches(body), holds, "{filter}");
            let stored = serde_json::to_string(&filter).unwrap();
            assert_eq!(serde_json::from_str::<Filter>(&stored).unwrap(), filter);
        }
        assert!(Filter::new().matches(b"not JSON"));
        assert!(!Filter::new().is_absent("/a").matches(b"not JSON"));
    }

    #[test]
    fn conditions_that_cannot_hold_are_errors() {
        let pointer = Some("not a JSON pointer: it begins with `/`, and `~` is `~0`");
        for (filter, expected) in [
            (Filter::new().exists("/a~0~1/0"), None),
            (Filter::new().exists("a"), pointer),
            (Filter::new().exists("/a~2"), pointer),
            (Filter::new().exists("/a~"), pointer),
            (
                Filter::new().one_of("/a", Vec::<Json>::new()),
                Some("no value is listed"),
            ),
            (
                Filter::new().at_least("/a", "1"),
                Some("only numbers are ordered"),
            ),
            (
                Filter::new().at_most("/a", f64::NAN),
                Some("only numbers are ordered"),
            ),
            (
                Filter::new().equals("/a", vec![1]),
                Some("arrays and objects cannot be compared"),
            ),
        ] {
            assert_eq!(why(&filter), expected, "{filter}");
        }
    }

    #[test]
    fn filters_are_shown_to_people() {
        let filter = Filter::new().equals("/s", "paid").at_least("/n", 100);
        let filter = filter.one_of("/k", [1, 2]).exists("/e").is_absent("/m");
        assert_eq!(
            filter.to_string(),
            r#"/s = "paid" and /n >= 100 and /k is one of 1, 2 and /e exists and /m is absent"#
        );
    }
}
