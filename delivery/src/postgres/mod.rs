//! A store in PostgreSQL, for workers on many machines.
//!
//! Claims lock the rows of endpoints and pass over those that are locked
//! (`FOR NO KEY UPDATE SKIP LOCKED`), so workers do not wait for each other. Workers are woken by
//! `LISTEN`, and look for themselves every now and then besides.

mod apart;
mod batch;
mod clock;
mod enqueue;
mod lease;
mod listen;
mod place;
mod read;
mod record;
mod schema;
mod subscribe;

pub use enqueue::enqueue_in;

use crate::delivery::{Attempt, Delivery, DeliveryId};
use crate::store::{
    CircuitPolicy, ClaimRequest, Claimed, DeliveryStore, Enqueued, Outcome, Recorded, StoreError,
    StoreErrorKind,
};
use crate::time::Clock;
use crate::{Message, MessageId, Subscription, Timestamp};
use batch::Batcher;
use clock::StoreClock;
use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime,
};
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{Config, Socket};

/// How many connections a store has, apart from the one that listens and those that enqueue.
const CONNECTIONS: usize = 8;
/// How long a connection may take, or a free one be waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// What our own connections are set to. The plans are those of indices whatever the statistics say:
/// they were taken when the queue was shorter or longer by a million rows.
const OPTIONS: &str = "-c statement_timeout=15s -c idle_in_transaction_session_timeout=15s \
    -c enable_seqscan=off -c jit=off -c application_name=bothends-delivery";
/// And those that claim and record, whose statements join few rows with few.
const NESTED: &str = "-c enable_hashjoin=off -c enable_mergejoin=off";

/// A store in PostgreSQL. Clones share its connections.
#[derive(Clone)]
pub struct PostgresStore {
    pool: Pool,
    batcher: Batcher,
    changes: watch::Sender<u64>,
    clock: StoreClock,
    /// Ends the tasks behind the store with its last clone.
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
    /// Connects, and makes the tables: their names begin with `bothends_`. Those of an earlier version
    /// are upgraded.
    ///
    /// # Errors
    /// Returns an error if the database cannot be reached, refuses to make tables, or has tables of a
    /// newer version.
    pub async fn connect<T>(config: Config, tls: T) -> Result<Self, StoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Sync + Send + 'static,
        T::Stream: Sync + Send,
        T::TlsConnect: Sync + Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        Self::connect_by(config, tls, StoreClock::default()).await
    }

    /// Connects, and takes the time from this clock instead of the server's, for tests: due times and
    /// leases are what it says.
    ///
    /// # Errors
    /// As [`PostgresStore::connect`].
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
        // One connection more than there are groups: the one that tells workers.
        let enqueuing = pool(&config, &tls, batch::UNDER_WAY + 1)?;
        let pool = pool(
            config.clone().options(format!("{options} {NESTED}")),
            &tls,
            CONNECTIONS,
        )?;
        schema::create(&mut pool.get().await.map_err(no_connection)?).await?;
        let changes = watch::Sender::new(0);
        let listening = tokio::spawn(listen::listen(config, tls, changes.clone()));
        let (batcher, [batching, telling]) = Batcher::start(enqueuing, clock.clone());
        Ok(Self {
            pool,
            batcher,
            changes,
            clock,
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

    /// Tells all workers that something was enqueued in a transaction of the user's, after its
    /// commit. Without it they find it a little later.
    ///
    /// It is apart from the transaction because a `NOTIFY` within makes commits queue up.
    ///
    /// # Errors
    /// Where the database cannot be reached.
    pub async fn wake(&self) -> Result<(), StoreError> {
        let client = self.client().await?;
        client.batch_execute(listen::NOTIFY).await.map_err(failure)
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
        lease::claim(&mut self.client().await?, &request, self.clock.given()).await
    }

    async fn record(
        &self,
        outcomes: Vec<Outcome>,
        circuit: CircuitPolicy,
    ) -> Result<Vec<Recorded>, StoreError> {
        let given = self.clock.given();
        record::record(&mut self.client().await?, &outcomes, given, circuit).await
    }

    async fn replay(&self, id: DeliveryId) -> Result<DeliveryId, StoreError> {
        let client = self.client().await?;
        let now = self.clock.now(&client).await?;
        let id = enqueue::replay(&client, id, now).await?;
        drop(client);
        self.wake().await?;
        Ok(id)
    }

    async fn delivery(&self, id: DeliveryId) -> Result<Option<Delivery>, StoreError> {
        let after = Some(DeliveryId(id.0 - 1));
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

    async fn attempts(&self, delivery: DeliveryId) -> Result<Vec<Attempt>, StoreError> {
        read::attempts(&self.client().await?, delivery).await
    }

    async fn message(&self, owner: &str, id: &MessageId) -> Result<Option<Message>, StoreError> {
        read::message(&self.client().await?, owner, id).await
    }

    async fn prune(&self, age: Duration, limit: u32) -> Result<u64, StoreError> {
        let client = self.client().await?;
        let before = self.clock.now(&client).await?.before(age);
        read::prune(&client, before, limit).await
    }

    async fn mend(&self, slack: Duration) -> Result<u64, StoreError> {
        let mut client = self.client().await?;
        let now = self.clock.now(&client).await?;
        place::mend(&mut client, now, slack).await
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
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

/// What PostgreSQL says, as an error of ours.
fn failure(error: tokio_postgres::Error) -> StoreError {
    let kind = match error.code() {
        Some(&SqlState::DISK_FULL) => StoreErrorKind::Full,
        // It is starting, stopping, or has too much to do; or two got in each other's way.
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
        // No code: the connection broke, or there is none.
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

/// A column of a row.
fn get<'a, T: postgres_types::FromSql<'a>>(
    row: &'a tokio_postgres::Row,
    column: usize,
) -> Result<T, StoreError> {
    row.try_get(column).map_err(corrupt)
}

/// A column of a row that holds a number that cannot be below zero.
fn get_u32(row: &tokio_postgres::Row, column: usize) -> Result<u32, StoreError> {
    u32::try_from(get::<i64>(row, column)?).map_err(corrupt)
}
