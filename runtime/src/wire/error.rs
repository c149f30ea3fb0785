//! What goes wrong between values and bytes.

use super::read::{FieldErrors, REQUIRED};
use super::short::{MESSAGE, NAME, Told, cut, path, short};
use crate::FieldError;
use crate::operation::body::BODY;
use std::fmt;

/// A request or response that cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodeError {
    field: String,
    message: String,
}

impl EncodeError {
    /// What is wrong with a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: path(field.into()),
            message: cut(message.into(), MESSAGE),
        }
    }

    /// The parameter or property, as the document names it; `body` for the body itself.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// What is wrong with it.
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

/// Bytes that cannot be read as what they should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    field: String,
    message: String,
    /// What else is wrong.
    others: Vec<(String, String)>,
}

impl DecodeError {
    /// What is wrong with a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: path(field.into()),
            message: cut(message.into(), MESSAGE),
            others: Vec::new(),
        }
    }

    /// Everything that is wrong with a part of a message; `whole` is its name.
    pub(crate) fn of(field_errors: FieldErrors, whole: &str) -> Self {
        let place = |error: &WireError| match whole {
            BODY if error.path.is_empty() => BODY.to_owned(),
            BODY => error.field(""),
            whole => error.field(whole),
        };
        let mut told = field_errors
            .into_errors()
            .into_iter()
            .map(|error| (place(&error), error.message));
        let (field, message) = told
            .next()
            .unwrap_or_else(|| (whole.to_owned(), "cannot be read".to_owned()));
        let mut size = Told::default();
        let others = told.take_while(|(field, message)| size.takes(field, message));
        Self {
            field,
            message,
            others: others.collect(),
        }
    }

    /// Each field with something wrong, and what it is: there may be several.
    pub fn field_errors(&self) -> impl Iterator<Item = (&str, &str)> {
        let others = self.others.iter();
        let others = others.map(|(field, message)| (field.as_str(), message.as_str()));
        [(self.field(), self.message())].into_iter().chain(others)
    }

    /// The header or property, as the document names it; `body` for the body itself.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// What is wrong with it.
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

/// Begins and ends the path in [`WireError::to_text`]: no field is named by these.
const MARK: &str = "\u{1}";
/// Stands between two steps of it.
const STEP: &str = "\u{2}";

/// serde's error for trees of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WireError {
    pub(crate) message: String,
    /// Nothing is there.
    pub(crate) absent: bool,
    /// The way to what is wrong, innermost first.
    pub(crate) path: Vec<String>,
}

impl WireError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: cut(message.into(), MESSAGE),
            absent: false,
            path: Vec::new(),
        }
    }

    pub(crate) fn absent() -> Self {
        Self {
            message: REQUIRED.to_owned(),
            absent: true,
            path: Vec::new(),
        }
    }

    pub(crate) fn within(mut self, step: &str) -> Self {
        // What is missing in a value is not the value that is missing.
        self.absent = false;
        self.path.push(short(step, NAME));
        self
    }

    /// The error as a text that [`serde::de::Error::custom`] of this type takes apart again: what
    /// passes through a union passes through a text.
    pub(crate) fn to_text(&self) -> String {
        if self.path.is_empty() {
            return self.message.clone();
        }
        format!("{MARK}{}{MARK}{}", self.path.join(STEP), self.message)
    }

    fn from_text(text: String) -> Self {
        let parts = text
            .strip_prefix(MARK)
            .and_then(|rest| rest.split_once(MARK));
        match parts {
            Some((path, message)) => {
                let path = path.split(STEP).map(str::to_owned).collect();
                Self {
                    message: short(message, MESSAGE),
                    absent: false,
                    path,
                }
            }
            None => Self::new(text),
        }
    }

    /// The way from a field: `items[3].name`.
    pub(crate) fn field(&self, from: &str) -> String {
        let mut field = from.to_owned();
        for step in self.path.iter().rev() {
            push_step(&mut field, step);
        }
        path(field)
    }

    /// What a rule found, by its way from here.
    pub(crate) fn of_field_error(error: FieldError) -> Self {
        let way = Some(error.field).filter(|field| !field.is_empty());
        Self {
            path: way.into_iter().collect(),
            ..Self::new(error.message)
        }
    }
}

/// Whether a step of a path is that to a name.
pub(crate) fn is_step(name: &str, step: &str) -> bool {
    name == step || (name.len() > NAME && short(name, NAME) == step)
}

/// Goes one step further on a way: a name, or the place in a list in brackets.
fn push_step(way: &mut String, step: &str) {
    if !way.is_empty() && !step.starts_with('[') {
        way.push('.');
    }
    way.push_str(step);
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

impl serde::de::Error for WireError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::from_text(message.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(REQUIRED).within(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new("is given more than once").within(field)
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        Self::new("is not known here").within(field)
    }
}
