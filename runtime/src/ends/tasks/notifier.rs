//! Notifications of tasks that have ended.

use indexmap::IndexMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// A notifier by which a webhook receiver reports the end of tasks to the callers that wait for
/// them.
///
/// A notification without a waiting caller is kept, so that a webhook that is received before the
/// response of the call that started its task is not lost. The notifier keeps at most the number of
/// tasks given to [`TaskNotifier::new`]; the oldest is dropped first, and tasks with waiting
/// callers do not count.
///
/// Clones share the notifier.
///
/// ```
/// use bothends_runtime::tasks::TaskNotifier;
///
/// let notifier = TaskNotifier::new(10_000);
/// // In the handler of a webhook:
/// notifier.notify("7f1c", "Completed");
/// assert_eq!(notifier.get("7f1c"), Some("Completed"));
/// ```
pub struct TaskNotifier<E>(Arc<Shared<E>>);

struct Shared<E> {
    keep: usize,
    tasks: Mutex<Tasks<E>>,
}

/// Both maps in the order of insertion.
struct Tasks<E> {
    notified: IndexMap<String, E>,
    awaited: IndexMap<String, watch::Sender<Option<E>>>,
}

impl<E> Clone for TaskNotifier<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<E> fmt::Debug for TaskNotifier<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tasks = self.tasks();
        f.debug_struct("TaskNotifier")
            .field("notified", &tasks.notified.len())
            .field("awaited", &tasks.awaited.len())
            .finish_non_exhaustive()
    }
}

impl<E> TaskNotifier<E> {
    fn tasks(&self) -> MutexGuard<'_, Tasks<E>> {
        // No code panics while it holds the lock.
        self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Clone> TaskNotifier<E> {
    /// Creates a notifier that keeps the notifications of at most `keep` tasks.
    pub fn new(keep: usize) -> Self {
        Self(Arc::new(Shared {
            keep,
            tasks: Mutex::new(Tasks {
                notified: IndexMap::new(),
                awaited: IndexMap::new(),
            }),
        }))
    }

    /// Reports the end of a task. Webhooks may be delivered twice: the first notification is kept.
    pub fn notify(&self, id: &str, event: E) {
        let mut tasks = self.tasks();
        if tasks.notified.contains_key(id) {
            return;
        }
        if let Some(waiting) = tasks.awaited.shift_remove(id) {
            waiting.send_replace(Some(event.clone()));
        }
        while tasks.notified.len() >= self.0.keep.max(1) {
            tasks.notified.shift_remove_index(0);
        }
        tasks.notified.insert(id.to_owned(), event);
    }

    /// Returns the notification of a task, if there is one.
    pub fn get(&self, id: &str) -> Option<E> {
        self.tasks().notified.get(id).cloned()
    }

    /// Waits for the notification of a task, and returns at once if there already is one.
    pub async fn wait(&self, id: &str) -> E {
        let news = {
            let mut tasks = self.tasks();
            if let Some(event) = tasks.notified.get(id) {
                return event.clone();
            }
            match tasks.awaited.get(id) {
                Some(waiting) => waiting.subscribe(),
                None => {
                    let (waiting, news) = watch::channel(None);
                    tasks.awaited.insert(id.to_owned(), waiting);
                    news
                }
            }
        };
        let mut place = Place {
            notifier: self,
            id,
            news,
        };
        let event = match place.news.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(event)) => Some(event.clone()),
            _ => None,
        };
        match event {
            Some(event) => event,
            // The sender is dropped only after it has sent, so this branch is never reached with an
            // event pending.
            None => std::future::pending().await,
        }
    }
}

/// The registration of a waiting caller. The last one to be dropped removes the task from the
/// notifier.
struct Place<'a, E> {
    notifier: &'a TaskNotifier<E>,
    id: &'a str,
    news: watch::Receiver<Option<E>>,
}

impl<E> Drop for Place<'_, E> {
    fn drop(&mut self) {
        let mut tasks = self.notifier.tasks();
        // Once an event is no longer kept, other callers may wait for the same id; the receiver of
        // this caller still counts.
        let last = tasks.awaited.get(self.id).is_some_and(|waiting| {
            waiting.receiver_count() <= 1 && waiting.subscribe().same_channel(&self.news)
        });
        if last {
            tasks.awaited.shift_remove(self.id);
        }
    }
}
