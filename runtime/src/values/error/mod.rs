//! Errors of encoding and decoding.

mod field_errors;

pub(in crate::values) use field_errors::is_missing;
pub(crate) use field_errors::{FieldErrors, MOST};

use crate::values::BODY;
use crate::values::short::{Budget, MESSAGE, NAME, cut, path, short};
use crate::values::words::REQUIRED;
use crate::values::{Leniencies, Leniency};
use std::fmt;

/// The error of a request or response that cannot be encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodeError {
    field: String,
    message: String,
}

impl EncodeError {
    /// Creates the error of a field with a message.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: path(field.into()),
            message: cut(message.into(), MESSAGE),
        }
    }

    /// Returns the parameter or property, as the document names it; `body` for the body itself.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be sent: {}", self.field, self.message)
    }
}

impl std::error::Error for EncodeError {}

/// The error of bytes that cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    field: String,
    message: String,
    /// The fields and messages of further errors.
    others: Vec<(String, String)>,
    /// The leniencies that together accept the value.
    leniencies: Option<Leniencies>,
}

impl DecodeError {
    /// Creates the error of a field with a message.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: path(field.into()),
            message: cut(message.into(), MESSAGE),
            others: Vec::new(),
            leniencies: None,
        }
    }

    /// Creates an error from all field errors of a part of a message; `whole` is the name of the
    /// part.
    pub(crate) fn from_fields(field_errors: FieldErrors, whole: &str) -> Self {
        let place = |error: &WireError| match whole {
            BODY if error.path.is_empty() => BODY.to_owned(),
            BODY => error.field(""),
            whole => error.field(whole),
        };
        let leniencies = field_errors.leniencies();
        let mut errors = field_errors
            .into_errors()
            .into_iter()
            .map(|error| (place(&error), error.message));
        let (field, message) = errors
            .next()
            .unwrap_or_else(|| (whole.to_owned(), "cannot be read".to_owned()));
        let mut size = Budget::default();
        let others = errors.take_while(|(field, message)| size.takes(field, message));
        Self {
            field,
            message,
            others: others.collect(),
            leniencies,
        }
    }

    /// Returns the leniencies that together accept the value, if there are any.
    pub(crate) const fn leniencies(&self) -> Option<Leniencies> {
        self.leniencies
    }

    /// Returns each invalid field and its message; a field may occur several times.
    pub fn field_errors(&self) -> impl Iterator<Item = (&str, &str)> {
        let others = self.others.iter();
        let others = others.map(|(field, message)| (field.as_str(), message.as_str()));
        [(self.field(), self.message())].into_iter().chain(others)
    }

    /// Returns the header or property, as the document names it; `body` for the body itself.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for DecodeError {}

/// The error of a value, with the place of the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WireError {
    pub(crate) message: String,
    /// Whether the value is absent.
    pub(crate) absent: bool,
    /// The leniency that accepts the value.
    pub(crate) leniency: Option<Leniency>,
    /// The path to the invalid value, innermost step first.
    pub(crate) path: Vec<String>,
}

impl WireError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: cut(message.into(), MESSAGE),
            absent: false,
            leniency: None,
            path: Vec::new(),
        }
    }

    /// Creates the error of a null for a property that may be absent.
    pub(crate) fn not_null() -> Self {
        Self::new("must not be null").unless(Leniency::NullAsAbsent)
    }

    /// Names the leniency that accepts the value.
    pub(crate) fn unless(self, leniency: Leniency) -> Self {
        Self {
            leniency: Some(leniency),
            ..self
        }
    }

    pub(crate) fn absent() -> Self {
        Self {
            message: REQUIRED.to_owned(),
            absent: true,
            leniency: None,
            path: Vec::new(),
        }
    }

    pub(crate) fn within(mut self, step: &str) -> Self {
        self.add_step(step);
        self
    }

    /// Adds the step that leads to the value of the path so far.
    pub(crate) fn add_step(&mut self, step: &str) {
        // If a member of a value is absent, the value itself is not.
        self.absent = false;
        self.path.push(short(step, NAME));
    }

    /// Returns the path, starting at a field: `items[3].name`.
    pub(crate) fn field(&self, from: &str) -> String {
        let mut field = from.to_owned();
        for step in self.path.iter().rev() {
            push_step(&mut field, step);
        }
        path(field)
    }
}

/// Returns whether a step of a path leads to a name.
pub(crate) fn is_step(name: &str, step: &str) -> bool {
    name == step || (name.len() > NAME && short(name, NAME) == step)
}

/// Appends a step to a path: a name, or an index in brackets.
fn push_step(path: &mut String, step: &str) {
    if !path.is_empty() && !step.starts_with('[') {
        path.push('.');
    }
    path.push_str(step);
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WireError {}

impl serde::ser::Error for WireError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}

impl WireError {
    /// Creates the error of a required property that is missing.
    pub(crate) fn missing(key: &str) -> Self {
        Self::new(REQUIRED).within(key)
    }

    /// Creates the error of a property that occurs more than once.
    pub(crate) fn duplicate(key: &str) -> Self {
        Self::new("is given more than once").within(key)
    }

    /// Creates the error of a property that an object does not permit.
    pub(crate) fn unknown(key: &str) -> Self {
        Self::new("is not known here").within(key)
    }
}
