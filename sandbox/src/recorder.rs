//! The log of calls and webhooks: written in batches, and announced to those who watch.

use crate::metrics::Metrics;
use crate::model::{Activity, Call, Received, SentWebhook};
use crate::store::{Changes, StorageError, Store, Written};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, broadcast, mpsc};

/// The number of entries that wait to be written. Further entries are dropped and counted, because
/// a slow database must not use up the memory.
const WAITING: usize = 10_000;
/// The maximum number of entries that are written together.
const BATCH: usize = 4096;
/// The number of calls in a row of the database: few enough that one is read in no time.
const ROW: usize = 128;
/// The pause between two batches, in which the calls of the next gather: each commit costs the disk a
/// write and all readers of the database a look. Webhooks end it, because the replay of failures finds
/// them in the log.
const PAUSE: Duration = Duration::from_millis(25);
/// The number of announcements that a slow watcher may lag behind.
const ANNOUNCEMENTS: usize = 1024;
/// How many entries of a kind each project keeps.
pub(crate) const KEPT: u32 = 5_000;
/// After how many entries of a project the oldest are removed.
const TRIM_EVERY: usize = 500;

/// What waits to be written.
#[derive(Debug)]
enum Entry {
    /// Written as JSON by the thread of the request, so that no thread has to do it for many at once.
    Call(Written<Call>),
    Webhook(Arc<SentWebhook>),
    Received(Arc<Received>),
}

impl Entry {
    fn new(activity: Activity) -> Result<Self, StorageError> {
        Ok(match activity {
            Activity::Call(call) => Self::Call(Written::new(&*call)?),
            Activity::Webhook(sent) => Self::Webhook(sent),
            Activity::Received(received) => Self::Received(received),
        })
    }

    fn into_activity(self) -> Result<Activity, StorageError> {
        Ok(match self {
            Self::Call(call) => Activity::Call(Arc::new(call.read()?)),
            Self::Webhook(sent) => Activity::Webhook(sent),
            Self::Received(received) => Activity::Received(received),
        })
    }
}

/// The sending half of the log. Clones share it.
#[derive(Debug, Clone)]
pub struct Recorder {
    entries: mpsc::Sender<Entry>,
    announcements: broadcast::Sender<Activity>,
    is_urgent: Arc<Notify>,
    metrics: Metrics,
}

impl Recorder {
    /// Starts the log. It ends when the last recorder has been dropped and everything is written.
    pub fn start(store: Store) -> (Self, tokio::task::JoinHandle<()>) {
        let (entries, waiting) = mpsc::channel(WAITING);
        let (announcements, _) = broadcast::channel(ANNOUNCEMENTS);
        let is_urgent = Arc::new(Notify::new());
        let log = write(
            store,
            waiting,
            announcements.clone(),
            Arc::clone(&is_urgent),
        );
        let writing = tokio::spawn(log);
        let metrics = Metrics::default();
        (
            Self {
                entries,
                announcements,
                is_urgent,
                metrics,
            },
            writing,
        )
    }

    /// Adds an entry. Returns `false` if the log is full, and the entry was dropped.
    pub fn record(&self, activity: Activity) -> bool {
        self.metrics.observe(&activity);
        let is_urgent = !matches!(activity, Activity::Call(_));
        let entry = match Entry::new(activity) {
            Ok(entry) => entry,
            Err(error) => {
                self.metrics.dropped();
                tracing::warn!(%error, "an entry of the log was dropped");
                return false;
            }
        };
        let kept = self.entries.try_send(entry).is_ok();
        if is_urgent {
            self.is_urgent.notify_one();
        }
        if !kept {
            self.metrics.dropped();
            tracing::warn!("the log of calls and webhooks is full, so an entry was dropped");
        }
        kept
    }

    /// Announces what was already written, such as a received webhook.
    pub fn announce(&self, entry: Activity) {
        self.metrics.observe(&entry);
        // Without watchers there is nobody to tell.
        let _ = self.announcements.send(entry);
    }

    /// Returns the metrics.
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Returns the announcements from now on. Entries are announced after they were written.
    pub fn watch(&self) -> broadcast::Receiver<Activity> {
        self.announcements.subscribe()
    }
}

async fn write(
    store: Store,
    mut waiting: mpsc::Receiver<Entry>,
    announcements: broadcast::Sender<Activity>,
    is_urgent: Arc<Notify>,
) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut counts: HashMap<(String, bool), usize> = HashMap::new();
    while waiting.recv_many(&mut batch, BATCH).await > 0 {
        let mut changes = Changes::new();
        let mut calls: BTreeMap<&str, Vec<&Written<Call>>> = BTreeMap::new();
        let mut count = |project: &str, is_call, more: usize| {
            *counts.entry((project.to_owned(), is_call)).or_default() += more;
        };
        for entry in &batch {
            match entry {
                Entry::Call(call) => calls.entry(&call.project).or_default().push(call),
                Entry::Webhook(sent) => {
                    changes.insert(&**sent);
                    count(&sent.project, false, 1);
                }
                Entry::Received(received) => {
                    changes.insert(&**received);
                    count(&received.project, false, 1);
                }
            }
        }
        for (project, calls) in &calls {
            count(project, true, calls.len());
            for calls in calls.chunks(ROW) {
                changes.append(calls);
            }
        }
        if let Err(error) = store.commit(changes).await {
            tracing::warn!(%error, entries = batch.len(), "the log was not written");
        }
        announce(&announcements, &mut batch).await;
        trim(&store, &mut counts).await;
        if !waiting.is_closed() {
            // Ends at once, or after the pause.
            let _ = tokio::time::timeout(PAUSE, is_urgent.notified()).await;
        }
    }
}

/// Announces what was written, and removes it from the batch.
async fn announce(announcements: &broadcast::Sender<Activity>, batch: &mut Vec<Entry>) {
    // Who begins to watch from now on finds these entries in the database.
    let is_watched = announcements.receiver_count() > 0;
    for (index, entry) in batch.drain(..).enumerate() {
        if index % ROW == ROW - 1 {
            // Requests on this thread do not wait for the whole batch.
            tokio::task::yield_now().await;
        }
        if !is_watched {
            continue;
        }
        match entry.into_activity() {
            // The last watcher may have gone.
            Ok(activity) => drop(announcements.send(activity)),
            Err(error) => tracing::warn!(%error, "an entry of the log was not announced"),
        }
    }
}

/// Removes the oldest entries of projects that have many new ones.
async fn trim(store: &Store, counts: &mut HashMap<(String, bool), usize>) {
    for ((project, is_call), count) in &mut *counts {
        if *count < TRIM_EVERY {
            continue;
        }
        *count = 0;
        let trimmed = match is_call {
            true => store.trim::<Call>(project, KEPT).await,
            false => store.trim::<SentWebhook>(project, KEPT).await,
        };
        if let Err(error) = trimmed {
            tracing::warn!(%error, "old entries of the log were not removed");
        }
    }
}
