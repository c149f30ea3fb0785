//! A store in PostgreSQL, for workers on several machines.
//!
//! Claims lock the rows of endpoints and skip locked rows (`FOR NO KEY UPDATE SKIP LOCKED`), so
//! workers do not wait for each other. Workers are woken by `LISTEN`, and also poll at intervals.

mod absorb;
mod batch;
mod clock;
mod compact;
mod confirm;
mod demand;
mod enqueue;
mod events;
mod expiry;
mod flush;
#[cfg(feature = "idempotency")]
mod idempotency;
mod lease;
mod listen;
mod parsed;
mod place;
mod read;
mod record;
mod replay;
mod schema;
mod subscribe;
mod suspects;
mod target;
mod tasks;
mod upkeep;

pub use enqueue::enqueue_in;
pub use tasks::PostgresTasks;

use crate::delivery::{Attempt, Delivery, DeliveryId};
use crate::store::{
    Backlog, CircuitPolicy, ClaimRequest, Claimed, DeliveryFilter, DeliveryStore, EndpointStatus,
    Enqueued, OperatorEvent, OperatorSettings, Outcome, Recorded, Reschedule, Shift, StoreError,
    StoreErrorKind,
};
use crate::time::Clock;
use crate::{Message, MessageId, Subscription, Timestamp};
use absorb::Absorbed;
use batch::Batcher;
use clock::StoreClock;
use compact::{Compaction, compact_if_bloated};
use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime,
};
use demand::Demand;
use expiry::Expiry;
use listen::Waker;
use parsed::Parsed;
use std::error::Error;
use std::fmt;
use std::ops::RangeBounds;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Socket};

/// The number of pooled connections of a store, in addition to those for listening and enqueueing.
const CONNECTIONS: usize = 8;
/// How many calls of `record` there are between two that add up the changes of the depth.
const RECORDS: u64 = 1024;
/// The timeout for connecting, and for waiting for a pooled connection.
const PATIENCE: Duration = Duration::from_secs(5);
/// The options of the store's connections. Plans must use indices regardless of statistics, which
/// may be outdated by a million rows, and in their order: a bitmap has all rows before the first is returned.
const OPTIONS: &str = "-c statement_timeout=15s -c idle_in_transaction_session_timeout=15s \
    -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off -c application_name=bothends-delivery";
/// Further options of connections that enqueue: planning takes longer than most of their statements. The planner expects
/// a few messages, for which nested loops are as fast as hashes; for hundreds they are not.
const PLANNED: &str = "-c plan_cache_mode=force_generic_plan -c enable_nestloop=off";
/// Further options of connections that claim and record, whose statements join few rows.
const NESTED: &str = "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off";

/// A store in PostgreSQL. Clones share the connections.
#[derive(Clone)]
pub struct PostgresStore {
    pool: Pool,
    batcher: Batcher,
    waker: Waker,
    clock: StoreClock,
    compaction: Compaction,
    expiry: Expiry,
    demand: Demand,
    parsed: Arc<Parsed>,
    /// The number of calls of `record`.
    records: Arc<AtomicU64>,
    /// Stops the background tasks when the last clone is dropped.
    _tasks: Arc<Tasks>,
}

struct Tasks(Vec<AbortHandle>);

impl Drop for Tasks {
    fn drop(&mut self) {
        self.0.iter().for_each(AbortHandle::abort);
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}

impl PostgresStore {
    /// Connects to the database, and creates the tables if they are missing. The table names start
    /// with `bothends_`. Tables of an earlier version are upgraded.
    ///
    /// # Errors
    /// Returns an error if the database cannot be reached, if the tables cannot be created, or if
    /// they have a newer version.
    pub async fn connect<T>(config: Config, tls: T) -> Result<Self, StoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Sync + Send + 'static,
        T::Stream: Sync + Send,
        T::TlsConnect: Sync + Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        Self::connect_by(config, tls, StoreClock::default()).await
    }

