//! Webhooks of the sandbox: what is sent, to whom, when, and how it is signed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

#[path = "../common/database.rs"]
mod database;
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the tests of delivery use it as well"
)]
#[path = "../../../delivery/tests/common/postgres.rs"]
mod postgres;

mod clock;
mod faults;
mod instances;
mod keys;
mod kinds;
mod python;
mod receiver;
mod replay;
mod retries;
mod subscriptions;
mod support;

#[tokio::test]
#[ignore = "slow suite `databases`: run with --include-ignored"]
async fn all_of_hooks_on_postgresql() {
    database::again_on_postgresql("all_of_hooks_on_postgresql").await;
}
