//! Files: bytes with a name and a media type.

use crate::values::read::{Ask, Builtin, Kind, State, Value, read};
use crate::values::syntax;
use crate::values::union::Outline;
use bytes::Bytes;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde::ser::{self, Serialize, SerializeTuple, Serializer};
use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The type name by which a serializer recognizes a file: see [`Binary`].
pub(crate) const FILE: &str = "$bothends::File";

/// Binary data (`format: binary`), such as a part of a multipart body.
///
/// JSON has no binary data: there, the value is a string, and bytes that are not UTF-8 cannot be
/// encoded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Binary {
    /// The bytes.
    pub data: Bytes,
    /// The name of the file.
    pub name: Option<String>,
    /// The media type; `None` for the one of the document, or else `application/octet-stream`.
    pub content_type: Option<String>,
    /// Additional headers of the part.
    pub headers: Vec<(String, String)>,
    stream: Option<Attached>,
}

/// A stream that is to be sent. Two of them are equal if they are the same.
#[derive(Clone)]
struct Attached(Arc<dyn Any + Send + Sync>);

impl fmt::Debug for Attached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}

impl PartialEq for Attached {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Attached {}

impl Hash for Attached {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Binary {
    /// Creates a value of bytes, without a name or a media type.
    pub fn new(data: impl Into<Bytes>) -> Self {
        Self {
            data: data.into(),
            ..Self::default()
        }
    }

    /// Attaches a stream, whose type only the layer of messages knows.
    pub(crate) fn attach(self, stream: Arc<dyn Any + Send + Sync>) -> Self {
        Self {
            stream: Some(Attached(stream)),
            ..self
        }
    }

    /// Returns the attached stream, if the bytes are not buffered.
    pub(crate) fn attached(&self) -> Option<&(dyn Any + Send + Sync)> {
        self.stream.as_ref().map(|attached| &*attached.0)
    }

    /// Sets the name of the file.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Self {
            name: Some(name.into()),
            ..self
        }
    }

    /// Sets the media type.
    #[must_use]
    pub fn with_content_type(self, content_type: impl Into<String>) -> Self {
        Self {
            content_type: Some(content_type.into()),
            ..self
        }
    }

    /// Adds a header to the part.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn is_json(&self) -> bool {
        self.content_type.as_deref().is_some_and(syntax::is_json)
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

/// A slot through which a file passes between a value and the crate's own tree: serde could pass on
/// only a copy of its bytes, and no stream.
enum Hand {
    Empty,
    /// The serializer accepts a file.
    Open,
    Full(Box<Binary>),
}

thread_local! {
    static HAND: RefCell<Hand> = const { RefCell::new(Hand::Empty) };
}

/// Runs `serialize`, and returns its result with the file that it has put into the slot.
pub(crate) fn sent<T>(serialize: impl FnOnce() -> T) -> (Option<Box<Binary>>, T) {
    let before = HAND.replace(Hand::Open);
    let done = serialize();
    match HAND.replace(before) {
        Hand::Full(file) => (Some(file), done),
        Hand::Empty | Hand::Open => (None, done),
    }
}

impl Serialize for Binary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(FILE, &Inner(self))
    }
}

/// The content of a file: the file itself for the crate's own tree, a string or its members for any
/// other format.
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

impl Value for Binary {
    type Kind = Builtin;
}

impl Kind<Binary> for Builtin {
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<Binary, D::Error> {
        state.ask(Ask::File);
        deserializer.deserialize_newtype_struct(FILE, BinaryVisitor(state))
    }

    fn outline() -> Outline {
        Outline::String
    }
}

impl<'de> Deserialize<'de> for Binary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer)
    }
}

struct BinaryVisitor<'s, 't>(&'s State<'t>);

impl<'de> Visitor<'de> for BinaryVisitor<'_, '_> {
    type Value = Binary;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_unit<E: Error>(self) -> Result<Binary, E> {
        match self.0.take_file() {
            Some(file) => Ok(*file),
            None => Err(E::invalid_type(Unexpected::Unit, &self)),
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
