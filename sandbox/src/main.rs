//! The program: `financial-data-sandbox --help`.

use clap::Parser;
use financial_data_sandbox::cli;
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// A request allocates some two hundred times.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::run(cli::Cli::parse())
}
