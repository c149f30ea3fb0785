//! JSON behind one module.

use super::read::{Read, ReadError, ReadErrorKind, Reader};
use super::{Format, repair};

use serde::de::DeserializeSeed as _;

/// Reads a JSON text.
pub(super) fn read(text: &str) -> Result<Read, ReadError> {
    read_plain(text).or_else(|error| match repair::json(text) {
        Some(repaired) => read_plain(&repaired),
        None => Err(error),
    })
}

fn read_plain(text: &str) -> Result<Read, ReadError> {
    let reader = Reader::new(text, Format::Json, false);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    match reader
        .seed()
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
    {
        Ok(value) => Ok(reader.finish(value)),
        Err(error) => Err(describe(text, &error)),
    }
}

fn describe(text: &str, error: &serde_json::Error) -> ReadError {
    let full = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = full.strip_suffix(&place).unwrap_or(&full).to_owned();
    let kind = if message.starts_with("recursion limit") {
        ReadErrorKind::TooDeep
    } else {
        ReadErrorKind::Syntax
    };
    let line_start: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    // The parser counts bytes, and tells the byte it read last.
    let offset = (line_start + error.column().saturating_sub(1)).min(text.len());
    ReadError {
        kind,
        message,
        offset,
    }
}
