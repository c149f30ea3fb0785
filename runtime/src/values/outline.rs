//! Outlines: what is known of the values of a type, for selecting variants of a union.

use crate::values::Json;

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

/// The metadata of a type, without the types of its fields.
#[derive(Debug)]
pub struct Meta {
    /// The Rust name of the type.
    pub name: &'static str,
    /// The names on the wire.
    pub keys: &'static [&'static str],
    /// Whether no key needs an escape in JSON.
    pub plain: bool,
    /// The keys of properties with a single value, and that value if it is a string.
    pub constants: &'static [(&'static str, Option<&'static str>)],
    /// For each key, 1 if it is optional.
    pub optional: &'static [u8],
    /// Not empty if unknown keys are rejected.
    pub closed: &'static [&'static str],
    /// Not empty if unknown keys are kept.
    pub open: &'static [&'static str],
    /// Whether serde's derive macros implement its traits.
    pub derived: bool,
}

impl Meta {
    /// Returns the index of a key. The search starts at `from`, the expected index, and wraps
    /// around.
    #[inline]
    pub(crate) fn find(&self, key: &str, from: usize) -> Option<usize> {
        match self.keys.get(from) {
            Some(known) if *known == key => Some(from),
            _ => self.search(key, from),
        }
    }

    fn search(&self, key: &str, from: usize) -> Option<usize> {
        let (head, tail) = self.keys.split_at_checked(from).unwrap_or((self.keys, &[]));
        match tail.iter().position(|known| *known == key) {
            Some(index) => Some(index + head.len()),
            None => head.iter().position(|known| *known == key),
        }
    }

    /// Returns whether unknown keys are rejected.
    pub(crate) const fn is_closed(&self) -> bool {
        !self.closed.is_empty()
    }

    /// Returns whether unknown keys are kept.
    pub(crate) const fn is_open(&self) -> bool {
        !self.open.is_empty()
    }
}
