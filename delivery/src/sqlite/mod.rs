//! A store in a file of SQLite's.
//!
//! One thread writes. What callers want at the same time is committed together, each in a savepoint
//! of its own, so that one disk can take thousands of transactions a second. Another thread reads.

mod enqueue;
mod lease;
mod read;
mod schema;
mod subscribe;
mod thread;

pub use enqueue::enqueue_in;

use crate::delivery::{Attempt, Delivery, DeliveryId};
use crate::store::{
    CircuitPolicy, ClaimRequest, Claimed, DeliveryStore, Enqueued, Outcome, Recorded, StoreError,
    StoreErrorKind,
};
use crate::{Message, MessageId, Subscription, Timestamp};
use bytes::Bytes;
use rusqlite::{Connection, ErrorCode};
use std::fmt;
use std::path::Path;
use std::time::Duration;
use thread::Jobs;
use tokio::sync::watch;

/// A store in a file of SQLite's. Clones share it.
#[derive(Clone)]
pub struct SqliteStore {
    writer: Jobs,
    reader: Jobs,
    changes: watch::Sender<u64>,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens the database in this file, which need not be there yet; it may hold tables of the
    /// user's. Ours have names that begin with `bothends_`.
    ///
    /// # Errors
    /// Where the file cannot be opened, or is no database.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref().to_owned();
        let opening = tokio::task::spawn_blocking(move || {
            let changes = watch::Sender::new(0);
            Ok(Self {
                writer: Jobs::writer(schema::open_writer(&path)?, changes.clone())?,
                reader: Jobs::reader(schema::open_reader(&path)?)?,
                changes,
            })
        });
        let lost = |error| StoreError::because(StoreErrorKind::Unavailable, error);
        opening.await.map_err(lost)?
    }

    /// Runs this in a transaction of the one writer, and returns when it is committed. It is
    /// committed together with what others do at the same time, and undone alone if it fails; it
    /// must not begin or end transactions itself.
    ///
    /// # Errors
    /// What the closure returns, as [`StoreErrorKind::Aborted`]; and what keeps a database from
    /// committing.
    pub async fn transaction<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Box<dyn std::error::Error + Send + Sync>>
        + Send
        + 'static,
    ) -> Result<T, StoreError> {
        let aborted = |error| StoreError::because(StoreErrorKind::Aborted, error);
        let work = move |connection: &Connection| work(connection).map_err(aborted);
        self.writer.call(true, work).await
    }

    /// Tells workers in this process that something was enqueued in a transaction that was not one
    /// of [`SqliteStore::transaction`]. Without it they find it a little later.
    pub fn wake(&self) {
        self.changes
            .send_modify(|count| *count = count.wrapping_add(1));
    }
}

impl DeliveryStore for SqliteStore {
    async fn put_subscription(&self, subscription: Subscription) -> Result<(), StoreError> {
        let put = move |connection: &Connection| subscribe::put(connection, &subscription);
        self.writer.call(true, put).await
    }

    async fn subscription(&self, id: &str) -> Result<Option<Subscription>, StoreError> {
        let id = id.to_owned();
        let read = move |connection: &Connection| subscribe::get(connection, &id);
        self.reader.call(false, read).await
    }

    async fn subscriptions(&self, owner: &str) -> Result<Vec<Subscription>, StoreError> {
        let owner = owner.to_owned();
        let read = move |connection: &Connection| subscribe::list(connection, &owner);
        self.reader.call(false, read).await
    }

    async fn set_active(&self, id: &str, active: bool, now: Timestamp) -> Result<(), StoreError> {
        let id = id.to_owned();
        let set =
            move |connection: &Connection| subscribe::set_active(connection, &id, active, now);
        self.writer.call(true, set).await
    }

    async fn remove_subscription(&self, id: &str, now: Timestamp) -> Result<(), StoreError> {
        let id = id.to_owned();
        let remove = move |connection: &Connection| subscribe::remove(connection, &id, now);
        self.writer.call(true, remove).await
    }

    async fn enqueue(&self, message: Message, now: Timestamp) -> Result<Enqueued, StoreError> {
        let enqueue = move |connection: &Connection| enqueue_in(connection, &message, now);
        self.writer.call(true, enqueue).await
    }

    async fn claim(&self, request: ClaimRequest) -> Result<Claimed, StoreError> {
        let claim = move |connection: &Connection| lease::claim(connection, request);
        self.writer.call(false, claim).await
    }

    async fn record(
        &self,
        outcomes: Vec<Outcome>,
        now: Timestamp,
        circuit: CircuitPolicy,
    ) -> Result<Vec<Recorded>, StoreError> {
        let record =
            move |connection: &Connection| lease::record(connection, &outcomes, now, circuit);
        self.writer.call(true, record).await
    }

    async fn replay(&self, id: DeliveryId, now: Timestamp) -> Result<DeliveryId, StoreError> {
        let replay = move |connection: &Connection| enqueue::replay(connection, id, now);
        self.writer.call(true, replay).await
    }

    async fn delivery(&self, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let after = Some(DeliveryId(id.0 - 1));
        let read = move |connection: &Connection| read::deliveries(connection, after, 1);
        let found = self.reader.call(false, read).await?.pop();
        Ok(found.filter(|delivery| delivery.id == id))
    }

    async fn deliveries(
        &self,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let read = move |connection: &Connection| read::deliveries(connection, after, limit);
        self.reader.call(false, read).await
    }

    async fn attempts(&self, delivery: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
        let read = move |connection: &Connection| read::attempts(connection, delivery);
        self.reader.call(false, read).await
    }

    async fn message_body(&self, id: &MessageId) -> Result<Option<Bytes>, StoreError> {
        let id = id.clone();
        let read = move |connection: &Connection| read::body(connection, &id);
        self.reader.call(false, read).await
    }

    async fn prune(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let prune = move |connection: &Connection| read::prune(connection, before, limit);
        self.writer.call(false, prune).await
    }

    async fn mend(&self, now: Timestamp, slack: Duration) -> Result<u64, StoreError> {
        let mend = move |connection: &Connection| lease::mend(connection, now, slack);
        self.writer.call(true, mend).await
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

/// What SQLite says, as an error of ours.
fn failure(error: rusqlite::Error) -> StoreError {
    let kind = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreErrorKind::Full,
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen,
        ) => StoreErrorKind::Unavailable,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreErrorKind::Corrupt,
        _ => StoreErrorKind::Database,
    };
    StoreError::because(kind, error)
}

fn corrupt(what: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::because(StoreErrorKind::Corrupt, what)
}
