//! Lenient reading of invalid dates in responses.
//!
//! Many responses contain `""`, `0000-00-00` or a time without an offset in place of a missing
//! date. Such a date does not make the response invalid: it is absent, if its type allows that. A
//! request is strict, because its sender receives the error and can correct the date.

use super::read::{Leave, Left, Slot};
use crate::values::union::lose;
use crate::values::{is_strict, null_error};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// The slot of a key whose value is a date that may be invalid: `=> field? or none` in a table.
pub struct OrNone<S>(S);

/// Creates the slot of a key whose invalid value counts as absent.
pub const fn none<S>(slot: S) -> OrNone<S> {
    OrNone(slot)
}

impl<'de, A: MapAccess<'de>, T: Left<'de>> Slot<'de, A> for OrNone<Leave<'_, T>> {
    fn put(&mut self, key: &'static str, map: &mut A) -> Result<(), A::Error> {
        let Self(Leave(value)) = self;
        if is_strict() {
            return Leave(value).put(key, map);
        }
        put(value, key, map)
    }

    fn is_filled(&self) -> bool {
        self.0.0.is_some()
    }
}

impl<'de, A: MapAccess<'de>, T: Left<'de>> Slot<'de, A> for OrNone<&mut Option<T>> {
    fn put(&mut self, key: &'static str, map: &mut A) -> Result<(), A::Error> {
        let Self(value) = self;
        if is_strict() {
            return Slot::<A>::put(value, key, map);
        }
        put(value, key, map)
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }
}

fn put<'de, A: MapAccess<'de>, T: Left<'de>>(
    value: &mut Option<T>,
    key: &'static str,
    map: &mut A,
) -> Result<(), A::Error> {
    if value.is_some() {
        return Err(A::Error::duplicate_field(key));
    }
    let Readable(read) = map.next_value()?;
    *value = Some(read);
    Ok(())
}

/// Deserializes a date; an invalid one is absent. For `deserialize_with` of serde's derive.
///
/// # Errors
///
/// Returns an error for an invalid date in a request that a server decodes.
#[doc(hidden)]
pub fn or_none<'de, T: Left<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    if is_strict() {
        let value = T::deserialize(deserializer)?;
        return match value.is_absent().then(T::null) {
            Some(None) => Err(null_error()),
            Some(Some(null)) => Ok(null),
            None => Ok(value),
        };
    }
    Readable::deserialize(deserializer).map(|Readable(read)| read)
}

/// The value of a text, or the absent value if the text is not of the type.
struct Readable<T>(T);

impl<'de, T: Left<'de>> Deserialize<'de> for Readable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReadableVisitor(PhantomData))
    }
}

struct ReadableVisitor<T>(PhantomData<T>);

impl<'de, T: Left<'de>> ReadableVisitor<T> {
    /// Returns the absent value, and counts the value as lost: another variant of a union may keep
    /// it.
    fn nothing<E>() -> Result<Readable<T>, E> {
        lose(1);
        Ok(Readable(T::default()))
    }
}

impl<'de, T: Left<'de>> Visitor<'de> for ReadableVisitor<T> {
    type Value = Readable<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a date")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        match T::of_text(text) {
            Some(read) => Ok(Readable(read)),
            None => Self::nothing(),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Readable(T::null().unwrap_or_default()))
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Self::nothing()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Self::nothing()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Self::nothing()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Self::nothing()
    }

    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<Self::Value, E> {
        Self::nothing()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Self::nothing()
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Self::nothing()
    }
}
