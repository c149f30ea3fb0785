//! Parsing of YAML. No other module depends on the parser.

use serde::de::{Deserialize as _, DeserializeSeed as _, IgnoredAny};

use super::lines::{Lines, offset_in};
use super::reader::{EXPANDS, Read, ReadError, ReadErrorKind, Reader};
use super::{Format, repair};

mod scan;
mod search;

pub(super) use search::search;

/// The maximum number of open brackets in a text that is passed to the parser. The number is far
/// higher than the supported depth, so that the parser reports moderate excess itself.
const DEEPEST: usize = 500;

/// The maximum number of `%TAG` directives: the parser compares each with all others.
const DIRECTIVES: usize = 1_000;

/// Reads a YAML text.
pub(super) fn read(text: &str) -> Result<Read, ReadError> {
    let tabs = scan::scan(text, DEEPEST).map_err(|offset| ReadError {
        kind: ReadErrorKind::TooDeep,
        message: "recursion limit exceeded".to_owned(),
        offset,
        help: None,
    })?;
    let mut directives = text.lines().filter(|line| line.starts_with("%TAG"));
    if let Some(line) = directives.nth(DIRECTIVES) {
        return Err(ReadError {
            kind: ReadErrorKind::Syntax,
            message: format!("more than {DIRECTIVES} directives"),
            offset: offset_in(text, line).unwrap_or_default(),
            help: None,
        });
    }
    let mended = repair::yaml(text, &tabs, bad_escape);
    let reader = Reader::new(text, Format::Yaml, mended.disguised);
    match reader
        .seed()
        .deserialize(serde_yaml::Deserializer::from_str(&mended.text))
    {
        Ok(value) => Ok(reader.finish(value)),
        Err(error) => Err(describe(text, &mended.text, &error)),
    }
}

/// Returns the byte at which the parser stops because of an escape.
fn bad_escape(text: &str) -> Option<usize> {
    let error = IgnoredAny::deserialize(serde_yaml::Deserializer::from_str(text)).err()?;
    let is_escape = error
        .to_string()
        .contains("invalid Unicode character escape");
    is_escape.then(|| offset_of(text, &error))
}

fn offset_of(text: &str, error: &serde_yaml::Error) -> usize {
    let index = error.location().map_or(0, |location| location.index());
    Lines::new(text).position(index).offset
}

fn describe(text: &str, parsed: &str, error: &serde_yaml::Error) -> ReadError {
    let full = error.to_string();
    let offset = offset_of(parsed, error);
    let offset = if parsed == text {
        offset
    } else {
        map_back(&Lines::new(text), &Lines::new(parsed), offset)
    };
    if full.contains(EXPANDS) || full.contains("repetition limit exceeded") {
        let message = EXPANDS.to_owned();
        return ReadError {
            kind: ReadErrorKind::ExpandsTooFar,
            message,
            offset,
            help: None,
        };
    }
    let kind = if full.contains("recursion limit") {
        ReadErrorKind::TooDeep
    } else {
        ReadErrorKind::Syntax
    };
    let place = error
        .location()
        .map(|at| format!(" at line {} column {}", at.line(), at.column()));
    let message = place.map_or_else(|| full.clone(), |place| full.replacen(&place, "", 1));
    let help =
        (kind == ReadErrorKind::Syntax && is_indented_with_tab(text, offset)).then_some(TABS);
    ReadError {
        kind,
        message,
        offset,
        help,
    }
}

const TABS: &str = "YAML does not allow tabs for indentation: use spaces";

/// Returns whether the line of a byte begins with white space that contains a tab.
fn is_indented_with_tab(text: &str, offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or_default();
    let mut indent = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    indent.any(|c| c == '\t')
}

/// Returns the position in a text for a position in the repaired text. Lines are the same, columns
/// nearly the same.
pub(super) fn map_back(text: &Lines<'_>, repaired: &Lines<'_>, offset: usize) -> usize {
    let position = repaired.position(offset);
    text.offset(position.line, position.column)
}
