//! The error of serde for trees.

use crate::values::WireError;
use crate::values::words;
use serde::de::{self, Expected, Unexpected};
use std::fmt;

/// The error of a [`Reader`](super::Reader): one that its caller has to record, or the sign that
/// all errors are recorded in the [`State`](super::State).
#[derive(Debug)]
pub(crate) struct Failed {
    pub(super) error: Option<Box<WireError>>,
    /// Whether the value has another type than the visitor expects.
    mismatch: bool,
}

impl Failed {
    /// Creates the sign that all errors are recorded.
    pub(super) const fn recorded() -> Self {
        Self {
            error: None,
            mismatch: false,
        }
    }

    /// Replaces the message of a value that has another type than the visitor expects. The visitor
    /// may be of any crate, and its expectation is worded by that crate.
    pub(super) fn or_must_be(self, what: &str) -> Self {
        match self.mismatch {
            true => WireError::new(format!("must be {what}")).into(),
            false => self,
        }
    }

    fn mismatch(expected: &dyn Expected) -> Self {
        Self {
            error: Some(Box::new(WireError::new(format!("must be {expected}")))),
            mismatch: true,
        }
    }
}

impl From<WireError> for Failed {
    fn from(error: WireError) -> Self {
        Self {
            error: Some(Box::new(error)),
            mismatch: false,
        }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            Some(error) => error.fmt(f),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failed {}

impl de::Error for Failed {
    /// An empty message is the sign that all errors are recorded: see
    /// [`State::raise`](super::State::raise).
    fn custom<T: fmt::Display>(message: T) -> Self {
        let message = message.to_string();
        match message.is_empty() {
            true => Self::recorded(),
            false => WireError::new(message).into(),
        }
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::mismatch(expected)
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::mismatch(expected)
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        Self::mismatch(expected)
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        WireError::new(words::one_of(known)).into()
    }

    fn missing_field(field: &'static str) -> Self {
        WireError::missing(field).into()
    }

    fn duplicate_field(field: &'static str) -> Self {
        WireError::duplicate(field).into()
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        WireError::unknown(field).into()
    }
}
