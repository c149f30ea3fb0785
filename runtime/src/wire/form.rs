//! Bodies of `application/x-www-form-urlencoded`.
//!
//! A list repeats its name. An object within is JSON text, or, where the document says
//! `deepObject`, names in brackets.

use super::brackets::{brackets, nest};
use super::percent::decode;
use super::query::pairs;
use super::{Node, WireError};

/// Writes an object as a form.
pub(crate) fn write(node: &Node, deep: bool) -> Result<String, WireError> {
    let mut out = String::new();
    match node {
        Node::Null => {}
        Node::Object(fields) => {
            for (key, value) in fields {
                write_field(&mut out, key, value, deep).map_err(|error| error.within(key))?;
            }
        }
        _ => return Err(WireError::new("only an object can be a form")),
    }
    Ok(out)
}

fn write_field(out: &mut String, key: &str, value: &Node, deep: bool) -> Result<(), WireError> {
    match value {
        Node::Null => Ok(()),
        Node::List(items) => {
            let nested = |item: &Node| matches!(item, Node::Object(_) | Node::List(_));
            let numbered = deep && items.iter().any(nested);
            for (index, item) in items.iter().enumerate() {
                match item {
                    Node::Null => {}
                    item if numbered => write_field(out, &format!("{key}[{index}]"), item, deep)?,
                    item if deep => push(out, &format!("{key}[]"), &item.text()?),
                    item => push(out, key, &item.text()?),
                }
            }
            Ok(())
        }
        Node::Object(fields) if deep => {
            for (name, value) in fields {
                if name.is_empty() || name.contains(['[', ']']) {
                    let why = "such a name cannot be in brackets";
                    return Err(WireError::new(why).within(name));
                }
                write_field(out, &format!("{key}[{name}]"), value, deep)
                    .map_err(|error| error.within(name))?;
            }
            Ok(())
        }
        other => {
            push(out, key, &other.text()?);
            Ok(())
        }
    }
}

fn push(out: &mut String, key: &str, value: &str) {
    if !out.is_empty() {
        out.push('&');
    }
    encode_into(out, key);
    out.push('=');
    encode_into(out, value);
}

/// As the URL standard encodes forms: not `*-._`, and space is `+`.
fn encode_into(out: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            b'*' | b'-' | b'.' | b'_' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            _ => super::percent::push_triple(out, byte),
        }
    }
}

/// Reads a form as an object.
pub(crate) fn read(text: &str, deep: bool) -> Result<Node, WireError> {
    let mut fields: Vec<(String, Vec<(String, Node)>)> = Vec::new();
    for (name, value) in pairs(text) {
        let value = decode(value, true)
            .map_err(|_| WireError::new("is badly encoded").within(&name))?
            .into_owned();
        let base = name
            .split_once('[')
            .filter(|_| deep)
            .map_or(&*name, |(base, _)| base);
        let entry = (name.to_string(), Node::Field(value));
        match fields.iter_mut().find(|(known, _)| known == base) {
            Some((_, entries)) => entries.push(entry),
            None => fields.push((base.to_owned(), vec![entry])),
        }
    }
    let fields = fields.into_iter().map(|(base, entries)| {
        let value = if deep {
            nested(&base, entries)?
        } else {
            repeated(entries)
        };
        Ok((base, value))
    });
    fields.collect::<Result<_, _>>().map(Node::Object)
}

fn repeated(entries: Vec<(String, Node)>) -> Node {
    Node::Repeated(entries.into_iter().map(|(_, value)| value).collect())
}

fn nested(base: &str, entries: Vec<(String, Node)>) -> Result<Node, WireError> {
    let entries = entries
        .iter()
        .map(|(name, value)| (brackets(name, base).unwrap_or_default(), value.clone()))
        .collect();
    nest(entries, 0).map_err(|error| error.within(base))
}
