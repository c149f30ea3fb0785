//! The cases of the benchmark, written by hand: see `inputs/src/cases.rs` for the command line.

mod accepts;
mod client;
mod hyper;
mod server;
mod transfer;
mod types;
mod values;
mod webhooks;

use bench_inputs::allocations::Counting;
use bench_inputs::cases::{self, Prepare};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let cases: Vec<(&str, Prepare)> =
        [values::CASES, server::CASES, client::CASES, webhooks::CASES].concat();
    cases::main(&cases, server::serve)
}
