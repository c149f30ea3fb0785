//! Threads that own a connection.

use super::cache::Cache;
use super::group::commit;
use super::job::{Call, Job, Once, Repeatable, Work};
use crate::{StoreError, StoreErrorKind};
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// The maximum number of jobs per commit. The limit only keeps a commit from growing without bound:
/// far fewer callers arrive while a disk is busy.
const GROUP: usize = 1024;
/// The longest time to wait for callers of the previous group, which are likely to return.
const LINGER: Duration = Duration::from_micros(300);

/// A queue of jobs for a thread.
#[derive(Clone)]
pub(super) struct Jobs(Sender<Box<dyn Job>>);

impl Jobs {
    /// Starts a writer thread: one transaction for all waiting jobs. `cache` is invalidated after rollbacks.
    pub(super) fn writer(
        connection: Connection,
        changes: watch::Sender<u64>,
        cache: Arc<Cache>,
    ) -> Result<Self, StoreError> {
        start("bothends-writer", move |jobs| {
            let (mut before, mut commit_took) = (1, Duration::ZERO);
            let mut latest = None;
            while let Ok(first) = jobs.recv() {
                let mut group = vec![first];
                gather(&jobs, &mut group, before, commit_took);
                before = group.len();
                let stirs = group.iter().any(|job| job.stirs());
                let committed = commit(&connection, &mut group, &cache);
                commit_took = committed.as_ref().map_or(commit_took, |took| *took);
                let failed = committed.err();
                let last = last_delivery(&connection);
                let has_enqueued = last.as_ref().map_or(true, |last| *last > latest);
                if failed.is_none() && (stirs || has_enqueued) {
                    changes.send_modify(|count| *count = count.wrapping_add(1));
                }
                latest = last.unwrap_or(latest);
                for job in group {
                    job.finish(failed.as_ref());
                }
            }
        })
    }

    /// Starts a reader thread.
    pub(super) fn reader(connection: Connection) -> Result<Self, StoreError> {
        start("bothends-reader", move |jobs| {
            while let Ok(mut job) = jobs.recv() {
                job.run(&connection);
                job.finish(None);
            }
        })
    }

    /// Runs `work` on the thread, and waits for its result. It may run twice, the second time after the changes of the
    /// first were undone. The work is done even if the caller stops waiting.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        stirs: bool,
        work: impl FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.send(stirs, Repeatable(work)).await
    }

    /// Runs `work` like [`Jobs::call`], but once.
    pub(super) async fn call_once<T: Send + 'static>(
        &self,
        stirs: bool,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.send(stirs, Once(Some(work))).await
    }

    async fn send<T: Send + 'static>(
        &self,
        stirs: bool,
        work: impl Work<T> + 'static,
    ) -> Result<T, StoreError> {
        let (reply, result) = oneshot::channel();
        let call = Call::new(work, stirs, reply);
        let gone = || StoreError::because(StoreErrorKind::Unavailable, "its thread has ended");
        self.0.send(Box::new(call)).map_err(|_| gone())?;
        result.await.map_err(|_| gone())?
    }
}

fn start(
    name: &str,
    run: impl FnOnce(Receiver<Box<dyn Job>>) + Send + 'static,
) -> Result<Jobs, StoreError> {
    let (sender, receiver) = channel();
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || run(receiver))
        .map_err(|error| StoreError::because(StoreErrorKind::Unavailable, error))?;
    Ok(Jobs(sender))
}

/// Adds the waiting jobs to the group. Callers whose jobs finished together return together, but
/// not at exactly the same moment: up to `before` jobs are awaited, at most for the time that a commit of their own
/// would take, as the last one took.
fn gather(
    jobs: &Receiver<Box<dyn Job>>,
    group: &mut Vec<Box<dyn Job>>,
    before: usize,
    commit: Duration,
) {
    let until = Instant::now() + commit.min(LINGER);
    while group.len() < GROUP {
        let next = match jobs.try_recv() {
            Ok(next) => Some(next),
            Err(_) if group.len() < before => {
                let left = until.saturating_duration_since(Instant::now());
                jobs.recv_timeout(left).ok()
            }
            Err(_) => None,
        };
        match next {
            Some(next) => group.push(next),
            None => return,
        }
    }
}

/// Returns the id of the last delivery: ids are in the order of creation.
fn last_delivery(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    let mut statement = connection.prepare_cached("SELECT max(id) FROM bothends_delivery")?;
    statement.query_row([], |row| row.get(0))
}
