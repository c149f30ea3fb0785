//! The tests of the sandbox, except those of `malformed` and the slow suites.

mod api;
mod console;
#[allow(clippy::unwrap_used, clippy::panic, reason = "a panic fails the test")]
#[path = "../common/database.rs"]
mod database;
mod hooks;
mod layers;
#[allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    reason = "the tests of delivery use more of it, and a panic fails the test"
)]
#[path = "../../../delivery/tests/common/postgres.rs"]
mod postgres;
mod program;
mod report;
mod store;
