//! JSON values that a type does not list.

use crate::values::Json;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A JSON value that an open enum does not list, or an object whose tag an open union does not
/// list.
///
/// Only parsing creates it, so it is never equal to a listed value, and it is serialized as it was
/// received. Two values are equal if their JSON is: an integer is not equal to a float, and the
/// order of members is ignored.
#[derive(Clone)]
pub struct UnrecognizedValue(Box<Json>);

impl UnrecognizedValue {
    pub(crate) fn new(json: Json) -> Self {
        Self(Box::new(json))
    }

    /// Returns the value as it was received.
    pub const fn as_json(&self) -> &Json {
        &self.0
    }

    /// Converts to the value as it was received.
    pub fn into_json(self) -> Json {
        *self.0
    }
}

impl fmt::Debug for UnrecognizedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UnrecognizedValue").field(&self.0).finish()
    }
}

impl fmt::Display for UnrecognizedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&super::literal_text(&self.0))
    }
}

impl serde::Serialize for UnrecognizedValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl PartialEq for UnrecognizedValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for UnrecognizedValue {}

impl PartialOrd for UnrecognizedValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Orders by type, and then by value. The order is meant for maps and sets, and has no other
/// meaning.
impl Ord for UnrecognizedValue {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.0, &other.0)
    }
}

impl Hash for UnrecognizedValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        rank(&self.0).hash(state);
        match &*self.0 {
            Json::Array(items) => items.len().hash(state),
            Json::Object(members) => members.len().hash(state),
            scalar => scalar.to_string().hash(state),
        }
    }
}

const fn rank(json: &Json) -> u8 {
    match json {
        Json::Null => 0,
        Json::Bool(_) => 1,
        Json::Number(_) => 2,
        Json::String(_) => 3,
        Json::Array(_) => 4,
        Json::Object(_) => 5,
    }
}

// The recursion is as deep as the parsed JSON, and the parser limits the depth.
fn compare(value: &Json, other: &Json) -> Ordering {
    match (value, other) {
        (Json::Array(list), Json::Array(other)) => {
            let items = list
                .iter()
                .zip(other)
                .map(|(item, other)| compare(item, other));
            let differs = items.into_iter().find(|order| order.is_ne());
            differs.unwrap_or_else(|| list.len().cmp(&other.len()))
        }
        (Json::Object(object), Json::Object(other)) => {
            let sorted = |object: &serde_json::Map<String, Json>| {
                let mut keys: Vec<String> = object.keys().cloned().collect();
                keys.sort_unstable();
                keys
            };
            let keys = sorted(object);
            keys.cmp(&sorted(other)).then_with(|| {
                let members = keys
                    .iter()
                    .map(|key| match (object.get(key), other.get(key)) {
                        (Some(value), Some(other)) => compare(value, other),
                        _ => Ordering::Equal,
                    });
                members
                    .into_iter()
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            })
        }
        (Json::Number(number), Json::Number(other)) => {
            let size = |number: &serde_json::Number| number.as_f64().unwrap_or_default();
            let order = size(number).total_cmp(&size(other));
            order.then_with(|| number.to_string().cmp(&other.to_string()))
        }
        (Json::String(text), Json::String(other)) => text.cmp(other),
        (Json::Bool(boolean), Json::Bool(other)) => boolean.cmp(other),
        _ => rank(value).cmp(&rank(other)),
    }
}
