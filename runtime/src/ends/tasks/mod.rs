//! Tasks: work that a response starts and that ends later. The server's side, and the webhooks that end the
//! wait of a client.

#[cfg(any(feature = "server", feature = "tasks"))]
mod inbox;
#[cfg(any(feature = "server", feature = "tasks"))]
mod notifier;

#[cfg(any(feature = "server", feature = "tasks"))]
pub use inbox::TaskInbox;
#[cfg(any(feature = "server", feature = "tasks"))]
pub use notifier::TaskNotifier;

use crate::message::{Operation, OutgoingWebhook};
use crate::values::EncodeError;
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of ended tasks that a store in memory keeps.
const KEPT: usize = 10_000;

/// The tasks of one kind: their statuses, of type `V`, in a store, and the webhook that reports their end.
///
/// The handler of the operation that starts a task calls [`start`](Self::start), that of the status
/// operation calls [`status`](Self::status), and whatever does the work calls [`end`](Self::end). The
/// store is [`MemoryTasks`], or one of bothends-delivery, which stores the end of a task and its webhook
/// together.
///
/// ```
/// use bothends_runtime::tasks::{MemoryTasks, Tasks};
/// # use bothends_runtime::Json;
/// # use std::pin::pin;
/// # use std::task::{Context, Poll, Waker};
/// # fn ready<T>(task: impl Future<Output = T>) -> T {
/// #     match pin!(task).poll(&mut Context::from_waker(Waker::noop())) {
/// #         Poll::Ready(value) => value,
/// #         Poll::Pending => unreachable!(),
/// #     }
/// # }
/// # ready(async {
/// let exports: Tasks<Json, _> = Tasks::new("export", MemoryTasks::new(|_, _| ()));
/// exports.start("7f1c", &"running".into()).await?;
/// assert_eq!(exports.status("7f1c").await?, Some("running".into()));
/// assert!(exports.end("7f1c", &"done".into()).await?);
/// # Ok::<_, bothends_runtime::tasks::TasksError<std::convert::Infallible>>(())
/// # }).unwrap();
/// ```
pub struct Tasks<V, S = MemoryTasks> {
    kind: Arc<str>,
    store: S,
    webhook: Option<Arc<Webhook<V>>>,
}

type Webhook<V> = dyn Fn(&str, &V) -> Result<OutgoingWebhook, EncodeError> + Send + Sync;

impl<V, S: Clone> Clone for Tasks<V, S> {
    fn clone(&self) -> Self {
        Self {
            kind: Arc::clone(&self.kind),
            store: self.store.clone(),
            webhook: self.webhook.clone(),
        }
    }
}

impl<V, S> fmt::Debug for Tasks<V, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

impl<V, S> Tasks<V, S> {
    /// Creates the tasks of a kind. Ids are unique within a kind and a store.
    pub fn new(kind: &str, store: S) -> Self {
        Self {
            kind: kind.into(),
            store,
            webhook: None,
        }
    }

    /// Sends a webhook when a task ends, made of its id and its last status.
    #[must_use]
    pub fn on_end<O: Operation>(
        mut self,
        webhook: impl Fn(&str, &V) -> O + Send + Sync + 'static,
    ) -> Self {
        self.webhook = Some(Arc::new(move |id, status| {
            OutgoingWebhook::new(&webhook(id, status))
        }));
        self
    }
}

impl<V: Serialize + DeserializeOwned, S: TaskStore> Tasks<V, S> {
    /// Stores a task that has started. Its webhook goes to subscriptions without an owner.
    ///
    /// # Errors
    ///
    /// Returns an error if there is a task with this id, or if the store fails.
    pub async fn start(&self, id: &str, status: &V) -> Result<(), TasksError<S::Error>> {
        self.start_for("", id, status).await
    }

    /// Stores a task that has started. Its webhook goes to the subscriptions of this owner.
    ///
    /// # Errors
    ///
    /// Returns an error if there is a task with this id, or if the store fails.
    pub async fn start_for(
        &self,
        owner: &str,
        id: &str,
        status: &V,
    ) -> Result<(), TasksError<S::Error>> {
        let status = written(status)?;
        match self.store.start(&self.kind, id, owner, status).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(TasksError::Exists),
            Err(error) => Err(TasksError::Store(error)),
        }
    }

    /// Returns the status of a task, or `None` if there is no task with this id.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails, or if what it contains is no status.
    pub async fn status(&self, id: &str) -> Result<Option<V>, TasksError<S::Error>> {
        let found = self.store.status(&self.kind, id).await;
        let found = found.map_err(TasksError::Store)?;
        let read = |status: Bytes| serde_json::from_slice(&status).map_err(TasksError::Status);
        found.map(read).transpose()
    }

    /// Stores another status of a running task. Returns whether the task was running.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    pub async fn update(&self, id: &str, status: &V) -> Result<bool, TasksError<S::Error>> {
        let stored = self.store.update(&self.kind, id, written(status)?).await;
        stored.map_err(TasksError::Store)
    }

    /// Ends a running task: stores its last status, and sends the webhook. Returns whether the task was
    /// running; if it was not, nothing changes and nothing is sent.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails, or if the webhook cannot be encoded. The task then runs.
    pub async fn end(&self, id: &str, status: &V) -> Result<bool, TasksError<S::Error>> {
        let webhook = self.webhook.as_ref().map(|webhook| webhook(id, status));
        let webhook = webhook.transpose().map_err(TasksError::Webhook)?;
        let status = written(status)?;
        let ended = self.store.end(&self.kind, id, status, webhook).await;
        ended.map_err(TasksError::Store)
    }
}

