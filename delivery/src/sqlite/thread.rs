//! Threads that hold a connection, and what they are asked to do.

use super::failure;
use crate::{StoreError, StoreErrorKind};
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// The most that is committed at once. Far more than callers come in while a disk is busy; it only
/// keeps one commit from growing without end.
const GROUP: usize = 1024;
/// How long those are waited for who were in the last group, and are likely to be in the next.
const LINGER: Duration = Duration::from_micros(300);

/// Something to do with a connection, in two steps: what it does, and what it says afterwards.
trait Job: Send {
    /// Does it. `false`: undo it.
    fn run(&mut self, connection: &Connection) -> bool;
    /// Tells whoever waits. An error: what was done did not come to stay.
    fn finish(self: Box<Self>, failed: Option<&StoreError>);
    /// Whether workers may find something new afterwards.
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
        // A panic in what a user wants done must not take the thread along that all others need.
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
        // Nobody waits any more: what was committed stays committed.
        let _ = self.reply.send(result);
    }

    fn stirs(&self) -> bool {
        self.stirs
    }
}

/// Hands jobs to a thread.
#[derive(Clone)]
pub(super) struct Jobs(Sender<Box<dyn Job>>);

impl Jobs {
    /// Starts a thread that writes: one transaction for all that wait, a savepoint for each.
    pub(super) fn writer(
        connection: Connection,
        changes: watch::Sender<u64>,
    ) -> Result<Self, StoreError> {
        start("bothends-writer", move |jobs| {
            let mut before = 1;
            while let Ok(first) = jobs.recv() {
                let mut group = vec![first];
                gather(&jobs, &mut group, before);
                before = group.len();
                let stirs = group.iter().any(|job| job.stirs());
                let failed = commit(&connection, &mut group).err();
                if stirs && failed.is_none() {
                    changes.send_modify(|count| *count = count.wrapping_add(1));
                }
                for job in group {
                    job.finish(failed.as_ref());
                }
            }
        })
    }

    /// Starts a thread that reads.
    pub(super) fn reader(connection: Connection) -> Result<Self, StoreError> {
        start("bothends-reader", move |jobs| {
            while let Ok(mut job) = jobs.recv() {
                job.run(&connection);
                job.finish(None);
            }
        })
    }

    /// Has this done, and waits for it. It is done even if nobody waits for it any more.
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

/// Adds what waits already. Callers that were answered together come back together, only not at the
/// very same moment: as many as `before` are waited for a little.
fn gather(jobs: &Receiver<Box<dyn Job>>, group: &mut Vec<Box<dyn Job>>, before: usize) {
    let until = Instant::now() + LINGER;
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

/// Does all of these in one transaction. An error means that nothing of any of them stays.
fn commit(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
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
                // SQLite gave up the whole transaction; when the disk is full it may.
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
        execute("COMMIT")
    };
    let done = all();
    if done.is_err() && !connection.is_autocommit() {
        // If this fails as well there is nothing to undo.
        let _ = execute("ROLLBACK");
    }
    done
}
