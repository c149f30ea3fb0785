//! Inputs of the benchmark, and what both sides of it share: the allocator that counts, the command
//! line, and the bytes that each case works on.

pub mod allocations;
pub mod cases;
pub mod requests;
pub mod values;
