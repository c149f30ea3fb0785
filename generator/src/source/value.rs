//! The tree for documents of both formats.

use std::fmt;
use std::ops::{Deref, DerefMut};

use indexmap::IndexMap;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// The entries of an object, in document order.
///
/// Boxed, because a map is far larger than any other value, and most values are not objects.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Object(Box<IndexMap<String, Value>>);

impl Object {
    /// Creates an empty object.
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

/// A number: exact if it is an integer in the range of `i128`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer written without fraction or exponent.
    Int(i128),
    /// Any other number, and integers beyond `i128`.
    Float(f64),
}

impl Number {
    /// Returns the nearest `f64`.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub const fn as_f64(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }

    /// Returns the integer value of this number, also for `3.0` and `1e3`.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn as_integer(self) -> Option<i128> {
        match self {
            Self::Int(int) => Some(int),
            // Beyond 2^53 a float does not represent a single integer.
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
            // `Debug` keeps the fraction of `1.0`, which is significant in versions written as
            // numbers.
            Self::Float(float) => write!(f, "{float:?}"),
        }
    }
}

impl Value {
    /// Returns the string, or `None` for another kind of value.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(string) => Some(string),
            _ => None,
        }
    }

    /// Returns the boolean, or `None` for another kind of value.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(bool) => Some(*bool),
            _ => None,
        }
    }

    /// Returns the number, or `None` for another kind of value.
    #[must_use]
    pub const fn as_number(&self) -> Option<Number> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the integer, or `None` if the value is not an integral number.
    #[must_use]
    pub fn as_integer(&self) -> Option<i128> {
        self.as_number().and_then(Number::as_integer)
    }

    /// Returns the items of an array, or `None` for another kind of value.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the entries of an object, or `None` for another kind of value.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns an entry of an object, or `None` if the entry is absent or the value is not an
    /// object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        // A hash costs more than a comparison with each of a few keys.
        const FEW: usize = 8;
        let object = self.as_object()?;
        match object.len() {
            0..=FEW => object
                .iter()
                .find_map(|(name, value)| (name == key).then_some(value)),
            _ => object.get(key),
        }
    }

    /// Returns the child at one segment of a pointer: an entry of an object or an item of an array.
    pub(crate) fn step(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(_) => self.get(name),
            Self::Array(items) => items.get(name.parse::<usize>().ok()?),
            _ => None,
        }
    }

    /// Returns whether the value is `null`.
    #[must_use]
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns a scalar as text: strings unchanged, other scalars as in JSON.
    #[must_use]
    pub fn scalar_text(&self) -> Option<String> {
        match self {
            Self::String(string) => Some(string.clone()),
            Self::Bool(bool) => Some(bool.to_string()),
            Self::Number(number) => Some(number.to_string()),
            Self::Null | Self::Array(_) | Self::Object(_) => None,
        }
    }

    /// Returns the kind of the value with its article, for messages: `a string`.
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

    /// Returns the value as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Every key is a string and every value has a JSON form, so this cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the value as one line of JSON of at most `most` bytes, truncated with `…`. Only the
    /// shown part of a large value is serialized.
    #[must_use]
    pub fn to_json_within(&self, most: usize) -> String {
        let mut text = Bounded {
            bytes: Vec::new(),
            most,
        };
        let whole = serde_json::to_writer(&mut text, self).is_ok();
        let mut shown = String::from_utf8_lossy(&text.bytes).into_owned();
        if !whole {
            // A character may be truncated too.
            shown.truncate(shown.trim_end_matches('\u{fffd}').len());
            shown.push('…');
        }
        shown
    }
}

/// A writer that fails after a number of bytes.
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

/// Serializes an integer. Many serializers do not support 128 bits, so narrower types are tried
/// first.
fn serialize_int<S: Serializer>(int: i128, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(int) = i64::try_from(int) {
        serializer.serialize_i64(int)
    } else if let Ok(int) = u64::try_from(int) {
        serializer.serialize_u64(int)
    } else {
        serializer.serialize_i128(int)
    }
}
