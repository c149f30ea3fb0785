//! Errors of handlers.

use super::{BodyError, Rejection, RejectionBody, RejectionKind, Response};
use crate::ends::tasks::TasksError;
use crate::message::{
    OperationError, ResponseEncoder, ResponseHeaders as _, ResponseSet, StreamError,
};
use std::fmt;

/// The error of a handler.
///
/// `?` converts the documented errors of the operation, a [`Rejection`], a [`RejectionBody`] (the
/// constants in `server::rejections` of generated code), a [`StreamError`] and a [`TasksError`].
/// [`Error::internal`] converts any other error to a 500:
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
    /// The same, with its documented headers: see [`Error::with_headers`].
    WithHeaders(E, EncodedHeaders),
    /// A rejection, in the format that the API uses for rejections.
    Rejection(Rejection),
    /// A custom response.
    Raw(Box<Response>),
}

/// The encoded headers of an error.
pub struct EncodedHeaders(Box<ResponseEncoder>);

impl EncodedHeaders {
    pub(super) fn into_encoder(self) -> ResponseEncoder {
        *self.0
    }
}

/// Values of headers may be secrets.
impl fmt::Debug for EncodedHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncodedHeaders").finish_non_exhaustive()
    }
}

impl<E: OperationError> Error<E> {
    /// Returns a documented error with its documented headers.
    ///
    /// ```
    /// use bothends_runtime::server::Error;
    ///
    /// #[derive(Debug, Clone, PartialEq)]
    /// pub enum GetPetError {
    ///     TooManyRequests(String),
    /// }
    /// bothends_runtime::errors! {
    ///     GetPetError[GetPetErrorHeaders] { 429 => TooManyRequests(text String) }
    /// }
    ///
    /// #[derive(Debug, Clone, PartialEq)]
    /// pub struct GetPetErrorHeaders {
    ///     pub retry_after: Option<i64>,
    /// }
    /// bothends_runtime::response_headers! {
    ///     GetPetErrorHeaders() { header "Retry-After": i64 => retry_after? }
    /// }
    ///
    /// fn refuse() -> Error<GetPetError> {
    ///     let headers = GetPetErrorHeaders::new().retry_after(30);
    ///     Error::with_headers(GetPetError::TooManyRequests("wait".to_owned()), headers)
    /// }
    /// # assert!(matches!(refuse(), Error::WithHeaders(..)));
    /// ```
    pub fn with_headers(error: E, headers: E::Headers) -> Self {
        let mut encoder = Box::<ResponseEncoder>::default();
        headers.encode(&mut encoder);
        Self::WithHeaders(error, EncodedHeaders(encoder))
    }
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

/// The failure of a store of tasks: a 500, as by [`Error::internal`].
impl<E, S: std::error::Error + Send + Sync + 'static> From<TasksError<S>> for Error<E> {
    fn from(error: TasksError<S>) -> Self {
        Self::internal(error)
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
