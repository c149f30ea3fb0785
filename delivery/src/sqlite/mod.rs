//! A store in a SQLite file.
//!
//! One thread writes. Concurrent calls are committed together, and one that fails is undone alone, so that
//! one disk sustains thousands of transactions per second. Another thread reads, unless the database is
//! in memory.

mod cache;
mod clock;
mod ended;
mod enqueue;
mod events;
mod group;
#[cfg(feature = "idempotency")]
mod idempotency;
mod job;
mod lease;
mod notice;
mod options;
mod owned;
mod place;
#[cfg(test)]
mod plans;
#[cfg(test)]
mod positions;
mod read;
mod reap;
mod schema;
mod subscribe;
mod target;
mod tasks;
mod thread;
mod upkeep;

pub use enqueue::enqueue_in;
pub use options::SqliteOptions;
pub use tasks::SqliteTasks;

use crate::delivery::{Attempt, Delivery, DeliveryId};
use crate::store::{
    Backlog, CircuitPolicy, ClaimRequest, Claimed, DeliveryFilter, DeliveryStore, EndpointStatus,
    Enqueued, OperatorEvent, OperatorSettings, Outcome, Recorded, Reschedule, Shift, StoreError,
    StoreErrorKind,
};
use crate::{Message, MessageId, Subscription, Timestamp};
use cache::Cache;
use clock::StoreClock;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, ToSql};
use std::fmt;
use std::ops::RangeBounds;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use thread::Jobs;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// A store in a SQLite file, or in memory. Clones share the connections.
#[derive(Clone)]
pub struct SqliteStore {
    writer: Jobs,
    reader: Jobs,
    changes: watch::Sender<u64>,
    clock: StoreClock,
    cache: Arc<Cache>,
    /// Stops the file watcher when the last clone is dropped.
    _watching: Arc<Watching>,
}

struct Watching(Option<AbortHandle>);

