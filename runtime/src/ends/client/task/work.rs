//! The calls of a task: its start, and the polls of its status.

use super::meta::Outcome;
use super::{PollOptions, TaskError, TaskMeta};
use crate::ends::client::jitter::part;
use crate::ends::client::{ClientCore, Error, Transport};
use crate::ends::tasks::TaskInbox;
use crate::message::retry_after;
use crate::message::{Operation, ResponseDecoder};
use http::StatusCode;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// What is known of a task, between two calls.
pub(super) struct Work<T, O: Operation, S: Operation, R: Operation> {
    pub(super) core: ClientCore<T>,
    pub(super) step: Step<O, S, R>,
    pub(super) ends: Ends<O, S, R>,
    pub(super) options: PollOptions,
    pub(super) inbox: Option<TaskInbox>,
    pub(super) id: Option<String>,
    pub(super) times: Times,
}

/// The next call.
pub(super) enum Step<O, S, R> {
    Start(S),
    Poll(O),
    Result(R),
}

/// How a response of the status operation is read.
pub(super) enum Ends<O: Operation, S: Operation, R: Operation> {
    /// As the document states.
    Stated(TaskMeta<S, O, R>),
    /// The caller decides whether it reports the end.
    Asked(Box<IsOver<O>>),
}

type IsOver<O> = dyn Fn(&<O as Operation>::Response) -> bool + Send + Sync;

/// The times of a task.
#[derive(Default)]
pub(super) struct Times {
    /// When the first call was made.
    begun: Option<Instant>,
    /// Until when the status may be 404.
    early: Option<Instant>,
    /// The interval that the last response asked for.
    asked: Option<Duration>,
    /// The next interval; `None` before the first poll.
    interval: Option<Duration>,
    /// Whether a webhook has reported the end.
    is_reported: bool,
}

/// What a turn has found out.
pub(super) enum Progress<O: Operation, R: Operation> {
    Started,
    Continues(O::Response),
    Ended(O::Response),
    Result(R::Response),
}

type Turn<O, S, R> = Result<Progress<O, R>, TaskError<O, S, R>>;

impl<T: Transport, O: Operation, S: Operation, R: Operation> Work<T, O, S, R> {
    /// Makes the next call whose result is of interest, within the deadline.
    pub(super) async fn turn(mut self: Box<Self>) -> (Box<Self>, Turn<O, S, R>) {
        let begun = *self.times.begun.get_or_insert_with(Instant::now);
        let limit = self.options.deadline;
        let until = limit.and_then(|limit| Some((begun.checked_add(limit)?, limit)));
        let progress = match until {
            None => self.call().await,
            Some((until, limit)) => match timeout_at(until, self.call()).await {
                Ok(progress) => progress,
                Err(_) => Err(TaskError::Deadline {
                    id: self.id.clone(),
                    limit,
                }),
            },
        };
        (self, progress)
    }

    async fn call(&mut self) -> Turn<O, S, R> {
        match &self.step {
            Step::Start(_) => self.start().await,
            Step::Poll(_) => self.poll().await,
            Step::Result(request) => match self.core.call(request).await {
                Ok(result) => Ok(Progress::Result(result)),
                Err(error) => Err(TaskError::Result {
                    id: self.id.clone(),
                    error,
                }),
            },
        }
    }

    async fn start(&mut self) -> Turn<O, S, R> {
        let (Step::Start(request), Ends::Stated(meta)) = (&self.step, &self.ends) else {
            return Err(TaskError::Ended);
        };
        let mut asked = None;
        let seen = |answer: &ResponseDecoder| asked = retry_after(answer.headers());
        let started = self.core.call_and(request, seen).await;
        let started = started.map_err(TaskError::Start)?;
        let Some(status) = meta.request(request, &started) else {
            return Err(TaskError::NoId(Box::new(started)));
        };
        self.id = meta.id_of(&started);
        self.step = Step::Poll(status);
        self.times.asked = asked;
        self.times.early = Instant::now().checked_add(self.options.grace);
        Ok(Progress::Started)
    }

    async fn poll(&mut self) -> Turn<O, S, R> {
        loop {
            self.pause().await;
            let Step::Poll(request) = &self.step else {
                return Err(TaskError::Ended);
            };
            let mut asked = None;
            let seen = |answer: &ResponseDecoder| asked = retry_after(answer.headers());
            let answer = self.core.call_and(request, seen).await;
            self.times.asked = asked;
            match answer {
                Ok(status) => return self.progress(status),
                Err(error) if error.is_retryable() || self.times.is_early(&error) => {}
                Err(error) => {
                    return Err(TaskError::Status {
                        id: self.id.clone(),
                        error,
                    });
                }
            }
        }
    }

    fn progress(&mut self, status: O::Response) -> Turn<O, S, R> {
        match &self.ends {
            Ends::Stated(meta) if meta.has_failed(&status) => {
                Err(TaskError::Failed(Box::new(status)))
            }
            Ends::Stated(meta) if meta.is_finished(&status) => {
                let (Outcome::Call(parameters), Step::Poll(sent)) = (meta.outcome(), &self.step)
                else {
                    return Ok(Progress::Ended(status));
                };
                match TaskMeta::<S, O, R>::result_request(parameters, sent, &status) {
                    Some(request) => self.step = Step::Result(request),
                    None => return Err(TaskError::NoResult(Box::new(status))),
                }
                Ok(Progress::Ended(status))
            }
            Ends::Asked(is_over) if is_over(&status) => Ok(Progress::Ended(status)),
            Ends::Stated(_) | Ends::Asked(_) => Ok(Progress::Continues(status)),
        }
    }

    /// Waits until the next poll is due, or until a webhook reports the end.
    async fn pause(&mut self) {
        let options = &self.options;
        let next = self.times.interval;
        let doubled = |last: Duration| last.saturating_mul(2).min(options.max_interval);
        self.times.interval = Some(next.map_or(options.initial_interval, doubled));
        let pause = match (self.times.asked.take(), next) {
            (Some(asked), _) => asked,
            (None, None) => return,
            // Random jitter, so that tasks started together are not polled together.
            (None, Some(next)) => part(next, 1.0 - 0.1 * fastrand::f64()),
        };
        let is_reported = tokio::select! {
            biased;
            () = self.reported() => true,
            () = sleep(pause) => false,
        };
        if is_reported {
            self.times.is_reported = true;
            self.times.interval = Some(options.initial_interval);
        }
    }

    async fn reported(&self) {
        match (&self.inbox, &self.id) {
            (Some(inbox), Some(id)) if !self.times.is_reported => inbox.ended(id).await,
            _ => std::future::pending().await,
        }
    }
}

impl Times {
    /// Returns whether the service may not know the task yet.
    fn is_early<E>(&self, error: &Error<E>) -> bool {
        let is_early = self.early.is_some_and(|until| Instant::now() < until);
        is_early && error.status() == Some(StatusCode::NOT_FOUND)
    }
}
