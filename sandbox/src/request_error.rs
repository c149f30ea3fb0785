//! Errors of requests that concern webhooks, subscriptions and clocks.

use crate::ids::NoRandomness;
use crate::store::{CommitError, StorageError};
use bothends_delivery::{InvalidSubscription, StoreError, StoreErrorKind};
use std::fmt;

/// The reason why a request of the console was not carried out.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum RequestError {
    /// What the request names does not exist in the project.
    NotFound {
        /// What is missing, such as `subscription`.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// A field of the request is invalid.
    Invalid {
        /// The field.
        field: &'static str,
        /// The reason in a sentence.
        message: String,
    },
    /// The request does not fit the current state, such as the replay of a delivery that waits.
    State(String),
    /// Other requests have changed the same data again and again.
    Busy,
    /// An error of the database, or of the system's random numbers.
    Storage(StorageError),
}

impl RequestError {
    /// Creates an error for an invalid field.
    pub fn invalid(field: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::Invalid { field, message }
    }

    /// Creates an error for a missing item.
    pub fn not_found(what: &'static str, id: impl fmt::Display) -> Self {
        let id = id.to_string();
        Self::NotFound { what, id }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound { what, id } => write!(f, "the project has no {what} `{id}`"),
            Self::Invalid { field, message } => write!(f, "`{field}`: {message}"),
            Self::State(message) => f.write_str(message),
            Self::Busy => f.write_str("other requests have changed the same data: try again"),
            Self::Storage(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RequestError {}

impl From<StorageError> for RequestError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<CommitError> for RequestError {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Conflict => Self::Busy,
            CommitError::Storage(error) => Self::Storage(error),
        }
    }
}

impl From<NoRandomness> for RequestError {
    fn from(error: NoRandomness) -> Self {
        Self::Storage(StorageError::new(error))
    }
}

impl From<StoreError> for RequestError {
    fn from(error: StoreError) -> Self {
        match error.kind() {
            StoreErrorKind::NotFinished => {
                Self::State("the delivery has not ended yet, so it cannot be replayed".to_owned())
            }
            _ => Self::Storage(StorageError::new(error)),
        }
    }
}

impl From<InvalidSubscription> for RequestError {
    fn from(error: InvalidSubscription) -> Self {
        let field = match &error {
            InvalidSubscription::NoUrl | InvalidSubscription::Url { .. } => "url",
            InvalidSubscription::Reserved { .. } | InvalidSubscription::Header { .. } => "headers",
            InvalidSubscription::Token(_) | InvalidSubscription::TokenLength { .. } => {
                "signing_token"
            }
            InvalidSubscription::UnknownEvent { .. } | InvalidSubscription::Product { .. } => {
                "events"
            }
            _ => "subscription",
        };
        Self::invalid(field, error.to_string())
    }
}
