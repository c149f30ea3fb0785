//! The conformance report, the commands that use the console API, and the example client.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

mod bad;
mod commands;
#[path = "../common/database.rs"]
mod database;
mod example;
mod listen;
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the tests of delivery use more of it"
)]
#[path = "../../../delivery/tests/common/postgres.rs"]
mod postgres;
mod support;

#[tokio::test]
#[ignore = "slow suite `databases`: run with --include-ignored"]
async fn all_of_report_on_postgresql() {
    database::again_on_postgresql("all_of_report_on_postgresql").await;
}
