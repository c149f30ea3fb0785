//! Places: the forms and rules of fields, as tables state them.

use crate::values::check::Checker;
use crate::values::form::{Errors, Form, Place};
use crate::values::read::{Own, Plain, Schema, Value, json, strictly, takes};
use crate::values::{Json, Map, Nullable, Rule, Validate};
use serde::de::DeserializeOwned;

impl Place {
    /// The place of any text.
    pub const TEXT: Self = Self::of::<String>(&[]);

    /// Creates the place of a property with a single value.
    pub const fn constant(form: fn() -> Form) -> Self {
        Self {
            form,
            rules: &[],
            accepts: |_, _| Ok(()),
        }
    }

    /// Creates the place of a value of a type.
    pub const fn of<T: Value + Validate>(rules: &'static [Rule]) -> Self {
        Self {
            form: T::form,
            rules,
            accepts: |value, rules| read::<T>(value, rules, false).map(drop),
        }
    }

    /// Creates the place of a value of a type that no table describes.
    pub const fn plain<T: DeserializeOwned>() -> Self {
        Self {
            form: || Form::Unknown(takes::<T, Plain>),
            rules: &[],
            accepts: |value, _| match takes::<T, Plain>(value) {
                true => Ok(()),
                false => Err((1, "type".to_owned())),
            },
        }
    }

    /// Creates the place of a field.
    pub const fn field<S, T: Value + Validate>(_: fn(&S) -> &T, rules: &'static [Rule]) -> Self {
        Self::of::<T>(rules)
    }

    /// Creates the place of the values of a map.
    pub const fn values<S, T: Value + Validate>(
        _: fn(&S) -> &Map<T>,
        rules: &'static [Rule],
    ) -> Self {
        Self::of::<T>(rules)
    }

    /// Creates the place of an optional field.
    pub const fn optional<S, T: Leaves>(_: fn(&S) -> &T, rules: &'static [Rule]) -> Self {
        Self {
            form: T::left,
            rules,
            accepts: T::accepts,
        }
    }

    /// Creates the place of a field of a type that no table describes.
    pub const fn unknown<S, T: DeserializeOwned>(_: fn(&S) -> &T) -> Self {
        Self::plain::<T>()
    }

    /// Creates the place of the values of a map, of a type that no table describes.
    pub const fn unknown_values<S, T: DeserializeOwned>(_: fn(&S) -> &Map<T>) -> Self {
        Self::plain::<T>()
    }

    /// Creates the place of a value whose type replaces that of a schema.
    pub const fn schema<C: Schema>(_: fn() -> C) -> Self {
        Self::of::<C::Value>(C::RULES)
    }

    /// Returns the errors of a value at this place.
    pub(crate) fn accepts(&self, value: &Json) -> Result<(), Errors> {
        (self.accepts)(value, self.rules)
    }
}

/// The type of an optional field.
pub trait Leaves {
    /// Returns the form of the value, if there is one.
    fn left() -> Form;

    /// Returns the errors of a value that is present.
    ///
    /// # Errors
    ///
    /// Returns them.
    fn accepts(value: &Json, rules: &[Rule]) -> Result<(), Errors>;
}

impl<T: Value + Validate> Leaves for Option<T> {
    fn left() -> Form {
        T::form()
    }

    fn accepts(value: &Json, rules: &[Rule]) -> Result<(), Errors> {
        read::<T>(value, rules, false).map(drop)
    }
}

impl<T: Value + Validate> Leaves for Nullable<T> {
    fn left() -> Form {
        Form::Nullable(T::form)
    }

    fn accepts(value: &Json, rules: &[Rule]) -> Result<(), Errors> {
        read::<Option<T>>(value, rules, false).map(drop)
    }
}

/// Reads a drawn value as a server reads a request, and checks it.
pub(super) fn read<T: Value + Validate>(
    value: &Json,
    rules: &[Rule],
    in_responses: bool,
) -> Result<T, Errors> {
    let read = json::<T, Own>(&value.to_string(), strictly());
    let read = read.map_err(|errors| (errors.len(), errors.in_words()))?;
    let mut checker = Checker::default().of_response(in_responses);
    read.check(rules, &mut checker);
    match checker.finish() {
        Ok(()) => Ok(read),
        Err(errors) => Err((errors.field_errors().len(), errors.to_string())),
    }
}
