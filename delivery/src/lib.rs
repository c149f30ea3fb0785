#![doc = include_str!("../README.md")]
// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod callback;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod delivery;
mod message;
mod policy;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod send;
pub mod signing;
#[cfg(feature = "sqlite")]
pub mod sqlite;
pub mod store;
mod subscription;
mod time;

pub use delivery::{Attempt, AttemptEnd, DeadReason, Delivery, DeliveryId, EndpointId, State};
pub use message::{Due, InvalidMessageId, Message, MessageId};
pub use policy::Policy;
pub use send::{Destinations, HttpSender};
pub use signing::{KeyRing, SigningKey, SigningToken};
pub use store::{DeliveryStore, EnqueueStatus, Enqueued, StoreError, StoreErrorKind};
pub use subscription::{
    ATTEMPT, DEFAULT_CONCURRENCY, InvalidHeader, InvalidSubscription, MESSAGE_ID, Signing,
    Subscription, SubscriptionBuilder,
};
pub use time::{Clock, ManualClock, SteadyClock, SystemClock, Timestamp};
mod worker;
pub use worker::{Metrics, Snapshot, Worker, WorkerBuilder, terminated};

// The crates whose types are part of this one's interface, in the versions that it takes.
pub use http;
#[cfg(feature = "sqlite")]
pub use rusqlite;
#[cfg(feature = "postgres")]
pub use tokio_postgres;
