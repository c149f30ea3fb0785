//! Enums of documented responses.

use super::body::row::Row;
use super::success::ResponseHeaders;
use super::{ResponseDecoder, ResponseEncoder};
use crate::values::escaped::beginning;
use crate::values::{DecodeError, short};
use std::any::Any;
use std::convert::Infallible;
use std::fmt;

/// An enum of documented responses: a variant for each status.
///
/// [`responses!`](crate::responses) and [`errors!`](crate::errors) implement it by a table.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of documented responses",
    label = "needs a table of `bothends_runtime::responses!` or `bothends_runtime::errors!`",
    note = "a handler returns the response of its operation, or `Err` with the error type of its \
            operation, a `Rejection`, or `Error::internal(..)`"
)]
pub trait ResponseSet: Sized {
    /// The rows of the table: codes first, then ranges, then `default`.
    const ROWS: &'static [Row];

    /// Returns the status.
    fn status(&self) -> u16;

    /// Encodes the response.
    fn encode(&self, response: &mut ResponseEncoder);

    /// Decodes a response; `None` if no row contains its status.
    ///
    /// # Errors
    ///
    /// Returns an error if the headers or the body do not match the row.
    fn read(response: &ResponseDecoder) -> Result<Option<Self>, DecodeError>;
}

/// The documented errors of an operation: the common interface of all operations.
///
/// [`client::CallError`](crate::client::CallError) is the same for all errors of a call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of documented errors",
    label = "needs a table of `bothends_runtime::errors!`",
    note = "an operation without documented errors has `bothends_runtime::NoError`"
)]
pub trait OperationError: ResponseSet + std::error::Error + Send + Sync + 'static {
    /// The error codes of the API; [`Infallible`] if the document has none.
    type Code: fmt::Display;
    /// The documented headers of the error responses; `()` if the document describes none.
    type Headers: ResponseHeaders;

    /// Returns the error code, if the response has one.
    fn code_id(&self) -> Option<&Self::Code>;

    /// Returns the human-readable message, if the response has one.
    fn message(&self) -> Option<&str>;

    /// Returns the body, to be downcast to the type that the document describes; `None` for a
    /// response without a body.
    fn documented_body(&self) -> Option<&dyn Any>;
}

/// The error type of an operation without documented errors.
///
/// A document may add errors, so code of other crates cannot match on it without a wildcard arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NoError {}

impl ResponseSet for NoError {
    const ROWS: &'static [Row] = &[];

    fn status(&self) -> u16 {
        match *self {}
    }

    fn encode(&self, _: &mut ResponseEncoder) {
        match *self {}
    }

    fn read(_: &ResponseDecoder) -> Result<Option<Self>, DecodeError> {
        Ok(None)
    }
}

impl fmt::Display for NoError {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for NoError {}

impl OperationError for NoError {
    type Code = Infallible;
    type Headers = ();

    fn code_id(&self) -> Option<&Infallible> {
        match *self {}
    }

    fn message(&self) -> Option<&str> {
        match *self {}
    }

    fn documented_body(&self) -> Option<&dyn Any> {
        match *self {}
    }
}

/// Writes a status with its reason phrase: `404 Not Found`.
fn write_status(f: &mut fmt::Formatter<'_>, status: u16) -> fmt::Result {
    write!(f, "{status}")?;
    let reason = http::StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason());
    reason.map_or(Ok(()), |reason| write!(f, " {reason}"))
}

/// Writes a documented error: its status, and the error code of the API and the message if there are
/// any. Both may be any text of the server, so their length is limited, and control characters are
/// escaped.
pub fn write_error(
    f: &mut fmt::Formatter<'_>,
    status: u16,
    code: Option<&dyn fmt::Display>,
    message: Option<&str>,
) -> fmt::Result {
    write_status(f, status)?;
    if let Some(code) = code {
        write!(f, ", `{}`", beginning(&code.to_string(), short::NAME))?;
    }
    match message.filter(|message| !message.trim().is_empty()) {
        Some(message) => write!(f, ": {}", beginning(message, short::PATH)),
        None => Ok(()),
    }
}

/// A step on the path to a value in a body: a field, which may be absent.
#[diagnostic::on_unimplemented(
    message = "a `?` stands behind a field that is always there, on the way to the code or the message \
               of an error",
    label = "`{Self}`: only `Option` and `Nullable` take a `?`"
)]
pub trait Step<'a> {
    /// The type of the field's value.
    type Inner: ?Sized;

    /// Returns the value, if it is present.
    fn step(self) -> Option<&'a Self::Inner>;
}

/// A field that may be absent.
#[derive(Debug)]
pub struct Perhaps<'a, T>(pub &'a T);

impl<'a, T> Step<'a> for &'a T {
    type Inner = T;

    fn step(self) -> Option<&'a T> {
        Some(self)
    }
}

impl<'a, T> Step<'a> for Perhaps<'a, Option<T>> {
    type Inner = T;

    fn step(self) -> Option<&'a T> {
        self.0.as_ref()
    }
}

impl<'a, T> Step<'a> for Perhaps<'a, crate::values::Nullable<T>> {
    type Inner = T;

    fn step(self) -> Option<&'a T> {
        self.0.value()
    }
}
