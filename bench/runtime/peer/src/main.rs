//! The cases of the benchmark, written by hand: see `inputs/src/cases.rs` for the command line.

mod server;
mod types;
mod values;

use bench_inputs::allocations::Counting;
use bench_inputs::cases::{self, Prepare};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let cases: Vec<(&str, Prepare)> = [values::CASES, server::CASES].concat();
    cases::main(&cases)
}
