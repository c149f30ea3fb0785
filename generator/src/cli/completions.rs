//! `bothends completions SHELL`

use clap::CommandFactory as _;

use super::args::{Cli, Completions};
use super::{End, report};

pub(super) fn run(args: &Completions) -> End {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "bothends", &mut script);
    report::print(&String::from_utf8_lossy(&script));
    End::Done
}
