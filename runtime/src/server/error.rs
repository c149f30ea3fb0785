//! What a handler answers when it does not answer its response.

use super::{Fault, FaultKind, Response};
use crate::{Outcome, StreamError};

/// What a handler answers when it does not answer its response.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error<E> {
    /// An error that the document describes for this operation.
    Api(E),
    /// One of the general faults, in the shape that the API has for it.
    Fault(Fault),
    /// Any response.
    Raw(Box<Response>),
}

impl<E: Outcome> From<E> for Error<E> {
    fn from(error: E) -> Self {
        Self::Api(error)
    }
}

impl<E> From<Fault> for Error<E> {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What a caller did not send as it should: 413 for too much, and 400 otherwise.
impl<E> From<StreamError> for Error<E> {
    fn from(error: StreamError) -> Self {
        Self::Fault(match error {
            StreamError::TooLarge { .. } => Fault::new(FaultKind::TooLarge),
            StreamError::Broken(_) => Fault::field("body", "broke off"),
            StreamError::Item { message, .. } => Fault::field("body", message),
        })
    }
}

impl<E> From<Response> for Error<E> {
    fn from(response: Response) -> Self {
        Self::Raw(Box::new(response))
    }
}
