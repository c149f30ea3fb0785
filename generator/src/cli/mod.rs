//! The command: words in, exit code out. What is done is done by the library.

mod args;
mod bundle;
mod completions;
mod deps;
mod examples;
mod explain;
mod generate;
mod lint;
mod man;
mod new;
mod plan;
mod report;
mod settings;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// All is well; there may be warnings.
    Done,
    /// The document has errors, or the output is not what it should be.
    Found,
    /// Wrong usage, or the system refused.
    Failed,
}

/// Runs the command.
pub(crate) fn run() -> ExitCode {
    let end = match args::Cli::parse().command {
        args::Command::Generate(args) => generate::run(&args),
        args::Command::New(args) => new::run(&args),
        args::Command::Deps(args) => deps::run(&args),
        args::Command::Lint(args) => lint::run(&args),
        args::Command::Bundle(args) => bundle::run(&args),
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

/// A document that cannot be opened at all is a mistake of the call, not of the document.
fn readable(spec: &Path) -> Result<(), String> {
    let file = std::fs::File::open(spec).and_then(|file| file.metadata());
    match file {
        Ok(meta) if meta.is_dir() => Err(format!("`{}` is a folder", spec.display())),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("cannot read `{}`: {error}", spec.display())),
    }
}
