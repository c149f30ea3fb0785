//! The command line.

mod check;
mod console;
mod keys;
mod listen;
mod scenario;
mod serve;
mod trigger;

pub use check::CheckArgs;
pub use console::ConsoleArgs;
pub use listen::ListenArgs;
pub use scenario::ScenarioArgs;
pub use trigger::TriggerArgs;

use crate::config::Config;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// A sandbox of the financial data service, for developers of clients.
///
/// Without a command it starts the sandbox, and prints the URLs, credentials and a first call.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do instead of starting the sandbox.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The configuration.
    #[command(flatten)]
    pub config: Config,
    /// A configuration file in TOML, whose keys are the names of the options.
    #[arg(long, env = "SANDBOX_CONFIG")]
    pub config_file: Option<PathBuf>,
}

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Sends a test event to the subscriptions of a project.
    ///
    /// The body is the example of the kind. `--print` shows it, and `--edit` opens it in an editor
    /// before it is sent.
    Trigger(TriggerArgs),
    /// Prints the conformance report of a project's client.
    ///
    /// The exit code is 0 if no rule is violated, 1 if a rule is violated, and 2 for an error.
    Check(CheckArgs),
    /// Creates a project from a scenario file, and prints its credentials.
    ///
    /// A scenario is YAML or JSON with a whole project: settings, customers, consents, subscriptions,
    /// faults, the clock and events.
    Scenario(ScenarioArgs),
    /// Forwards the webhooks of a project to a local URL.
    ///
    /// Each request arrives byte by byte and with its signatures, and the status of the local
    /// response is reported to the sandbox. Keys: `r` sends the last webhook to the local URL again,
    /// `d` prints its request and response, `q` ends. Without a terminal, the keys are lines of the
    /// standard input.
    Listen(ListenArgs),
}

/// Runs the command line. The exit code is 0 for success, 1 for a command that has found what it
/// looks for, and 2 for an error.
pub fn run(cli: Cli) -> ExitCode {
    match cli.command {
        Some(Command::Trigger(args)) => trigger::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Scenario(args)) => scenario::run(&args),
        Some(Command::Listen(args)) => listen::run(args),
        None => serve::run(cli.config, cli.config_file.as_deref()),
    }
}

/// Returns a line with a name and its value.
fn fact(name: &str, value: &str) -> String {
    format!("{name:<17} {value}\n")
}

/// Runs a future on a new runtime, and prints its error.
fn block_on<E: std::fmt::Display>(work: impl Future<Output = Result<ExitCode, E>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let outcome = match runtime {
        Ok(runtime) => runtime.block_on(work).map_err(|error| error.to_string()),
        Err(error) => Err(format!("the asynchronous runtime: {error}")),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::from(2)
    })
}
