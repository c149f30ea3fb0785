//! Errors of handlers.

use super::{BodyError, Rejection, RejectionBody, RejectionKind, Response};
use crate::message::{ResponseSet, StreamError};

/// The error of a handler.
///
/// `?` converts the documented errors of the operation, a [`Rejection`], a [`RejectionBody`] (the
/// constants in `server::rejections` of generated code) and a [`StreamError`]. [`Error::internal`]
/// converts any other error to a 500:
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
    /// A rejection, in the format that the API uses for rejections.
    Rejection(Rejection),
    /// A custom response.
    Raw(Box<Response>),
}

impl<E> Error<E> {
    /// Returns the error of a handler that failed: the caller receives the API's 500, and the
    /// source is passed to [`Router::on_failure`](super::Router::on_failure) and, with the feature
    /// `tracing`, to an event. The source is never sent to the caller.
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

/// The rejection of an invalid request stream: 413 if it is too large, and 400 otherwise.
impl<E> From<StreamError> for Error<E> {
    fn from(error: StreamError) -> Self {
        Self::Rejection(match error {
            StreamError::TooLarge { .. } => Rejection::new(RejectionKind::TooLarge),
            StreamError::Broken(_) => Rejection::field("body", "ended early"),
            StreamError::Item { message, .. } => Rejection::field("body", message),
        })
    }
}

impl<E> From<Response> for Error<E> {
    fn from(response: Response) -> Self {
        Self::Raw(Box::new(response))
    }
}

/// A documented response.
impl<E> From<RejectionBody> for Error<E> {
    fn from(response: RejectionBody) -> Self {
        Self::from(Response::from(response))
    }
}
