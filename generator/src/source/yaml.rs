//! YAML behind one module: nothing else knows which parser reads it.

use serde::de::DeserializeSeed as _;

use super::read::{EXPANDS, Read, ReadError, ReadErrorKind, Reader};
use super::{Format, repair};

/// Reads a YAML text.
pub(super) fn read(text: &str) -> Result<Read, ReadError> {
    let repaired = repair::yaml(text);
    let disguised = repaired.is_some();
    let parsed = repaired.as_deref().unwrap_or(text);
    let reader = Reader::new(text, Format::Yaml, disguised);
    match reader
        .seed()
        .deserialize(serde_yaml::Deserializer::from_str(parsed))
    {
        Ok(value) => Ok(reader.finish(value)),
        Err(error) => Err(describe(parsed, &error)),
    }
}

fn describe(text: &str, error: &serde_yaml::Error) -> ReadError {
    let full = error.to_string();
    let location = error.location();
    let offset = location
        .as_ref()
        .map_or(0, serde_yaml::Location::index)
        .min(text.len());
    if full.contains(EXPANDS) || full.contains("repetition limit exceeded") {
        return ReadError {
            kind: ReadErrorKind::ExpandsTooFar,
            message: EXPANDS.to_owned(),
            offset,
        };
    }
    let kind = if full.contains("recursion limit") {
        ReadErrorKind::TooDeep
    } else {
        ReadErrorKind::Syntax
    };
    let place = location.map(|at| format!(" at line {} column {}", at.line(), at.column()));
    let message = place.map_or_else(|| full.clone(), |place| full.replacen(&place, "", 1));
    ReadError {
        kind,
        message,
        offset,
    }
}
