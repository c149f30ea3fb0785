//! Tasks that operations start.

use super::{Api, Expression, LinkedCall, Place};

/// The task that an operation starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The index of the operation that returns the status.
    pub status_operation: usize,
    /// The parameter of the status operation that receives the task id.
    pub parameter: String,
    /// The parameters of the status operation with the locations of their values; the first is the
    /// task id. Empty if the document does not specify them.
    pub from: Vec<(Place, String, Expression)>,
    /// Where the response of the status operation has the status, if the document specifies it.
    pub status: Option<TaskStatus>,
    /// The final statuses.
    pub terminal: Vec<String>,
    /// The final statuses of tasks that have failed.
    pub failed: Vec<String>,
    /// The JSON pointer of a value in the response of the status operation that only failed tasks
    /// have.
    pub failed_at: Option<String>,
    /// The webhooks that report the end of the task, with the JSON pointers of the task id in their
    /// bodies.
    pub webhooks: Vec<(String, String)>,
    /// The call that returns the result of a task that has succeeded.
    pub result: Option<LinkedCall>,
    /// The call that cancels the task.
    pub cancel: Option<LinkedCall>,
}

/// Where the response of the status operation has the status of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskStatus {
    /// In the body, at this JSON pointer.
    Body(String),
    /// It is the HTTP status.
    Code,
}

/// The client methods for the task of an operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskMethods {
    /// Starts the task, without a request if the operation has a method without one.
    pub start: Option<String>,
    /// Starts the task with a request, if the other method has none.
    pub start_with: Option<String>,
    /// Waits for a task that was started before.
    pub resume: Option<String>,
}

impl Api {
    /// Returns the webhooks that report the end of tasks, each with the JSON pointer of the task id in
    /// its body, without duplicates.
    #[must_use]
    pub fn task_webhooks(&self) -> Vec<&(String, String)> {
        let tasks = self
            .operations
            .iter()
            .filter_map(|operation| operation.task.as_ref());
        let mut found: Vec<&(String, String)> = Vec::new();
        for webhook in tasks.flat_map(|task| &task.webhooks) {
            if !found.contains(&webhook) {
                found.push(webhook);
            }
        }
        found
    }
}

impl Task {
    /// Returns the indices of the operations that are called for the task once it has started: those that
    /// return its status and its result, and that which cancels it.
    pub fn operations_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        let calls = self.result.iter_mut().chain(&mut self.cancel);
        std::iter::once(&mut self.status_operation).chain(calls.map(|call| &mut call.operation))
    }

    /// Returns these indices, each with what the operation does.
    pub fn operations(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let result = self
            .result
            .iter()
            .map(|call| (call.operation, "the task's result is returned"));
        let cancel = self
            .cancel
            .iter()
            .map(|call| (call.operation, "the task is cancelled"));
        let status = (self.status_operation, "the task's status is returned");
        std::iter::once(status).chain(result).chain(cancel)
    }

    /// Returns whether the document specifies how the end of a task is known.
    #[must_use]
    pub const fn has_known_end(&self) -> bool {
        self.status.is_some() || self.failed_at.is_some()
    }
}
