//! Operations without a handler.

use super::{Context, Error, Rejection, RejectionKind};
use crate::Operation;
use std::fmt;
use std::future::{Ready, ready};

/// The handler of an operation that is not implemented: it responds 501, in the document's error shape
/// where that can be filled.
///
/// It is the default of every method of a server trait that is generated with
/// `unimplemented-handlers`. By then the request has been authenticated and read like any other, so
/// an operation that gets its handler later refuses the same requests as before.
/// [`Router::on_failure`](super::Router::on_failure) reports each call.
pub fn unimplemented<O: Operation>(
    _: Context,
    _: O,
) -> Ready<Result<O::Response, Error<O::Error>>> {
    ready(Err(Rejection::new(RejectionKind::NotImplemented).into()))
}

/// Why the response is 501.
#[derive(Debug)]
pub(super) struct NotImplemented;

impl fmt::Display for NotImplemented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the operation has no handler")
    }
}

impl std::error::Error for NotImplemented {}