    /// Connects with a clock that replaces the clock of the server, for tests. Due times and leases
    /// then follow this clock.
    ///
    /// # Errors
    /// Returns an error as [`PostgresStore::connect`] does.
    pub async fn connect_with_clock<T>(
        config: Config,
        tls: T,
        clock: impl Clock,
    ) -> Result<Self, StoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Sync + Send + 'static,
        T::Stream: Sync + Send,
        T::TlsConnect: Sync + Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        Self::connect_by(config, tls, StoreClock(Some(Arc::new(clock)))).await
    }

    async fn connect_by<T>(config: Config, tls: T, clock: StoreClock) -> Result<Self, StoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Sync + Send + 'static,
        T::Stream: Sync + Send,
        T::TlsConnect: Sync + Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        let mut config = config;
        let options = config.get_options().unwrap_or_default();
        let options = format!("{options} {OPTIONS}").trim().to_owned();
        config.options(&options);
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        // One connection more than there are groups, for notifying workers.
        let enqueuing = pool(
            config.clone().options(format!("{options} {PLANNED}")),
            &tls,
            batch::UNDER_WAY + 1,
        )?;
        let pool = pool(
            config.clone().options(format!("{options} {NESTED}")),
            &tls,
            CONNECTIONS,
        )?;
        schema::create(&mut pool.get().await.map_err(no_connection)?).await?;
        let waker = Waker::new();
        let listening = tokio::spawn(listen::listen(config, tls, waker.clone()));
        let (batcher, [batching, telling]) =
            Batcher::start(enqueuing, clock.clone(), waker.clone());
        Ok(Self {
            pool,
            batcher,
            waker,
            clock,
            compaction: Compaction::new(),
            expiry: Expiry::default(),
            demand: Demand::default(),
            parsed: Arc::default(),
            records: Arc::default(),
            _tasks: Arc::new(Tasks(vec![
                listening.abort_handle(),
                batching.abort_handle(),
                telling.abort_handle(),
            ])),
        })
    }

    async fn client(&self) -> Result<Object, StoreError> {
        self.pool.get().await.map_err(no_connection)
    }

    /// Executes a statement that is a transaction of its own. Returns how many rows it changed.
    async fn execute(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<u64, StoreError> {
        let client = self.client().await?;
        let statement = client.prepare_cached(sql).await.map_err(failure)?;
        client.execute(&statement, values).await.map_err(failure)
    }

    /// Counts absorbed notes, and compacts the tables in the background if it is time for it.
    fn absorbed(&self, absorbed: &Absorbed) {
        if self.compaction.is_due_after(absorbed) {
            let store = self.clone();
            tokio::spawn(async move {
                let compacting = async { compact_if_bloated(&store.client().await?).await };
                store.compaction.ended(&compacting.await);
            });
        }
    }

    /// Notifies all workers after an enqueue in a transaction of the caller. Call this method after
    /// the commit. Without it, workers find the message when they poll.
    ///
    /// The notification is separate from the transaction, because a `NOTIFY` within a transaction
    /// serializes commits.
    ///
    /// # Errors
    /// Returns an error if the database cannot be reached.
    pub async fn wake(&self) -> Result<(), StoreError> {
        self.waker.wake_here();
        let client = self.client().await?;
        self.waker.notify(&client).await.map_err(failure)
    }

    /// Removes the dead rows of the queues that vacuum cannot remove while a transaction of the database has an earlier
    /// snapshot: the rows that are alive are copied to empty tables, within some milliseconds. A worker does this when
    /// its claims become slower and the tables have grown.
    ///
    /// # Errors
    /// Returns an error if another transaction uses these tables for longer than 100 milliseconds.
    pub async fn compact(&self) -> Result<(), StoreError> {
        compact::compact(&self.client().await?).await
    }
}

impl DeliveryStore for PostgresStore {
    async fn put_subscription(&self, subscription: Subscription) -> Result<(), StoreError> {
        subscribe::put(&mut self.client().await?, &subscription).await?;
        self.wake().await
    }

    async fn subscription(&self, id: &str) -> Result<Option<Subscription>, StoreError> {
        subscribe::get(&self.client().await?, id).await
    }

