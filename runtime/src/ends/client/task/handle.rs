//! Waiting for a task, by polling or by webhooks.

use super::{TaskMeta, TaskNotifier};
use crate::ends::client::jitter::part;
use crate::ends::client::{Core, Error, Transport};
use crate::message::Operation;
use std::convert::Infallible;
use std::fmt;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// The intervals and the deadline of polling the status of a task.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PollOptions {
    /// The interval before the second poll. The default is 1 s.
    pub initial_interval: Duration,
    /// The longest interval; intervals double until then. The default is 30 s.
    pub max_interval: Duration,
    /// How long to wait for the task; `None`, the default, waits indefinitely.
    pub deadline: Option<Duration>,
}

impl Default for PollOptions {
    fn default() -> Self {
        Self {
            initial_interval: Duration::from_secs(1),
            max_interval: Duration::from_secs(30),
            deadline: None,
        }
    }
}

impl PollOptions {
    /// Sets how long to wait for the task.
    #[must_use]
    pub const fn deadline(self, deadline: Duration) -> Self {
        Self {
            deadline: Some(deadline),
            ..self
        }
    }
}

/// The source from which the end of a task is known: a poll or a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion<R, E = Infallible> {
    /// A poll returned a terminal status.
    Polled(R),
    /// A webhook reported the end of the task.
    Notified(E),
}

impl<R> Completion<R> {
    /// Returns the status of a task without webhooks.
    pub fn into_status(self) -> R {
        match self {
            Self::Polled(status) => status,
            Self::Notified(never) => match never {},
        }
    }
}

/// The error of waiting for a task.
#[derive(Debug)]
#[non_exhaustive]
pub enum WaitError<E> {
    /// The status operation failed. Transient errors (see [`Error::is_retryable`]) do not end the
    /// wait.
    Call(Error<E>),
    /// The deadline has passed. The task itself may continue.
    Deadline(Duration),
}

impl<E: fmt::Display> fmt::Display for WaitError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(error) => error.fmt(f),
            Self::Deadline(limit) => {
                write!(f, "the task was not over after {} s", limit.as_secs_f64())
            }
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for WaitError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Call(error) => error.source(),
            Self::Deadline(_) => None,
        }
    }
}

/// A task that runs on a server.
///
/// `O` is the operation that returns its status, `E` the event by which webhooks report its end. To
/// stop waiting, drop the future: the task itself continues.
pub struct Task<T, O: Operation, E = Infallible> {
    core: Core<T>,
    request: O,
    over: Box<Over<O>>,
    news: Option<(TaskNotifier<E>, String)>,
}

type Over<O> = dyn Fn(&<O as Operation>::Response) -> bool + Send + Sync;

impl<T, O: Operation + fmt::Debug, E> fmt::Debug for Task<T, O, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}

impl<T: Transport + Clone> Core<T> {
    /// Returns a handle for a task. `request` polls its status, and `over` returns whether a
    /// response reports the end of the task.
    ///
    /// The generated client has what the document states of this as a
    /// [`TaskMeta`](crate::client::TaskMeta).
    pub fn task<O: Operation>(
        &self,
        request: O,
        over: impl Fn(&O::Response) -> bool + Send + Sync + 'static,
    ) -> Task<T, O> {
        Task {
            core: self.clone(),
            request,
            over: Box::new(over),
            news: None,
        }
    }
}

impl<T: Transport + Clone> Core<T> {
    /// Returns a handle for the task that a call has started. The request for its status is derived
    /// from the request and the response of the call.
    ///
    /// Returns `None` if they do not contain the id of the task.
    pub fn task_of<S: Operation, O: Operation>(
        &self,
        meta: TaskMeta<S, O>,
        sent: &S,
        submitted: &S::Response,
        over: impl Fn(&O::Response) -> bool + Send + Sync + 'static,
    ) -> Option<Task<T, O>> {
        Some(self.task(meta.request(sent, submitted)?, over))
    }
}

impl<T, O: Operation> Task<T, O> {
    /// Returns the request that polls the status.
    pub const fn request(&self) -> &O {
        &self.request
    }

    /// Adds notifications by webhooks, which report the task by this id.
    pub fn with_notifications<E>(
        self,
        notifier: &TaskNotifier<E>,
        id: impl Into<String>,
    ) -> Task<T, O, E> {
        Task {
            core: self.core,
            request: self.request,
            over: self.over,
            news: Some((notifier.clone(), id.into())),
        }
    }
}

impl<T: Transport, O: Operation, E: Clone> Task<T, O, E> {
    /// Polls the status once.
    ///
    /// # Errors
    ///
    /// Returns an error if the status operation fails.
    pub async fn status(&self) -> Result<O::Response, Error<O::Error>> {
        self.core.call(&self.request).await
    }

    /// Waits until the task has ended: until a poll returns a terminal status or a webhook reports
    /// the end, whichever is first.
    ///
    /// The status is polled at once, and then after intervals that double. A webhook that was
    /// received before this call counts, and no webhook is lost between two polls.
    ///
    /// # Errors
    ///
    /// Returns an error if polling fails with an error that is not transient, or if the deadline
    /// has passed.
    pub async fn wait(
        &self,
        wait: &PollOptions,
    ) -> Result<Completion<O::Response, E>, WaitError<O::Error>> {
        let until = wait
            .deadline
            .and_then(|limit| Some((Instant::now().checked_add(limit)?, limit)));
        let end = async {
            tokio::select! {
                // A webhook that was already received makes a poll needless.
                biased;
                event = self.news() => Ok(Completion::Notified(event)),
                status = self.ask(wait) => status.map(Completion::Polled),
            }
        };
        let ended = match until {
            None => end.await,
            Some((until, limit)) => match timeout_at(until, end).await {
                Ok(ended) => ended,
                Err(_) => return Err(WaitError::Deadline(limit)),
            },
        };
        ended.map_err(WaitError::Call)
    }

    async fn news(&self) -> E {
        match &self.news {
            Some((notifier, id)) => notifier.wait(id).await,
            None => std::future::pending().await,
        }
    }

    async fn ask(&self, wait: &PollOptions) -> Result<O::Response, Error<O::Error>> {
        let mut pause = wait.initial_interval;
        loop {
            match self.status().await {
                Ok(status) if (self.over)(&status) => return Ok(status),
                Ok(_) => {}
                Err(error) if error.is_retryable() => {}
                Err(error) => return Err(error),
            }
            // Random jitter, so that tasks started together are not polled together.
            sleep(part(pause, 1.0 - 0.1 * fastrand::f64())).await;
            pause = pause.saturating_mul(2).min(wait.max_interval);
        }
    }
}
