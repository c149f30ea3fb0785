//! Parsing of JSON. No other module depends on the parser.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::lines::offset_in;
use super::reader::{Read, ReadError, ReadErrorKind, Reader};
use super::search::Search;
use super::{Format, repair};

/// Reads a JSON text.
pub(super) fn read(text: &str) -> Result<Read, ReadError> {
    read_plain(text).or_else(|error| match repair::json(text) {
        Some(repaired) => read_plain(&repaired).map_err(|_| error),
        None => Err(error),
    })
}

fn read_plain(text: &str) -> Result<Read, ReadError> {
    let reader = Reader::new(text, Format::Json, false);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = reader.seed().deserialize(&mut deserializer);
    match value.and_then(|value| deserializer.end().map(|()| value)) {
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
    let lines = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1));
    let line_start: usize = lines.map(str::len).sum();
    // The column of the parser counts bytes and refers to the last byte that was read.
    let offset = (line_start + error.column().saturating_sub(1)).min(text.len());
    ReadError {
        kind,
        message,
        offset,
        help: None,
    }
}

/// Finds the locations of nodes in a JSON text.
pub(super) fn search(text: &str, search: &mut Search) {
    // An incomplete text is searched up to its end.
    let Ok(root) = serde_json::from_str::<&RawValue>(text) else {
        return;
    };
    visit(text, root.get(), Search::ROOT, search);
}

/// Visits one value, one level at a time. Other values are skipped.
fn visit(text: &str, value: &str, node: usize, search: &mut Search) {
    if search.is_leaf(node) || !value.starts_with(['{', '[']) {
        return;
    }
    let mut deserializer = serde_json::Deserializer::from_str(value);
    let children = Children { node, search };
    let Ok(children) = children.deserialize(&mut deserializer) else {
        return;
    };
    for (child, value) in children {
        let Some(start) = offset_in(text, value) else {
            continue;
        };
        let is_entry = text.as_bytes()[..start].trim_ascii_end().ends_with(b":");
        let nested = value.starts_with(['{', '[']);
        search.found(
            child,
            if nested && is_entry {
                key_before(text, start)
            } else {
                start
            },
        );
        visit(text, value, child, search);
    }
}

/// Returns the start of the key of a value.
fn key_before(text: &str, value_start: usize) -> usize {
    let before = text[..value_start]
        .trim_end()
        .trim_end_matches(':')
        .trim_end();
    let bytes = before.as_bytes();
    let mut at = before.len().saturating_sub(1);
    while at > 0 {
        at -= 1;
        let escapes = bytes[..at]
            .iter()
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count();
        if bytes[at] == b'"' && escapes % 2 == 0 {
            return at;
        }
    }
    value_start
}

/// A visitor that collects the wanted children of an object or an array.
struct Children<'a> {
    node: usize,
    search: &'a Search,
}

impl<'de> DeserializeSeed<'de> for Children<'_> {
    type Value = Vec<(usize, &'de str)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Children<'_> {
    type Value = Vec<(usize, &'de str)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut children = Vec::new();
        while let Some(key) = access.next_key::<String>()? {
            match self.search.child(self.node, &key) {
                Some(child) => children.push((child, access.next_value::<&RawValue>()?.get())),
                None => {
                    access.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(children)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut children = Vec::new();
        let mut index = 0;
        while let Some(item) = access.next_element::<&RawValue>()? {
            if let Some(child) = self.search.child(self.node, &index.to_string()) {
                children.push((child, item.get()));
            }
            index += 1;
        }
        Ok(children)
    }
}
