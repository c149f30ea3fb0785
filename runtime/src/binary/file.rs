//! Files: bytes with a name and a type.

use crate::stream::ByteStream;
use crate::wire::media;
use bytes::Bytes;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde::ser::{self, Serialize, SerializeTuple, Serializer};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};

/// Under this name a format is told that a file comes: see [`Binary`].
pub(crate) const FILE: &str = "$bothends::File";

/// Bytes as they are (`format: binary`): a part of a multipart body.
///
/// In JSON, which has no bytes, it is a string, and bytes that are not UTF-8 are refused.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Binary {
    /// The bytes.
    pub data: Bytes,
    /// The name of the file.
    pub name: Option<String>,
    /// The media type; `None` for the one that the document gives, or else
    /// `application/octet-stream`.
    pub content_type: Option<String>,
    /// Further headers of the part.
    pub headers: Vec<(String, String)>,
    stream: Option<Source>,
}

/// A stream that is to be sent.
#[derive(Debug, Clone, PartialEq)]
struct Source(ByteStream);

impl Eq for Source {}

impl Hash for Source {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Binary {
    /// Bytes alone.
    pub fn new(data: impl Into<Bytes>) -> Self {
        Self {
            data: data.into(),
            ..Self::default()
        }
    }

    /// A file that a client sends as it is read, without holding all of it: with it, the body is
    /// sent in pieces and comes only once. Only a part of a multipart body can be one.
    pub fn streamed(stream: ByteStream) -> Self {
        let content_type = stream.content_type().map(str::to_owned);
        let file = match stream.bytes() {
            Some(bytes) => Self::new(bytes.clone()),
            None => Self {
                stream: Some(Source(stream)),
                ..Self::default()
            },
        };
        Self {
            content_type,
            ..file
        }
    }

    /// With the name of a file.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self {
            name: Some(name.into()),
            ..self
        }
    }

    /// With a media type.
    #[must_use]
    pub fn of_type(self, content_type: impl Into<String>) -> Self {
        Self {
            content_type: Some(content_type.into()),
            ..self
        }
    }

    /// With a further header of its part.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn is_json(&self) -> bool {
        self.content_type.as_deref().is_some_and(media::is_json)
    }

    /// What it is sent from, when its bytes are not there.
    pub(crate) fn stream(&self) -> Option<&ByteStream> {
        self.stream.as_ref().map(|source| &source.0)
    }
}

impl From<Bytes> for Binary {
    fn from(data: Bytes) -> Self {
        Self::new(data)
    }
}

impl From<Vec<u8>> for Binary {
    fn from(data: Vec<u8>) -> Self {
        Self::new(data)
    }
}

/// A file on its way between a value and our own tree of it: serde could only pass on a copy of its
/// bytes, and no stream at all.
enum Hand {
    Empty,
    /// Whoever serializes can take a file.
    Open,
    Full(Box<Binary>),
}

thread_local! {
    static HAND: RefCell<Hand> = const { RefCell::new(Hand::Empty) };
}

/// The file that a value is, and what `serialize` comes to.
pub(crate) fn sent<T>(serialize: impl FnOnce() -> T) -> (Option<Box<Binary>>, T) {
    let before = HAND.replace(Hand::Open);
    let done = serialize();
    match HAND.replace(before) {
        Hand::Full(file) => (Some(file), done),
        Hand::Empty | Hand::Open => (None, done),
    }
}

/// What `deserialize` comes to, with a file there to be taken.
pub(crate) fn received<T>(file: Box<Binary>, deserialize: impl FnOnce() -> T) -> T {
    let before = HAND.replace(Hand::Full(file));
    let done = deserialize();
    HAND.replace(before);
    done
}

impl Serialize for Binary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(FILE, &Inner(self))
    }
}

/// What is in a file: itself for our own tree, a string or its parts for any other format.
struct Inner<'a>(&'a Binary);

impl Serialize for Inner<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_open = HAND.with_borrow(|hand| matches!(hand, Hand::Open));
        if is_open {
            HAND.set(Hand::Full(Box::new(self.0.clone())));
            return serializer.serialize_unit();
        }
        if self.0.stream.is_some() {
            let why = "a stream can only be a part of a multipart body";
            return Err(ser::Error::custom(why));
        }
        if serializer.is_human_readable() {
            let text = std::str::from_utf8(&self.0.data)
                .map_err(|_| ser::Error::custom("bytes that are not UTF-8 are no string"))?;
            return serializer.serialize_str(text);
        }
        let mut parts = serializer.serialize_tuple(3)?;
        parts.serialize_element(&self.0.name)?;
        parts.serialize_element(&self.0.content_type)?;
        parts.serialize_element(&self.0.data)?;
        parts.end()
    }
}

impl<'de> Deserialize<'de> for Binary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(FILE, BinaryVisitor)
    }
}

struct BinaryVisitor;

impl<'de> Visitor<'de> for BinaryVisitor {
    type Value = Binary;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a string")
    }

    fn visit_unit<E: Error>(self) -> Result<Binary, E> {
        match HAND.replace(Hand::Empty) {
            Hand::Full(file) => Ok(*file),
            Hand::Empty | Hand::Open => Err(E::invalid_type(Unexpected::Unit, &self)),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Binary, D::Error> {
        String::deserialize(inner).map(|text| Binary::new(text.into_bytes()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Binary, E> {
        Ok(Binary::new(text.as_bytes().to_vec()))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Binary, E> {
        Ok(Binary::new(bytes.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Binary, A::Error> {
        let name = parts.next_element()?.flatten();
        let content_type = parts.next_element()?.flatten();
        let data = parts.next_element()?.unwrap_or_default();
        Ok(Binary {
            data,
            name,
            content_type,
            ..Binary::default()
        })
    }
}
