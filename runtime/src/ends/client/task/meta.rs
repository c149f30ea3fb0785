//! What a document states of the tasks that an operation starts.

#[cfg(feature = "tasks")]
use crate::ends::client::links::follow;
use crate::ends::client::links::{Exchange, Row};
use crate::message::{Expression, Operation};
use std::fmt;
use std::marker::PhantomData;

/// The metadata of tasks that the operation `S` starts and whose status the operation `O` returns
/// (`x-bothends-task`, or a link): a constant of generated code.
///
/// `R` is the operation that returns the result of a task; `O` if the last status is the result. `C` is
/// the operation that cancels a task, if there is one.
pub struct TaskMeta<S: Operation, O: Operation, R: Operation = O, C = ()> {
    terminal: &'static [&'static str],
    parameters: &'static [Row],
    status: Option<Expression>,
    failed: &'static [&'static str],
    failure: Option<&'static str>,
    outcome: Outcome<O, R>,
    cancel: &'static [Row],
    operations: PhantomData<fn() -> (S, C)>,
}

/// What a task that has succeeded returns.
#[cfg_attr(
    not(feature = "tasks"),
    allow(dead_code, reason = "read by tasks that are awaited")
)]
pub(super) enum Outcome<O: Operation, R: Operation> {
    /// The last status.
    Status(fn(O::Response) -> R::Response),
    /// The response of an operation with these parameters.
    Call(&'static [Row]),
}

impl<O: Operation, R: Operation> Clone for Outcome<O, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O: Operation, R: Operation> Copy for Outcome<O, R> {}

impl<S: Operation, O: Operation, R: Operation, C> Clone for TaskMeta<S, O, R, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Operation, O: Operation, R: Operation, C> Copy for TaskMeta<S, O, R, C> {}

impl<S: Operation, O: Operation, R: Operation, C> fmt::Debug for TaskMeta<S, O, R, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskMeta")
            .field("start", &S::META.id)
            .field("status", &O::META.id)
            .field("result", &R::META.id)
            .field("terminal", &self.terminal)
            .finish_non_exhaustive()
    }
}

impl<S: Operation, O: Operation> TaskMeta<S, O> {
    /// Creates the metadata of tasks with these terminal statuses.
    pub const fn new(terminal: &'static [&'static str]) -> Self {
        Self {
            terminal,
            parameters: &[],
            status: None,
            failed: &[],
            failure: None,
            outcome: Outcome::Status(|status| status),
            cancel: &[],
            operations: PhantomData,
        }
    }
}

impl<S: Operation, O: Operation, R: Operation, C> TaskMeta<S, O, R, C> {
    /// Sets the parameters of `O` and the expressions of their values, as location, name and
    /// expression. The first value that is found in the response is the id of the task.
    #[must_use]
    pub const fn from(
        self,
        parameters: &'static [(&'static str, &'static str, Expression)],
    ) -> Self {
        Self { parameters, ..self }
    }

    /// Sets the JSON pointer of the status in the response of `O`.
    #[must_use]
    pub const fn status_at(self, pointer: &'static str) -> Self {
        Self {
            status: Some(Expression::ResponseBody(pointer)),
            ..self
        }
    }

    /// Sets that the HTTP status of the response of `O` is the status of the task.
    #[must_use]
    pub const fn status_is_code(self) -> Self {
        Self {
            status: Some(Expression::StatusCode),
            ..self
        }
    }

