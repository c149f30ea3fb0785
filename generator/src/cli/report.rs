//! Output of the command: diagnostics on standard error, results on standard output.

use std::io::{IsTerminal as _, Write as _};

use bothends::derives::functions_of;
use bothends::filter::Counts;
use bothends::report::{Style, render_human, render_json};
use bothends::source::Sources;
use bothends::{Diagnostics, Severity, Timings};

use super::args::MessageFormat;

/// Prints the diagnostics of a run.
pub(super) fn diagnostics(found: &Diagnostics, sources: &Sources, format: MessageFormat) {
    messages(&rendered(found, sources, format));
}

/// Returns the text of the diagnostics of a run.
pub(super) fn rendered(found: &Diagnostics, sources: &Sources, format: MessageFormat) -> String {
    match format {
        MessageFormat::Human => render_human(found, sources, style()),
        MessageFormat::Json => render_json(found, sources),
    }
}

/// Returns what decides the form of rendered text.
pub(super) fn form(format: MessageFormat) -> String {
    format!("{format:?} {:?}", style())
}

/// Prints messages to standard error. If that is closed, they cannot be reported elsewhere.
pub(super) fn messages(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Prints the number of errors and warnings, and that no code was generated.
pub(super) fn verdict(found: &Diagnostics, format: MessageFormat) {
    if format == MessageFormat::Human {
        let errors = found.count(Severity::Error);
        let warnings = found.count(Severity::Warning);
        let errors = counted(errors, "error");
        match warnings {
            0 => say(&format!("{errors}; nothing was written")),
            _ => say(&format!(
                "{errors}, {}; nothing was written",
                counted(warnings, "warning")
            )),
        }
    }
}

/// Returns a count with its noun: `1 error`, `2 errors`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Prints how much of a document a filter keeps.
pub(super) fn kept(counts: Option<&Counts>, format: MessageFormat) {
    messages(&kept_line(counts, format));
}

/// Returns the line with how much of a document a filter keeps.
pub(super) fn kept_line(counts: Option<&Counts>, format: MessageFormat) -> String {
    let Some(counts) = counts else {
        return String::new();
    };
    match format {
        MessageFormat::Human => format!("filter: {counts}\n"),
        MessageFormat::Json => format!(
            "{}\n",
            serde_json::json!({
                "code": null, "severity": "note", "message": format!("filter: {counts}"), "file": null,
                "line": null, "column": null, "pointer": null, "help": null,
            })
        ),
    }
}

/// Prints the time of each stage, and the functions that derives add.
pub(super) fn timings(timings: &Timings) {
    for (stage, time) in &timings.stages {
        say(&format!(
            "{stage:<10}{:>9.1} ms",
            time.as_secs_f64() * 1000.0
        ));
    }
    for (derive, impls) in &timings.derives {
        let functions = match functions_of(derive) {
            Some(each) => format!(", {}", counted(impls * each, "function")),
            None => "; the functions of its macro are not counted".to_owned(),
        };
        say(&format!(
            "derive {derive}: {}{functions}",
            counted(*impls, "impl")
        ));
    }
}

/// Prints an error that stopped the run and is not a diagnostic of a document.
pub(super) fn failure(message: &str, format: MessageFormat) {
    match format {
        MessageFormat::Human => say(&format!("error: {message}")),
        MessageFormat::Json => say(&serde_json::json!({
            "code": null, "severity": "error", "message": message, "file": null, "line": null,
            "column": null, "pointer": null, "help": null,
        })
        .to_string()),
    }
}

/// Prints a note about a successful run, and a suggestion.
pub(super) fn note(message: &str, help: &str, format: MessageFormat) {
    match format {
        MessageFormat::Human => say(&format!("note: {message}\n  = help: {help}")),
        MessageFormat::Json => say(&serde_json::json!({
            "code": null, "severity": "note", "message": message, "file": null, "line": null,
            "column": null, "pointer": null, "help": help,
        })
        .to_string()),
    }
}

/// Prints what is being done, for people.
pub(super) fn progress(what: &str, format: MessageFormat) {
    if format == MessageFormat::Human {
        say(what);
    }
}

/// Prints a line to standard error.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints text to standard output. A reader may close the pipe early, so write errors are ignored.
pub(super) fn print(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

fn style() -> Style {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if !plain && std::io::stderr().is_terminal() {
        Style::Coloured
    } else {
        Style::Plain
    }
}
