//! A small pet store, written as the generator writes one.

pub mod client;
pub mod operations;
pub mod server;
pub mod types;
