//! A small pet store, written as the generator writes one.

#![allow(dead_code, unreachable_pub)]

pub mod client;
pub mod operations;
pub mod server;
pub mod store;
pub mod types;
