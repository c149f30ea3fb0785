//! Inputs of the benchmark, and what both sides of it share: the allocator that counts, the command
//! line, and the bytes that each case works on.

pub mod allocations;
pub mod canned;
pub mod cases;
pub mod requests;
pub mod serve;
pub mod transfer;
pub mod values;
pub mod webhooks;
