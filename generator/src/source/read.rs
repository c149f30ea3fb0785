//! Parsing of text to [`Value`](super::Value).

use super::reader::{Read, ReadError, ReadErrorKind};
use super::{json, yaml};

/// Reads a text as JSON if it looks like JSON, otherwise as YAML.
///
/// A brace also begins YAML in flow style, with comments, trailing commas and plain keys. A file
/// that is `named_json` is never read as YAML, so that a JSON syntax error is reported as such.
pub(super) fn read(text: &str, named_json: bool) -> Result<Read, ReadError> {
    if !text.trim_start().starts_with(['{', '[']) {
        return yaml::read(text);
    }
    json::read(text).or_else(|error| match error.kind {
        ReadErrorKind::Syntax if !named_json => yaml::read(text).map_err(|_| error),
        _ => Err(error),
    })
}
