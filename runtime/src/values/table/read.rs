//! Deserialization of the fields of an object from any map.

use super::{Meta, Object};
use crate::values::check::Checker;
use crate::values::read::{GO_ON, TABLE, join, may_check, parts};
use crate::values::{Map, Nullable, Presence, Rule};
use crate::values::{WireError, is_strict, not_null_at, null_as};
use serde::Serialize;
use serde::de::value::{Error as PlainError, StrDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor,
};
use std::fmt;
use std::marker::PhantomData;

/// The destination of the value of a key.
pub trait Slot<'de, A: MapAccess<'de>> {
    /// Deserializes the next value; a second value for the same key is an error.
    fn put(&mut self, key: &'static str, map: &mut A) -> Result<(), A::Error>;

    /// Returns whether the slot has a value.
    fn is_filled(&self) -> bool;
}

impl<'de, A: MapAccess<'de>, T: Deserialize<'de>> Slot<'de, A> for &mut Option<T> {
    fn put(&mut self, key: &'static str, map: &mut A) -> Result<(), A::Error> {
        if self.is_some() {
            return Err(A::Error::duplicate_field(key));
        }
        **self = Some(map.next_value()?);
        Ok(())
    }

    fn is_filled(&self) -> bool {
        self.is_some()
    }
}

/// The slot of an optional key.
pub struct Leave<'a, T>(pub &'a mut Option<T>);

/// The type of an optional field.
pub trait Left<'de>: Deserialize<'de> + Presence + Default {
    /// Returns the value of null, if the type has one.
    fn null() -> Option<Self>;

    /// Parses a text; `None` if it is not a value of the type.
    fn of_text(text: &str) -> Option<Self>;
}

/// Parses a text; `None` if it is not a value of the type.
fn text_as<'de, T: Deserialize<'de>>(text: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<PlainError>::new(text)).ok()
}

impl<'de, T: Deserialize<'de>> Left<'de> for Option<T> {
    fn null() -> Option<Self> {
        null_as::<T>().map(Some)
    }

    fn of_text(text: &str) -> Option<Self> {
        text_as(text).map(Some)
    }
}

impl<'de, T: Deserialize<'de>> Left<'de> for Nullable<T> {
    fn null() -> Option<Self> {
        Some(Self::Null)
    }

    fn of_text(text: &str) -> Option<Self> {
        text_as(text).map(Self::Value)
    }
}

impl<'de, A: MapAccess<'de>, T: Left<'de>> Slot<'de, A> for Leave<'_, T> {
    fn put(&mut self, key: &'static str, map: &mut A) -> Result<(), A::Error> {
        if self.0.is_some() {
            return Err(A::Error::duplicate_field(key));
        }
        let value: T = map.next_value()?;
        if !value.is_absent() {
            *self.0 = Some(value);
            return Ok(());
        }
        // The key is present, so its value was null.
        match T::null() {
            Some(null) => *self.0 = Some(null),
            None if is_strict() => return Err(A::Error::custom(not_null_at(key))),
            None => *self.0 = Some(value),
        }
        Ok(())
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }
}

/// The destination of unknown keys.
pub trait Rest<'de, A: MapAccess<'de>> {
    /// Deserializes the next value.
    fn put(&mut self, key: String, map: &mut A) -> Result<(), A::Error>;
}

impl<'de, A: MapAccess<'de>, T: Deserialize<'de>> Rest<'de, A> for Map<T> {
    fn put(&mut self, key: String, map: &mut A) -> Result<(), A::Error> {
        let value = map.next_value()?;
        self.insert(key, value);
        Ok(())
    }
}

/// The result of filling the slots.
pub struct Filled<E> {
    goes_on: bool,
    errors: Vec<E>,
    /// The keys whose values were read only in part.
    partial: Vec<String>,
}

/// The result of reading all fields of an object, while collecting errors or not.
pub struct Whole {
    is_checked: bool,
}

impl<E: Error> Filled<E> {
    /// Returns the collected errors, if there are any.
    pub fn finish(self) -> Result<Whole, E> {
        match self.errors.is_empty() {
            true => Ok(Whole { is_checked: false }),
            false => Err(E::custom(join(&self.errors))),
        }
    }

    /// Returns the collected errors, if there are any. If a server collects all errors, the rules
    /// are checked as well, for the fields that could be read.
    pub fn check(mut self, rules: impl FnOnce(&mut Checker)) -> Result<Whole, E> {
        let is_checked = self.goes_on && is_strict() && may_check(0);
        let is_whole = self.partial.is_empty();
        if is_checked {
            let mut checker = Checker::but(self.partial);
            rules(&mut checker);
            may_check(checker.looks());
            self.errors.extend(field_errors(checker));
        }
        match self.errors.is_empty() {
            true => Ok(Whole {
                is_checked: is_checked && is_whole,
            }),
            false => Err(E::custom(join(&self.errors))),
        }
    }
}

