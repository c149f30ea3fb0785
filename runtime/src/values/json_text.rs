//! Strings that contain JSON.

use crate::values::DecodeError;
use crate::values::check::Checker;
#[cfg(feature = "sample")]
use crate::values::form::Form;
use crate::values::outline::Outline;
use crate::values::read::{Arena, Builtin, Kind, Own, Plain, ReadAs, State, Value, json};
use crate::values::{Rule, Strictness, Validate, to_json};
use serde::de::{DeserializeOwned, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A value that is a string of JSON on the wire: `contentMediaType: application/json` with a
/// `contentSchema` (JSON Schema 2020-12 Validation, section 8).
///
/// ```
/// use bothends_runtime::JsonText;
///
/// let read: JsonText<Vec<i64>> = serde_json::from_str(r#""[1, 2]""#).unwrap();
/// assert_eq!(*read, [1, 2]);
/// assert_eq!(serde_json::to_string(&read).unwrap(), r#""[1,2]""#);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JsonText<T>(pub T);

impl<T> JsonText<T> {
    /// Returns the value.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> From<T> for JsonText<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for JsonText<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for JsonText<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Serialize> Serialize for JsonText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = to_json(&self.0).map_err(S::Error::custom)?;
        let text = String::from_utf8(text).map_err(S::Error::custom)?;
        serializer.serialize_str(&text)
    }
}

impl<T: Value> Value for JsonText<T> {
    type Kind = Builtin;
}

impl<T: Value> Kind<JsonText<T>> for Builtin {
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<JsonText<T>, D::Error> {
        deserializer.deserialize_str(Text::<T, Own> {
            state,
            marker: PhantomData,
        })
    }

    fn outline() -> Outline {
        Outline::String
    }

    #[cfg(feature = "sample")]
    fn form() -> Form {
        Form::JsonText(T::form)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for JsonText<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let arena = Arena::default();
        deserializer.deserialize_str(Text::<T, Plain> {
            state: &State::direct(&arena, Strictness::Lenient),
            marker: PhantomData,
        })
    }
}

struct Text<'s, 't, T, R> {
    state: &'s State<'t>,
    marker: PhantomData<(T, R)>,
}

impl<T, R: ReadAs<T>> Visitor<'_> for Text<'_, '_, T, R> {
    type Value = JsonText<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string of JSON")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<JsonText<T>, E> {
        let read = json::<T, R>(text, self.state.strictness());
        read.map(JsonText).map_err(|field_errors| {
            let error = DecodeError::from_fields(field_errors, "its value");
            E::custom(format!("must be a string of JSON, and {error}"))
        })
    }
}

/// The rules are those of the value in the string.
impl<T: Validate> Validate for JsonText<T> {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        self.0.check(rules, checker);
    }
}
