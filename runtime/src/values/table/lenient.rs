//! Lenient reading of invalid dates in responses.
//!
//! Many responses contain `""`, `0000-00-00` or a time without an offset in place of a missing
//! date. Such a date does not make the response invalid: it is absent, if its type allows that. A
//! request is strict, because its sender receives the error and can correct the date.

use super::slots::{Leave, Left, Slot, Unchecked, is_first, put_first, put_optional};
use crate::values::Strictness;
use crate::values::read::{Arena, Own, Plain, ReadAs, State, Value, null_as};
use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess,
    SeqAccess, Visitor,
};
use std::fmt;
use std::marker::PhantomData;

/// The slot of a key whose value is a date that may be invalid: `=> field? or none` in a table.
pub struct OrNone<S>(S);

/// Creates the slot of a key whose invalid value counts as absent.
pub const fn none<S>(slot: S) -> OrNone<S> {
    OrNone(slot)
}

macro_rules! slots {
    ($($Slot:ty, $Bound:path, $Read:ident, $strict:ident, $($place:tt).+;)*) => {
        $(impl<'de, A: MapAccess<'de>, T: Left<$Read> + $Bound> Slot<'de, A> for OrNone<$Slot> {
            fn put(
                &mut self,
                key: &'static str,
                map: &mut A,
                state: &State<'_>,
            ) -> Result<(), A::Error> {
                if state.is_strict() {
                    return $strict::<T, $Read, A>(self.$($place).+, key, map, state);
                }
                put::<T, $Read, A>(self.$($place).+, key, map, state)
            }

            fn is_filled(&self) -> bool {
                self.$($place).+.is_some()
            }
        })*
    };
}

slots! {
    Leave<'_, T>, Value, Own, put_optional, 0.0;
    &mut Option<T>, Value, Own, put_first, 0;
    Unchecked<Leave<'_, T>>, DeserializeOwned, Plain, put_optional, 0.0.0;
    Unchecked<&mut Option<T>>, DeserializeOwned, Plain, put_first, 0.0;
}

fn put<'de, T: Left<R>, R: ReadAs<T>, A: MapAccess<'de>>(
    value: &mut Option<T>,
    key: &'static str,
    map: &mut A,
    state: &State<'_>,
) -> Result<(), A::Error> {
    is_first(value.is_some(), key, map, state)?;
    *value = Some(map.next_value_seed(Readable {
        state,
        marker: PhantomData::<(T, R)>,
    })?);
    Ok(())
}

/// The value of a text, or the absent value if the text is not of the type.
struct Readable<'s, 't, T, R> {
    state: &'s State<'t>,
    marker: PhantomData<(T, R)>,
}

impl<'de, T: Left<R>, R> DeserializeSeed<'de> for Readable<'_, '_, T, R> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<T: Left<R>, R> Readable<'_, '_, T, R> {
    /// Returns the absent value, and counts the value as lost: another variant of a union may keep
    /// it.
    fn nothing<E>(self) -> Result<T, E> {
        self.state.lose(1);
        Ok(T::default())
    }
}

impl<'de, T: Left<R>, R> Visitor<'de> for Readable<'_, '_, T, R> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a date")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        match T::of_text(text) {
            Some(read) => Ok(read),
            None => self.nothing(),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(T::null().unwrap_or_default())
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        inner.deserialize_any(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        self.nothing()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        self.nothing()
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        self.nothing()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        self.nothing()
    }

    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<Self::Value, E> {
        self.nothing()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        self.nothing()
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        self.nothing()
    }
}

/// Deserializes a date; an invalid one is absent. For `deserialize_with` of serde's derive.
///
/// # Errors
///
/// Returns an error if the format itself is invalid. An invalid date is not an error.
#[doc(hidden)]
pub fn or_none<'de, T: Left<Plain>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let arena = Arena::default();
    Readable {
        state: &State::direct(&arena, Strictness::Lenient),
        marker: PhantomData::<(T, Plain)>,
    }
    .deserialize(deserializer)
}

/// Deserializes an optional value that is present; null is absent, unless the type has a null. For
/// `deserialize_with` of serde's derive.
///
/// # Errors
///
/// Returns an error if the value is invalid.
#[doc(hidden)]
pub fn not_null<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    Ok(Option::<T>::deserialize(deserializer)?.or_else(null_as::<T, Plain>))
}
