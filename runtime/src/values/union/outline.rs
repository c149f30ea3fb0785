//! Outlines: what is known of the values of a type, for selecting variants of a union.

use crate::values::Json;
use crate::values::table::Meta;

/// The outline of the values of a type.
#[derive(Debug, Clone, Copy)]
pub enum Outline {
    /// Any value.
    Any,
    /// Null.
    Null,
    /// A boolean.
    Bool,
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// A string.
    String,
    /// A string of a format, which the function checks.
    Formatted(fn(&str) -> bool),
    /// A listed string.
    Values {
        /// The listed strings.
        known: &'static [&'static str],
        /// Whether unlisted strings are accepted.
        open: bool,
    },
    /// A listed scalar.
    Literals {
        /// The listed scalars.
        known: fn() -> Vec<Json>,
        /// Whether unlisted scalars are accepted.
        open: bool,
    },
    /// An array with this outline of its items.
    List(fn() -> Outline),
    /// An array of this length.
    Tuple(usize),
    /// An object with a table.
    Object(&'static Meta),
    /// Any object.
    AnyObject,
    /// An object of any keys with this outline of its values.
    Map(fn() -> Outline),
    /// An object with a discriminator property.
    Tagged {
        /// The property.
        key: &'static str,
        /// The values of each variant.
        values: &'static [&'static [&'static str]],
        /// For each variant, 1 if it accepts unlisted values.
        others: &'static [u8],
        /// Whether an object with an unlisted value is kept.
        open: bool,
    },
    /// Null, or a value with this outline.
    Nullable(fn() -> Outline),
    /// A value with one of these outlines.
    OneOf(fn() -> Vec<Outline>),
}
