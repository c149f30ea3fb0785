//! What can be wrong with any request.

use super::{BodyError, Response};
use crate::FieldError;
use http::{HeaderName, HeaderValue, StatusCode};
use std::error::Error;
use std::sync::Arc;

/// What can be wrong with any request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RejectionKind {
    /// There is no such path (404).
    NotFound,
    /// The path has no such method (405).
    MethodNotAllowed,
    /// Parameters or body are not what they should be (400).
    Validation,
    /// The caller is not known (401).
    Unauthorized,
    /// The caller is known, and may not do this (403).
    Forbidden,
    /// No media type of the answer is accepted (406).
    NotAcceptable,
    /// The body is of a media type that is not taken (415).
    UnsupportedMediaType,
    /// The body is larger than it may be (413).
    TooLarge,
    /// The server failed (500). Nothing is told of why.
    Internal,
    /// The operation has no handler yet (501).
    NotImplemented,
}

impl RejectionKind {
    /// The status that HTTP has for it.
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
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::NotImplemented => StatusCode::NOT_IMPLEMENTED,
        }
    }
}

/// One of the rejections that any request can have; the router answers it in the API's own shape.
#[derive(Debug, Clone)]
pub struct Rejection {
    pub(super) kind: RejectionKind,
    pub(super) fields: Vec<FieldError>,
    /// A list, since a map of headers would make every error of a handler large.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    /// Why the server failed. It never reaches the caller.
    cause: Option<Arc<dyn Error + Send + Sync>>,
}

impl Rejection {
    /// A rejection of a kind.
    pub fn new(kind: RejectionKind) -> Self {
        Self {
            kind,
            fields: Vec::new(),
            headers: Vec::new(),
            cause: None,
        }
    }

    /// There is no such thing (404).
    pub fn not_found() -> Self {
        Self::new(RejectionKind::NotFound)
    }

    /// The caller is not known (401).
    pub fn unauthorized() -> Self {
        Self::new(RejectionKind::Unauthorized)
    }

    /// The server failed (500). [`Error::internal`](super::Error::internal) takes the cause along.
    pub fn internal() -> Self {
        Self::new(RejectionKind::Internal)
    }

    /// Fields are not what they should be (400).
    pub fn validation(fields: Vec<FieldError>) -> Self {
        Self {
            fields,
            ..Self::new(RejectionKind::Validation)
        }
    }

    /// A field is not what it should be (400).
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::validation(vec![FieldError::new(field, message)])
    }

    /// With a header.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// With the cause of a failure, which [`Router::on_failure`](super::Router::on_failure) reports.
    /// It never reaches the caller.
    #[must_use]
    pub fn with_cause(mut self, source: impl Into<BodyError>) -> Self {
        self.cause = Some(Arc::from(source.into()));
        self
    }

    /// The cause of a failure.
    pub(super) fn cause(&self) -> Option<&(dyn Error + 'static)> {
        match &self.cause {
            Some(cause) => Some(&**cause),
            None => None,
        }
    }

    /// Which rejection it is.
    pub const fn kind(&self) -> RejectionKind {
        self.kind
    }

    /// Its headers, where the response does not have them.
    pub(super) fn add_headers(&self, response: &mut Response) {
        let missing = |(name, _): &&(HeaderName, _)| !response.headers().contains_key(name);
        let missing: Vec<_> = self.headers.iter().filter(missing).cloned().collect();
        response.headers_mut().extend(missing);
    }

    /// What is wrong with which field.
    pub fn fields(&self) -> &[FieldError] {
        &self.fields
    }
}
