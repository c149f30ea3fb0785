//! The tree every document is read into, whatever it was written in.

use std::fmt;
use std::ops::{Deref, DerefMut};

use indexmap::IndexMap;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// The entries of an object, in the document's order.
///
/// Boxed, because a map is far larger than any other value, and most values are none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Object(Box<IndexMap<String, Value>>);

impl Object {
    /// No entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Deref for Object {
    type Target = IndexMap<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Object {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a String, &'a Value);
    type IntoIter = indexmap::map::Iter<'a, String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = indexmap::map::IntoIter<String, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl FromIterator<(String, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(entries: I) -> Self {
        Self(Box::new(entries.into_iter().collect()))
    }
}

/// One node of a JSON or YAML document.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object.
    Object(Object),
}

/// A number: exact when it is an integer that fits `i128`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer written without fraction or exponent.
    Int(i128),
    /// Anything else, and integers beyond `i128`.
    Float(f64),
}

impl Number {
    /// The nearest `f64`.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub const fn as_f64(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }

    /// The integer this number is, also when it was written as `3.0` or `1e3`.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn as_integer(self) -> Option<i128> {
        match self {
            Self::Int(int) => Some(int),
            // Beyond 2^53 a float no longer names one integer.
            Self::Float(float)
                if float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0 =>
            {
                Some(float as i128)
            }
            Self::Float(_) => None,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(int) => write!(f, "{int}"),
            // Debug keeps the fraction of `1.0`, which matters to versions written as numbers.
            Self::Float(float) => write!(f, "{float:?}"),
        }
    }
}

impl Value {
    /// The string, when it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(string) => Some(string),
            _ => None,
        }
    }

    /// The boolean, when it is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(bool) => Some(*bool),
            _ => None,
        }
    }

    /// The number, when it is one.
    #[must_use]
    pub const fn as_number(&self) -> Option<Number> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The integer, when it is a number that is one.
    #[must_use]
    pub fn as_integer(&self) -> Option<i128> {
        self.as_number().and_then(Number::as_integer)
    }

    /// The items, when it is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The entries, when it is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The entry of an object; `None` also when it is no object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object().and_then(|object| object.get(key))
    }

    /// Whether it is `null`.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// A scalar as text: strings as they are, others as JSON writes them.
    #[must_use]
    pub fn scalar_text(&self) -> Option<String> {
        match self {
            Self::String(string) => Some(string.clone()),
            Self::Bool(bool) => Some(bool.to_string()),
            Self::Number(number) => Some(number.to_string()),
            Self::Null | Self::Array(_) | Self::Object(_) => None,
        }
    }

    /// What it is, with its article, for messages: `a string`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(Number::Int(_)) => "an integer",
            Self::Number(Number::Float(_)) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// The value as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Every key is a string and every value has a JSON form, so this cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The value as one line of JSON of at most `most` bytes, with `…` where it was cut. Of a large value
    /// no more is looked at than is shown.
    #[must_use]
    pub fn to_json_within(&self, most: usize) -> String {
        let mut text = Bounded {
            bytes: Vec::new(),
            most,
        };
        let whole = serde_json::to_writer(&mut text, self).is_ok();
        let mut shown = String::from_utf8_lossy(&text.bytes).into_owned();
        if !whole {
            // A character may have been cut too.
            shown.truncate(shown.trim_end_matches('\u{fffd}').len());
            shown.push('…');
        }
        shown
    }
}

/// Takes so many bytes, and then fails.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl std::io::Write for Bounded {
    fn write(&mut self, more: &[u8]) -> std::io::Result<usize> {
        let room = self.most.saturating_sub(self.bytes.len());
        self.bytes.extend(more.iter().take(room));
        if more.len() > room {
            return Err(std::io::ErrorKind::WriteZero.into());
        }
        Ok(more.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl From<&str> for Value {
    fn from(string: &str) -> Self {
        Self::String(string.to_owned())
    }
}

impl From<String> for Value {
    fn from(string: String) -> Self {
        Self::String(string)
    }
}

impl From<bool> for Value {
    fn from(bool: bool) -> Self {
        Self::Bool(bool)
    }
}

impl From<i128> for Value {
    fn from(int: i128) -> Self {
        Self::Number(Number::Int(int))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(bool) => serializer.serialize_bool(*bool),
            Self::Number(Number::Int(int)) => serialize_int(*int, serializer),
            Self::Number(Number::Float(float)) => serializer.serialize_f64(*float),
            Self::String(string) => serializer.serialize_str(string),
            Self::Array(items) => {
                let mut seq = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    seq.serialize_element(item)?;
                }
                seq.end()
            }
            Self::Object(object) => {
                let mut map = serializer.serialize_map(Some(object.len()))?;
                for (key, value) in object {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// Many serializers know no 128-bit integers, so the narrower calls come first.
fn serialize_int<S: Serializer>(int: i128, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(int) = i64::try_from(int) {
        serializer.serialize_i64(int)
    } else if let Ok(int) = u64::try_from(int) {
        serializer.serialize_u64(int)
    } else {
        serializer.serialize_i128(int)
    }
}
