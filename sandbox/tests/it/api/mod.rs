//! The documented API, seen from a client: HTTP as it is on the wire.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

mod choices;
#[path = "../common/database.rs"]
mod database;
mod errors;
mod faults;
mod log;
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the tests of delivery use more of it"
)]
#[path = "../../../delivery/tests/common/postgres.rs"]
mod postgres;
mod python;
mod refresh;
mod support;
mod tasks;
mod tokens;

#[tokio::test]
#[ignore = "slow suite `databases`: run with --include-ignored"]
async fn all_of_api_on_postgresql() {
    database::again_on_postgresql("all_of_api_on_postgresql").await;
}
