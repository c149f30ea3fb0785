//! Webhooks of the sandbox: what is sent, to whom, when, and how it is signed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

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
