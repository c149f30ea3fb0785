//! Enums of documented responses.

use super::row::Row;
use super::{ResponseDecoder, ResponseEncoder};
use crate::wire::DecodeError;
use std::any::Any;
use std::convert::Infallible;
use std::fmt;

/// An enum of documented responses: a variant for each status.
///
/// [`responses!`](crate::responses) and [`errors!`](crate::errors) make it of a table.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of documented responses",
    label = "needs a table of `bothends_runtime::responses!` or `bothends_runtime::errors!`",
    note = "a handler returns the response of its operation, or `Err` with the error type of its \
            operation, a `Rejection`, or `Error::internal(..)`"
)]
pub trait ResponseSet: Sized {
    /// The rows of its table: codes first, then ranges, then `default`.
    const ROWS: &'static [Row];

    /// The status.
    fn status(&self) -> u16;

    /// Writes the response.
    fn encode(&self, response: &mut ResponseEncoder);

    /// Reads a response; `None` if its status is not that of a row.
    ///
    /// # Errors
    ///
    /// Returns an error if headers or the body are not what the row has.
    fn read(response: &ResponseDecoder) -> Result<Option<Self>, DecodeError>;

    /// Reads a response, as [`read`](Self::read) does.
    fn decode(response: &ResponseDecoder) -> Option<Result<Self, DecodeError>> {
        Self::read(response).transpose()
    }
}

/// The documented errors of an operation: what is common to those of all operations.
///
/// [`client::CallError`](crate::client::CallError) has the same for all errors of a call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of documented errors",
    label = "needs a table of `bothends_runtime::errors!`",
    note = "an operation without documented errors has `bothends_runtime::NoError`"
)]
pub trait OperationError: ResponseSet + std::error::Error + Send + Sync + 'static {
    /// The error codes of the API; [`Infallible`] where the document has none.
    type Code: fmt::Display;

    /// Returns the error code, if the response has one.
    fn code_id(&self) -> Option<&Self::Code>;

    /// Returns the message for people, if the response has one.
    fn message(&self) -> Option<&str>;

    /// Returns the body, to be downcast to the type that the document describes; `None` for a response
    /// without a body.
    fn documented_body(&self) -> Option<&dyn Any>;
}

/// The documented errors of an operation whose document has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// `404 Not Found`
pub fn write_status(f: &mut fmt::Formatter<'_>, status: u16) -> fmt::Result {
    write!(f, "{status}")?;
    let reason = http::StatusCode::from_u16(status)
        .ok()
        .and_then(|of| of.canonical_reason());
    reason.map_or(Ok(()), |reason| write!(f, " {reason}"))
}

/// A step on the way to a value within a body: a field, which may be absent.
#[diagnostic::on_unimplemented(
    message = "a `?` stands behind a field that is always there, on the way to the code or the message \
               of an error",
    label = "`{Self}`: only `Option` and `Nullable` take a `?`"
)]
pub trait Step<'a> {
    /// What the field holds.
    type Inner: ?Sized;

    /// The value, if it is there.
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

impl<'a, T> Step<'a> for Perhaps<'a, crate::Nullable<T>> {
    type Inner = T;

    fn step(self) -> Option<&'a T> {
        self.0.value()
    }
}
