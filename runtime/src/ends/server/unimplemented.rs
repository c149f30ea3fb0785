//! Operations without a handler.

use super::{Context, Error, Rejection, RejectionKind};
use crate::message::Operation;
use std::fmt;
use std::future::{Ready, ready};

/// Returns 501: the handler of an operation that is not implemented. The response has the documented
/// error format if it can be filled.
///
/// This is the default of every method of a server trait that is generated with
/// `unimplemented-handlers`. The request is authenticated and decoded as usual before, so the same
/// requests are rejected once the operation has a handler.
/// [`Router::on_failure`](super::Router::on_failure) reports each call.
pub fn unimplemented<O: Operation>(
    _: Context,
    _: O,
) -> Ready<Result<O::Response, Error<O::Error>>> {
    ready(Err(Rejection::new(RejectionKind::NotImplemented).into()))
}

/// The cause of a 501.
#[derive(Debug)]
pub(super) struct NotImplemented;

impl fmt::Display for NotImplemented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the operation has no handler")
    }
}

impl std::error::Error for NotImplemented {}
