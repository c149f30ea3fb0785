//! JSON as a tree, with each number as it is written.
//!
//! serde_json converts every number with a fraction or an exponent to an `f64`, and rejects numbers
//! beyond its range. Only the text shows whether `9007199254740993.0` is an integer, and which.

use crate::values::json_reader::{Cursor, DEEPEST, Rejected};
use crate::values::{Json, Node, WireError};

/// Parses a JSON text as a tree. A repeated name is kept twice.
pub(super) fn parse(text: &str) -> Result<Node, WireError> {
    let mut cursor = Cursor::new(text);
    let parsed = value(&mut cursor).and_then(|node| cursor.end().map(|()| node));
    parsed.map_err(|Rejected| match serde_json::from_str::<Json>(text) {
        Err(error) if !cursor.is_deepest() => invalid(text, &error),
        _ => WireError::new(format!("is nested more than {DEEPEST} levels deep")),
    })
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

fn value(cursor: &mut Cursor<'_>) -> Result<Node, Rejected> {
    match cursor.peek() {
        b'{' => object(cursor),
        b'[' => list(cursor),
        b'"' => Ok(Node::Text(cursor.string()?.into_owned())),
        b't' => word(cursor, "true", Node::Scalar(Json::Bool(true))),
        b'f' => word(cursor, "false", Node::Scalar(Json::Bool(false))),
        b'n' => word(cursor, "null", Node::Null),
        _ => Ok(Node::number(cursor.number()?)),
    }
}

fn word(cursor: &mut Cursor<'_>, word: &str, node: Node) -> Result<Node, Rejected> {
    cursor.take_word(word)?;
    Ok(node)
}

fn object(cursor: &mut Cursor<'_>) -> Result<Node, Rejected> {
    let mut fields = Vec::new();
    cursor.enter()?;
    while cursor.goes_on(fields.is_empty(), b'}')? {
        let name = cursor.string()?.into_owned();
        cursor.take(b':')?;
        fields.push((name, value(cursor)?));
    }
    cursor.leave(b'}')?;
    Ok(Node::Object(fields))
}

fn list(cursor: &mut Cursor<'_>) -> Result<Node, Rejected> {
    let mut items = Vec::new();
    cursor.enter()?;
    while cursor.goes_on(items.is_empty(), b']')? {
        items.push(value(cursor)?);
    }
    cursor.leave(b']')?;
    Ok(Node::List(items))
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
        let deepest = usize::from(DEEPEST);
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&deep(deepest)).is_ok());
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
