//! The trait of types that are read with a state.

use super::state::State;
use super::{Arena, Failed, FieldErrors, Reader, json, text_as, texts};
use crate::values::check::Checker;
#[cfg(feature = "sample")]
use crate::values::form::Form;
use crate::values::outline::Outline;
use crate::values::tag::probe;
use crate::values::{BODY, DecodeError, Node, Rule, Strictness, Validate};
#[cfg(feature = "sample")]
use crate::values::{Json, Leniencies};
use serde::Serialize;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, MapAccess};
use std::marker::PhantomData;

pub use crate::values::tag::Tag;

/// A type that a table, an enum or a union describes, or that is built of such types.
///
/// The macros implement this trait next to those of serde. A type that has only serde's traits is
/// marked `unchecked` in its row, and is read without a state.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not described by a table of `bothends_runtime`",
    label = "needs `object!`, `string_enum!`, `union!` or another of the macros"
)]
pub trait Value: Sized + Validate {
    /// The kind of the type, which has the functions. A type only names its kind: a function of
    /// its own for each of them is what compiling the types of a large document costs.
    type Kind: Kind<Self>;

    /// The rules that the type has by itself, if it is a newtype.
    #[cfg(feature = "sample")]
    const RULES: &'static [Rule] = &[];

    /// Deserializes a value.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not of this type.
    #[inline]
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<Self, D::Error> {
        Self::Kind::decode(deserializer, state)
    }

    /// Deserializes an object from its members.
    ///
    /// # Errors
    ///
    /// Returns an error if the object is not of this type.
    #[inline]
    fn decode_map<'de, A: MapAccess<'de>>(map: A, state: &State<'_>) -> Result<Self, A::Error> {
        Self::Kind::decode_map(map, state)
    }

    /// Returns which of the names the object has for a discriminator property.
    #[inline]
    fn tag(&self, key: &'static str, names: &[&'static str]) -> Tag
    where
        Self: Serialize,
    {
        Self::Kind::tag(self, key, names)
    }

    /// Returns what is known of the values.
    #[inline]
    fn outline() -> Outline {
        Self::Kind::outline()
    }

    /// Returns the form of the values, for drawing them.
    #[cfg(feature = "sample")]
    fn form() -> Form {
        Self::Kind::form()
    }
}

/// A kind of types: the functions that all types of the kind share.
pub trait Kind<T> {
    /// Whether values that the document does not list are kept.
    const IS_OPEN: bool = false;
    /// Whether serde's derive macros implement its traits.
    const IS_DERIVED: bool = false;

    /// Deserializes a value: see [`Value::decode`].
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not of the type.
    fn decode<'de, D: Deserializer<'de>>(deserializer: D, state: &State<'_>)
    -> Result<T, D::Error>;

    /// Deserializes an object from its members.
    ///
    /// # Errors
    ///
    /// Returns an error if the object is not of the type.
    fn decode_map<'de, A: MapAccess<'de>>(map: A, state: &State<'_>) -> Result<T, A::Error>
    where
        T: Value,
    {
        let node = Node::of_members(Vec::new(), map)?;
        decode_node(&node, state)
    }

    /// Returns which of the names the object has for a discriminator property.
    fn tag(value: &T, key: &'static str, names: &[&'static str]) -> Tag
    where
        T: Serialize,
    {
        probe(value, key, names)
    }

    /// Returns what is known of the values, for selecting variants of a union.
    fn outline() -> Outline;

    /// Returns the form of the values, for drawing them.
    #[cfg(feature = "sample")]
    fn form() -> Form
    where
        T: Value,
    {
        scalar::<T>(Self::outline())
    }

    /// Deserializes the data of a server-sent event with this name.
    ///
    /// # Errors
    ///
    /// Returns an error if the data is not of the type.
    fn decode_event(_: Option<&str>, data: &str, state: &State<'_>) -> Result<T, DecodeError>
    where
        T: Value,
    {
        event_data::<T, Own>(Self::outline(), data, state)
    }

    /// Returns the name of the event that has the value as its data, given the stated name.
    ///
    /// # Errors
    ///
    /// Returns an error if events with the stated name have data of another type.
    fn event_of<'a>(_: &T, stated: Option<&'a str>) -> Result<Option<&'a str>, String> {
        Ok(stated)
    }
}

/// The kind of the types of Rust and of this crate: each has functions of its own.
#[derive(Debug)]
pub enum Builtin {}

/// Reads a type from a tree within the value of a state.
fn decode_node<T: Value, E: serde::de::Error>(node: &Node, outer: &State<'_>) -> Result<T, E> {
    let arena = Arena::default();
    let state = State::within(&arena, outer);
    let read = Reader::new(&state, node, false).value::<T>();
    outer.unions.continue_from(&state.unions);
    read.map_err(|errors| outer.raise(errors))
}

/// Deserializes a type from any format, as serde's `Deserialize`.
///
/// # Errors
///
/// Returns an error if the value is not of this type.
pub fn read<'de, T: Value, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let arena = Arena::default();
    T::decode(deserializer, &State::direct(&arena, Strictness::Lenient))
}

/// The seed that passes a state to a type.
pub(crate) struct Seed<'s, 't, T, R = Own> {
    state: &'s State<'t>,
    marker: PhantomData<(T, R)>,
}

