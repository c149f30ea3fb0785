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

#[tokio::test]
#[ignore = "slow suite `databases`: run with --include-ignored"]
async fn all_of_report_on_postgresql() {
    crate::database::again_on_postgresql("report").await;
}
