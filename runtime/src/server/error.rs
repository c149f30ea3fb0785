//! What a handler answers when it does not answer its response.

use super::{BodyError, Rejection, RejectionBody, RejectionKind, Response};
use crate::{ResponseSet, StreamError};

/// What a handler answers when it does not answer its response.
///
/// `?` takes the documented errors of the operation, a [`Rejection`], a [`RejectionBody`] (the constants in
/// `server::rejections` of generated code) and a [`StreamError`]. Of any other error,
/// [`Error::internal`] makes a 500:
///
/// ```
/// use bothends_runtime::NoError;
/// use bothends_runtime::server::Error;
///
/// async fn handler() -> Result<String, Error<NoError>> {
///     let text = std::fs::read_to_string("no such file").map_err(Error::internal)?;
///     Ok(text)
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error<E> {
    /// An error that the document describes for this operation.
    Api(E),
    /// One of the general rejections, in the shape that the API has for it.
    Rejection(Rejection),
    /// Any response.
    Raw(Box<Response>),
}

impl<E> Error<E> {
    /// Returns the error of a handler that failed: the caller gets the API's 500, and the source
    /// goes to [`Router::on_failure`](super::Router::on_failure) and, with the feature `tracing`, to
    /// an event. Nothing of the source reaches the caller.
    pub fn internal(source: impl Into<BodyError>) -> Self {
        Self::Rejection(Rejection::internal().with_cause(source))
    }
}

impl<E: ResponseSet> From<E> for Error<E> {
    fn from(error: E) -> Self {
        Self::Api(error)
    }
}

impl<E> From<Rejection> for Error<E> {
    fn from(rejection: Rejection) -> Self {
        Self::Rejection(rejection)
    }
}

/// What a caller did not send as it should: 413 for too much, and 400 otherwise.
impl<E> From<StreamError> for Error<E> {
    fn from(error: StreamError) -> Self {
        Self::Rejection(match error {
            StreamError::TooLarge { .. } => Rejection::new(RejectionKind::TooLarge),
            StreamError::Broken(_) => Rejection::field("body", "broke off"),
            StreamError::Item { message, .. } => Rejection::field("body", message),
        })
    }
}

impl<E> From<Response> for Error<E> {
    fn from(response: Response) -> Self {
        Self::Raw(Box::new(response))
    }
}

/// A response of the document.
impl<E> From<RejectionBody> for Error<E> {
    fn from(response: RejectionBody) -> Self {
        Self::from(Response::from(response))
    }
}
