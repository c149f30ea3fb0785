//! Rejections: responses to requests that are refused before or instead of a handler.

use super::{BodyError, CollectError, Response};
use crate::message::payload::is_timeout;
use crate::values::{FieldError, Leniencies};
use http::{HeaderName, HeaderValue, StatusCode};
use std::error::Error;
use std::sync::Arc;

/// The kind of a rejection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RejectionKind {
    /// The path does not exist (404).
    NotFound,
    /// The path does not have the method (405).
    MethodNotAllowed,
    /// The parameters or the body are invalid (400).
    Validation,
    /// The caller is not authenticated (401).
    Unauthorized,
    /// The caller is not permitted (403).
    Forbidden,
    /// The caller accepts no media type of the response (406).
    NotAcceptable,
    /// The media type of the body is not supported (415).
    UnsupportedMediaType,
    /// The body is larger than the limit (413).
    TooLarge,
    /// The body was not received in time (408).
    Timeout,
    /// The server failed (500). The cause is not sent.
    Internal,
    /// The operation has no handler yet (501).
    NotImplemented,
}

impl RejectionKind {
    /// Returns the HTTP status of the kind.
    pub const fn status(self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Validation => StatusCode::BAD_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Timeout => StatusCode::REQUEST_TIMEOUT,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::NotImplemented => StatusCode::NOT_IMPLEMENTED,
        }
    }
}

/// A request that is refused. The router sends the response in the format of the API.
#[derive(Debug, Clone)]
pub struct Rejection {
    pub(super) kind: RejectionKind,
    pub(super) fields: Vec<FieldError>,
    /// A list, because a `HeaderMap` would make every error of a handler large.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    /// The cause of a failure, which is never sent to the caller.
    cause: Option<Arc<dyn Error + Send + Sync>>,
    /// The leniencies that together accept the request, which are never sent to the caller.
    #[cfg(feature = "tracing")]
    leniencies: Leniencies,
}

impl Rejection {
    /// Creates a rejection of a kind.
    pub fn new(kind: RejectionKind) -> Self {
        Self {
            kind,
            fields: Vec::new(),
            headers: Vec::new(),
            cause: None,
            #[cfg(feature = "tracing")]
            leniencies: Leniencies::default(),
        }
    }

    /// Creates the rejection of a request for a missing resource (404).
    pub fn not_found() -> Self {
        Self::new(RejectionKind::NotFound)
    }

    /// Creates the rejection of a body that could not be received.
    pub(crate) fn of_body(error: &CollectError) -> Self {
        match error {
            CollectError::TooLarge { .. } => Self::new(RejectionKind::TooLarge),
            CollectError::Broken(error) if is_timeout(error) => Self::new(RejectionKind::Timeout),
            CollectError::Broken(_) => Self::field("body", "ended early"),
        }
    }

    /// Creates the rejection of a header with several lines that may have one (400).
    pub(crate) fn repeated_header(name: String) -> Self {
        let field = FieldError::new(name, "must not be repeated").placed("header");
        Self::validation(vec![field])
    }

    /// Creates the rejection of a caller who is not authenticated (401).
    pub fn unauthorized() -> Self {
        Self::new(RejectionKind::Unauthorized)
    }

    /// Creates the rejection of a caller who is not permitted (403).
    pub fn forbidden() -> Self {
        Self::new(RejectionKind::Forbidden)
    }

    /// Creates the rejection for a failed server (500). [`Error::internal`](super::Error::internal)
    /// also records the cause.
    pub fn internal() -> Self {
        Self::new(RejectionKind::Internal)
    }

    /// Creates the rejection of invalid fields (400).
    pub fn validation(fields: Vec<FieldError>) -> Self {
        Self {
            fields,
            ..Self::new(RejectionKind::Validation)
        }
    }

    /// Creates the rejection of one invalid field (400).
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::validation(vec![FieldError::new(field, message)])
    }

    /// Adds a header to the response.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Sets the cause of a failure, which [`Router::on_failure`](super::Router::on_failure)
    /// reports. The cause is never sent to the caller.
    #[must_use]
    pub fn with_cause(mut self, source: impl Into<BodyError>) -> Self {
        self.cause = Some(Arc::from(source.into()));
        self
    }

    /// Records the leniencies that together accept the request, for the tracing event.
    #[cfg_attr(not(feature = "tracing"), allow(unused_mut, unused_variables))]
    pub(super) fn accepted_by(mut self, leniencies: Leniencies) -> Self {
        #[cfg(feature = "tracing")]
        {
            self.leniencies = leniencies;
        }
        self
    }

    #[cfg(feature = "tracing")]
    pub(super) const fn leniencies(&self) -> Leniencies {
        self.leniencies
    }

    /// Returns the cause of a failure.
    pub(super) fn cause(&self) -> Option<&(dyn Error + 'static)> {
        match &self.cause {
            Some(cause) => Some(&**cause),
            None => None,
        }
    }

    /// Returns the kind.
    pub const fn kind(&self) -> RejectionKind {
        self.kind
    }

    /// Adds the headers that the response does not already have.
    pub(super) fn add_headers(&self, response: &mut Response) {
        let missing = |(name, _): &&(HeaderName, _)| !response.headers().contains_key(name);
        let missing: Vec<_> = self.headers.iter().filter(missing).cloned().collect();
        response.headers_mut().extend(missing);
    }

    /// Returns the field errors.
    pub fn fields(&self) -> &[FieldError] {
        &self.fields
    }
}
