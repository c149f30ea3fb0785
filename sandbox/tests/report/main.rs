//! The conformance report, the commands that use the console API, and the example client.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

mod bad;
mod commands;
mod example;
mod listen;
mod support;
