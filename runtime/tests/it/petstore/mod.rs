//! A small pet store, written as the generator writes one.

#![allow(dead_code, unreachable_pub)]
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a server of tests"
)]

pub mod client;
pub mod operations;
pub mod server;
pub mod store;
pub mod types;
