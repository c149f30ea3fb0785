//! JSON as a tree, with each number as it is written.
//!
//! serde_json converts every number with a fraction or an exponent to an `f64`, and rejects numbers
//! beyond its range. Only the text shows whether `9007199254740993.0` is an integer, and which.

use crate::values::{Json, Node, WireError};
use serde::de::IgnoredAny;

/// The depth limit of serde_json.
const DEEPEST: usize = 128;

/// Parses a JSON text as a tree. A repeated name is kept twice.
pub(super) fn parse(text: &str) -> Result<Node, WireError> {
    // The code below does not check the grammar again.
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| invalid(text, &error))?;
    let too_deep = || WireError::new(format!("is nested more than {DEEPEST} levels deep"));
    Walk { text, at: 0 }.value(0).ok_or_else(too_deep)
}

/// Converts a syntax error, of which only the kind and the position are used: the text may differ
/// between versions of serde_json.
fn invalid(text: &str, error: &serde_json::Error) -> WireError {
    if text.trim_ascii().is_empty() {
        return WireError::new("is empty");
    }
    let (line, column) = (error.line(), error.column());
    let what = if error.is_eof() {
        "the text ends early"
    } else {
        "syntax error"
    };
    WireError::new(format!(
        "is not JSON: {what} at line {line} column {column}"
    ))
}

struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Walk<'a> {
    /// Returns the next byte that is not whitespace.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let spaces = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        self.at += spaces.count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// Consumes the next byte, if it is this one.
    fn take(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        if depth >= DEEPEST {
            return None;
        }
        match self.peek()? {
            b'{' => self.object(depth + 1),
            b'[' => self.list(depth + 1),
            b'"' => self.string().map(Node::Text),
            b't' => self.word(4, Node::Scalar(Json::Bool(true))),
            b'f' => self.word(5, Node::Scalar(Json::Bool(false))),
            b'n' => self.word(4, Node::Null),
            _ => self.number(),
        }
    }

    fn word(&mut self, length: usize, node: Node) -> Option<Node> {
        self.at += length;
        Some(node)
    }

    fn object(&mut self, depth: usize) -> Option<Node> {
        let mut fields = Vec::new();
        self.take(b'{');
        while !self.take(b'}') {
            self.take(b',');
            self.peek()?;
            let name = self.string()?;
            self.take(b':');
            fields.push((name, self.value(depth)?));
        }
        Some(Node::Object(fields))
    }

    fn list(&mut self, depth: usize) -> Option<Node> {
        let mut items = Vec::new();
        self.take(b'[');
        while !self.take(b']') {
            self.take(b',');
            items.push(self.value(depth)?);
        }
        Some(Node::List(items))
    }

    /// Consumes the next `length` bytes.
    fn part(&mut self, length: usize) -> Option<&'a str> {
        let part = self.text.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(part)
    }

    fn string(&mut self) -> Option<String> {
        let bytes = self.text.as_bytes().get(self.at..)?;
        let (mut length, mut plain) = (1, true);
        loop {
            match bytes.get(length)? {
                b'"' => break,
                b'\\' => {
                    plain = false;
                    length += 2;
                }
                _ => length += 1,
            }
        }
        let quoted = self.part(length + 1)?;
        match plain {
            true => quoted.get(1..length).map(str::to_owned),
            false => serde_json::from_str(quoted).ok(),
        }
    }

    fn number(&mut self) -> Option<Node> {
        let bytes = self.text.as_bytes().get(self.at..)?;
        let is_part = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = bytes.iter().take_while(is_part).count();
        let text = self.part(length).filter(|text| !text.is_empty())?;
        Some(Node::number(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_equal_those_of_serde_json() {
        for text in [
            r#" { "a" : [ 1 , -2.5e3 , "x\n\u00e9\"" , null ] , "b" : { } , "" : [ ] } "#,
            "[true,false,[[]],{\"a\":{}}]",
            "18446744073709551615",
            "\"\"",
            "-7",
        ] {
            let json: Json = serde_json::from_str(text).unwrap_or_default();
            let tree = parse(text).unwrap_or(Node::Null);
            let again: Json =
                serde_json::from_str(&tree.json().unwrap_or_default()).unwrap_or_default();
            assert_eq!(again, json, "{text}");
        }
        for text in [
            "",
            "{",
            "[1,]",
            "{\"a\"}",
            "01",
            "\"\\ud800\"",
            "1 2",
            "nul",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&deep(DEEPEST)).is_ok());
        let error = parse(&deep(100_000)).unwrap_err();
        assert_eq!(error.message, "is nested more than 128 levels deep");
    }

    #[test]
    fn numbers_keep_their_notation() {
        for text in ["1.0", "1e400", "-0", "123456789012345678901234567890"] {
            assert_eq!(parse(text), Ok(Node::Decimal(text.to_owned())));
        }
    }
}
