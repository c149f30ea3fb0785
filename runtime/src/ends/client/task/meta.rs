//! What a document states of the tasks that an operation starts.

#[cfg(any(feature = "server", feature = "tasks"))]
use super::follow;
use super::found::{Exchange, Row};
use crate::message::{Expression, Operation};
use crate::values::Json;
use std::marker::PhantomData;

/// The metadata of tasks that the operation `S` starts and whose status the operation `O` returns
/// (`x-bothends-task`, or a link): a constant of generated code.
#[derive(Debug)]
pub struct TaskMeta<S, O> {
    terminal: &'static [&'static str],
    parameters: &'static [Row],
    status: Option<Expression>,
    failed: &'static [&'static str],
    failure: Option<&'static str>,
    webhooks: &'static [(&'static str, &'static str)],
    operations: PhantomData<fn() -> (S, O)>,
}

impl<S, O> Clone for TaskMeta<S, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, O> Copy for TaskMeta<S, O> {}

impl<S: Operation, O: Operation> TaskMeta<S, O> {
    /// Creates the metadata of tasks with these terminal statuses.
    pub const fn new(terminal: &'static [&'static str]) -> Self {
        Self {
            terminal,
            parameters: &[],
            status: None,
            failed: &[],
            failure: None,
            webhooks: &[],
            operations: PhantomData,
        }
    }

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

    /// Sets the webhooks that report the end of a task, and the JSON pointers of the task id in
    /// their bodies.
    #[must_use]
    pub const fn notified_by(self, webhooks: &'static [(&'static str, &'static str)]) -> Self {
        Self { webhooks, ..self }
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
    #[cfg(any(feature = "server", feature = "tasks"))]
    pub fn request(&self, sent: &S, submitted: &S::Response) -> Option<O> {
        if self.parameters.is_empty() {
            return None;
        }
        let exchange = Exchange::received::<S>(submitted)?.sent(sent)?;
        let value = |row: &Row| Some((row.0, row.1, exchange.value(row, O::META.path)?));
        follow::request(self.parameters.iter().map(value).collect::<Option<_>>()?)
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

    /// Returns the id in a request for the status, if the document states its place.
    #[cfg(feature = "tasks")]
    pub(super) fn id_in(&self, request: &O) -> Option<String> {
        let (place, name, _) = self.parameters.iter().find(|row| row.2.is_of_response())?;
        follow::value(request, place, name)
    }

    /// Returns the id of the task that the body of a webhook of this kind reports.
    pub fn id_in_webhook<'b>(&self, kind: &str, body: &'b Json) -> Option<&'b str> {
        let (_, pointer) = self.webhooks.iter().find(|(name, _)| *name == kind)?;
        body.pointer(pointer)?.as_str()
    }
}
