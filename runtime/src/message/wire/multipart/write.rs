//! Serialization of parts: as bytes if all are buffered and short, or else as a body that sends each part
//! in turn, without a copy of it.

use super::{OCTETS, find, name};
use crate::message::media;
use crate::message::payload::{Body, BodyError};
use crate::message::stream::ByteStream;
use crate::message::wire::{Part, header, part, percent};
use crate::values::Binary;
use crate::values::{Node, WireError};
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::pin::Pin;
use std::task::{Context, Poll};

/// A body, and the boundary between its parts.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) boundary: String,
    pub(crate) body: Whole,
}

/// A multipart body.
#[derive(Debug)]
pub(crate) enum Whole {
    /// A short buffered body.
    Bytes(Bytes),
    /// A body that sends the parts in turn.
    Stream(Body),
}

/// A part before it is written.
struct Piece<'a> {
    name: &'a str,
    file: Option<&'a Binary>,
    content_type: Option<&'a str>,
    data: Data<'a>,
}

enum Data<'a> {
    Bytes(Bytes),
    Stream(&'a ByteStream),
}

impl Data<'_> {
    const fn is_stream(&self) -> bool {
        matches!(self, Self::Stream(_))
    }

    /// Returns the length of buffered data in bytes.
    const fn length(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Stream(_) => 0,
        }
    }
}

/// The most data, in bytes, that is copied into one buffer.
const COPIED: usize = 64 << 10;

/// Serializes an object as parts.
pub(crate) fn write(node: &Node, parts: &[Part]) -> Result<Written, WireError> {
    let mut styled: Vec<(String, String)> = Vec::new();
    let mut plain: Vec<(&str, &Node, Option<&Part>)> = Vec::new();
    match node {
        Node::Null => {}
        Node::Object(fields) => {
            for (name, value) in fields {
                let encoding = part::encoding_of(parts, name);
                match encoding.and_then(|part| Some((part, part.expanded(value)?))) {
                    Some((part, pairs)) => {
                        let pairs = pairs.and_then(|pairs| mistakable(part, pairs));
                        styled.extend(pairs.map_err(|error| error.within(name))?);
                    }
                    None => plain.push((name, value, encoding)),
                }
            }
        }
        _ => return Err(WireError::new("only an object can have parts")),
    }
    let styled: Vec<(String, String)> = styled.iter().map(decoded).collect();
    let mut pieces = Vec::new();
    for (name, value, encoding) in plain {
        let items = match value {
            Node::Null => &[],
            Node::List(items) if !encoding.is_some_and(Part::is_whole) => items.as_slice(),
            item => std::slice::from_ref(item),
        };
        for item in items {
            pieces.push(piece(name, item, encoding).map_err(|error| error.within(name))?);
        }
    }
    pieces.extend(styled.iter().map(|(name, value)| Piece {
        name,
        file: None,
        content_type: None,
        data: Data::Bytes(Bytes::copy_from_slice(value.as_bytes())),
    }));
    let length: usize = pieces.iter().map(|piece| piece.data.length()).sum();
    if length > COPIED || pieces.iter().any(|piece| piece.data.is_stream()) {
        in_turn(&pieces)
    } else {
        whole(&pieces, length)
    }
}

/// Returns an error for an item with a comma. A query encodes such a comma; in a part, it would
/// separate two items.
fn mistakable(
    part: &Part,
    pairs: Vec<(String, String)>,
) -> Result<Vec<(String, String)>, WireError> {
    let within = |(_, value): &(String, String)| value.contains("%2C");
    if part.has_commas() && pairs.iter().any(within) {
        let why = "',' in a value would be taken for what stands between values";
        return Err(WireError::new(why));
    }
    Ok(pairs)
}

/// Decodes a pair, because parts are not percent-encoded.
fn decoded((name, value): &(String, String)) -> (String, String) {
    let text = |text: &str| match percent::decode(text, false) {
        Ok(text) => text.into_owned(),
        Err(_) => text.to_owned(),
    };
    (text(name), text(value))
}

fn piece<'a>(
    name: &'a str,
    node: &'a Node,
    encoding: Option<&'a Part>,
) -> Result<Piece<'a>, WireError> {
    let stated = encoding.and_then(Part::first);
    Ok(match node {
        Node::File(file) => {
            let own = file.content_type.as_deref().or(stated).unwrap_or(OCTETS);
            Piece {
                name,
                file: Some(file),
                content_type: Some(own),
                data: match file.stream() {
                    Some(stream) => Data::Stream(stream),
                    None => Data::Bytes(file.data.clone()),
                },
            }
        }
        node if is_nested(node) && stated.is_some_and(media::is_xml) => {
            let why = format!(
                "is documented as {}, and an object is written as JSON only",
                stated.unwrap_or_default()
            );
            return Err(WireError::new(why));
        }
        node if encoding.is_some_and(Part::is_json) || is_nested(node) => Piece {
            name,
            file: None,
            content_type: Some(stated.unwrap_or("application/json")),
            data: Data::Bytes(Bytes::from(node.json()?)),
        },
        scalar => Piece {
            name,
            file: None,
            content_type: stated,
            data: Data::Bytes(Bytes::from(scalar.text()?)),
        },
    })
}

