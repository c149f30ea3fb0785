//! The program: `financial-data-sandbox --help`.

use clap::Parser;
use financial_data_sandbox::cli;
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// That of glibc takes a fifth of the time of a request: see docs/measurements.md.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run(cli::Cli::parse())
}
