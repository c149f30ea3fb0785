//! Deserialization of the fields of an object from any map.

use super::slots::{Rest, Slot};
use super::tag::tag_in;
use super::{Meta, Object};
use crate::values::check::Checker;
#[cfg(feature = "sample")]
use crate::values::form::Form;
use crate::values::json_reader::EXPECTED;
use crate::values::outline::Outline;
use crate::values::read::{Ask, Kind, State, Tag};
use crate::values::{Rule, WireError};
use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// The result of filling the slots.
pub struct Filled {
    is_spoilt: bool,
    /// The keys whose values were read only in part.
    partial: Vec<String>,
}

/// The result of reading all fields of an object, while collecting errors or not.
pub struct Whole {
    is_checked: bool,
}

impl Filled {
    /// Returns an error if there were any.
    pub fn finish<E: Error>(self, state: &State<'_>) -> Result<Whole, E> {
        match self.is_spoilt {
            false => Ok(Whole { is_checked: false }),
            true => Err(state.recorded()),
        }
    }

    /// Returns an error if there were any. If a server collects all errors, the rules are checked as
    /// well, for the fields that could be read.
    pub fn check<E: Error>(
        self,
        state: &State<'_>,
        mut rules: impl FnMut(&mut Checker),
    ) -> Result<Whole, E> {
        self.checked(state, &mut rules)
            .ok_or_else(|| state.recorded())
    }

    /// Does the same without a type parameter, so it is compiled once; returns `None` after errors.
    fn checked(self, state: &State<'_>, rules: &mut dyn FnMut(&mut Checker)) -> Option<Whole> {
        let is_checked = state.goes_on() && state.is_strict() && state.may_check(0);
        let is_whole = self.partial.is_empty();
        let mut is_spoilt = self.is_spoilt;
        if is_checked {
            let mut checker =
                Checker::but(self.partial).of_response(state.strictness().is_response());
            rules(&mut checker);
            state.may_check(checker.looks());
            is_spoilt |= record(checker, state);
        }
        (!is_spoilt).then_some(Whole {
            is_checked: is_checked && is_whole,
        })
    }
}

impl Whole {
    /// Checks the rules of the object itself.
    pub fn check<T: Serialize, E: Error>(
        &self,
        state: &State<'_>,
        value: &T,
        rules: &[Rule],
    ) -> Result<(), E> {
        if !self.is_checked {
            return Ok(());
        }
        let mut checker = Checker::default().of_response(state.strictness().is_response());
        checker.object(value, rules);
        match record(checker, state) {
            false => Ok(()),
            true => Err(state.recorded()),
        }
    }
}

/// Records the errors of rules; returns whether there are any.
fn record(checker: Checker, state: &State<'_>) -> bool {
    let errors = checker.into_wire_errors();
    let is_spoilt = !errors.is_empty();
    for error in errors {
        state.push(error);
    }
    is_spoilt
}

