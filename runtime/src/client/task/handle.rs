//! One await for a task, however its end becomes known.

use super::{TaskMeta, TaskNotifier};
use crate::Operation;
use crate::client::{Core, Error, Transport};
use std::convert::Infallible;
use std::fmt;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// How the status of a task is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PollOptions {
    /// The pause before the status is asked for a second time: 1 s unless something else is said.
    pub first: Duration,
    /// The longest pause; each is twice the one before until then. 30 s unless something else is
    /// said.
    pub longest: Duration,
    /// After how long to give up: never, unless something is said.
    pub deadline: Option<Duration>,
}

impl Default for PollOptions {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(1),
            longest: Duration::from_secs(30),
            deadline: None,
        }
    }
}

impl PollOptions {
    /// Gives up after so long.
    #[must_use]
    pub const fn deadline(self, deadline: Duration) -> Self {
        Self {
            deadline: Some(deadline),
            ..self
        }
    }
}

/// How the end of a task became known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion<R, E = Infallible> {
    /// The status said so.
    Polled(R),
    /// A webhook said so.
    Notified(E),
}

impl<R> Completion<R> {
    /// The status, where there are no webhooks.
    pub fn into_status(self) -> R {
        match self {
            Self::Polled(status) => status,
            Self::Notified(never) => match never {},
        }
    }
}

/// The end of a task did not become known.
#[derive(Debug)]
#[non_exhaustive]
pub enum WaitError<E> {
    /// The status cannot be asked for. What may pass (see [`Error::is_retryable`]) does not end a
    /// wait.
    Call(Error<E>),
    /// The deadline is over. The task may go on.
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

/// A task that a server works on.
///
/// `O` is the operation that tells its status, `E` what webhooks tell of its end. To stop waiting,
/// drop the future: a task that is no longer waited for goes on.
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
    /// A task whose status this request asks for, and how an answer shows that it is over: what
    /// the document knows of that is in a [`TaskMeta`](crate::client::TaskMeta) of the generated
    /// client.
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
    /// The task that a call has started, where the document says where its id is: the handle is
    /// made of what was sent and of what came back. `None` when that does not have it.
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
    /// The request that asks for its status.
    pub const fn request(&self) -> &O {
        &self.request
    }

    /// The same task, which webhooks tell of too, by this id.
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
    /// Asks for the status.
    ///
    /// # Errors
    ///
    /// Those of the operation.
    pub async fn status(&self) -> Result<O::Response, Error<O::Error>> {
        self.core.call(&self.request).await
    }

    /// Waits until the task is over: whichever is first, a status or a webhook that says so.
    ///
    /// The status is asked for at once and then after pauses that double. With webhooks, one that
    /// came before this was called counts, and none is lost between two questions.
    ///
    /// # Errors
    ///
    /// When the status cannot be asked for, for a reason that does not pass, or the deadline is
    /// over.
    pub async fn wait(
        &self,
        wait: &PollOptions,
    ) -> Result<Completion<O::Response, E>, WaitError<O::Error>> {
        let until = wait
            .deadline
            .and_then(|limit| Some((Instant::now().checked_add(limit)?, limit)));
        let end = async {
            tokio::select! {
                // A webhook that is there already makes a question needless.
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
        let mut pause = wait.first;
        loop {
            match self.status().await {
                Ok(status) if (self.over)(&status) => return Ok(status),
                Ok(_) => {}
                Err(error) if error.is_retryable() => {}
                Err(error) => return Err(error),
            }
            // A little less, by chance: those who began together do not ask together.
            sleep(pause.mul_f64(1.0 - 0.1 * fastrand::f64())).await;
            pause = pause.saturating_mul(2).min(wait.longest);
        }
    }
}
