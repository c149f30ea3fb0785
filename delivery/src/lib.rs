#![doc = include_str!("../README.md")]
// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "admin")]
pub mod admin;
pub mod callback;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod delivery;
#[cfg(all(feature = "idempotency", any(feature = "sqlite", feature = "postgres")))]
mod idempotency;
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
mod trace;

pub use delivery::{Attempt, AttemptEnd, DeadReason, Delivery, DeliveryId, EndpointId, State};
#[cfg(all(feature = "idempotency", any(feature = "sqlite", feature = "postgres")))]
pub use idempotency::DurableIdempotencyStore;
pub use message::{Due, InvalidMessageId, Message, MessageId};
pub use policy::Policy;
pub use send::{Destinations, HttpSender};
pub use signing::{
    KeyRing, SharedKeyRing, SigningKey, SigningScheme, SigningSecrets, SigningToken,
};
pub use store::{
    Backlog, DeliveryStore, EnqueueStatus, Enqueued, OperatorEvent, OperatorEventKind,
    OperatorSettings, Reschedule, StoreError, StoreErrorKind, operator_events,
};
pub use subscription::{
    ATTEMPT, DEFAULT_CONCURRENCY, Filter, InvalidFilter, InvalidHeader, InvalidSubscription,
    MESSAGE_ID, RateLimit, Signing, Subscription, SubscriptionBuilder,
};
pub use time::{Clock, ManualClock, MonotonicClock, SystemClock, Timestamp};
mod worker;
pub use worker::{Metrics, MetricsSnapshot, Worker, WorkerBuilder, shutdown_signal};

// Dependencies whose types are part of this crate's public API, re-exported in the version that the
// crate uses.
pub use http;
#[cfg(feature = "sqlite")]
pub use rusqlite;
#[cfg(feature = "postgres")]
pub use tokio_postgres;
