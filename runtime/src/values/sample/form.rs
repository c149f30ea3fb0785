//! Forms: what is known of the values of a type, for drawing them.

use crate::values::check::Checker;
use crate::values::read::{Arena, Own, Plain, ReadAs, Reader, Schema, State, Value, json};
use crate::values::table::Meta;
use crate::values::union::{Outline, TagTable, Union, UnionVariant};
use crate::values::{Json, Leniencies, Map, Node, Nullable, Rule, Strictness, Validate};
use serde::de::DeserializeOwned;

/// The form of the values of a type. Forms of parts are functions, because types are recursive.
#[derive(Debug)]
pub enum Form {
    /// One value.
    Constant(Json),
    /// A value without parts.
    Scalar {
        /// What is known of the values.
        outline: Outline,
        /// Returns whether the type accepts a value.
        accepts: fn(&Json) -> bool,
        /// The rules that the type has by itself.
        rules: &'static [Rule],
    },
    /// A value of a type that no table describes: whether the type accepts a value.
    Unknown(fn(&Json) -> bool),
    /// Null, or a value of this form.
    Nullable(fn() -> Form),
    /// A value of this form, which satisfies the rules of a type.
    Ruled(fn() -> Form, &'static [Rule]),
    /// A string with a JSON text of this form.
    JsonText(fn() -> Form),
    /// An array with items of this form.
    List(fn() -> Form),
    /// An array with items of these forms.
    Tuple(fn() -> Vec<Form>),
    /// An array that begins with items of these forms, of which the last ones may be absent, and has items of
    /// the last form behind them.
    Prefix(fn() -> (Vec<Form>, Vec<Form>), fn() -> Form),
    /// An object of any keys with values of this form.
    Map(fn() -> Form),
    /// An object with a table.
    Object(&'static Meta, &'static Rows),
    /// An object with a discriminator.
    Tagged {
        /// The discriminator and its values.
        table: &'static TagTable,
        /// The variants.
        variants: fn() -> Vec<Form>,
        /// The rules of each variant, and those of unlisted values.
        rules: (&'static [&'static [Rule]], &'static [Rule]),
        /// Whether an object with an unlisted value is kept.
        open: bool,
    },
    /// A value of one of these forms, with the rules of each.
    OneOf {
        /// The variants.
        variants: fn() -> Vec<Form>,
        /// The rules of each variant.
        rules: &'static [&'static [Rule]],
        /// Returns how many variants accept a value.
        accepting: fn(&Json) -> usize,
    },
    /// A value of at least one of these forms, with the rules of each.
    AnyOf(fn() -> Vec<Form>, &'static [&'static [Rule]]),
}

/// The number of errors of a value, and all of them in words.
pub(crate) type Errors = (usize, String);

/// The rows of a table, in the order of its keys.
#[derive(Debug)]
pub struct Rows {
    /// The properties.
    pub rows: &'static [Place],
    /// The additional properties, if they are kept.
    pub rest: &'static [Place],
    /// The rules of the object as a whole.
    pub whole: &'static [Rule],
}

/// A value at its place: its form and its rules.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub(super) form: fn() -> Form,
    pub(super) rules: &'static [Rule],
    accepts: fn(&Json, &[Rule]) -> Result<(), Errors>,
}

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

/// How a drawn value is read: as a server reads a request.
fn strictly() -> Strictness {
    Strictness::Strict(Leniencies::default())
}

/// Returns whether a type accepts a value.
fn takes<T, R: ReadAs<T>>(value: &Json) -> bool {
    json::<T, R>(&value.to_string(), strictly()).is_ok()
}

/// Returns the form of a type without parts.
pub(crate) fn scalar<T: Value>(outline: Outline) -> Form {
    Form::Scalar {
        outline,
        accepts: takes::<T, Own>,
        rules: T::RULES,
    }
}

/// Returns the form of a union without a discriminator.
pub(crate) fn one_of<T: Union>() -> Form {
    Form::OneOf {
        variants: || T::variants(|variants| variants.iter().map(|of| of.form()).collect()),
        rules: T::RULES,
        accepting: |value| T::variants(|variants| accepting(value, variants)),
    }
}

/// Returns how many variants accept a value.
fn accepting<T: Validate>(value: &Json, variants: &[&dyn UnionVariant<T>]) -> usize {
    let node = Node::from_json(value.clone());
    let accepts = |of: &&&dyn UnionVariant<T>| {
        let arena = Arena::default();
        let state = State::tree(&arena, strictly());
        let read = of.decode(Reader::new(&state, &node, false));
        read.is_ok_and(|value| value.validate().is_ok())
    };
    variants.iter().filter(accepts).count()
}
