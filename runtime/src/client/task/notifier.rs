//! Where webhooks say which tasks are over.

use indexmap::IndexMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Where a receiver of webhooks says which tasks are over, and those who wait for one find it.
///
/// What is told before anybody waits is kept, so that a webhook which overtakes the answer to the
/// call that started its task is not lost. At most as many tasks are kept as the notifier was made
/// for; the oldest goes first, and those that somebody waits for do not count.
///
/// Clones share the notifier.
///
/// ```
/// use bothends_runtime::client::TaskNotifier;
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

/// Both in the order in which they came.
struct Tasks<E> {
    told: IndexMap<String, E>,
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
            .field("told", &tasks.told.len())
            .field("awaited", &tasks.awaited.len())
            .finish_non_exhaustive()
    }
}

impl<E> TaskNotifier<E> {
    fn tasks(&self) -> MutexGuard<'_, Tasks<E>> {
        // Nothing that holds it panics half-way.
        self.0.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Clone> TaskNotifier<E> {
    /// A notifier that keeps what was told of this many tasks.
    pub fn new(keep: usize) -> Self {
        Self(Arc::new(Shared {
            keep,
            tasks: Mutex::new(Tasks {
                told: IndexMap::new(),
                awaited: IndexMap::new(),
            }),
        }))
    }

    /// Says that a task is over. Webhooks may come twice: what was told first stays.
    pub fn notify(&self, id: &str, event: E) {
        let mut tasks = self.tasks();
        if tasks.told.contains_key(id) {
            return;
        }
        if let Some(waiting) = tasks.awaited.shift_remove(id) {
            waiting.send_replace(Some(event.clone()));
        }
        while tasks.told.len() >= self.0.keep.max(1) {
            tasks.told.shift_remove_index(0);
        }
        tasks.told.insert(id.to_owned(), event);
    }

    /// What was told of a task, if anything was.
    pub fn get(&self, id: &str) -> Option<E> {
        self.tasks().told.get(id).cloned()
    }

    /// Waits until a task is told of; it may have been already.
    pub async fn wait(&self, id: &str) -> E {
        let news = {
            let mut tasks = self.tasks();
            if let Some(event) = tasks.told.get(id) {
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
            // The sender stays on the notifier until it has sent, so there is nothing else to come.
            None => std::future::pending().await,
        }
    }
}

/// The place of one who waits: the last to leave takes the task off the notifier.
struct Place<'a, E> {
    notifier: &'a TaskNotifier<E>,
    id: &'a str,
    news: watch::Receiver<Option<E>>,
}

impl<E> Drop for Place<'_, E> {
    fn drop(&mut self) {
        let mut tasks = self.notifier.tasks();
        // After an event that is no longer kept, others may wait under the same id; this one's own
        // receiver still counts.
        let last = tasks.awaited.get(self.id).is_some_and(|waiting| {
            waiting.receiver_count() <= 1 && waiting.subscribe().same_channel(&self.news)
        });
        if last {
            tasks.awaited.shift_remove(self.id);
        }
    }
}
