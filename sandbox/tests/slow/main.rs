//! The slow suites of the sandbox: killed instances, a browser, schemathesis.

mod browser;
mod crash;
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the tests of delivery use more of it"
)]
#[path = "../../../delivery/tests/common/postgres.rs"]
mod postgres;
mod strangers;
