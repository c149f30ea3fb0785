//! Reading of JSON text by serde's traits, up to the first deviation.
//!
//! This is the first attempt to read a value: it accepts what serde_json accepts, and says nothing about why a text is
//! rejected. [`read::json`](super::read) then reads the text as a tree, which accepts other notations of numbers, and
//! describes all errors.
//!
//! Two requests of this crate's visitors have an effect here alone: [`EXPECTED`] and [`AHEAD`]. What is rare in bodies of
//! messages is left to serde_json, which receives the text of the value.

mod access;
mod ahead;
mod brackets;
mod cursor;
mod deserializer;
mod key;
mod number;
#[cfg(test)]
mod tests;

pub(crate) use cursor::{Cursor, DEEPEST};

use std::fmt;

/// The name of a struct with one field by which a visitor states the key that it expects next. If it is next,
/// the visitor visits a unit, and otherwise the key.
pub(crate) const EXPECTED: &str = "$bothends::Expected";

/// The name of a struct with one field by which a visitor asks for the string in that field, before the first key is
/// read. The visitor visits its bytes, or a unit if it is absent, and no key is consumed.
pub(crate) const AHEAD: &str = "$bothends::Ahead";

/// The error of a text that is not JSON of the requested type. It has no content, because the tree is read for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rejected;

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not JSON of the requested type")
    }
}

impl std::error::Error for Rejected {}

impl serde::de::Error for Rejected {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }

    fn invalid_type(_: serde::de::Unexpected<'_>, _: &dyn serde::de::Expected) -> Self {
        Self
    }

    fn invalid_value(_: serde::de::Unexpected<'_>, _: &dyn serde::de::Expected) -> Self {
        Self
    }

    fn invalid_length(_: usize, _: &dyn serde::de::Expected) -> Self {
        Self
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn missing_field(_: &'static str) -> Self {
        Self
    }

    fn duplicate_field(_: &'static str) -> Self {
        Self
    }
}

impl From<serde_json::Error> for Rejected {
    fn from(_: serde_json::Error) -> Self {
        Self
    }
}
