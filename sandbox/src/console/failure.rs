//! Errors of actions in the console.

use super::api::types::Problem;
use crate::ids::NoRandomness;
use crate::store::{CommitError, StorageError};
use bothends_delivery::{StoreError, StoreErrorKind};
use bothends_runtime::server::{Body, Error, Response};
use http::{HeaderValue, StatusCode, header};
use std::fmt;

/// Why an action failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// A value of the input is refused, although it has the documented form.
    Invalid {
        /// The field, if a single one is the cause.
        field: Option<String>,
        /// The reason.
        message: String,
    },
    /// What the action names does not exist.
    Missing(String),
    /// The state does not permit the action.
    Conflict(String),
    /// The sandbox failed. The reason is in the log.
    Unavailable,
}

impl Failure {
    /// Returns the failure of a field.
    pub fn field(field: impl Into<String>, message: impl fmt::Display) -> Self {
        Self::Invalid {
            field: Some(field.into()),
            message: message.to_string(),
        }
    }

    /// Returns the failure of an action on something that does not exist, such as `a task`.
    pub fn missing(what: &str) -> Self {
        Self::Missing(format!("There is no such {what}."))
    }

    /// Returns the failure of an action that the state does not permit.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::Conflict(message.into())
    }

    /// Logs an error of the sandbox itself.
    pub fn internal(error: impl fmt::Display) -> Self {
        tracing::error!(%error, "an action of the console failed");
        Self::Unavailable
    }

    /// Returns the HTTP status.
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::Invalid { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// Returns the field that is the cause.
    pub fn field_name(&self) -> Option<&str> {
        match self {
            Self::Invalid { field, .. } => field.as_deref(),
            _ => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { message, .. } | Self::Missing(message) | Self::Conflict(message) => {
                f.write_str(message)
            }
            Self::Unavailable => f.write_str("The sandbox cannot do this now. Try again."),
        }
    }
}

impl std::error::Error for Failure {}

/// Returns a response with the body of errors.
pub(super) fn problem(status: StatusCode, message: String, field: Option<&str>) -> Response {
    let mut problem = Problem::new(message);
    problem.field = field.map(str::to_owned);
    // Two strings always serialize.
    let body = serde_json::to_vec(&problem).unwrap_or_default();
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

impl<E> From<Failure> for Error<E> {
    fn from(failure: Failure) -> Self {
        problem(failure.status(), failure.to_string(), failure.field_name()).into()
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        Self::internal(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error.kind() {
            StoreErrorKind::NotFound => Self::Missing(error.to_string()),
            StoreErrorKind::NotFinished => Self::Conflict(error.to_string()),
            _ => Self::internal(error),
        }
    }
}

impl From<CommitError> for Failure {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Conflict => {
                Self::conflict("Another action has changed the same data. Try again.")
            }
            CommitError::Storage(error) => error.into(),
        }
    }
}

impl From<NoRandomness> for Failure {
    fn from(error: NoRandomness) -> Self {
        Self::internal(error)
    }
}