    /// Sets the terminal statuses of tasks that have failed.
    #[must_use]
    pub const fn failed(self, failed: &'static [&'static str]) -> Self {
        Self { failed, ..self }
    }

    /// Sets the JSON pointer of a value in the response of `O` that only tasks have that have failed.
    #[must_use]
    pub const fn failed_at(self, pointer: &'static str) -> Self {
        Self {
            failure: Some(pointer),
            ..self
        }
    }

    /// Sets the parameters of the operation that returns the result, and the expressions of their
    /// values in a request for the status and its response.
    #[must_use]
    pub const fn result<Q: Operation>(
        self,
        parameters: &'static [(&'static str, &'static str, Expression)],
    ) -> TaskMeta<S, O, Q, C> {
        self.with(Outcome::Call(parameters), self.cancel)
    }

    /// Sets the parameters of the operation that cancels a task, and the expressions of their values in
    /// a request for the status.
    #[must_use]
    pub const fn cancelled_by<D: Operation>(
        self,
        parameters: &'static [(&'static str, &'static str, Expression)],
    ) -> TaskMeta<S, O, R, D> {
        self.with(self.outcome, parameters)
    }

    /// Returns the same with other operations.
    const fn with<Q: Operation, D>(
        self,
        outcome: Outcome<O, Q>,
        cancel: &'static [Row],
    ) -> TaskMeta<S, O, Q, D> {
        TaskMeta {
            terminal: self.terminal,
            parameters: self.parameters,
            status: self.status,
            failed: self.failed,
            failure: self.failure,
            outcome,
            cancel,
            operations: PhantomData,
        }
    }

    /// Returns the terminal statuses. Any other status, including one that the document does not
    /// list, means that the task continues.
    pub const fn terminal(&self) -> &'static [&'static str] {
        self.terminal
    }

    /// Returns whether a task with this status has ended.
    pub fn is_terminal(&self, status: &str) -> bool {
        self.terminal.contains(&status)
    }

    /// Returns the id of the task from the response to the operation that started it, if the
    /// document states its place.
    pub fn id_of(&self, submitted: &S::Response) -> Option<String> {
        let row = self.parameters.iter().find(|row| row.2.is_of_response())?;
        Exchange::received::<S>(submitted)?.value(row, O::META.path)
    }

    /// Returns the request for the status of the task that a call has started, if the document
    /// states the values of its parameters.
    #[cfg(any(feature = "server", feature = "links"))]
    pub fn request(&self, sent: &S, submitted: &S::Response) -> Option<O> {
        if self.parameters.is_empty() {
            return None;
        }
        (Exchange::received::<S>(submitted)?.sent(sent)?).follow(self.parameters)
    }

    /// Returns the request for the result of a task with this last status.
    #[cfg(feature = "tasks")]
    pub(super) fn result_request(parameters: &[Row], sent: &O, status: &O::Response) -> Option<R> {
        Exchange::received::<O>(status)?
            .sent(sent)?
            .follow(parameters)
    }

    /// Returns the status from a response of `O`, if the document states its place.
    pub fn status_of(&self, response: &O::Response) -> Option<String> {
        Exchange::received::<O>(response)?.value(&("", "", self.status?), "")
    }

    /// Returns whether a response of `O` reports the end of the task. Always returns `false` if the
    /// document does not state the place of the status: the caller then has to check the response.
    pub fn is_finished(&self, response: &O::Response) -> bool {
        (self.status_of(response)).is_some_and(|status| self.is_terminal(&status))
    }

    /// Returns whether a response of `O` reports that the task has failed.
    pub fn has_failed(&self, response: &O::Response) -> bool {
        let is_failed = |status: String| self.failed.contains(&status.as_str());
        let is_there = |pointer| {
            Exchange::received::<O>(response).is_some_and(|exchange| exchange.has(pointer))
        };
        self.status_of(response).is_some_and(is_failed) || self.failure.is_some_and(is_there)
    }

    /// Returns a request for the status with the constants of the link that it lacks.
    #[cfg(feature = "tasks")]
    pub(super) fn with_constants(&self, request: O) -> O {
        follow::with_constants(request, self.parameters)
    }

    /// Returns what a task that has succeeded returns.
    #[cfg(feature = "tasks")]
    pub(super) const fn outcome(&self) -> Outcome<O, R> {
        self.outcome
    }

    /// Returns the parameters of the operation that cancels a task.
    #[cfg(feature = "tasks")]
    pub(super) const fn cancel(&self) -> &'static [Row] {
        self.cancel
    }

    /// Returns the same without the operation that cancels a task.
    #[cfg(feature = "tasks")]
    pub(super) const fn without_cancel(self) -> TaskMeta<S, O, R> {
        self.with(self.outcome, &[])
    }

    /// Returns the id in a request for the status, if the document states its place.
    #[cfg(feature = "tasks")]
    pub(super) fn id_in(&self, request: &O) -> Option<String> {
        let (place, name, _) = self.parameters.iter().find(|row| row.2.is_of_response())?;
        follow::value(request, place, name)
    }
}
