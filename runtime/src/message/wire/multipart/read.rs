//! Parsing of a multipart body into parts, which share its memory.

use super::{OCTETS, find, name};
use crate::message::media;
use crate::message::wire::query::Pairs;
use crate::message::wire::{Part, form, part};
use crate::values::Binary;
use crate::values::{Node, WireError};
use bytes::Bytes;
use indexmap::IndexMap;

/// Parses a multipart body as an object; the parts share the memory of the body.
pub(crate) fn read(body: &Bytes, content_type: &str, parts: &[Part]) -> Result<Node, WireError> {
    let boundary = media::parameter(content_type, "boundary")
        .filter(|boundary| !boundary.is_empty())
        .ok_or_else(|| WireError::new("the type has no boundary"))?;
    let mut fields: IndexMap<String, Vec<Node>> = IndexMap::new();
    let opening = format!("--{boundary}");
    let between = format!("\r\n--{boundary}");
    let mut at = if body.starts_with(opening.as_bytes()) {
        opening.len()
    } else {
        // The text before the first boundary is ignored.
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
            // A part may end directly after the last line of its headers.
            .ok_or_else(truncated)?;
        let (name, node) = read_part(&body.slice(start..start + length), parts)?;
        fields.entry(name).or_default().push(node);
        at = start + length + between.len();
    }
    let mut styled: Vec<(String, String)> = Vec::new();
    let mut plain = Vec::new();
    for (name, nodes) in fields {
        if parts.iter().any(|part| part.has(&name)) {
            for node in nodes {
                let value = node.text().map_err(|error| error.within(&name))?;
                // A style is split at unencoded delimiters.
                styled.push((name.clone(), value.replace('%', "%25").replace('+', "%2B")));
            }
        } else {
            let node = match part::encoding_of(parts, &name) {
                Some(part) if part.is_whole() => whole(nodes),
                _ => Node::Repeated(nodes),
            };
            plain.push((name, node));
        }
    }
    let pairs = styled.iter();
    let pairs: Pairs<'_> = pairs
        .map(|(name, value)| (name.as_str().into(), value.as_str()))
        .collect();
    plain.extend(form::styled(&pairs, parts)?);
    Ok(Node::Object(plain))
}

/// Returns the list of a property that is one JSON text. A part for each item is read too, which
/// other versions of OpenAPI write.
fn whole(mut nodes: Vec<Node>) -> Node {
    match (nodes.pop(), nodes.is_empty()) {
        (Some(Node::File(file)), true) if file.data.trim_ascii_start().starts_with(b"[") => {
            Node::File(Box::new(file.with_content_type("application/json")))
        }
        (last, _) => {
            nodes.extend(last);
            Node::Repeated(nodes)
        }
    }
}

fn truncated() -> WireError {
    WireError::new("the parts do not end")
}

fn read_part(bytes: &Bytes, parts: &[Part]) -> Result<(String, Node), WireError> {
    let head_end = find(bytes, b"\r\n\r\n")
        .ok_or_else(|| WireError::new("a part without an end of its headers"))?;
    let head = std::str::from_utf8(bytes.get(..head_end).unwrap_or_default())
        .map_err(|_| WireError::new("the headers of a part are not UTF-8"))?;
    let mut part_name = None;
    let mut file = Binary::new(bytes.slice(head_end + 4..));
    for line in head.split("\r\n") {
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        if key.eq_ignore_ascii_case("content-disposition") {
            let mut further = None;
            for (key, value) in media::parameters(value.split_once(';').map_or("", |split| split.1))
            {
                match key {
                    "name" => part_name = Some(name::unescaped(&value)),
                    "filename" => file.name = Some(name::unescaped(&value)),
                    "filename*" => further = name::extended(&value),
                    _ => {}
                }
            }
            file.name = file.name.or(further);
        } else if key.eq_ignore_ascii_case("content-type") {
            file.content_type = Some(value.to_owned());
        } else {
            file.headers.push((key.to_owned(), value.to_owned()));
        }
    }
    let part_name = part_name.ok_or_else(|| WireError::new("a part without a name"))?;
    let stated = part::encoding_of(parts, &part_name).and_then(Part::first);
    // The default media type is dropped. JSON has to be marked, because it is parsed.
    let stated = stated.unwrap_or(OCTETS);
    file.content_type = file
        .content_type
        .filter(|own| media::is_json(own) || !own.eq_ignore_ascii_case(stated));
    Ok((part_name, Node::File(Box::new(file))))
}
