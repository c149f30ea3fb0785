//! What a handler answers when it does not answer its response.

use super::{Fault, Response};
use crate::Outcome;

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

impl<E> From<Response> for Error<E> {
    fn from(response: Response) -> Self {
        Self::Raw(Box::new(response))
    }
}
