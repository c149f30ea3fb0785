//! A task as a future of its end, and as a stream of its statuses.

use super::meta::Outcome;
use super::work::{Ends, Progress, Step, Times, Work};
use super::{CancelError, PollOptions, TaskError, TaskMeta};
use crate::ends::client::links::{Row, Sent};
use crate::ends::client::{ClientCore, Transport};
use crate::ends::tasks::TaskInbox;
use crate::message::Operation;
use futures_core::Stream;
use std::fmt;
use std::future::poll_fn;
use std::marker::PhantomData;
use std::mem::replace;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

/// A task of a server: work that a response starts and that ends later.
///
/// The operation `O` returns its status, and the operation `S` starts it. An `await` starts the task,
/// waits for its end, and returns the last status, or, if the document names an operation `R` for it, the
/// result of a task that has succeeded. As a stream, a task returns every status that is polled; the last
/// one reports the end, and an `await` after it returns the result of `R`. Nothing happens before, and
/// nothing after the value is dropped: the task itself continues, unless it is [cancelled](Self::cancel)
/// by the operation `C`.
///
/// Intervals between polls double; `Retry-After` of the start and of the status operation takes
/// precedence. Transient errors do not end the wait, and neither does 404 shortly after the start.
#[must_use = "a task is started and followed when it is awaited or polled"]
pub struct Task<T, O: Operation, S: Operation = O, R: Operation = O, C = ()> {
    core: ClientCore<T>,
    turn: Turn<T, O, S, R>,
    options: PollOptions,
    inbox: Option<TaskInbox>,
    id: Option<String>,
    /// Makes the result of the last status, if no operation returns it.
    status_is_result: Option<fn(O::Response) -> R::Response>,
    cancel: &'static [Row],
    /// The request for the status, from which `cancel` takes its values.
    sent: Option<Sent>,
    by: PhantomData<fn() -> C>,
}

/// Who has what is known of the task.
enum Turn<T, O: Operation, S: Operation, R: Operation> {
    Next(Box<Work<T, O, S, R>>),
    Busy(Busy<T, O, S, R>),
    Over,
}

type Busy<T, O, S, R> =
    Pin<Box<dyn Future<Output = (Box<Work<T, O, S, R>>, Answer<O, S, R>)> + Send>>;
type Answer<O, S, R> = Result<Progress<O, R>, TaskError<O, S, R>>;

impl<T: Clone> ClientCore<T> {
    /// Returns a task whose status `request` polls. `is_over` returns whether a response reports the
    /// end of the task.
    ///
    /// For a task that the document describes, the generated client has methods.
    pub fn task<O: Operation>(
        &self,
        request: O,
        is_over: impl Fn(&O::Response) -> bool + Send + Sync + 'static,
    ) -> Task<T, O> {
        let ends = Ends::Asked(Box::new(is_over));
        let outcome = Outcome::Status(|status| status);
        Task::new(self, Step::Poll(request), ends, outcome, &[])
    }

    /// Returns the task that `request` starts; generated code calls this.
    pub fn start_task<O: Operation, S: Operation, R: Operation, C>(
        &self,
        meta: TaskMeta<S, O, R, C>,
        request: S,
    ) -> Task<T, O, S, R, C> {
        Task::stated(self, meta, Step::Start(request))
    }

    /// Returns a task that was started before; generated code calls this.
    pub fn resume_task<O: Operation, S: Operation, R: Operation, C>(
        &self,
        meta: TaskMeta<S, O, R, C>,
        request: O,
    ) -> Task<T, O, S, R, C> {
        let id = meta.id_in(&request);
        let request = meta.with_constants(request);
        let mut task = Task::stated(self, meta, Step::Poll(request));
        task.id = id;
        task
    }
}

impl<T: Clone, O: Operation, S: Operation, R: Operation, C> Task<T, O, S, R, C> {
    fn stated(core: &ClientCore<T>, meta: TaskMeta<S, O, R, C>, step: Step<O, S, R>) -> Self {
        let (outcome, cancel) = (meta.outcome(), meta.cancel());
        let ends = Ends::Stated(meta.without_cancel());
        Self::new(core, step, ends, outcome, cancel)
    }

    fn new(
        core: &ClientCore<T>,
        step: Step<O, S, R>,
        ends: Ends<O, S, R>,
        outcome: Outcome<O, R>,
        cancel: &'static [Row],
    ) -> Self {
        let work = Work {
            core: core.clone(),
            step,
            ends,
            options: PollOptions::default(),
            inbox: None,
            id: None,
            times: Times::default(),
        };
        let mut task = Self {
            core: core.clone(),
            turn: Turn::Over,
            options: PollOptions::default(),
            inbox: None,
            id: None,
            status_is_result: match outcome {
                Outcome::Status(own) => Some(own),
                Outcome::Call(_) => None,
            },
            cancel,
            sent: None,
            by: PhantomData,
        };
        task.keep_sent(&work);
        task.turn = Turn::Next(Box::new(work));
        task
    }
}