/// Fills the slots, one per key of the table; `rest` contains at most one destination.
pub fn fill<'de, A: MapAccess<'de>>(
    mut map: A,
    meta: &'static Meta,
    slots: &mut [&mut dyn Slot<'de, A>],
    rest: &mut [&mut dyn Rest<'de, A>],
    state: &State<'_>,
) -> Result<Filled, A::Error> {
    if state.goes_on() {
        return fill_all(map, meta, slots, rest, state);
    }
    let mut next = 0;
    while let Some(key) = map.next_key_seed(KeySeed { meta, next, state })? {
        match (key, rest.first_mut()) {
            (Key::Known(index), _) => {
                next = index + 1;
                match (slots.get_mut(index), meta.keys.get(index)) {
                    (Some(slot), Some(key)) => slot.put(key, &mut map, state)?,
                    _ => drop(map.next_value::<IgnoredAny>()?),
                }
            }
            (Key::Unknown(key), Some(rest)) => rest.put(key, &mut map, state)?,
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
    }
    for ((slot, key), optional) in slots.iter().zip(meta.keys).zip(meta.optional) {
        if *optional == 0 && !slot.is_filled() {
            let own = || A::Error::missing_field(key);
            return Err(state.raise_at(WireError::missing(key), own));
        }
    }
    Ok(Filled {
        is_spoilt: false,
        partial: Vec::new(),
    })
}

/// Fills the slots, and continues after errors, which the map has recorded.
fn fill_all<'de, A: MapAccess<'de>>(
    mut map: A,
    meta: &'static Meta,
    slots: &mut [&mut dyn Slot<'de, A>],
    rest: &mut [&mut dyn Rest<'de, A>],
    state: &State<'_>,
) -> Result<Filled, A::Error> {
    let mut next = 0;
    let mut is_spoilt = false;
    // The keys of invalid values, and of those that were read in part.
    let mut spoilt: Vec<usize> = Vec::new();
    let mut partial: Vec<String> = Vec::new();
    loop {
        let before = state.parts();
        let key = match map.next_key_seed(KeySeed { meta, next, state }) {
            Ok(Some(key)) => key,
            Ok(None) => break,
            // The value of a rejected key has to be consumed.
            Err(_) => {
                is_spoilt = true;
                map.next_value::<IgnoredAny>()?;
                continue;
            }
        };
        let read = match (key, rest.first_mut()) {
            (Key::Known(index), _) => {
                next = index + 1;
                match (slots.get_mut(index), meta.keys.get(index)) {
                    (Some(slot), Some(key)) => {
                        let read = slot.put(key, &mut map, state);
                        if state.parts() != before {
                            partial.push((*key).to_owned());
                        }
                        if read.is_err() {
                            spoilt.push(index);
                        }
                        read
                    }
                    _ => map.next_value::<IgnoredAny>().map(drop),
                }
            }
            (Key::Unknown(key), Some(rest)) => {
                let read = rest.put(key.clone(), &mut map, state);
                if state.parts() != before {
                    partial.push(key);
                }
                read
            }
            _ => map.next_value::<IgnoredAny>().map(drop),
        };
        is_spoilt |= read.is_err();
    }
    for (index, ((slot, key), optional)) in
        slots.iter().zip(meta.keys).zip(meta.optional).enumerate()
    {
        if *optional == 0 && !slot.is_filled() && !spoilt.contains(&index) {
            state.push(WireError::missing(key));
            is_spoilt = true;
        }
    }
    Ok(Filled { is_spoilt, partial })
}

/// The kind of an object with a table.
#[derive(Debug)]
pub enum Table {}

impl<T: Object> Kind<T> for Table {
    const IS_DERIVED: bool = T::META.derived;

    #[inline]
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<T, D::Error> {
        read_object(deserializer, state)
    }

    #[inline]
    fn decode_map<'de, A: MapAccess<'de>>(map: A, state: &State<'_>) -> Result<T, A::Error> {
        T::read(map, state)
    }

    fn tag(value: &T, key: &'static str, names: &[&'static str]) -> Tag {
        tag_in(value, key, names)
    }

    fn outline() -> Outline {
        Outline::Object(T::META)
    }

    #[cfg(feature = "sample")]
    fn form() -> Form {
        Form::Object(T::META, T::ROWS)
    }
}

/// Deserializes an object.
#[inline]
fn read_object<'de, T: Object, D: Deserializer<'de>>(
    deserializer: D,
    state: &State<'_>,
) -> Result<T, D::Error> {
    let visitor = ObjectVisitor {
        state,
        marker: PhantomData,
    };
    state.ask(Ask::Table);
    if T::META.is_open() {
        deserializer.deserialize_map(visitor)
    } else {
        deserializer.deserialize_struct(T::META.name, T::META.keys, visitor)
    }
}

struct ObjectVisitor<'s, 't, T> {
    state: &'s State<'t>,
    marker: PhantomData<T>,
}

impl<'de, T: Object> Visitor<'de> for ObjectVisitor<'_, '_, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::read(map, self.state)
    }
}

enum Key {
    Known(usize),
    Unknown(String),
    Ignored,
}

#[derive(Clone, Copy)]
struct KeySeed<'s, 't> {
    meta: &'static Meta,
    next: usize,
    state: &'s State<'t>,
}

impl KeySeed<'_, '_> {
    fn unknown<E: Error>(self, key: &str) -> Result<Key, E> {
        if self.meta.is_open() {
            Ok(Key::Unknown(key.to_owned()))
        } else if self.meta.is_closed() && self.state.is_closed() {
            let own = || E::unknown_field(key, self.meta.keys);
            Err(self.state.raise_at(WireError::unknown(key), own))
        } else {
            Ok(Key::Ignored)
        }
    }
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_, '_> {
    type Value = Key;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        if self.state.is_json()
            && self.meta.plain
            && let Some(key) = self.meta.keys.get(self.next..=self.next)
        {
            return deserializer.deserialize_struct(EXPECTED, key, self);
        }
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for KeySeed<'_, '_> {
    type Value = Key;

    /// Visits the expected key, which is next.
    #[inline]
    fn visit_unit<E: Error>(self) -> Result<Key, E> {
        Ok(Key::Known(self.next))
    }

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
