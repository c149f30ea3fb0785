//! The error of a task.

use super::super::Error;
use crate::message::Operation;
use std::fmt;
use std::time::Duration;

/// The error of waiting for a task whose status the operation `O` returns and that the operation `S`
/// has started. The operation `R` returns its result; it is `O` if the last status is the result.
#[non_exhaustive]
pub enum TaskError<O: Operation, S: Operation = O, R: Operation = O> {
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
    /// The task has succeeded, and this last status lacks a value of the request for the result.
    NoResult(Box<O::Response>),
    /// The task has succeeded, and the operation that returns the result failed. Resume the task by its
    /// id to call it again.
    Result {
        /// The id of the task, if it is known.
        id: Option<String>,
        /// The error of the call.
        error: Error<R::Error>,
    },
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

impl<O: Operation, S: Operation, R: Operation> TaskError<O, S, R> {
    /// Returns the id of a task that may still continue, or whose result may still be there.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Status { id, .. } | Self::Result { id, .. } | Self::Deadline { id, .. } => {
                id.as_deref()
            }
            Self::Start(_) | Self::NoId(_) | Self::Failed(_) | Self::NoResult(_) | Self::Ended => {
                None
            }
        }
    }
}

impl<O: Operation, S: Operation, R: Operation> fmt::Debug for TaskError<O, S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => f.debug_tuple("Start").field(error).finish(),
            Self::NoId(_) => f.debug_tuple("NoId").finish_non_exhaustive(),
            Self::Status { id, error } => {
                let mut shown = f.debug_struct("Status");
                shown.field("id", id).field("error", error).finish()
            }
            Self::Failed(_) => f.debug_tuple("Failed").finish_non_exhaustive(),
            Self::NoResult(_) => f.debug_tuple("NoResult").finish_non_exhaustive(),
            Self::Result { id, error } => {
                let mut shown = f.debug_struct("Result");
                shown.field("id", id).field("error", error).finish()
            }
            Self::Deadline { id, limit } => {
                let mut shown = f.debug_struct("Deadline");
                shown.field("id", id).field("limit", limit).finish()
            }
            Self::Ended => f.write_str("Ended"),
        }
    }
}

impl<O: Operation, S: Operation, R: Operation> fmt::Display for TaskError<O, S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::NoId(_) => f.write_str("the response to the start of the task has no id"),
            Self::Status { error, .. } => error.fmt(f),
            Self::Failed(_) => f.write_str("the task has failed"),
            Self::NoResult(_) => {
                f.write_str("the last status of the task does not state where its result is")
            }
            Self::Result { error, .. } => error.fmt(f),
            Self::Deadline { limit, .. } => {
                write!(f, "the task has not ended after {} s", limit.as_secs_f64())
            }
            Self::Ended => f.write_str("the end of the task was returned before"),
        }
    }
}

impl<O: Operation, S: Operation, R: Operation> std::error::Error for TaskError<O, S, R> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => error.source(),
            Self::Status { error, .. } => error.source(),
            Self::Result { error, .. } => error.source(),
            Self::NoId(_)
            | Self::Failed(_)
            | Self::NoResult(_)
            | Self::Deadline { .. }
            | Self::Ended => None,
        }
    }
}

/// The error of cancelling a task by the operation `C`.
#[derive(Debug)]
#[non_exhaustive]
pub enum CancelError<E> {
    /// The task has not been started.
    NotStarted,
    /// The request for the status of the task lacks a value of the request that cancels it.
    NoId,
    /// The call failed.
    Call(Error<E>),
}

impl<E: fmt::Display> fmt::Display for CancelError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted => f.write_str("the task to cancel has not been started"),
            Self::NoId => f.write_str("the id of the task to cancel is not known"),
            Self::Call(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for CancelError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Call(error) => error.source(),
            Self::NotStarted | Self::NoId => None,
        }
    }
}
