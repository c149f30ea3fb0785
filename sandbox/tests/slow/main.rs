//! The slow suites of the sandbox: killed instances, a browser, schemathesis.

mod browser;
mod crash;
#[allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    reason = "the tests of delivery use more of it, and a panic fails the test"
)]
#[path = "../../../delivery/tests/common/postgres.rs"]
mod postgres;
mod strangers;