impl Drop for Watching {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens the database in a file, and creates the file if it is missing. The database may
    /// contain other tables: the names of the store's tables start with `bothends_`. Tables of
    /// earlier versions are upgraded.
    ///
    /// The path `:memory:` opens a new database in memory, for tests and demonstrations. Only this
    /// store and its clones use the database, which is lost with the last of them. To enqueue in a
    /// transaction of your own, use [`SqliteStore::transaction`].
    ///
    /// ```
    /// # use bothends_delivery::{DeliveryStore, StoreError, sqlite::SqliteStore};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), StoreError> {
    /// let store = SqliteStore::open(":memory:").await?;
    /// assert_eq!(store.deliveries(None, 10).await?, []);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, is not a SQLite database, or has tables of a
    /// newer version.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        SqliteOptions::new().open(path).await
    }

    /// Runs a closure in a transaction of the writer, and returns after the commit. Concurrent
    /// transactions are committed together, and a failed closure is rolled back alone. The closure
    /// must not begin or end transactions. Workers of this process are woken if it has enqueued.
    ///
    /// # Errors
    /// Returns [`StoreErrorKind::Aborted`] with the error of the closure, or an error if the commit
    /// fails.
    pub async fn transaction<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Box<dyn std::error::Error + Send + Sync>>
        + Send
        + 'static,
    ) -> Result<T, StoreError> {
        let aborted = |error| StoreError::because(StoreErrorKind::Aborted, error);
        let work = move |connection: &Connection| work(connection).map_err(aborted);
        self.writer.call_once(false, work).await
    }

    /// Runs `work` on the writer thread, with the time at which it starts, and perhaps once more. `stirs`: workers may find
    /// deliveries afterwards that are not new.
    async fn write<T: Send + 'static>(
        &self,
        stirs: bool,
        mut work: impl FnMut(&Connection, Timestamp) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let clock = self.clock.clone();
        let work = move |connection: &Connection| work(connection, clock.now(connection)?);
        self.writer.call(stirs, work).await
    }

    /// Wakes the workers of this process after an enqueue outside of [`SqliteStore::transaction`].
    /// On Linux, workers in all processes notice the commit without this call. On other systems,
    /// they find the message when they poll.
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

    async fn owners(&self, after: Option<&str>, limit: u32) -> Result<Vec<String>, StoreError> {
        let after = after.map(str::to_owned);
        let read =
            move |connection: &Connection| subscribe::owners(connection, after.as_deref(), limit);
        self.reader.call(false, read).await
    }

    async fn endpoints(&self, owner: &str) -> Result<Vec<EndpointStatus>, StoreError> {
        let owner = owner.to_owned();
        let read = move |connection: &Connection| subscribe::endpoints(connection, &owner);
        self.reader.call(false, read).await
    }

    async fn set_active(&self, id: &str, active: bool) -> Result<(), StoreError> {
        let id = id.to_owned();
        let set =
            move |connection: &Connection, now| subscribe::set_active(connection, &id, active, now);
        self.write(true, set).await
    }

    async fn remove_subscription(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        let remove = move |connection: &Connection, now| subscribe::remove(connection, &id, now);
        self.write(true, remove).await
    }

    async fn enqueue(&self, message: Message) -> Result<Enqueued, StoreError> {
        let cache = Arc::clone(&self.cache);
        let enqueue = move |connection: &Connection, now| {
            cache.keep(connection, || enqueue::enqueue(connection, &message, now))
        };
        self.write(false, enqueue).await
    }

    async fn claim(&self, request: ClaimRequest) -> Result<Claimed, StoreError> {
        let (clock, cache) = (self.clock.clone(), Arc::clone(&self.cache));
        let claim = move |connection: &Connection| {
            let now = clock.checked(connection)?;
            cache.read(connection, || {
                lease::claim(connection, &request, now, &cache)
            })
        };
        self.writer.call(false, claim).await
    }

    async fn record(
        &self,
        outcomes: Vec<Outcome>,
        circuit: CircuitPolicy,
    ) -> Result<Vec<Recorded>, StoreError> {
        let cache = Arc::clone(&self.cache);
        let record = move |connection: &Connection, now| {
            cache.read(connection, || {
                reap::record(connection, &outcomes, now, circuit, &cache)
            })
        };
        self.write(true, record).await
    }

    async fn replay(&self, id: DeliveryId) -> Result<DeliveryId, StoreError> {
        let replay = move |connection: &Connection, now| enqueue::replay(connection, id, now);
        self.write(false, replay).await
    }

    async fn replay_failed(
        &self,
        owner: &str,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<DeliveryId>, StoreError> {
        let owner = owner.to_owned();
        let replay = move |connection: &Connection, now| {
            enqueue::replay_failed(connection, &owner, since, limit, now)
        };
        self.write(false, replay).await
    }

    async fn delivery(&self, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let after = Some(DeliveryId(id.0.saturating_sub(1)));
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

    async fn deliveries_of(
        &self,
        owner: &str,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let owner = owner.to_owned();
        let read =
            move |connection: &Connection| read::deliveries_of(connection, &owner, after, limit);
        self.reader.call(false, read).await
    }

    async fn latest_deliveries_of(
        &self,
        owner: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let every = DeliveryFilter::new();
        self.find_deliveries(owner, &every, before, limit).await
    }

    async fn find_deliveries(
        &self,
        owner: &str,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        let (owner, filter) = (owner.to_owned(), filter.clone());
        let read = move |connection: &Connection| {
            read::find_deliveries(connection, &owner, &filter, before, limit)
        };
        self.reader.call(false, read).await
    }

    async fn attempts(&self, delivery: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
        let read = move |connection: &Connection| read::attempts(connection, delivery);
        self.reader.call(false, read).await
    }

    async fn message(&self, owner: &str, id: &MessageId) -> Result<Option<Message>, StoreError> {
        let (owner, id) = (owner.to_owned(), id.clone());
        let read = move |connection: &Connection| read::message(connection, &owner, &id);
        self.reader.call(false, read).await
    }

    async fn backlog(&self, owner: &str) -> Result<Backlog, StoreError> {
        let owner = owner.to_owned();
        // Counting many deliveries must not keep the writer from other work.
        let now = self.now().await?;
        let read = move |connection: &Connection| upkeep::backlog(connection, &owner, now);
        self.reader.call(false, read).await
    }

    async fn depth(&self) -> Result<u64, StoreError> {
        self.reader.call(false, upkeep::depth).await
    }

    async fn reschedule(
        &self,
        owner: &str,
        due: impl RangeBounds<Timestamp> + Send,
        change: Reschedule,
    ) -> Result<u64, StoreError> {
        let owner = owner.to_owned();
        let due = (due.start_bound().cloned(), due.end_bound().cloned());
        let reschedule = move |connection: &Connection, now| match Shift::new(&due, change, now) {
            Some(shift) => upkeep::reschedule(connection, &owner, &shift, now),
            None => Ok(0),
        };
        self.write(true, reschedule).await
    }

    async fn set_operator(&self, settings: OperatorSettings) -> Result<(), StoreError> {
        let set = move |connection: &Connection| events::set(connection, &settings);
        self.writer.call(false, set).await
    }

    async fn operator(&self) -> Result<OperatorSettings, StoreError> {
        self.reader.call(false, events::settings).await
    }

    async fn operator_events(
        &self,
        after: Option<i64>,
        limit: u32,
    ) -> Result<Vec<OperatorEvent>, StoreError> {
        let read = move |connection: &Connection| events::list(connection, after, limit);
        self.reader.call(false, read).await
    }

    async fn prune(&self, age: Duration, limit: u32) -> Result<u64, StoreError> {
        let prune = move |connection: &Connection, now: Timestamp| {
            events::prune(connection, now.before(age), limit)?;
            read::prune(connection, now.before(age), limit)
        };
        self.write(false, prune).await
    }

    async fn repair_times(&self, slack: Duration) -> Result<u64, StoreError> {
        let clock = self.clock.clone();
        let mend = move |connection: &Connection| {
            let moved = clock.follow(connection)?;
            let now = clock.now(connection)?;
            Ok(moved + clock::bring_back(connection, now, slack)?)
        };
        self.writer.call(true, mend).await
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    async fn now(&self) -> Result<Timestamp, StoreError> {
        self.write(false, |_: &Connection, now| Ok(now)).await
    }
}

fn execute(connection: &Connection, sql: &str, values: &[&dyn ToSql]) -> Result<usize, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(failure)?;
    statement.execute(values).map_err(failure)
}

/// Returns the first row that a statement returns, if there is any.
fn find<T>(
    connection: &Connection,
    sql: &str,
    values: &[&dyn ToSql],
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql).map_err(failure)?;
    statement
        .query_row(values, read)
        .optional()
        .map_err(failure)
}

/// Converts an error of SQLite.
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
