//! A task as a future of its end, and as a stream of its statuses.

use super::work::{Ends, Step, Times, Told, Work};
use super::{PollOptions, TaskError, TaskInbox, TaskMeta};
use crate::ends::client::{Core, Transport};
use crate::message::Operation;
use futures_core::Stream;
use std::fmt;
use std::future::poll_fn;
use std::mem::replace;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// A task of a server: work that a response starts and that ends later.
///
/// The operation `O` returns its status, and the operation `S` starts it. An `await` starts the task,
/// waits for its end, and returns the last status. As a stream, it returns every status that is
/// polled; the last one reports the end. Nothing happens before, and nothing after the value is
/// dropped: the task itself continues.
///
/// Intervals between polls double; `Retry-After` of the start and of the status operation takes
/// precedence. Transient errors do not end the wait, and neither does 404 shortly after the start.
#[must_use = "a task is started and followed when it is awaited or polled"]
pub struct Task<T, O: Operation, S: Operation = O> {
    turn: Turn<T, O, S>,
    options: PollOptions,
    inbox: Option<TaskInbox>,
    id: Option<String>,
}

/// Who has what is known of the task.
enum Turn<T, O: Operation, S: Operation> {
    Next(Box<Work<T, O, S>>),
    Busy(Busy<T, O, S>),
    Over,
}

type Busy<T, O, S> = Pin<Box<dyn Future<Output = (Box<Work<T, O, S>>, Answer<O, S>)> + Send>>;
type Answer<O, S> = Result<Told<<O as Operation>::Response>, TaskError<O, S>>;

impl<T: Clone> Core<T> {
    /// Returns a task whose status `request` polls. `is_over` returns whether a response reports the
    /// end of the task.
    ///
    /// For a task that the document describes, the generated client has methods.
    pub fn task<O: Operation>(
        &self,
        request: O,
        is_over: impl Fn(&O::Response) -> bool + Send + Sync + 'static,
    ) -> Task<T, O> {
        Task::new(self, Step::Poll(request), Ends::Asked(Box::new(is_over)))
    }

    /// Returns the task that `request` starts; generated code calls this.
    pub fn start_task<O: Operation, S: Operation>(
        &self,
        meta: TaskMeta<S, O>,
        request: S,
    ) -> Task<T, O, S> {
        Task::new(self, Step::Start(request), Ends::Stated(meta))
    }

    /// Returns a task that was started before; generated code calls this.
    pub fn resume_task<O: Operation, S: Operation>(
        &self,
        meta: TaskMeta<S, O>,
        request: O,
    ) -> Task<T, O, S> {
        let id = meta.id_in(&request);
        let task = Task::new(self, Step::Poll(request), Ends::Stated(meta));
        Task { id, ..task }
    }
}

impl<T: Clone, O: Operation, S: Operation> Task<T, O, S> {
    fn new(core: &Core<T>, step: Step<O, S>, ends: Ends<O, S>) -> Self {
        let work = Work {
            core: core.clone(),
            step,
            ends,
            options: PollOptions::default(),
            inbox: None,
            id: None,
            times: Times::default(),
        };
        Self {
            turn: Turn::Next(Box::new(work)),
            options: PollOptions::default(),
            inbox: None,
            id: None,
        }
    }
}

impl<T, O: Operation, S: Operation> Task<T, O, S> {
    /// Sets how long to wait for the task, from its first call on.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.options.deadline = Some(deadline);
        self
    }

    /// Sets when the status is polled.
    pub fn poll_options(mut self, options: PollOptions) -> Self {
        self.options = options;
        self
    }

    /// Polls the status when a webhook reports the end, too. Polling goes on meanwhile, so that a
    /// webhook that is lost delays the end and does not lose it.
    ///
    /// A task of [`Core::task`] needs the [id](Self::with_id) by which webhooks report it.
    pub fn webhooks(mut self, inbox: &TaskInbox) -> Self {
        self.inbox = Some(inbox.clone());
        self
    }

    /// Sets the id of a task of [`Core::task`].
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Returns the id of the task, once it has started, if the document states its place. Another
    /// process resumes the task by it.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}

impl<T, O, S> Task<T, O, S>
where
    T: Transport + 'static,
    O: Operation + Send + Sync + 'static,
    S: Operation + Send + Sync + 'static,
{
    /// Starts the task, unless it has started, and returns its [id](Self::id).
    ///
    /// # Errors
    ///
    /// Returns an error if the call fails, or if its response does not contain the id.
    pub async fn start(&mut self) -> Result<Option<&str>, TaskError<O, S>> {
        let is_new = match &self.turn {
            Turn::Next(work) => matches!(work.step, Step::Start(_)),
            Turn::Busy(_) => self.id.is_none(),
            Turn::Over => false,
        };
        if is_new {
            poll_fn(|cx| self.poll_told(cx)).await?;
        }
        Ok(self.id())
    }

    /// Returns the next status, or `None` after the end.
    ///
    /// # Errors
    ///
    /// See [`TaskError`].
    pub async fn try_next(&mut self) -> Result<Option<O::Response>, TaskError<O, S>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx))
            .await
            .transpose()
    }

    fn poll_told(&mut self, cx: &mut Context<'_>) -> Poll<Answer<O, S>> {
        let mut busy = match replace(&mut self.turn, Turn::Over) {
            Turn::Next(mut work) => {
                work.options = self.options;
                work.inbox = self.inbox.clone();
                work.id = work.id.take().or_else(|| self.id.clone());
                Box::pin(work.turn())
            }
            Turn::Busy(busy) => busy,
            Turn::Over => return Poll::Ready(Err(TaskError::Ended)),
        };
        let Poll::Ready((work, told)) = busy.as_mut().poll(cx) else {
            self.turn = Turn::Busy(busy);
            return Poll::Pending;
        };
        self.id.clone_from(&work.id);
        if let Ok(Told::Started | Told::Continues(_)) = told {
            self.turn = Turn::Next(work);
        }
        Poll::Ready(told)
    }
}

impl<T, O: Operation, S: Operation> Unpin for Task<T, O, S> {}

impl<T, O, S> Stream for Task<T, O, S>
where
    T: Transport + 'static,
    O: Operation + Send + Sync + 'static,
    S: Operation + Send + Sync + 'static,
{
    type Item = Result<O::Response, TaskError<O, S>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if matches!(self.turn, Turn::Over) {
                return Poll::Ready(None);
            }
            match ready!(self.poll_told(cx)) {
                Ok(Told::Started) => {}
                Ok(Told::Continues(status) | Told::Ended(status)) => {
                    return Poll::Ready(Some(Ok(status)));
                }
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
    }
}

impl<T, O, S> IntoFuture for Task<T, O, S>
where
    T: Transport + 'static,
    O: Operation + Send + Sync + 'static,
    S: Operation + Send + Sync + 'static,
{
    type Output = Result<O::Response, TaskError<O, S>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(mut self) -> Self::IntoFuture {
        Box::pin(async move {
            loop {
                if let Told::Ended(status) = poll_fn(|cx| self.poll_told(cx)).await? {
                    return Ok(status);
                }
            }
        })
    }
}

impl<T, O: Operation, S: Operation> fmt::Debug for Task<T, O, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("operation", &O::META.id)
            .field("id", &self.id)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