impl<'s, 't, T, R: ReadAs<T>> Seed<'s, 't, T, R> {
    /// Creates the seed of a type.
    pub(crate) const fn new(state: &'s State<'t>) -> Self {
        Self {
            state,
            marker: PhantomData,
        }
    }
}

impl<'de, T, R: ReadAs<T>> DeserializeSeed<'de> for Seed<'_, '_, T, R> {
    type Value = T;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        R::read(deserializer, self.state)
    }
}

/// A way to read a type.
pub trait ReadAs<T> {
    /// Deserializes a value.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not of the type.
    fn read<'de, D: Deserializer<'de>>(deserializer: D, state: &State<'_>) -> Result<T, D::Error>;

    /// Reports violations of these rules, and of those of the type.
    fn check(_: &T, _: &[Rule], _: &mut Checker) {}

    /// Deserializes the data of a server-sent event with this name.
    ///
    /// # Errors
    ///
    /// Returns an error if the data is not of the type.
    fn read_event(_: Option<&str>, data: &str, state: &State<'_>) -> Result<T, DecodeError>
    where
        Self: Sized,
    {
        event_data::<T, Self>(Outline::Any, data, state)
    }

    /// Returns the name of the event that has the value as its data, given the stated name.
    ///
    /// # Errors
    ///
    /// Returns an error if events with the stated name have data of another type.
    fn event_of<'a>(_: &T, stated: Option<&'a str>) -> Result<Option<&'a str>, String> {
        Ok(stated)
    }
}

/// Reads a type by its table, with the state.
pub struct Own;

/// Reads a type by its implementation of serde's trait, which knows no state.
pub struct Plain;

/// Reads a type like [`Plain`], and the data of events as text.
pub struct PlainText;

impl<T: Value> ReadAs<T> for Own {
    #[inline]
    fn read<'de, D: Deserializer<'de>>(deserializer: D, state: &State<'_>) -> Result<T, D::Error> {
        T::decode(deserializer, state)
    }

    fn check(value: &T, rules: &[Rule], checker: &mut Checker) {
        value.check(rules, checker);
    }

    fn read_event(event: Option<&str>, data: &str, state: &State<'_>) -> Result<T, DecodeError> {
        T::Kind::decode_event(event, data, state)
    }

    fn event_of<'a>(value: &T, stated: Option<&'a str>) -> Result<Option<&'a str>, String> {
        T::Kind::event_of(value, stated)
    }
}

impl<T: DeserializeOwned> ReadAs<T> for Plain {
    #[inline]
    fn read<'de, D: Deserializer<'de>>(deserializer: D, _: &State<'_>) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

impl<T: DeserializeOwned> ReadAs<T> for PlainText {
    fn read<'de, D: Deserializer<'de>>(deserializer: D, _: &State<'_>) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }

    fn read_event(_: Option<&str>, data: &str, state: &State<'_>) -> Result<T, DecodeError> {
        event_data::<T, Self>(Outline::String, data, state)
    }
}

impl Reader<'_, '_> {
    /// Reads a type, and takes the errors if that fails.
    pub(crate) fn value<T: Value>(self) -> Result<T, FieldErrors> {
        let state = self.state();
        let mark = state.mark();
        state.tags.set(self.tags());
        T::decode(self, state).map_err(|failed: Failed| state.take_since(mark, failed))
    }
}

/// Returns the error of a part that is missing after all parts were read, which cannot happen.
pub fn unfilled<E: serde::de::Error>() -> E {
    E::custom("a field was not read")
}

/// Deserializes the data of an event, of whose values the outline is known. Text is read as it is,
/// except for a listed string in quotes. Any other type is read from JSON, and from the text if that
/// fails.
///
/// # Errors
///
/// Returns an error if the data is not of the type.
pub(crate) fn event_data<T, R: ReadAs<T>>(
    outline: Outline,
    data: &str,
    state: &State<'_>,
) -> Result<T, DecodeError> {
    let strictness = state.strictness();
    let is_text = match outline {
        Outline::String => {
            let read = texts::<T, R>(&Node::Text(data.to_owned()), strictness);
            return read.map_err(|errors| DecodeError::from_fields(errors, BODY));
        }
        Outline::Formatted(_) => true,
        Outline::Values { .. } => !data.starts_with('"'),
        _ => false,
    };
    let text = || text_as::<T, R>(data, strictness);
    if is_text && let Some(text) = text() {
        return Ok(text);
    }
    let read = json::<T, R>(data, strictness);
    read.or_else(|errors| text().ok_or_else(|| DecodeError::from_fields(errors, BODY)))
}

/// How a drawn value is read: as a server reads a request.
#[cfg(feature = "sample")]
pub(in crate::values) fn strictly() -> Strictness {
    Strictness::Strict(Leniencies::default())
}

/// Returns whether a type accepts a value.
#[cfg(feature = "sample")]
pub(in crate::values) fn takes<T, R: ReadAs<T>>(value: &Json) -> bool {
    json::<T, R>(&value.to_string(), strictly()).is_ok()
}

/// Returns the form of a type without parts.
#[cfg(feature = "sample")]
fn scalar<T: Value>(outline: Outline) -> Form {
    Form::Scalar {
        outline,
        accepts: takes::<T, Own>,
        rules: T::RULES,
    }
}
