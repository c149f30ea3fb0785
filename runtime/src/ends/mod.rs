//! The ends of an API: clients, servers, and both sides of webhooks.
//!
//! This layer imports [`message`](crate::message) and [`values`](crate::values).

#[cfg(any(feature = "idempotency", feature = "receiver"))]
mod bounded;
#[cfg(feature = "client")]
pub mod client;
#[cfg(all(feature = "metrics", any(feature = "client", feature = "server")))]
mod durations;
#[cfg(feature = "test")]
mod exchange;
#[cfg(feature = "signature")]
mod mac;
#[cfg(all(feature = "server", any(feature = "tracing", feature = "metrics")))]
mod method;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "signature")]
pub mod signature;
pub mod tasks;
#[cfg(feature = "test")]
pub mod test;
#[cfg(all(feature = "tracing", any(feature = "client", feature = "server")))]
mod trace;
#[cfg(feature = "trace-context")]
pub mod trace_context;
#[cfg(feature = "server")]
pub mod webhook;
mod webhook_rules;

pub use webhook_rules::{
    DeliveryRules, KeySigning, SigningRules, SubscriptionRules, TokenSigning, Transition,
};
