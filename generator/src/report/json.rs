//! Diagnostics for programs: one JSON object per line.

use serde::Serialize;

use super::place::{Located, locate_all};
use crate::diagnostic::Diagnostics;
use crate::source::Sources;

/// A diagnostic as an object. The fields and their order are stable.
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
    /// The number of the action of the overlay in `file` that wrote the node at `pointer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    overlay_action: Option<usize>,
    /// The number of further places with the same warning or note.
    #[serde(skip_serializing_if = "is_zero")]
    repeated: usize,
    /// The next of these places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    further: Vec<Place<'a>>,
}

/// A further place of a diagnostic.
#[derive(Serialize)]
struct Place<'a> {
    file: String,
    line: usize,
    column: usize,
    pointer: &'a str,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Renders diagnostics with one JSON object per line. Diagnostics of a code that are only counted
/// have one further line, without a place.
#[must_use]
pub fn render_json(diagnostics: &Diagnostics, sources: &Sources) -> String {
    let mut text = String::new();
    for (diagnostic, located, further) in locate_all(diagnostics, sources) {
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
            overlay_action: located.and_then(|it| it.action),
            repeated: diagnostic.repeated,
            further: further.iter().map(place).collect(),
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
                overlay_action: None,
                repeated: 0,
                further: vec![],
            };
            push(&mut text, &more);
        }
    }
    text
}

fn place<'a>(located: &Located<'a>) -> Place<'a> {
    Place {
        file: located.file.path.display().to_string(),
        line: located.position.line,
        column: located.position.column,
        pointer: located.pointer,
    }
}

fn push(text: &mut String, line: &Line<'_>) {
    // Strings and numbers always serialize.
    text.push_str(&serde_json::to_string(line).unwrap_or_default());
    text.push('\n');
}
