//! What a document says of the tasks that an operation starts.

use crate::{Json, Operation, Outcome, ResponseEncoder};
use std::marker::PhantomData;

/// What a document says of the tasks that an operation starts, and whose status the operation `O`
/// tells (`x-bothends-task`): a constant of generated code.
#[derive(Debug)]
pub struct TaskMeta<O> {
    terminal: &'static [&'static str],
    id: Option<&'static str>,
    status: Option<&'static str>,
    webhooks: &'static [(&'static str, &'static str)],
    of: PhantomData<fn() -> O>,
}

impl<O> Clone for TaskMeta<O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for TaskMeta<O> {}

impl<O: Operation> TaskMeta<O> {
    /// Tasks that are over with one of these statuses.
    pub const fn new(terminal: &'static [&'static str]) -> Self {
        Self {
            terminal,
            id: None,
            status: None,
            webhooks: &[],
            of: PhantomData,
        }
    }

    /// With the JSON pointer of the task's id in the answer to the operation that starts it.
    #[must_use]
    pub const fn id_at(self, pointer: &'static str) -> Self {
        Self {
            id: Some(pointer),
            ..self
        }
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
    pub const fn told_by(self, webhooks: &'static [(&'static str, &'static str)]) -> Self {
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
    pub fn id_of(&self, submitted: &impl Outcome) -> Option<String> {
        text_at(submitted, self.id?)
    }

    /// The status in an answer of `O`, where the document says where it is.
    pub fn status_of(&self, answer: &O::Response) -> Option<String> {
        text_at(answer, self.status?)
    }

    /// Whether an answer of `O` says that the task is over. Always `false` where the document does
    /// not say where the status is: then it is for the caller to look.
    pub fn is_over(&self, answer: &O::Response) -> bool {
        (self.status_of(answer)).is_some_and(|status| self.is_terminal(&status))
    }

    /// The id of the task that the body of a webhook of this kind tells of.
    pub fn id_told<'b>(&self, kind: &str, body: &'b Json) -> Option<&'b str> {
        let (_, pointer) = self.webhooks.iter().find(|(of, _)| *of == kind)?;
        body.pointer(pointer)?.as_str()
    }
}

/// A text, or a number as text, in the body of an answer.
fn text_at(answer: &impl Outcome, pointer: &str) -> Option<String> {
    let mut response = ResponseEncoder::new();
    answer.encode(&mut response);
    let (_, body) = response.finish().ok()?.body?;
    match serde_json::from_slice::<Json>(&body)
        .ok()?
        .pointer(pointer)?
    {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
