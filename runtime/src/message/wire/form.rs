//! Bodies of `application/x-www-form-urlencoded`.
//!
//! A list repeats its name. A nested object is JSON text, or names in brackets if the document
//! states `deepObject`. The encoding of a single property takes precedence.

use crate::message::wire::brackets::{brackets, nest};
use crate::message::wire::percent::decode;
use crate::message::wire::query::{Pairs, pairs};
use crate::message::wire::{Part, part};
use crate::values::Binary;
use crate::values::{Node, WireError};
use indexmap::IndexMap;

/// Serializes an object as a form.
pub(crate) fn write(node: &Node, deep: bool, parts: &[Part]) -> Result<String, WireError> {
    let mut out = String::new();
    match node {
        Node::Null => {}
        Node::Object(fields) => {
            for (key, value) in fields {
                let part = part::encoding_of(parts, key);
                let written = match part.and_then(|part| part.expanded(value)) {
                    Some(pairs) => pairs.map(|pairs| push_encoded(&mut out, &pairs)),
                    None if part.is_some_and(Part::is_json) && *value != Node::Null => {
                        value.json().map(|json| push(&mut out, key, &json))
                    }
                    None => write_field(&mut out, key, value, deep),
                };
                written.map_err(|error| error.within(key))?;
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

fn push_encoded(out: &mut String, pairs: &[(String, String)]) {
    for (key, value) in pairs {
        if !out.is_empty() {
            out.push('&');
        }
        out.push_str(key);
        out.push('=');
        out.push_str(value);
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

/// Encodes a text as the URL standard does for forms: `*-._` are kept, and space is `+`.
fn encode_into(out: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            b'*' | b'-' | b'.' | b'_' => out.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            _ => crate::message::wire::percent::push_triple(out, byte),
        }
    }
}

/// Parses a form as an object.
pub(crate) fn read(text: &str, deep: bool, parts: &[Part]) -> Result<Node, WireError> {
    let pairs = pairs(text);
    let styled = styled(&pairs, parts)?;
    let mut fields: IndexMap<String, Vec<(String, Node)>> = IndexMap::new();
    let mut whole = Vec::new();
    for (name, value) in pairs {
        if parts.iter().any(|part| part.has(&name)) {
            continue;
        }
        let value = decode(value, true)
            .map_err(|_| WireError::new("is badly encoded").within(&name))?
            .into_owned();
        if part::encoding_of(parts, &name).is_some_and(Part::is_json) {
            let json = Binary::new(value.into_bytes()).with_content_type("application/json");
            whole.push((name.into_owned(), Node::File(Box::new(json))));
            continue;
        }
        let base = name
            .split_once('[')
            .filter(|_| deep)
            .map_or(&*name, |(base, _)| base);
        let entry = (name.to_string(), Node::Field(value));
        match fields.get_mut(base) {
            Some(entries) => entries.push(entry),
            None => drop(fields.insert(base.to_owned(), vec![entry])),
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
    let mut fields = fields.collect::<Result<Vec<_>, _>>()?;
    fields.extend(whole);
    fields.extend(styled);
    Ok(Node::Object(fields))
}

/// Parses the properties that have a style of their own.
pub(super) fn styled(pairs: &Pairs<'_>, parts: &[Part]) -> Result<Vec<(String, Node)>, WireError> {
    let read = parts.iter().filter_map(|part| {
        let node = part.gathered(pairs)?;
        let node = node.map_err(|error| error.within(part.name));
        Some(node.map(|node| (part.name.to_owned(), node)))
    });
    read.collect()
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