impl<T, O: Operation, S: Operation, R: Operation, C> Task<T, O, S, R, C> {
    /// Keeps the request for the status, once there is one and if something takes values from it.
    fn keep_sent(&mut self, work: &Work<T, O, S, R>) {
        if let (Step::Poll(request), None, true) = (&work.step, &self.sent, !self.cancel.is_empty())
        {
            self.sent = Sent::new(request);
        }
    }

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
    /// A task of [`ClientCore::task`] needs the [id](Self::with_id) by which webhooks report it.
    pub fn webhooks(mut self, inbox: &TaskInbox) -> Self {
        self.inbox = Some(inbox.clone());
        self
    }

    /// Sets the id of a task of [`ClientCore::task`].
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

impl<T, O: Operation, S: Operation, R: Operation, C: Operation> Task<T, O, S, R, C>
where
    T: Transport,
{
    /// Sends the request that cancels the task. What then becomes of the task, its status tells.
    ///
    /// # Errors
    ///
    /// Returns an error if the task has not been started (see [`start`](Self::start)), or if the call
    /// fails.
    pub async fn cancel(&mut self) -> Result<C::Response, CancelError<C::Error>> {
        let sent = self.sent.as_ref().ok_or(CancelError::NotStarted)?;
        let request: C = sent.follow(self.cancel).ok_or(CancelError::NoId)?;
        self.core.call(&request).await.map_err(CancelError::Call)
    }
}

impl<T, O, S, R, C> Task<T, O, S, R, C>
where
    T: Transport + 'static,
    O: Operation + Send + Sync + 'static,
    S: Operation + Send + Sync + 'static,
    R: Operation + Send + Sync + 'static,
    C: 'static,
{
    /// Starts the task, unless it has started, and returns its [id](Self::id).
    ///
    /// # Errors
    ///
    /// Returns an error if the call fails, or if its response does not contain the id.
    pub async fn start(&mut self) -> Result<Option<&str>, TaskError<O, S, R>> {
        let is_new = match &self.turn {
            Turn::Next(work) => matches!(work.step, Step::Start(_)),
            Turn::Busy(_) => self.id.is_none(),
            Turn::Over => false,
        };
        if is_new {
            poll_fn(|cx| self.poll_progress(cx)).await?;
        }
        Ok(self.id())
    }

    /// Returns the next status, or `None` after the end.
    ///
    /// # Errors
    ///
    /// See [`TaskError`].
    pub async fn try_next(&mut self) -> Result<Option<O::Response>, TaskError<O, S, R>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx))
            .await
            .transpose()
    }

    fn poll_progress(&mut self, cx: &mut Context<'_>) -> Poll<Answer<O, S, R>> {
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
        let Poll::Ready((work, progress)) = busy.as_mut().poll(cx) else {
            self.turn = Turn::Busy(busy);
            return Poll::Pending;
        };
        self.id.clone_from(&work.id);
        self.keep_sent(&work);
        let goes_on = match progress {
            Ok(Progress::Started | Progress::Continues(_)) => true,
            Ok(Progress::Ended(_)) => self.status_is_result.is_none(),
            Ok(Progress::Result(_)) | Err(_) => false,
        };
        if goes_on {
            self.turn = Turn::Next(work);
        }
        Poll::Ready(progress)
    }
}

impl<T, O: Operation, S: Operation, R: Operation, C> Unpin for Task<T, O, S, R, C> {}

impl<T, O, S, R, C> Stream for Task<T, O, S, R, C>
where
    T: Transport + 'static,
    O: Operation + Send + Sync + 'static,
    S: Operation + Send + Sync + 'static,
    R: Operation + Send + Sync + 'static,
    C: 'static,
{
    type Item = Result<O::Response, TaskError<O, S, R>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match &self.turn {
                Turn::Over => return Poll::Ready(None),
                Turn::Next(work) if matches!(work.step, Step::Result(_)) => {
                    return Poll::Ready(None);
                }
                Turn::Next(_) | Turn::Busy(_) => {}
            }
            match ready!(self.poll_progress(cx)) {
                Ok(Progress::Started | Progress::Result(_)) => {}
                Ok(Progress::Continues(status) | Progress::Ended(status)) => {
                    return Poll::Ready(Some(Ok(status)));
                }
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
    }
}

impl<T, O, S, R, C> IntoFuture for Task<T, O, S, R, C>
where
    T: Transport + 'static,
    O: Operation + Send + Sync + 'static,
    S: Operation + Send + Sync + 'static,
    R: Operation + Send + Sync + 'static,
    C: 'static,
{
    type Output = Result<R::Response, TaskError<O, S, R>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(mut self) -> Self::IntoFuture {
        Box::pin(async move {
            loop {
                match (
                    poll_fn(|cx| self.poll_progress(cx)).await?,
                    self.status_is_result,
                ) {
                    (Progress::Ended(status), Some(result)) => return Ok(result(status)),
                    (Progress::Result(result), _) => return Ok(result),
                    (Progress::Started | Progress::Continues(_) | Progress::Ended(_), _) => {}
                }
            }
        })
    }
}

impl<T, O: Operation, S: Operation, R: Operation, C> fmt::Debug for Task<T, O, S, R, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("operation", &O::META.id)
            .field("id", &self.id)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
