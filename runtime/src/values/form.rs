//! Forms: what is known of the values of a type, for drawing them.

use crate::values::outline::{Meta, Outline};
use crate::values::tag::TagTable;
use crate::values::{Json, Rule};

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
    pub(in crate::values) form: fn() -> Form,
    pub(in crate::values) rules: &'static [Rule],
    pub(in crate::values) accepts: fn(&Json, &[Rule]) -> Result<(), Errors>,
}
