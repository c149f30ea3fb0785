//! The documented API, seen from a client: HTTP as it is on the wire.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

mod choices;
mod errors;
mod faults;
mod log;
mod python;
mod refresh;
mod support;
mod tasks;
mod tokens;