    async fn subscriptions(&self, owner: &str) -> Result<Vec<Subscription>, StoreError> {
        subscribe::list(&self.client().await?, owner).await
    }

    async fn owners(&self, after: Option<&str>, limit: u32) -> Result<Vec<String>, StoreError> {
        subscribe::owners(&self.client().await?, after, limit).await
    }

    async fn endpoints(&self, owner: &str) -> Result<Vec<EndpointStatus>, StoreError> {
        subscribe::endpoints(&self.client().await?, owner).await
    }

    async fn set_active(&self, id: &str, active: bool) -> Result<(), StoreError> {
        let mut client = self.client().await?;
        let now = self.clock.now(&client).await?;
        subscribe::set_active(&mut client, id, active, now).await?;
        self.wake().await
    }

    async fn remove_subscription(&self, id: &str) -> Result<(), StoreError> {
        let mut client = self.client().await?;
        let now = self.clock.now(&client).await?;
        subscribe::remove(&mut client, id, now).await
    }

    async fn enqueue(&self, message: Message) -> Result<Enqueued, StoreError> {
        self.batcher.enqueue(message).await
    }

    async fn claim(&self, request: ClaimRequest) -> Result<Claimed, StoreError> {
        lease::claim(self, &request).await
    }

    async fn record(
        &self,
        outcomes: Vec<Outcome>,
        circuit: CircuitPolicy,
    ) -> Result<Vec<Recorded>, StoreError> {
        let client = self.client().await?;
        let recorded = record::record(self, &client, &outcomes, circuit).await?;
        if self.records.fetch_add(1, Ordering::Relaxed) % RECORDS == RECORDS - 1 {
            upkeep::add_up(&client).await;
        }
        Ok(recorded)
    }

    async fn replay(&self, id: DeliveryId) -> Result<DeliveryId, StoreError> {
        let client = self.client().await?;
        let now = self.clock.now(&client).await?;
        let id = replay::replay(&client, id, now).await?;
        drop(client);
        self.wake().await?;
        Ok(id)
    }

    async fn replay_failed(
        &self,
        owner: &str,
        since: Timestamp,
        limit: u32,
    ) -> Result<Vec<DeliveryId>, StoreError> {
        let mut client = self.client().await?;
        let now = self.clock.now(&client).await?;
        let made = replay::replay_failed(&mut client, owner, since, limit, now).await?;
        drop(client);
        self.wake().await?;
        Ok(made)
    }

    async fn delivery(&self, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let after = Some(DeliveryId(id.0.saturating_sub(1)));
        let found = read::deliveries(&self.client().await?, after, 1)
            .await?
            .pop();
        Ok(found.filter(|delivery| delivery.id == id))
    }

    async fn deliveries(
        &self,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        read::deliveries(&self.client().await?, after, limit).await
    }

    async fn deliveries_of(
        &self,
        owner: &str,
        after: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        read::deliveries_of(&self.client().await?, owner, after, limit).await
    }

    async fn latest_deliveries_of(
        &self,
        owner: &str,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        read::latest_deliveries_of(&self.client().await?, owner, before, limit).await
    }

