//! Jobs of a connection.

use crate::{StoreError, StoreErrorKind};
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tokio::sync::oneshot;

/// A job for a connection, in two steps: the work and the notification of its caller.
pub(super) trait Job: Send {
    /// Runs the job. `false` requests a rollback.
    fn run(&mut self, connection: &Connection) -> bool;
    /// Returns `true` if the job can run again after its changes were undone.
    fn is_repeatable(&self) -> bool;
    /// Notifies the caller. An error means that the changes were not committed.
    fn finish(self: Box<Self>, failed: Option<&StoreError>);
    /// Returns `true` if workers may find deliveries afterwards that are not new.
    fn stirs(&self) -> bool;
}

/// The work of a job.
pub(super) trait Work<T>: Send {
    const IS_REPEATABLE: bool;

    fn run(&mut self, connection: &Connection) -> Result<T, StoreError>;
}

/// Work that may run again.
pub(super) struct Repeatable<F>(pub(super) F);

impl<T, F> Work<T> for Repeatable<F>
where
    F: FnMut(&Connection) -> Result<T, StoreError> + Send,
{
    const IS_REPEATABLE: bool = true;

    fn run(&mut self, connection: &Connection) -> Result<T, StoreError> {
        self.0(connection)
    }
}

/// The work of a closure of a caller, which cannot run again.
pub(super) struct Once<F>(pub(super) Option<F>);

impl<T, F> Work<T> for Once<F>
where
    F: FnOnce(&Connection) -> Result<T, StoreError> + Send,
{
    const IS_REPEATABLE: bool = false;

    fn run(&mut self, connection: &Connection) -> Result<T, StoreError> {
        let again = || StoreError::because(StoreErrorKind::Aborted, "it has run before");
        self.0.take().ok_or_else(again)?(connection)
    }
}

/// Work whose caller waits for the result.
pub(super) struct Call<W, T> {
    work: W,
    result: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
    stirs: bool,
}

impl<W, T> Call<W, T> {
    pub(super) fn new(work: W, stirs: bool, reply: oneshot::Sender<Result<T, StoreError>>) -> Self {
        Self {
            work,
            result: None,
            reply,
            stirs,
        }
    }
}

impl<W: Work<T>, T: Send> Job for Call<W, T> {
    fn run(&mut self, connection: &Connection) -> bool {
        // A panic in a caller's closure must not end the thread, which all callers share.
        let result = catch_unwind(AssertUnwindSafe(|| self.work.run(connection)));
        let result = result.unwrap_or_else(|_| {
            let why = "it panicked";
            Err(StoreError::because(StoreErrorKind::Aborted, why))
        });
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn is_repeatable(&self) -> bool {
        W::IS_REPEATABLE
    }

    fn finish(self: Box<Self>, failed: Option<&StoreError>) {
        let result = match (self.result, failed) {
            (Some(Err(error)), _) => Err(error),
            (_, Some(error)) => Err(StoreError::because(error.kind(), error.to_string())),
            (Some(Ok(value)), None) => Ok(value),
            (None, None) => Err(StoreError::new(StoreErrorKind::Unavailable)),
        };
        // If the caller no longer waits, the committed changes remain.
        let _ = self.reply.send(result);
    }

    fn stirs(&self) -> bool {
        self.stirs
    }
}
