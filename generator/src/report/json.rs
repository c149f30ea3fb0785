//! Diagnostics for programs: one JSON object a line.

use serde::Serialize;

use super::place::locate_all;
use crate::diagnostic::Diagnostics;
use crate::source::Sources;

/// What programs are told; the fields and their order are part of the command line's promise.
#[derive(Serialize)]
struct Line<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    pointer: Option<&'a str>,
    help: Option<&'a str>,
}

/// Renders diagnostics, one JSON object a line. Those of a code that are only counted are one line
/// more, without a place.
#[must_use]
pub fn render_json(diagnostics: &Diagnostics, sources: &Sources) -> String {
    let mut text = String::new();
    for (diagnostic, located) in locate_all(diagnostics, sources) {
        let located = located.as_ref();
        let line = Line {
            code: diagnostic.code.id,
            severity: diagnostic.severity.name(),
            message: &diagnostic.message,
            file: located.map(|it| it.file.path.display().to_string()),
            line: located.map(|it| it.position.line),
            column: located.map(|it| it.position.column),
            pointer: located
                .filter(|_| diagnostic.offset.is_none())
                .map(|it| it.pointer),
            help: diagnostic.help.as_deref(),
        };
        push(&mut text, &line);
        if diagnostic.omitted > 0 {
            let message = format!("{} more like this", diagnostic.omitted);
            let more = Line {
                code: diagnostic.code.id,
                severity: diagnostic.severity.name(),
                message: &message,
                file: None,
                line: None,
                column: None,
                pointer: None,
                help: None,
            };
            push(&mut text, &more);
        }
    }
    text
}

fn push(text: &mut String, line: &Line<'_>) {
    // Strings and numbers always have a JSON form.
    text.push_str(&serde_json::to_string(line).unwrap_or_default());
    text.push('\n');
}
