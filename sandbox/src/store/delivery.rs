//! The delivery store of whichever database.

use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::store::{
    Backlog, CircuitPolicy, ClaimRequest, Claimed, DeliveryFilter, EndpointStatus, OperatorEvent,
    OperatorSettings, Outcome, Recorded, Reschedule,
};
use bothends_delivery::{
    Attempt, Delivery as Record, DeliveryId, DeliveryStore, Enqueued, Message, MessageId,
    StoreError, Subscription, Timestamp,
};
use std::ops::RangeBounds;
use std::time::Duration;
use tokio::sync::watch;

/// The delivery store in the database of the sandbox.
#[derive(Debug, Clone)]
pub enum Delivery {
    /// In a SQLite file.
    Sqlite(SqliteStore),
    /// In PostgreSQL.
    Postgres(PostgresStore),
}

/// Implements the methods of the trait by calling those of the store.
macro_rules! delegate {
    ($($name:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {
        impl DeliveryStore for Delivery {
            $(async fn $name(&self, $($argument: $type),*) -> Result<$output, StoreError> {
                match self {
                    Self::Sqlite(store) => store.$name($($argument),*).await,
                    Self::Postgres(store) => store.$name($($argument),*).await,
                }
            })*

            fn changes(&self) -> watch::Receiver<u64> {
                match self {
                    Self::Sqlite(store) => store.changes(),
                    Self::Postgres(store) => store.changes(),
                }
            }
        }
    };
}

delegate! {
    put_subscription(subscription: Subscription) -> ();
    subscription(id: &str) -> Option<Subscription>;
    subscriptions(owner: &str) -> Vec<Subscription>;
    owners(after: Option<&str>, limit: u32) -> Vec<String>;
    endpoints(owner: &str) -> Vec<EndpointStatus>;
    set_active(id: &str, active: bool) -> ();
    remove_subscription(id: &str) -> ();
    enqueue(message: Message) -> Enqueued;
    claim(request: ClaimRequest) -> Claimed;
    record(outcomes: Vec<Outcome>, circuit: CircuitPolicy) -> Vec<Recorded>;
    replay(delivery: DeliveryId) -> DeliveryId;
    replay_failed(owner: &str, since: Timestamp, limit: u32) -> Vec<DeliveryId>;
    delivery(id: DeliveryId) -> Option<Record>;
    deliveries(after: Option<DeliveryId>, limit: u32) -> Vec<Record>;
    deliveries_of(owner: &str, after: Option<DeliveryId>, limit: u32) -> Vec<Record>;
    latest_deliveries_of(owner: &str, before: Option<DeliveryId>, limit: u32) -> Vec<Record>;
    find_deliveries(owner: &str, filter: &DeliveryFilter, before: Option<DeliveryId>, limit: u32) -> Vec<Record>;
    backlog(owner: &str) -> Backlog;
    depth() -> u64;
    reschedule(owner: &str, due: impl RangeBounds<Timestamp> + Send, change: Reschedule) -> u64;
    attempts(delivery: DeliveryId) -> Vec<Attempt>;
    message(owner: &str, id: &MessageId) -> Option<Message>;
    set_operator(settings: OperatorSettings) -> ();
    operator() -> OperatorSettings;
    operator_events(after: Option<i64>, limit: u32) -> Vec<OperatorEvent>;
    prune(age: Duration, limit: u32) -> u64;
    repair_times(slack: Duration) -> u64;
    now() -> Timestamp;
}
