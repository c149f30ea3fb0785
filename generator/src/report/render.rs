//! Diagnostics for people, in the format of rustc.

use std::collections::BTreeMap;

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin as Place, Renderer, Snippet,
    normalize_untrusted_str,
};

use super::place::{Located, locate_all};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::source::Sources;

/// The style of rendered diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Plain text.
    #[default]
    Plain,
    /// Text with ANSI colours.
    Coloured,
}

/// The maximum length of a line, in characters; longer lines are cut around the place.
const LONGEST_LINE: usize = 160;
/// The number of characters that a cut line keeps before the place.
const LEAD: usize = 40;

/// The number of warnings per code that are shown in full; further warnings are counted.
const IN_FULL: usize = 3;
/// The maximum length of a text, in characters. Names in a document may be megabytes long.
const LONGEST_TEXT: usize = 2_000;

/// Renders diagnostics with excerpts of the documents, each followed by a blank line.
///
/// Warnings of one code often report the same problem at many places: the first are shown, and the
/// rest are counted. All listed errors are shown, see [`Diagnostic::omitted`].
#[must_use]
pub fn render_human(diagnostics: &Diagnostics, sources: &Sources, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut text = String::new();
    for (diagnostic, located, further) in locate_all(diagnostics, sources) {
        let count = counts.entry(diagnostic.code.id).or_default();
        count.severity = Some(diagnostic.severity);
        count.omitted += diagnostic.omitted;
        if diagnostic.severity != Severity::Error && count.shown == IN_FULL {
            count.listed += 1;
            continue;
        }
        count.shown += 1;
        text.push_str(&render_one(
            &renderer,
            diagnostic,
            located.as_ref(),
            &further,
        ));
        text.push_str("\n\n");
    }
    for (code, count) in counts {
        if let Some(title) = count.more(code) {
            let group = Group::with_title(Level::NOTE.primary_title(title));
            text.push_str(&renderer.render(&[group]));
            text.push_str("\n\n");
        }
    }
    text
}

/// The numbers of diagnostics with one code.
#[derive(Default)]
struct Count {
    severity: Option<Severity>,
    shown: usize,
    /// Listed, but not shown.
    listed: usize,
    /// Not listed.
    omitted: usize,
}

impl Count {
    /// Returns the summary of the diagnostics that are not shown.
    fn more(&self, code: &str) -> Option<String> {
        let more = self.listed + self.omitted;
        let kind = self.severity.map_or("error", Severity::name);
        let all = match (self.listed, self.omitted) {
            (0, _) => String::new(),
            (_, 0) => "; `bothends lint --message-format json` lists all".to_owned(),
            _ => format!(
                "; `bothends lint --message-format json` lists the first {}",
                self.shown + self.listed
            ),
        };
        (more > 0).then(|| format!("{more} more of {kind} {code}{all}"))
    }
}

fn render_one(
    renderer: &Renderer,
    diagnostic: &Diagnostic,
    located: Option<&Located<'_>>,
    further: &[Located<'_>],
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    // A title is a single line, so line breaks of the document are removed.
    let title = level.primary_title(shown(&diagnostic.message.replace(['\n', '\r'], " ")));
    let mut elements: Vec<Element<'_>> = Vec::new();
    if let Some(located) = located {
        elements.extend(listing(located));
        if diagnostic.offset.is_none() {
            elements.push(Level::NOTE.message(shown(located.pointer)).into());
        }
        if let Some(action) = located.action {
            let note = format!("written by action {action} of the overlay");
            elements.push(Level::NOTE.message(note).into());
        }
    }
    if diagnostic.repeated > 0 {
        elements.push(Level::NOTE.message(repeated(diagnostic, further)).into());
    }
    for note in &diagnostic.notes {
        elements.push(Level::NOTE.message(shown(note)).into());
    }
    if let Some(help) = &diagnostic.help {
        elements.push(Level::HELP.message(shown(help)).into());
    }
    let group: Group<'_> = title.id(diagnostic.code.id).elements(elements);
    renderer.render(&[group])
}

/// Returns a text such as `the same at 12 more places, the next at api.yaml:40:9 and
/// api.yaml:62:9`.
fn repeated(diagnostic: &Diagnostic, further: &[Located<'_>]) -> String {
    let places: Vec<String> = further.iter().map(place).collect();
    match (diagnostic.repeated, &places[..]) {
        (1, [first]) => format!("the same at {first}"),
        (2, [first, second]) => format!("the same at {first} and {second}"),
        (count, []) => format!("the same at {count} more places"),
        (count, _) => format!(
            "the same at {count} more places, the next at {}",
            places.join(" and ")
        ),
    }
}

fn place(located: &Located<'_>) -> String {
    let path = shown(&located.file.path.to_string_lossy());
    format!(
        "{path}:{}:{}",
        located.position.line, located.position.column
    )
}

/// Returns the place with an excerpt of its line.
fn listing<'a>(located: &Located<'a>) -> Vec<Element<'a>> {
    let path = shown(&located.file.path.to_string_lossy());
    let (number, column) = (located.position.line, located.position.column);
    let place = Place::path(path.clone()).line(number).char_column(column);
    if located.line.trim().is_empty() {
        return vec![place.into()];
    }
    let is_short = located.line.chars().nth(LONGEST_LINE).is_none();
    if is_short {
        let line = snippet(located.line, column - 1, number);
        return vec![line.path(path).into()];
    }
    // The renderer counts columns in its input, so a cut line is passed without a position. A line
    // may be the whole document: only the characters near the place are examined.
    let at = located.position.offset - located.start;
    let (before, after) = located.line.split_at(at.min(located.line.len()));
    let lead = before.char_indices().rev().nth(LEAD - 1);
    let lead = lead.map_or(before, |(from, _)| &before[from..]);
    let kept = lead.chars().count();
    let line: String = lead
        .chars()
        .chain(after.chars())
        .take(LONGEST_LINE)
        .collect();
    vec![place.into(), snippet(&line, kept, number).into()]
}

fn snippet<'a>(line: &str, before: usize, number: usize) -> Snippet<'a, Annotation<'a>> {
    let line: String = line.chars().map(visible).collect();
    let start = line
        .char_indices()
        .nth(before)
        .map_or(line.len(), |(at, _)| at);
    let end = start + token_length(&line[start..]);
    let annotation = AnnotationKind::Primary.span(start..end).label("here");
    Snippet::source(line)
        .line_start(number)
        .annotation(annotation)
}

/// Returns text of a document without characters that control the terminal.
fn shown(text: &str) -> String {
    let cut = text.char_indices().nth(LONGEST_TEXT);
    let (kept, dots) = cut.map_or((text, ""), |(at, _)| (&text[..at], "…"));
    let kept: String = kept.chars().map(visible).collect();
    normalize_untrusted_str(&kept) + dots
}

/// Replaces invisible characters that affect a terminal or a reader. The renderer handles ASCII
/// control characters and direction marks itself.
fn visible(char: char) -> char {
    match char {
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}

/// Returns the length of the key or scalar at the start of a text.
fn token_length(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, first)) = chars.next() else {
        return 0;
    };
    if matches!(first, '"' | '\'') {
        let close = chars.find(|(_, char)| *char == first);
        return close.map_or(text.trim_end().len(), |(at, quote)| at + quote.len_utf8());
    }
    let end = text
        .find([',', ' ', '\t', '}', ']', '\r', '\n'])
        .unwrap_or(text.len());
    let token = text[..end].trim_end_matches(':').len();
    token.max(first.len_utf8())
}
