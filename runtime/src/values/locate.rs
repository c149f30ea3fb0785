//! The property that an error in a JSON text belongs to.
//!
//! The error has only a line and a column: the text is scanned again up to that position, while the
//! names and indexes on the way are recorded.

use crate::values::WireError;
use crate::values::read::{REQUIRED, of_text};

/// Converts an error of a JSON text, with the path to its property.
pub(crate) fn located(text: &str, error: &serde_json::Error) -> WireError {
    if text.trim_ascii().is_empty() {
        return WireError::new("is empty");
    }
    let full = error.to_string();
    let at = format!(" at line {} column {}", error.line(), error.column());
    let message = full.strip_suffix(&at).unwrap_or(&full);
    if !error.is_data() {
        return WireError::new(format!("is not JSON: {full}"));
    }
    let mut path = path_to(text, offset(text, error.line(), error.column()));
    let quoted = |start: &str| {
        let rest = message.strip_prefix(start)?;
        rest.split_once('`').map(|(name, _)| name.to_owned())
    };
    let message = if let Some(name) = quoted("missing field `") {
        path.push(name);
        REQUIRED
    } else if let Some(name) = quoted("unknown field `") {
        same_or_push(&mut path, name);
        "is not known here"
    } else if let Some(name) = quoted("duplicate field `") {
        same_or_push(&mut path, name);
        "is given more than once"
    } else {
        &of_text(message)
    };
    let error = WireError::new(message);
    path.iter()
        .rev()
        .fold(error, |error, step| error.within(step))
}

fn same_or_push(path: &mut Vec<String>, name: String) {
    if path.last() != Some(&name) {
        path.push(name);
    }
}

/// Returns the offset of a line and a column, both of which start at one.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    lines.map(str::len).sum::<usize>() + column
}

/// Returns the names and indexes of the values that are open, or have just ended, at an offset.
///
/// serde_json reports the offset up to which it has read when it detects an error: the end of a
/// scalar, or of an object that lacks a field.
fn path_to(text: &str, end: usize) -> Vec<String> {
    let mut walk = Walk::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < end.min(bytes.len()) {
        at = walk.step(text, at);
    }
    walk.path()
}

/// An open object or list.
enum Open {
    Object { key: Option<String>, value: bool },
    List(usize),
}

#[derive(Default)]
struct Walk {
    open: Vec<Open>,
}

impl Walk {
    /// Scans the token at an offset, and returns the offset of the next one.
    fn step(&mut self, text: &str, at: usize) -> usize {
        let byte = text.as_bytes().get(at).copied().unwrap_or_default();
        match byte {
            b'{' => self.open.push(Open::Object {
                key: None,
                value: false,
            }),
            b'[' => self.open.push(Open::List(0)),
            b'}' | b']' => drop(self.open.pop()),
            b':' => {
                if let Some(Open::Object { value, .. }) = self.open.last_mut() {
                    *value = true;
                }
            }
            b',' => match self.open.last_mut() {
                Some(Open::Object { value, .. }) => *value = false,
                Some(Open::List(index)) => *index += 1,
                None => {}
            },
            b'"' => return self.string(text, at),
            _ => {}
        }
        at + 1
    }

    fn string(&mut self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes();
        let mut end = at + 1;
        while let Some(byte) = bytes.get(end) {
            match byte {
                b'\\' => end += 2,
                b'"' => break,
                _ => end += 1,
            }
        }
        if let Some(Open::Object { key, value: false }) = self.open.last_mut() {
            *key = text
                .get(at..=end)
                .and_then(|quoted| serde_json::from_str(quoted).ok());
        }
        end + 1
    }

    fn path(self) -> Vec<String> {
        self.open
            .into_iter()
            .filter_map(|open| match open {
                Open::Object { key, .. } => key,
                Open::List(index) => Some(format!("[{index}]")),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Item {
        id: i64,
        inner: Option<Box<Item>>,
        list: Option<Vec<Item>>,
        word: Option<Word>,
    }

    #[derive(Debug, Deserialize)]
    enum Word {
        #[serde(rename = "a")]
        A,
    }

    fn found(text: &str) -> String {
        match serde_json::from_str::<Item>(text) {
            Ok(_) => "fine".to_owned(),
            Err(error) => {
                let error = located(text, &error);
                let field = error.field("");
                format!(
                    "{}: {error}",
                    if field.is_empty() { "body" } else { &field }
                )
            }
        }
    }

    #[test]
    fn errors_name_their_property() {
        for (text, expected) in [
            ("", "body: is empty"),
            (
                "{",
                "body: is not JSON: EOF while parsing an object at line 1 column 1",
            ),
            ("[]", "body: must be an object"),
            ("7", "body: must be an object"),
            ("{}", "id: is required"),
            (r#"{"id": "x"}"#, "id: must be an integer"),
            (r#"{"id": 1, "id": 1}"#, "id: is given more than once"),
            (r#"{"id": 1, "other": 1}"#, "other: is not known here"),
            (r#"{"id": 1, "inner": {}}"#, "inner.id: is required"),
            (
                r#"{"id": 1, "inner": {"id": 2.5, "x": 1}}"#,
                "inner.id: must be an integer",
            ),
            (
                "{\"id\": 1,\n \"list\": [{\"id\": 1},\n {}]}",
                "list[1].id: is required",
            ),
            (
                r#"{"id": 1, "list": [{"id": 1}, {"id": [1]}]}"#,
                "list[1].id: must be an integer",
            ),
            (r#"{"id": 1, "list": {"a": 1}}"#, "list: must be an array"),
            (r#"{"word": "b", "id": 1}"#, "word: must be `a`"),
            (r#"{"\"\\": 1}"#, "\"\\: is not known here"),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }
}