    async fn find_deliveries(
        &self,
        owner: &str,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>, StoreError> {
        read::find_deliveries(&self.client().await?, owner, filter, before, limit).await
    }

    async fn attempts(&self, delivery: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
        read::attempts(&self.client().await?, delivery).await
    }

    async fn message(&self, owner: &str, id: &MessageId) -> Result<Option<Message>, StoreError> {
        read::message(&self.client().await?, owner, id).await
    }

    async fn backlog(&self, owner: &str) -> Result<Backlog, StoreError> {
        upkeep::backlog(&self.client().await?, owner, self.clock.given()).await
    }

    async fn depth(&self) -> Result<u64, StoreError> {
        upkeep::depth(&self.client().await?).await
    }

    async fn reschedule(
        &self,
        owner: &str,
        due: impl RangeBounds<Timestamp> + Send,
        change: Reschedule,
    ) -> Result<u64, StoreError> {
        let due = (due.start_bound().cloned(), due.end_bound().cloned());
        let mut client = self.client().await?;
        let now = self.clock.now(&client).await?;
        let Some(shift) = Shift::new(&due, change, now) else {
            return Ok(0);
        };
        let moved = upkeep::reschedule(&mut client, owner, &shift, now).await?;
        drop(client);
        self.wake().await?;
        Ok(moved)
    }

    async fn set_operator(&self, settings: OperatorSettings) -> Result<(), StoreError> {
        events::set(&self.client().await?, &settings).await
    }

    async fn operator(&self) -> Result<OperatorSettings, StoreError> {
        events::settings(&**self.client().await?).await
    }

    async fn operator_events(
        &self,
        after: Option<i64>,
        limit: u32,
    ) -> Result<Vec<OperatorEvent>, StoreError> {
        events::list(&self.client().await?, after, limit).await
    }

    async fn prune(&self, age: Duration, limit: u32) -> Result<u64, StoreError> {
        let client = self.client().await?;
        let before = self.clock.now(&client).await?.before(age);
        events::prune(&client, before, limit).await?;
        read::prune(&client, before, limit).await
    }

    async fn repair_times(&self, slack: Duration) -> Result<u64, StoreError> {
        let mut client = self.client().await?;
        let now = self.clock.now(&client).await?;
        upkeep::repair_times(&mut client, now, now.after(slack)).await
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.waker.changes.subscribe()
    }

    async fn now(&self) -> Result<Timestamp, StoreError> {
        self.clock.now(&self.client().await?).await
    }
}

fn pool<T>(config: &Config, tls: &T, size: usize) -> Result<Pool, StoreError>
where
    T: MakeTlsConnect<Socket> + Clone + Sync + Send + 'static,
    T::Stream: Sync + Send,
    T::TlsConnect: Sync + Send,
    <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    let recycling = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    Pool::builder(Manager::from_config(config.clone(), tls.clone(), recycling))
        .max_size(size)
        .wait_timeout(Some(PATIENCE))
        .create_timeout(Some(PATIENCE))
        .recycle_timeout(Some(PATIENCE))
        .runtime(Runtime::Tokio1)
        .build()
        .map_err(|error| StoreError::because(StoreErrorKind::Unavailable, error))
}

/// Converts an error of PostgreSQL.
fn failure(error: tokio_postgres::Error) -> StoreError {
    let kind = match error.code() {
        Some(&SqlState::DISK_FULL) => StoreErrorKind::Full,
        // The server is starting, stopping or overloaded, or two transactions conflicted.
        Some(
            &SqlState::ADMIN_SHUTDOWN
            | &SqlState::CRASH_SHUTDOWN
            | &SqlState::CANNOT_CONNECT_NOW
            | &SqlState::TOO_MANY_CONNECTIONS
            | &SqlState::QUERY_CANCELED
            | &SqlState::T_R_DEADLOCK_DETECTED
            | &SqlState::T_R_SERIALIZATION_FAILURE,
        ) => StoreErrorKind::Unavailable,
        Some(_) => StoreErrorKind::Database,
        // Without a code, the connection failed.
        None => StoreErrorKind::Unavailable,
    };
    StoreError::because(kind, error)
}

fn no_connection(error: PoolError) -> StoreError {
    match error {
        PoolError::Backend(error) => failure(error),
        error => StoreError::because(StoreErrorKind::Unavailable, error),
    }
}

fn corrupt(what: impl Into<Box<dyn Error + Send + Sync>>) -> StoreError {
    StoreError::because(StoreErrorKind::Corrupt, what)
}

/// Reads a column of a row.
fn get<'a, T: postgres_types::FromSql<'a>>(
    row: &'a tokio_postgres::Row,
    column: usize,
) -> Result<T, StoreError> {
    row.try_get(column).map_err(corrupt)
}

/// Reads a column with a number that is not negative.
fn get_u32(row: &tokio_postgres::Row, column: usize) -> Result<u32, StoreError> {
    u32::try_from(get::<i64>(row, column)?).map_err(corrupt)
}
