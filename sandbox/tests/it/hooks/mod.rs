//! Webhooks of the sandbox: what is sent, to whom, when, and how it is signed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

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
    crate::database::again_on_postgresql("hooks").await;
}
