//! The tests of the sandbox, except those of `malformed` and the slow suites.

mod api;
mod console;
#[path = "../common/database.rs"]
mod database;
mod hooks;
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the tests of delivery use more of it"
)]
#[path = "../../../delivery/tests/common/postgres.rs"]
mod postgres;
mod program;
mod report;
mod store;
