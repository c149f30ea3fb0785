//! Webhooks that report the end of tasks.

use super::TaskNotifier;
use crate::message::expression::in_body;
use crate::values::Bytes;

/// The number of ended tasks that an inbox keeps until something waits for them.
const KEPT: usize = 10_000;

/// An inbox for the webhooks that report the end of a document's tasks.
///
/// `webhooks::inbox()` of generated code returns one. The receiver of webhooks puts the ids of ended
/// tasks into it ([`WebhookRouter::inbox`](crate::webhook::WebhookRouter::inbox), feature `server`), and tasks
/// wait on it ([`Task::webhooks`](crate::client::Task::webhooks), feature `tasks`). A webhook that is
/// received before the response that started its task counts; 10,000 such webhooks are kept.
///
/// Clones share the inbox.
#[derive(Debug, Clone)]
pub struct TaskInbox {
    ended: TaskNotifier<()>,
    webhooks: &'static [(&'static str, &'static str)],
}

impl TaskInbox {
    /// Creates an inbox for these webhooks, each with the JSON pointer of the task id in its body;
    /// generated code calls this.
    pub fn new(webhooks: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            ended: TaskNotifier::new(KEPT),
            webhooks,
        }
    }

    /// Puts a webhook into the inbox. Returns whether its kind reports the end of a task and its
    /// body has the id.
    pub fn receive(&self, kind: &str, body: &Bytes) -> bool {
        let ids = self.ids(kind, body);
        ids.map(|id| self.ended.notify(&id, ())).count() > 0
    }

    /// Returns the id of the task whose end a webhook of this kind reports, from its body.
    pub fn id_in(&self, kind: &str, body: &Bytes) -> Option<String> {
        self.ids(kind, body).next()
    }

    fn ids(&self, kind: &str, body: &Bytes) -> impl Iterator<Item = String> {
        let rows = self
            .webhooks
            .iter()
            .filter(move |(known, _)| *known == kind);
        rows.filter_map(move |(_, pointer)| in_body(body, pointer))
    }

    /// Waits until a webhook reports the end of a task.
    #[cfg(feature = "tasks")]
    pub(crate) async fn ended(&self, id: &str) {
        self.ended.wait(id).await;
    }
}
