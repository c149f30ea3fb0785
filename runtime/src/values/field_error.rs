//! Errors of single fields.

/// The field of an error of the body as a whole.
pub(crate) const BODY: &str = "body";

/// The error of one field of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The location of the field: `path`, `query`, `header`, `cookie` or `body`; empty if it is not
    /// known.
    pub place: &'static str,
    /// The parameter or property, as the document names it; `body` for the body itself.
    pub field: String,
    /// The error message.
    pub message: String,
}

impl FieldError {
    /// Creates the error of a field, such as `items[3].name`, with a message.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            place: "",
            field: field.into(),
            message: message.into(),
        }
    }

    /// Sets the location of the field: `path`, `query`, `header`, `cookie` or `body`.
    #[must_use]
    pub fn placed(self, place: &'static str) -> Self {
        Self { place, ..self }
    }
}
