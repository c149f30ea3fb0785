//! What several tests need.
#![allow(
    clippy::unwrap_used,
    dead_code,
    unreachable_pub,
    reason = "each test uses some of it"
)]

pub mod bench;
pub mod load;
pub mod mortal;
pub mod postgres;
pub mod receiver;
