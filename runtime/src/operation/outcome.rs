//! What an operation answers.

use super::{ResponseDecoder, ResponseEncoder};
use crate::wire::DecodeError;
use std::convert::Infallible;
use std::fmt;

/// The responses of an operation, or its errors: an enum with a variant for each status.
pub trait Outcome: Sized {
    /// The media types of its bodies, in the order of the document.
    const MEDIA: &'static [&'static str] = &["application/json"];

    /// Writes the response.
    fn encode(&self, response: &mut ResponseEncoder);

    /// Reads a response; `None` when its status is none of those that there are.
    fn decode(response: &ResponseDecoder) -> Option<Result<Self, DecodeError>>;

    /// The media types of the body of a status, and whether one of them is read as it comes; empty
    /// when all are read whole.
    fn streams(_status: u16) -> &'static [(&'static str, bool)] {
        &[]
    }

    /// The status.
    fn status(&self) -> u16 {
        let mut response = ResponseEncoder::status_only();
        self.encode(&mut response);
        response.written_status()
    }
}

/// The errors of an operation that documents none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoError {}

impl Outcome for NoError {
    const MEDIA: &'static [&'static str] = &[];

    fn encode(&self, _: &mut ResponseEncoder) {
        match *self {}
    }

    fn decode(_: &ResponseDecoder) -> Option<Result<Self, DecodeError>> {
        None
    }
}

impl fmt::Display for NoError {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for NoError {}

impl CodedError for NoError {
    type Code = Infallible;

    fn code_id(&self) -> Option<&Infallible> {
        match *self {}
    }
}

/// Errors that carry a code of the API.
pub trait CodedError {
    /// The codes that there are.
    type Code;

    /// The code, where the error has one.
    fn code_id(&self) -> Option<&Self::Code>;
}
