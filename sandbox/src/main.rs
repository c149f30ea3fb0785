//! The program: `financial-data-sandbox --help`.

use clap::Parser;
use financial_data_sandbox::cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(cli::Cli::parse())
}
