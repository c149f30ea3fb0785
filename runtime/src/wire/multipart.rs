//! Bodies of `multipart/form-data`, after RFC 7578.
//!
//! A property is a part under its name, a list one part for each item; an object is a part of
//! JSON. Files keep their name and type; one without a type is `application/octet-stream`, and one
//! without a name has none.

use super::{Node, WireError, header, media};
use crate::Binary;
use bytes::Bytes;

/// The type of a file of which nothing else is said (OpenAPI 3.0.3, 4.7.15.1).
const OCTETS: &str = "application/octet-stream";

/// A body, and the boundary between its parts.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) boundary: String,
    pub(crate) bytes: Vec<u8>,
}

/// A part before it is written.
struct Part<'a> {
    name: &'a str,
    file_name: Option<&'a str>,
    content_type: Option<&'a str>,
    data: Bytes,
}

/// Writes an object as parts.
pub(crate) fn write(node: &Node) -> Result<Written, WireError> {
    let mut parts = Vec::new();
    match node {
        Node::Null => {}
        Node::Object(fields) => {
            for (name, value) in fields {
                let items = match value {
                    Node::Null => &[],
                    Node::List(items) => items.as_slice(),
                    one => std::slice::from_ref(one),
                };
                for item in items {
                    parts.push(part(name, item).map_err(|error| error.within(name))?);
                }
            }
        }
        _ => return Err(WireError::new("only an object can have parts")),
    }
    let boundary = boundary(&parts);
    let mut bytes = Vec::new();
    for part in &parts {
        write_part(&mut bytes, &boundary, part).map_err(|error| error.within(part.name))?;
    }
    bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok(Written { boundary, bytes })
}

fn part<'a>(name: &'a str, node: &'a Node) -> Result<Part<'a>, WireError> {
    Ok(match node {
        Node::File(file) => Part {
            name,
            file_name: file.name.as_deref(),
            content_type: Some(file.content_type.as_deref().unwrap_or(OCTETS)),
            data: file.data.clone(),
        },
        Node::Object(_) | Node::List(_) => Part {
            name,
            file_name: None,
            content_type: Some("application/json"),
            data: Bytes::from(node.json()?),
        },
        scalar => Part {
            name,
            file_name: None,
            content_type: None,
            data: Bytes::from(scalar.text()?),
        },
    })
}

fn write_part(out: &mut Vec<u8>, boundary: &str, part: &Part<'_>) -> Result<(), WireError> {
    let mut head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"",
        escaped(part.name)
    );
    if let Some(name) = part.file_name {
        head.push_str(&format!("; filename=\"{}\"", escaped(name)));
    }
    head.push_str("\r\n");
    if let Some(content_type) = part.content_type {
        header::value("content-type", content_type)
            .map_err(|error| WireError::new(error.message()))?;
        head.push_str(&format!("Content-Type: {content_type}\r\n"));
    }
    head.push_str("\r\n");
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(&part.data);
    out.extend_from_slice(b"\r\n");
    Ok(())
}

/// The marks that cannot be in a quoted name, and what they are there; a name that holds such a
/// triple itself has its `%` written as one too.
const ESCAPES: [(char, &str); 5] = [
    ('"', "22"),
    ('\r', "0D"),
    ('\n', "0A"),
    ('\\', "5C"),
    ('%', "25"),
];

fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (at, of) in name.char_indices() {
        let plain_percent = || {
            let digits = name.get(at + 1..at + 3);
            !ESCAPES
                .iter()
                .any(|(_, triple)| digits.is_some_and(|of| of.eq_ignore_ascii_case(triple)))
        };
        match ESCAPES.iter().find(|(mark, _)| *mark == of) {
            Some(('%', _)) if plain_percent() => out.push('%'),
            Some((_, triple)) => {
                out.push('%');
                out.push_str(triple);
            }
            None => out.push(of),
        }
    }
    out
}

fn unescaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let digits = after.get(..2);
        let mark = ESCAPES
            .iter()
            .find(|(_, triple)| digits.is_some_and(|of| of.eq_ignore_ascii_case(triple)));
        match mark {
            Some((mark, _)) => {
                out.push(*mark);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                out.push('%');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// A boundary that is in none of the parts: the same parts always give the same one.
fn boundary(parts: &[Part<'_>]) -> String {
    (0_u64..)
        .map(|number| format!("bothends-{number:016x}"))
        .find(|boundary| {
            !parts
                .iter()
                .any(|part| find(&part.data, boundary.as_bytes()).is_some())
        })
        .unwrap_or_default()
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    // Looks for the first byte first, which is rare in most data.
    let first = *what.first()?;
    let mut from = 0;
    loop {
        let at = from + bytes.get(from..)?.iter().position(|byte| *byte == first)?;
        if bytes.get(at..)?.starts_with(what) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Reads parts as an object; the parts share the memory of the body.
pub(crate) fn read(body: &Bytes, content_type: &str) -> Result<Node, WireError> {
    let boundary = media::parameter(content_type, "boundary")
        .filter(|boundary| !boundary.is_empty())
        .ok_or_else(|| WireError::new("the type has no boundary"))?;
    let mut fields: Vec<(String, Vec<Node>)> = Vec::new();
    let opening = format!("--{boundary}");
    let between = format!("\r\n--{boundary}");
    let mut at = if body.starts_with(opening.as_bytes()) {
        opening.len()
    } else {
        // What comes before the first boundary is to be ignored.
        find(body, between.as_bytes()).ok_or_else(truncated)? + between.len()
    };
    loop {
        let rest = body.slice(at..);
        if rest.starts_with(b"--") {
            break;
        }
        let line_end = find(&rest, b"\r\n").ok_or_else(truncated)?;
        let start = at + line_end + 2;
        let length = find(body.get(start..).unwrap_or_default(), between.as_bytes())
            // A part may be empty down to its headers' last line.
            .ok_or_else(truncated)?;
        let (name, node) = read_part(&body.slice(start..start + length))?;
        match fields.iter_mut().find(|(known, _)| *known == name) {
            Some((_, nodes)) => nodes.push(node),
            None => fields.push((name, vec![node])),
        }
        at = start + length + between.len();
    }
    Ok(Node::Object(
        fields
            .into_iter()
            .map(|(name, nodes)| (name, Node::Repeated(nodes)))
            .collect(),
    ))
}

fn truncated() -> WireError {
    WireError::new("the parts do not end")
}

fn read_part(part: &Bytes) -> Result<(String, Node), WireError> {
    let head_end = find(part, b"\r\n\r\n")
        .ok_or_else(|| WireError::new("a part without an end of its headers"))?;
    let head = std::str::from_utf8(part.get(..head_end).unwrap_or_default())
        .map_err(|_| WireError::new("the headers of a part are not UTF-8"))?;
    let mut name = None;
    let mut file = Binary::new(part.slice(head_end + 4..));
    for line in head.split("\r\n") {
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        if key.trim().eq_ignore_ascii_case("content-disposition") {
            for (key, value) in media::parameters(value.split_once(';').map_or("", |of| of.1)) {
                match key {
                    "name" => name = Some(unescaped(&value)),
                    "filename" => file.name = Some(unescaped(&value)),
                    _ => {}
                }
            }
        } else if key.trim().eq_ignore_ascii_case("content-type") {
            let media = value.trim();
            file.content_type = (media != OCTETS).then(|| media.to_owned());
        }
    }
    let name = name.ok_or_else(|| WireError::new("a part without a name"))?;
    Ok((name, Node::File(Box::new(file))))
}