fn written<V: Serialize, E>(status: &V) -> Result<Bytes, TasksError<E>> {
    let written = serde_json::to_vec(status).map_err(TasksError::Status)?;
    Ok(written.into())
}

/// The error of [`Tasks`].
#[derive(Debug)]
#[non_exhaustive]
pub enum TasksError<E> {
    /// There is a task with this id.
    Exists,
    /// The status cannot be written, or what is stored is no status.
    Status(serde_json::Error),
    /// The webhook cannot be encoded.
    Webhook(EncodeError),
    /// The store failed.
    Store(E),
}

impl<E: fmt::Display> fmt::Display for TasksError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists => f.write_str("there is a task with this id"),
            Self::Status(error) => write!(f, "the status of the task: {error}"),
            Self::Webhook(error) => write!(f, "the webhook of the task: {error}"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for TasksError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Exists => None,
            Self::Status(error) => Some(error),
            Self::Webhook(error) => Some(error),
            Self::Store(error) => error.source(),
        }
    }
}

/// Storage of the tasks of a server, by kind and id.
pub trait TaskStore: Send + Sync {
    /// The error of the store.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Stores a running task. Returns `false` if there is one with this id, which does not change.
    fn start(
        &self,
        kind: &str,
        id: &str,
        owner: &str,
        status: Bytes,
    ) -> impl Future<Output = Result<bool, Self::Error>> + Send;

    /// Returns the status of a task.
    fn status(
        &self,
        kind: &str,
        id: &str,
    ) -> impl Future<Output = Result<Option<Bytes>, Self::Error>> + Send;

    /// Replaces the status of a running task. Returns whether it is running.
    fn update(
        &self,
        kind: &str,
        id: &str,
        status: Bytes,
    ) -> impl Future<Output = Result<bool, Self::Error>> + Send;

    /// Replaces the status of a running task, which then runs no more, and sends the webhook to the
    /// subscriptions of the owner of the task: both or neither. Returns whether the task was running.
    fn end(
        &self,
        kind: &str,
        id: &str,
        status: Bytes,
        webhook: Option<OutgoingWebhook>,
    ) -> impl Future<Output = Result<bool, Self::Error>> + Send;
}

/// Tasks in memory. They are lost with the process, and the oldest of more than 10,000 ended tasks is
/// forgotten. Clones share the tasks.
#[derive(Clone)]
pub struct MemoryTasks(Arc<Shared>);

struct Shared {
    send: Box<Sending>,
    tasks: Mutex<Kept>,
}

/// Gets the owner and the webhook of a task that ends.
type Sending = dyn Fn(&str, OutgoingWebhook) + Send + Sync;
type Key = (String, String);

#[derive(Default)]
struct Kept {
    /// Running tasks: the owner and the status.
    running: HashMap<Key, (String, Bytes)>,
    ended: HashMap<Key, Bytes>,
    /// The keys of ended tasks, the oldest first.
    order: VecDeque<Key>,
}

impl MemoryTasks {
    /// Creates an empty store. `send` gets the owner and the webhook of each task that ends.
    pub fn new(send: impl Fn(&str, OutgoingWebhook) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Shared {
            send: Box::new(send),
            tasks: Mutex::default(),
        }))
    }

    fn tasks(&self) -> MutexGuard<'_, Kept> {
        // No code panics while it holds the lock.
        self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for MemoryTasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tasks = self.tasks();
        f.debug_struct("MemoryTasks")
            .field("running", &tasks.running.len())
            .field("ended", &tasks.ended.len())
            .finish_non_exhaustive()
    }
}

fn key(kind: &str, id: &str) -> Key {
    (kind.to_owned(), id.to_owned())
}

impl TaskStore for MemoryTasks {
    type Error = Infallible;

    async fn start(
        &self,
        kind: &str,
        id: &str,
        owner: &str,
        status: Bytes,
    ) -> Result<bool, Infallible> {
        let (key, mut tasks) = (key(kind, id), self.tasks());
        let is_new = !tasks.running.contains_key(&key) && !tasks.ended.contains_key(&key);
        if is_new {
            tasks.running.insert(key, (owner.to_owned(), status));
        }
        Ok(is_new)
    }

    async fn status(&self, kind: &str, id: &str) -> Result<Option<Bytes>, Infallible> {
        let (key, tasks) = (key(kind, id), self.tasks());
        let running = tasks.running.get(&key).map(|(_, status)| status);
        Ok(running.or_else(|| tasks.ended.get(&key)).cloned())
    }

    async fn update(&self, kind: &str, id: &str, status: Bytes) -> Result<bool, Infallible> {
        let mut tasks = self.tasks();
        let running = tasks.running.get_mut(&key(kind, id));
        Ok(running.map(|(_, stored)| *stored = status).is_some())
    }

    async fn end(
        &self,
        kind: &str,
        id: &str,
        status: Bytes,
        webhook: Option<OutgoingWebhook>,
    ) -> Result<bool, Infallible> {
        let owner = {
            let (key, mut tasks) = (key(kind, id), self.tasks());
            let Some((owner, _)) = tasks.running.remove(&key) else {
                return Ok(false);
            };
            if tasks.order.len() >= KEPT
                && let Some(oldest) = tasks.order.pop_front()
            {
                tasks.ended.remove(&oldest);
            }
            tasks.order.push_back(key.clone());
            tasks.ended.insert(key, status);
            owner
        };
        if let Some(webhook) = webhook {
            (self.0.send)(&owner, webhook);
        }
        Ok(true)
    }
}
