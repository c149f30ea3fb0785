//! Threads that own a connection, and their jobs.

use super::failure;
use crate::{StoreError, StoreErrorKind};
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// The maximum number of jobs per commit. The limit only keeps a commit from growing without bound:
/// far fewer callers arrive while a disk is busy.
const GROUP: usize = 1024;
/// The longest time to wait for callers of the previous group, which are likely to return.
const LINGER: Duration = Duration::from_micros(300);

/// A job for a connection, in two steps: the work and the notification of its caller.
trait Job: Send {
    /// Runs the job. `false` requests a rollback.
    fn run(&mut self, connection: &Connection) -> bool;
    /// Notifies the caller. An error means that the changes were not committed.
    fn finish(self: Box<Self>, failed: Option<&StoreError>);
    /// Returns `true` if workers may find deliveries afterwards that are not new.
    fn stirs(&self) -> bool;
}

struct Call<F, T> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
    stirs: bool,
}

impl<F, T> Job for Call<F, T>
where
    F: FnOnce(&Connection) -> Result<T, StoreError> + Send,
    T: Send,
{
    fn run(&mut self, connection: &Connection) -> bool {
        let Some(work) = self.work.take() else {
            return false;
        };
        // A panic in a caller's closure must not end the thread, which all callers share.
        let result = catch_unwind(AssertUnwindSafe(|| work(connection)));
        let result = result.unwrap_or_else(|_| {
            let why = "it panicked";
            Err(StoreError::because(StoreErrorKind::Aborted, why))
        });
        let keep = result.is_ok();
        self.result = Some(result);
        keep
    }

    fn finish(self: Box<Self>, failed: Option<&StoreError>) {
        let result = match (self.result, failed) {
            (Some(Err(error)), _) => Err(error),
            (_, Some(error)) => Err(StoreError::because(error.kind(), error.to_string())),
            (Some(Ok(value)), None) => Ok(value),
            (None, None) => Err(StoreError::new(StoreErrorKind::Unavailable)),
        };
        // If the caller no longer waits, the committed changes remain.
        let _ = self.reply.send(result);
    }

    fn stirs(&self) -> bool {
        self.stirs
    }
}

/// A queue of jobs for a thread.
#[derive(Clone)]
pub(super) struct Jobs(Sender<Box<dyn Job>>);

impl Jobs {
    /// Starts a writer thread: one transaction for all waiting jobs, with a savepoint per job.
    pub(super) fn writer(
        connection: Connection,
        changes: watch::Sender<u64>,
    ) -> Result<Self, StoreError> {
        start("bothends-writer", move |jobs| {
            let (mut before, mut commit_took) = (1, Duration::ZERO);
            let mut latest = None;
            while let Ok(first) = jobs.recv() {
                let mut group = vec![first];
                gather(&jobs, &mut group, before, commit_took);
                before = group.len();
                let stirs = group.iter().any(|job| job.stirs());
                let committed = commit(&connection, &mut group);
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

    /// Runs `work` on the thread, and waits for its result. The work is done even if the caller
    /// stops waiting.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        stirs: bool,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, result) = oneshot::channel();
        let call = Call {
            work: Some(work),
            result: None,
            reply,
            stirs,
        };
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

/// Runs all jobs in one transaction, and returns how long the commit took without them. After an error, no changes of any
/// job remain.
fn commit(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<Duration, StoreError> {
    let execute = |sql| {
        let mut statement = connection.prepare_cached(sql).map_err(failure)?;
        statement.raw_execute().map(drop).map_err(failure)
    };
    let all = || {
        execute("BEGIN IMMEDIATE")?;
        for job in group {
            execute("SAVEPOINT job")?;
            let keep = job.run(connection);
            if connection.is_autocommit() {
                // SQLite rolled back the whole transaction, as it may do when the disk is full.
                return Err(StoreError::because(
                    StoreErrorKind::Full,
                    "the transaction was rolled back",
                ));
            }
            if !keep {
                execute("ROLLBACK TO job")?;
            }
            execute("RELEASE job")?;
        }
        let began = Instant::now();
        execute("COMMIT").map(|()| began.elapsed())
    };
    let done = all();
    if done.is_err() && !connection.is_autocommit() {
        // If this fails as well, the transaction has already ended.
        let _ = execute("ROLLBACK");
    }
    done
}
