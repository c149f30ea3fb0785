//! The reference of the command line.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};

use super::check_page;
use crate::cli::args::Cli;

const HEAD: &str = "\
# Command line

<!-- Written from the code: UPDATE_GUIDE=1 cargo test -p bothends --bin bothends -->

";

fn page() -> String {
    let mut command = Cli::command();
    command.build();
    let mut text = HEAD.to_owned();
    _ = writeln!(text, "{}.\n", about(&command));
    text.push_str("| command | purpose |\n|---|---|\n");
    for command in subcommands(&command) {
        let name = command.get_name();
        _ = writeln!(
            text,
            "| [`{name}`](#bothends-{name}) | {} |",
            about(command)
        );
    }
    after(&mut text, &command);
    for command in subcommands(&command) {
        section(&mut text, command);
    }
    text
}

fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    let all = command.get_subcommands();
    all.filter(|command| command.get_name() != "help")
}

fn about(command: &Command) -> String {
    command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default()
}

fn section(text: &mut String, command: &Command) {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    _ = write!(
        text,
        "\n## `bothends {}`\n\n{}.\n\n```text\n{usage}\n```\n",
        command.get_name(),
        about(command)
    );
    let shown = |arg: &&Arg| arg.get_id() != "help";
    for (title, positional) in [("Arguments", true), ("Options", false)] {
        let args = command.get_arguments().filter(shown);
        let args: Vec<&Arg> = args
            .filter(|arg| arg.is_positional() == positional)
            .collect();
        if !args.is_empty() {
            _ = write!(text, "\n{title}:\n\n");
            args.into_iter().for_each(|arg| argument(text, arg));
        }
    }
    after(text, command);
}

/// Appends an argument: ``- `--out <DIR>`: Output directory``.
fn argument(text: &mut String, arg: &Arg) {
    let names = arg.get_value_names().unwrap_or_default();
    let values: Vec<String> = names.iter().map(|name| format!("<{name}>")).collect();
    let takes_value = arg.get_action().takes_values();
    let spelling = match arg.get_long() {
        Some(long) if takes_value => format!("--{long} {}", values.join(" ")),
        Some(long) => format!("--{long}"),
        None => values.join(" "),
    };
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    _ = write!(text, "- `{spelling}`: {help}");
    let defaults = arg.get_default_values().iter();
    let defaults: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
    if takes_value && !defaults.is_empty() {
        _ = write!(text, " [default: {}]", defaults.join(", "));
    }
    text.push('\n');
    if !takes_value {
        return;
    }
    for value in arg.get_possible_values() {
        _ = write!(text, "  - `{}`", value.get_name());
        if let Some(help) = value.get_help() {
            _ = write!(text, ": {help}");
        }
        text.push('\n');
    }
}

/// Appends examples and exit codes, as in `--help`.
fn after(text: &mut String, command: &Command) {
    let Some(after) = command.get_after_help() else {
        return;
    };
    let after = after.to_string();
    let (title, rest) = after.split_once('\n').unwrap_or_default();
    _ = write!(text, "\n{title}\n\n```text\n{}\n```\n", rest.trim_end());
}

#[test]
fn the_guide_lists_every_command() {
    check_page("command-line.md", &page());
}

#[test]
fn every_command_and_flag_has_help() {
    let mut command = Cli::command();
    command.build();
    command.clone().debug_assert();
    for command in subcommands(&command) {
        let name = command.get_name();
        assert!(!about(command).is_empty(), "{name}");
        assert!(!about(command).ends_with('.'), "{name}");
        assert!(command.get_after_help().is_some(), "{name} has no example");
        for arg in command.get_arguments() {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.is_empty(), "{name} {}", arg.get_id());
            assert!(!help.ends_with('.'), "{name} {}: {help}", arg.get_id());
        }
    }
}