impl Whole {
    /// Checks the rules of the object itself.
    pub fn check<T: Serialize, E: Error>(&self, value: &T, rules: &[Rule]) -> Result<(), E> {
        if !self.is_checked {
            return Ok(());
        }
        let mut checker = Checker::default();
        checker.object(value, rules);
        let errors: Vec<E> = field_errors(checker).collect();
        match errors.is_empty() {
            true => Ok(()),
            false => Err(E::custom(join(&errors))),
        }
    }
}

fn field_errors<E: Error>(checker: Checker) -> impl Iterator<Item = E> {
    let field_errors = checker.into_field_errors().into_iter();
    field_errors.map(|error| E::custom(WireError::of_field_error(error).to_text()))
}

/// Fills the slots, one per key of the table; `rest` contains at most one destination.
pub fn fill<'de, A: MapAccess<'de>>(
    mut map: A,
    meta: &'static Meta,
    slots: &mut [&mut dyn Slot<'de, A>],
    rest: &mut [&mut dyn Rest<'de, A>],
) -> Result<Filled<A::Error>, A::Error> {
    let mut next = 0;
    let goes_on = map.size_hint() == Some(GO_ON);
    // The errors so far, if reading continues, and the keys that they belong to.
    let mut errors: Vec<A::Error> = Vec::new();
    let mut spoilt: Vec<usize> = Vec::new();
    let mut partial: Vec<String> = Vec::new();
    loop {
        let before = parts();
        let key = match map.next_key_seed(KeySeed { meta, next }) {
            Ok(Some(key)) => key,
            Ok(None) => break,
            // The value of a rejected key has to be consumed.
            Err(error) if goes_on => {
                errors.push(error);
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            Err(error) => return Err(error),
        };
        let read = match (key, rest.first_mut()) {
            (Key::Known(index), _) => {
                next = index + 1;
                match (slots.get_mut(index), meta.keys.get(index)) {
                    (Some(slot), Some(key)) => {
                        let read = slot.put(key, &mut map);
                        if parts() != before {
                            partial.push((*key).to_owned());
                        }
                        if goes_on && read.is_err() {
                            spoilt.push(index);
                        }
                        read
                    }
                    _ => map.next_value::<IgnoredAny>().map(drop),
                }
            }
            (Key::Unknown(key), Some(rest)) => {
                let read = rest.put(key.clone(), &mut map);
                if parts() != before {
                    partial.push(key);
                }
                read
            }
            _ => map.next_value::<IgnoredAny>().map(drop),
        };
        match read {
            Ok(()) => {}
            Err(error) if goes_on => errors.push(error),
            Err(error) => return Err(error),
        }
    }
    for (index, ((slot, key), optional)) in
        slots.iter().zip(meta.keys).zip(meta.optional).enumerate()
    {
        if *optional == 0 && !slot.is_filled() && !spoilt.contains(&index) {
            let missing = A::Error::missing_field(key);
            if !goes_on {
                return Err(missing);
            }
            errors.push(missing);
        }
    }
    Ok(Filled {
        goes_on,
        errors,
        partial,
    })
}

/// Returns the error of a slot that is empty after [`fill`], which cannot happen.
pub fn unfilled<E: Error>() -> E {
    E::custom("a field was not read")
}

/// Returns the value of an absent optional key.
#[allow(clippy::unnecessary_wraps)]
pub fn some_default<T: Default>() -> Option<T> {
    Some(T::default())
}

/// Deserializes an object.
pub fn read<'de, T: Object, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let visitor = ObjectVisitor(PhantomData);
    if T::META.is_open() {
        deserializer.deserialize_map(visitor)
    } else {
        deserializer.deserialize_struct(T::META.name, T::META.keys, visitor)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Object> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TABLE)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::read(map)
    }
}

enum Key {
    Known(usize),
    Unknown(String),
    Ignored,
}

#[derive(Clone, Copy)]
struct KeySeed {
    meta: &'static Meta,
    next: usize,
}

impl KeySeed {
    fn unknown<E: Error>(self, key: &str) -> Result<Key, E> {
        if self.meta.is_open() {
            Ok(Key::Unknown(key.to_owned()))
        } else if self.meta.is_closed() {
            Err(E::unknown_field(key, self.meta.keys))
        } else {
            Ok(Key::Ignored)
        }
    }
}

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for KeySeed {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
        match self.meta.find(key, self.next) {
            Some(index) => Ok(Key::Known(index)),
            None => self.unknown(key),
        }
    }

    fn visit_bytes<E: Error>(self, key: &[u8]) -> Result<Key, E> {
        self.visit_str(&String::from_utf8_lossy(key))
    }

    // A number as a key is its digits: an index into the table has no meaning in JSON.
    fn visit_u64<E: Error>(self, key: u64) -> Result<Key, E> {
        self.visit_str(&key.to_string())
    }

    fn visit_i64<E: Error>(self, key: i64) -> Result<Key, E> {
        self.visit_str(&key.to_string())
    }

    fn visit_bool<E: Error>(self, key: bool) -> Result<Key, E> {
        self.visit_str(if key { "true" } else { "false" })
    }
}