const fn is_nested(node: &Node) -> bool {
    matches!(node, Node::Object(_) | Node::List(_))
}

fn whole(pieces: &[Piece<'_>], length: usize) -> Result<Written, WireError> {
    let boundary = unused(pieces);
    let mut out = Vec::with_capacity(length + 256 * pieces.len());
    for piece in pieces {
        out.extend_from_slice(head(&boundary, piece)?.as_bytes());
        if let Data::Bytes(bytes) = &piece.data {
            out.extend_from_slice(bytes);
        }
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok(Written {
        boundary,
        body: Whole::Bytes(Bytes::from(out)),
    })
}

/// Writes a body that sends the parts in turn. They are not searched for the boundary, which is therefore random.
fn in_turn(pieces: &[Piece<'_>]) -> Result<Written, WireError> {
    let random = || RandomState::new().build_hasher().finish();
    let boundary = format!("bothends-{:016x}{:016x}", random(), random());
    let (mut chain, mut buffered) = (VecDeque::new(), Vec::new());
    for piece in pieces {
        buffered.push(Bytes::from(head(&boundary, piece)?));
        match outgoing(piece)? {
            Ok(bytes) => buffered.push(bytes),
            Err(stream) => {
                chain.push_back(Body::of_pieces(buffered.drain(..)));
                chain.push_back(stream);
            }
        }
        buffered.push(Bytes::from_static(b"\r\n"));
    }
    buffered.push(Bytes::from(format!("--{boundary}--\r\n")));
    let last = Body::of_pieces(buffered);
    // Buffered parts alone can be sent again.
    let body = if chain.is_empty() {
        last
    } else {
        chain.push_back(last);
        Body::new(Chain(chain))
    };
    Ok(Written {
        boundary,
        body: Whole::Stream(body),
    })
}

/// Returns the data of a part, buffered or streamed.
fn outgoing(piece: &Piece<'_>) -> Result<Result<Bytes, Body>, WireError> {
    match &piece.data {
        Data::Bytes(bytes) => Ok(Ok(bytes.clone())),
        Data::Stream(stream) => stream
            .outgoing()
            .map_err(|error| WireError::new(error.message().to_owned()).within(piece.name)),
    }
}

fn head(boundary: &str, piece: &Piece<'_>) -> Result<String, WireError> {
    let failed = |message: String| WireError::new(message).within(piece.name);
    let mut head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"",
        name::escaped(piece.name)
    );
    if let Some(file_name) = piece.file.and_then(|file| file.name.as_deref()) {
        head.push_str(&format!("; filename=\"{}\"", name::escaped(file_name)));
    }
    head.push_str("\r\n");
    if let Some(content_type) = piece.content_type {
        header::value("content-type", content_type)
            .map_err(|error| failed(error.message().to_owned()))?;
        head.push_str(&format!("Content-Type: {content_type}\r\n"));
    }
    for (key, value) in piece.file.iter().flat_map(|file| &file.headers) {
        http::HeaderName::from_bytes(key.as_bytes())
            .map_err(|_| failed(format!("{key:?} cannot be the name of a header")))?;
        header::value("header", value).map_err(|error| failed(error.message().to_owned()))?;
        head.push_str(&format!("{key}: {value}\r\n"));
    }
    head.push_str("\r\n");
    Ok(head)
}

/// Returns a boundary that no part contains. It depends only on the parts, so that the output is
/// deterministic.
fn unused(pieces: &[Piece<'_>]) -> String {
    let holds = |piece: &Piece<'_>, boundary: &str| match &piece.data {
        Data::Bytes(bytes) => find(bytes, boundary.as_bytes()).is_some(),
        Data::Stream(_) => false,
    };
    (0_u64..)
        .map(|number| format!("bothends-{number:016x}"))
        .find(|boundary| !pieces.iter().any(|piece| holds(piece, boundary)))
        .unwrap_or_default()
}

/// Consecutive bodies.
struct Chain(VecDeque<Body>);

impl HttpBody for Chain {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        while let Some(first) = self.0.front_mut() {
            match std::task::ready!(Pin::new(first).poll_frame(cx)) {
                // The trailers of one body do not apply to the whole.
                Some(Ok(frame)) if !frame.is_data() => {}
                Some(frame) => return Poll::Ready(Some(frame)),
                None => drop(self.0.pop_front()),
            }
        }
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        self.0.iter().all(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let exact: Option<u64> = self.0.iter().map(|body| body.size_hint().exact()).sum();
        exact.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
