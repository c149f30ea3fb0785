//! The destinations of the values of an object.

use crate::values::read::{
    BySchema, Member, Own, Plain, ReadAs, Schema, Seed, State, Value, null_as, text_as,
};
use crate::values::{Map, Nullable, Presence, Strictness, WireError};
use serde::de::{DeserializeOwned, Error, IgnoredAny, MapAccess};
use std::marker::PhantomData;

/// The destination of the value of a key.
pub trait Slot<'de, A: MapAccess<'de>> {
    /// Deserializes the next value; a second value for the same key is an error.
    fn put(&mut self, key: &'static str, map: &mut A, state: &State<'_>) -> Result<(), A::Error>;

    /// Returns whether the slot has a value.
    fn is_filled(&self) -> bool;
}

/// A slot of a type that has only serde's traits.
pub struct Unchecked<S>(pub S);

/// A slot of a type that has only serde's traits, whose values a server checks by a schema.
pub struct Checked<S, C>(S, PhantomData<C>);

impl<S> Unchecked<S> {
    /// Adds the schema of the values.
    pub fn schema<C: Schema>(self, _: C) -> Checked<S, C> {
        Checked(self.0, PhantomData)
    }
}

/// Reads the next value, unless there is one already.
#[inline]
pub(super) fn put_first<'de, T, R: ReadAs<T>, A: MapAccess<'de>>(
    value: &mut Option<T>,
    key: &'static str,
    map: &mut A,
    state: &State<'_>,
) -> Result<(), A::Error> {
    is_first(value.is_some(), key, map, state)?;
    *value = Some(map.next_value_seed(Seed::<T, R>::new(state))?);
    Ok(())
}

/// Returns an error for the second value of a key. The value is consumed if reading continues.
pub(super) fn is_first<'de, A: MapAccess<'de>>(
    is_filled: bool,
    key: &'static str,
    map: &mut A,
    state: &State<'_>,
) -> Result<(), A::Error> {
    if !is_filled {
        return Ok(());
    }
    if state.goes_on() {
        map.next_value::<IgnoredAny>()?;
    }
    Err(state.raise_at(WireError::duplicate(key), || A::Error::duplicate_field(key)))
}

impl<'de, A: MapAccess<'de>, T: Value> Slot<'de, A> for &mut Option<T> {
    #[inline]
    fn put(&mut self, key: &'static str, map: &mut A, state: &State<'_>) -> Result<(), A::Error> {
        put_first::<T, Own, A>(self, key, map, state)
    }

    fn is_filled(&self) -> bool {
        self.is_some()
    }
}

impl<'de, A: MapAccess<'de>, T: DeserializeOwned> Slot<'de, A> for Unchecked<&mut Option<T>> {
    fn put(&mut self, key: &'static str, map: &mut A, state: &State<'_>) -> Result<(), A::Error> {
        put_first::<T, Plain, A>(self.0, key, map, state)
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }
}

/// The slot of an optional key.
pub struct Leave<'a, T>(pub &'a mut Option<T>);

/// The type of an optional field, which is read as `R`.
pub trait Left<R>: Presence + Default {
    /// Returns the value of null, if the type has one.
    fn null() -> Option<Self>;

    /// Parses a text; `None` if it is not a value of the type.
    fn of_text(text: &str) -> Option<Self>;
}

impl<T, R: ReadAs<T>> Left<R> for Option<T> {
    fn null() -> Option<Self> {
        null_as::<T, R>().map(Some)
    }

    fn of_text(text: &str) -> Option<Self> {
        text_as::<T, R>(text, Strictness::Lenient).map(Some)
    }
}

impl<T, R: ReadAs<T>> Left<R> for Nullable<T> {
    fn null() -> Option<Self> {
        Some(Self::Null)
    }

    fn of_text(text: &str) -> Option<Self> {
        text_as::<T, R>(text, Strictness::Lenient).map(Self::Value)
    }
}

/// Reads the value of an optional key.
#[inline]
pub(super) fn put_optional<'de, T: Left<R>, R: ReadAs<T>, A: MapAccess<'de>>(
    slot: &mut Option<T>,
    key: &'static str,
    map: &mut A,
    state: &State<'_>,
) -> Result<(), A::Error> {
    put_first::<T, R, A>(slot, key, map, state)?;
    if slot.as_ref().is_some_and(Presence::is_absent) {
        // The key is present, so its value was null.
        match T::null() {
            Some(null) => *slot = Some(null),
            None => {
                (state.null_as_absent()).map_err(|error| state.raise(error.within(key).into()))?
            }
        }
    }
    Ok(())
}

impl<'de, A: MapAccess<'de>, T: Left<Own> + Value> Slot<'de, A> for Leave<'_, T> {
    #[inline]
    fn put(&mut self, key: &'static str, map: &mut A, state: &State<'_>) -> Result<(), A::Error> {
        put_optional::<T, Own, A>(self.0, key, map, state)
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }
}

impl<'de, A: MapAccess<'de>, T: Left<Plain> + DeserializeOwned> Slot<'de, A>
    for Unchecked<Leave<'_, T>>
{
    fn put(&mut self, key: &'static str, map: &mut A, state: &State<'_>) -> Result<(), A::Error> {
        put_optional::<T, Plain, A>(self.0.0, key, map, state)
    }

    fn is_filled(&self) -> bool {
        self.0.0.is_some()
    }
}

impl<'de, A: MapAccess<'de>, T: DeserializeOwned, C: Schema> Slot<'de, A>
    for Checked<&mut Option<T>, C>
{
    fn put(&mut self, key: &'static str, map: &mut A, state: &State<'_>) -> Result<(), A::Error> {
        put_first::<T, BySchema<C>, A>(self.0, key, map, state)
    }

    fn is_filled(&self) -> bool {
        self.0.is_some()
    }
}

impl<'de, A: MapAccess<'de>, T: Left<BySchema<C>> + DeserializeOwned, C: Schema> Slot<'de, A>
    for Checked<Leave<'_, T>, C>
{
    fn put(&mut self, key: &'static str, map: &mut A, state: &State<'_>) -> Result<(), A::Error> {
        put_optional::<T, BySchema<C>, A>(self.0.0, key, map, state)
    }

    fn is_filled(&self) -> bool {
        self.0.0.is_some()
    }
}

/// The destination of unknown keys.
pub trait Rest<'de, A: MapAccess<'de>> {
    /// Deserializes the next value.
    fn put(&mut self, key: String, map: &mut A, state: &State<'_>) -> Result<(), A::Error>;
}

impl<'de, A: MapAccess<'de>, T: Value> Rest<'de, A> for &mut Map<T> {
    fn put(&mut self, key: String, map: &mut A, state: &State<'_>) -> Result<(), A::Error> {
        if let Some(value) = map.next_value_seed(Member::<T>::new(state))? {
            self.insert(key, value);
        }
        Ok(())
    }
}

impl<'de, A: MapAccess<'de>, T: DeserializeOwned> Rest<'de, A> for Unchecked<&mut Map<T>> {
    fn put(&mut self, key: String, map: &mut A, _: &State<'_>) -> Result<(), A::Error> {
        let value = map.next_value()?;
        self.0.insert(key, value);
        Ok(())
    }
}

impl<'de, A: MapAccess<'de>, T: DeserializeOwned, C: Schema> Rest<'de, A>
    for Checked<&mut Map<T>, C>
{
    fn put(&mut self, key: String, map: &mut A, state: &State<'_>) -> Result<(), A::Error> {
        let value = map.next_value_seed(Seed::<T, BySchema<C>>::new(state))?;
        self.0.insert(key, value);
        Ok(())
    }
}
