//! The error of a task.

use super::super::Error;
use crate::message::Operation;
use std::fmt;
use std::time::Duration;

/// The error of waiting for a task whose status the operation `O` returns and that the operation `S`
/// has started.
#[non_exhaustive]
pub enum TaskError<O: Operation, S: Operation = O> {
    /// The operation that starts the task failed.
    Start(Error<S::Error>),
    /// The task was started, and the response does not contain its id.
    NoId(Box<S::Response>),
    /// The status operation failed. Transient errors (see [`Error::is_retryable`]) do not end the
    /// wait.
    Status {
        /// The id of the task, if it is known.
        id: Option<String>,
        /// The error of the call.
        error: Error<O::Error>,
    },
    /// The task has ended in a state that the document lists as failed.
    Failed(Box<O::Response>),
    /// The deadline has passed. The task itself may continue.
    Deadline {
        /// The id of the task, if it is known.
        id: Option<String>,
        /// The time that the task had.
        limit: Duration,
    },
    /// The end of the task was returned before.
    Ended,
}

impl<O: Operation, S: Operation> TaskError<O, S> {
    /// Returns the id of a task that may still continue.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Status { id, .. } | Self::Deadline { id, .. } => id.as_deref(),
            Self::Start(_) | Self::NoId(_) | Self::Failed(_) | Self::Ended => None,
        }
    }
}

impl<O: Operation, S: Operation> fmt::Debug for TaskError<O, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => f.debug_tuple("Start").field(error).finish(),
            Self::NoId(_) => f.debug_tuple("NoId").finish_non_exhaustive(),
            Self::Status { id, error } => {
                let mut of = f.debug_struct("Status");
                of.field("id", id).field("error", error).finish()
            }
            Self::Failed(_) => f.debug_tuple("Failed").finish_non_exhaustive(),
            Self::Deadline { id, limit } => {
                let mut of = f.debug_struct("Deadline");
                of.field("id", id).field("limit", limit).finish()
            }
            Self::Ended => f.write_str("Ended"),
        }
    }
}

impl<O: Operation, S: Operation> fmt::Display for TaskError<O, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::NoId(_) => f.write_str("the response to the start of the task has no id"),
            Self::Status { error, .. } => error.fmt(f),
            Self::Failed(_) => f.write_str("the task has failed"),
            Self::Deadline { limit, .. } => {
                write!(f, "the task has not ended after {} s", limit.as_secs_f64())
            }
            Self::Ended => f.write_str("the end of the task was returned before"),
        }
    }
}

impl<O: Operation, S: Operation> std::error::Error for TaskError<O, S> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => error.source(),
            Self::Status { error, .. } => error.source(),
            Self::NoId(_) | Self::Failed(_) | Self::Deadline { .. } | Self::Ended => None,
        }
    }
}
