//! What goes wrong between values and bytes.

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
        Self { field: field.into(), message: message.into() }
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
}

impl DecodeError {
    /// What is wrong with a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
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
        Self { message: message.into(), absent: false, path: Vec::new() }
    }

    pub(crate) fn absent() -> Self {
        Self { message: "is required".to_owned(), absent: true, path: Vec::new() }
    }

    pub(crate) fn within(mut self, step: &str) -> Self {
        // What is missing in a value is not the value that is missing.
        self.absent = false;
        self.path.push(step.to_owned());
        self
    }

    /// The way from a field, with points.
    pub(crate) fn field(&self, from: &str) -> String {
        let mut field = from.to_owned();
        for step in self.path.iter().rev() {
            if !field.is_empty() {
                field.push('.');
            }
            field.push_str(step);
        }
        field
    }
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
        Self::new(message.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new("is required").within(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new("is given more than once").within(field)
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        Self::new("is not known here").within(field)
    }
}
