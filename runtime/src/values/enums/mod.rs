//! Enums of strings, open and closed, and enums of other JSON scalars.

mod literal;
mod string;
mod value;

pub(crate) use literal::{Literal, read_listed, same, same_text};
pub use literal::{
    LiteralEnum, OpenLiteral, OpenScalars, Scalars, literal, literal_from, literal_text,
    parse_literal,
};
pub(crate) use string::read_word;
pub use string::{OpenEnum, OpenWords, StringEnum, Words, open_from, parse_closed};

pub use value::UnrecognizedValue;

use crate::values::short::{NAME, short};
use std::fmt;

/// A string that an open enum does not list.
///
/// Only parsing creates it, so it is never equal to a listed value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unrecognized(Box<str>);

impl Unrecognized {
    /// Returns the value as it was received.
    pub const fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Unrecognized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The error of a text that a closed enum does not list.
#[derive(Clone, PartialEq, Eq)]
pub struct UnrecognizedError {
    type_name: &'static str,
    value: String,
    known: &'static [&'static str],
}

impl UnrecognizedError {
    pub(crate) fn new(
        type_name: &'static str,
        value: &str,
        known: &'static [&'static str],
    ) -> Self {
        Self {
            type_name,
            value: value.to_owned(),
            known,
        }
    }

    /// Returns the text.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns the listed values; empty if they are not all strings.
    pub const fn known(&self) -> &'static [&'static str] {
        self.known
    }
}

// The text is truncated: errors are logged, and its sender determines its length.
impl fmt::Debug for UnrecognizedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnrecognizedError")
            .field("type_name", &self.type_name)
            .field("value", &short(&self.value, NAME))
            .field("known", &self.known)
            .finish()
    }
}

impl fmt::Display for UnrecognizedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = short(&self.value, NAME);
        write!(f, "`{value}` is not a value of {}", self.type_name)
    }
}

impl std::error::Error for UnrecognizedError {}
