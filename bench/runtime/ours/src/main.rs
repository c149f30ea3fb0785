//! The cases of the benchmark on generated code: see `inputs/src/cases.rs` for the command line.

mod server;
mod values;

use bench_inputs::allocations::Counting;
use bench_inputs::cases::{self, Prepare};
use std::process::ExitCode;

#[allow(dead_code, unused_imports, missing_docs)]
mod api {
    bothends_runtime::include_api!();
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let cases: Vec<(&str, Prepare)> = [values::CASES, server::CASES].concat();
    cases::main(&cases)
}
