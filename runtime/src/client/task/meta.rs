//! What a document says of the tasks that an operation starts.

#[cfg(any(feature = "server", feature = "tasks"))]
use super::follow;
use super::found::{Exchange, Row};
use crate::{Expression, Json, Operation};
use std::marker::PhantomData;

/// What a document says of the tasks that the operation `S` starts, and whose status the operation `O`
/// tells (`x-bothends-task`, or a link): a constant of generated code.
#[derive(Debug)]
pub struct TaskMeta<S, O> {
    terminal: &'static [&'static str],
    parameters: &'static [Row],
    status: Option<&'static str>,
    webhooks: &'static [(&'static str, &'static str)],
    of: PhantomData<fn() -> (S, O)>,
}

impl<S, O> Clone for TaskMeta<S, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, O> Copy for TaskMeta<S, O> {}

impl<S: Operation, O: Operation> TaskMeta<S, O> {
    /// Tasks that are over with one of these statuses.
    pub const fn new(terminal: &'static [&'static str]) -> Self {
        Self {
            terminal,
            parameters: &[],
            status: None,
            webhooks: &[],
            of: PhantomData,
        }
    }

    /// With the parameters of `O`, and where their values are: place, name and expression. The first
    /// that the answer brings is the id of the task.
    #[must_use]
    pub const fn from(
        self,
        parameters: &'static [(&'static str, &'static str, Expression)],
    ) -> Self {
        Self { parameters, ..self }
    }

    /// With the JSON pointer of the status in the answer of `O`.
    #[must_use]
    pub const fn status_at(self, pointer: &'static str) -> Self {
        Self {
            status: Some(pointer),
            ..self
        }
    }

    /// With the webhooks that tell of the end of a task, and the JSON pointers of its id in their
    /// bodies.
    #[must_use]
    pub const fn notified_by(self, webhooks: &'static [(&'static str, &'static str)]) -> Self {
        Self { webhooks, ..self }
    }

    /// The statuses with which a task is over. Any other means that it is not, so that a status
    /// which the document does not know does not end a wait.
    pub const fn terminal(&self) -> &'static [&'static str] {
        self.terminal
    }

    /// Whether a task with this status is over.
    pub fn is_terminal(&self, status: &str) -> bool {
        self.terminal.contains(&status)
    }

    /// The id of the task in the answer to the operation that started it, where the document says
    /// where it is.
    pub fn id_of(&self, submitted: &S::Response) -> Option<String> {
        let row = self.parameters.iter().find(|row| row.2.is_of_response())?;
        Exchange::came::<S>(submitted)?.value(row, O::META.path)
    }

    /// The request that asks for the status of the task which this call has started, where the
    /// document says where the values of its parameters are.
    #[cfg(any(feature = "server", feature = "tasks"))]
    pub fn request(&self, sent: &S, submitted: &S::Response) -> Option<O> {
        if self.parameters.is_empty() {
            return None;
        }
        let exchange = Exchange::came::<S>(submitted)?.sent(sent)?;
        let value = |row: &Row| Some((row.0, row.1, exchange.value(row, O::META.path)?));
        follow::request(self.parameters.iter().map(value).collect::<Option<_>>()?)
    }

    /// The status in an answer of `O`, where the document says where it is.
    pub fn status_of(&self, answer: &O::Response) -> Option<String> {
        Exchange::came::<O>(answer)?.value(&("", "", Expression::ResponseBody(self.status?)), "")
    }

    /// Whether an answer of `O` says that the task is over. Always `false` where the document does
    /// not say where the status is: then it is for the caller to look.
    pub fn is_finished(&self, answer: &O::Response) -> bool {
        (self.status_of(answer)).is_some_and(|status| self.is_terminal(&status))
    }

    /// The id of the task that the body of a webhook of this kind tells of.
    pub fn id_in_webhook<'b>(&self, kind: &str, body: &'b Json) -> Option<&'b str> {
        let (_, pointer) = self.webhooks.iter().find(|(of, _)| *of == kind)?;
        body.pointer(pointer)?.as_str()
    }
}
