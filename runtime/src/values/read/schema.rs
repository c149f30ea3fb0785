//! Types of the user that replace the type of a schema: a server checks a value by its schema, and
//! then reads the type by serde's traits.

use super::value::{ReadAs, event_data};
use super::{Failed, FieldErrors, Kind as _, Reader, State, Value, with_node};
use crate::values::check::Checker;
use crate::values::{DecodeError, Rule, Validate};
use serde::Serialize;
use serde::de::{DeserializeOwned, Deserializer};
use std::fmt::Debug;
use std::marker::PhantomData;

/// The schema of a value whose Rust type is the user's.
pub trait Schema {
    /// The type that the schema has by itself.
    type Value: Value + Validate;
    /// The rules of the value at this place.
    const RULES: &'static [Rule];
}

/// Reads a type by serde's traits. A server checks the value by the schema `S` first.
pub struct BySchema<S>(PhantomData<S>);

impl<T: DeserializeOwned, S: Schema> ReadAs<T> for BySchema<S> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D, state: &State<'_>) -> Result<T, D::Error> {
        if !state.is_strict() {
            return T::deserialize(deserializer);
        }
        with_node(deserializer, state, read::<T, S>)
    }

    fn read_event(event: Option<&str>, data: &str, state: &State<'_>) -> Result<T, DecodeError> {
        if state.is_strict() {
            <S::Value as Value>::Kind::decode_event(event, data, state)?;
        }
        event_data::<T, Self>(S::Value::outline(), data, state)
    }
}

/// Reads a type from a tree, in a server after its schema.
pub(crate) fn read<T: DeserializeOwned, S: Schema>(
    reader: Reader<'_, '_>,
) -> Result<T, FieldErrors> {
    let state = reader.state();
    let (lost, goes_on) = (state.lost(), state.goes_on());
    if state.is_strict() {
        check(reader, S::RULES, |reader| reader.value::<S::Value>())?;
    }
    // The type is read as a whole, up to its first error.
    state.set_goes_on(false);
    let mark = state.mark();
    let read = T::deserialize(reader).map_err(|failed: Failed| state.take_since(mark, failed));
    state.set_goes_on(goes_on);
    state.set_lost(lost);
    read
}

fn check<W: Validate>(
    reader: Reader<'_, '_>,
    rules: &[Rule],
    read: impl FnOnce(Reader<'_, '_>) -> Result<W, FieldErrors>,
) -> Result<(), FieldErrors> {
    let before = reader.state().parts();
    let value = read(reader)?;
    if reader.state().parts() != before {
        // An earlier pass has the errors of the part that is skipped.
        return Err(FieldErrors::default());
    }
    let is_response = reader.state().strictness().is_response();
    let mut checker = Checker::default().of_response(is_response);
    value.check(rules, &mut checker);
    reader.state().may_check(checker.looks());
    match checker.is_empty() {
        true => Ok(()),
        false => Err(FieldErrors::new(checker.into_wire_errors())),
    }
}

/// Returns a value that every rule accepts, in place of one of a type without rules.
pub const fn any_value<T>(_: &T) -> &() {
    &()
}

/// A type that can replace the type of a schema.
///
/// A type of `[types]` implements [`Serialize`] and `Deserialize`, and is `Clone`, `Debug`,
/// `PartialEq`, `Send` and `Sync`.
pub trait ReplacesSchema {}

impl<T> ReplacesSchema for T where
    T: Serialize + DeserializeOwned + Clone + Debug + PartialEq + Send + Sync + 'static
{
}

/// Checks at compile time that a type can replace the type of a schema.
pub const fn replaces_schema<T: ReplacesSchema>() {}

/// Checks at compile time that a type can replace the type of a schema: it implements `Serialize` and
/// `Deserialize`, and is `Clone`, `Debug`, `PartialEq`, `Send` and `Sync`.
///
/// ```compile_fail
/// struct Money;
/// bothends_runtime::replaces_schema!(Money);
/// ```
#[macro_export]
macro_rules! replaces_schema {
    ($Type:ty) => {
        const _: () = $crate::private::replaces_schema::<$Type>();
    };
}

/// Gives a value with serde's traits alone the checks of a schema: an expression of a type that
/// implements [`Schema`].
#[doc(hidden)]
#[macro_export]
macro_rules! __schema {
    ([$Value:ty] [$($rule:expr),*]) => {{
        struct Schema;
        #[allow(deprecated)]
        impl $crate::private::Schema for Schema {
            type Value = $Value;
            const RULES: &'static [$crate::Rule] = $crate::__rules![$($rule),*];
        }
        Schema
    }};
}
