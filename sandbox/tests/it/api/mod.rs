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
mod secrets;
mod support;
mod tasks;
mod tokens;

#[tokio::test]
#[ignore = "slow suite `databases`: run with --include-ignored"]
async fn all_of_api_on_postgresql() {
    crate::database::again_on_postgresql("api").await;
}
