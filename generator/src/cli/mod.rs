//! The command: parses arguments, calls the library and returns an exit code.

mod args;
mod bundle;
mod changelog;
mod completions;
mod configuration;
mod contract;
mod deps;
mod diff;
mod drive;
mod examples;
mod explain;
mod generate;
mod lint;
mod list;
mod man;
mod new;
mod plan;
mod report;
mod settings;
mod stubs;
#[cfg(test)]
mod tests;
mod unchanged;
mod version;
mod wrong_examples;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The run succeeded, possibly with warnings.
    Done,
    /// The document has errors, or the output is not up to date.
    Found,
    /// The arguments are invalid, or an operation of the system failed.
    Failed,
}

/// Runs the command.
pub(crate) fn run() -> ExitCode {
    let end = match args::Cli::parse().command {
        args::Command::Generate(args) => generate::run(&args),
        args::Command::New(args) => new::run(&args),
        args::Command::Config(args) => configuration::run(&args),
        args::Command::Deps(args) => deps::run(&args),
        args::Command::Stubs(args) => stubs::run(&args),
        args::Command::Lint(args) => lint::run(&args),
        args::Command::Examples(args) => wrong_examples::run(&args),
        args::Command::Contract(args) => contract::run(&args),
        args::Command::List(args) => list::run(&args),
        args::Command::Bundle(args) => bundle::run(&args),
        args::Command::Diff(args) => diff::run(&args),
        args::Command::Changelog(args) => changelog::run(&args),
        args::Command::Explain(args) => explain::run(&args),
        args::Command::Completions(args) => completions::run(&args),
        args::Command::Man => man::run(),
    };
    ExitCode::from(match end {
        End::Done => 0,
        End::Found => 1,
        End::Failed => 2,
    })
}

/// Returns an error if the document cannot be opened. That is a usage error, and not an error in
/// the document.
fn readable(spec: &Path) -> Result<(), String> {
    let file = std::fs::File::open(spec).and_then(|file| file.metadata());
    match file {
        Ok(meta) if meta.is_dir() => Err(format!("`{}` is a folder", spec.display())),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("cannot read `{}`: {error}", spec.display())),
    }
}
