//! Bytes in documents: base64, files.

use crate::wire::media;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde::ser::{self, Serialize, SerializeTuple, Serializer};
use std::fmt;

/// Bytes that are base64 on the wire (`format: byte`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Base64(pub Vec<u8>);

impl Base64 {
    /// Reads standard base64 with padding.
    pub fn parse(text: &str) -> Result<Self, NotBase64> {
        STANDARD.decode(text).map(Self).map_err(|_| NotBase64)
    }
}

/// A text is not standard base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotBase64;

impl fmt::Display for NotBase64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not base64")
    }
}

impl std::error::Error for NotBase64 {}

impl fmt::Display for Base64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&STANDARD.encode(&self.0))
    }
}

impl std::str::FromStr for Base64 {
    type Err = NotBase64;

    fn from_str(text: &str) -> Result<Self, NotBase64> {
        Self::parse(text)
    }
}

impl From<Vec<u8>> for Base64 {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<Base64> for Vec<u8> {
    fn from(bytes: Base64) -> Self {
        bytes.0
    }
}

impl std::ops::Deref for Base64 {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Base64 {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Base64Visitor)
    }
}

struct Base64Visitor;

impl Visitor<'_> for Base64Visitor {
    type Value = Base64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("base64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Base64, E> {
        Base64::parse(text).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// Under this name a format is told that a file comes: see [`Binary`].
pub(crate) const FILE: &str = "$bothends::File";

/// Bytes as they are (`format: binary`): a part of a multipart body, or a whole body.
///
/// In JSON, which has no bytes, it is a string, and bytes that are not UTF-8 are refused.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Binary {
    /// The bytes.
    pub data: Bytes,
    /// The name of the file.
    pub name: Option<String>,
    /// The media type.
    pub content_type: Option<String>,
}

impl Binary {
    /// Bytes alone.
    pub fn new(data: impl Into<Bytes>) -> Self {
        Self {
            data: data.into(),
            name: None,
            content_type: None,
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

    pub(crate) fn is_json(&self) -> bool {
        self.content_type.as_deref().is_some_and(media::is_json)
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

impl Serialize for Binary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(FILE, &Inner(self))
    }
}

/// What is in a file: its parts for a format that knows [`FILE`], a string for any other.
struct Inner<'a>(&'a Binary);

impl Serialize for Inner<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
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
        })
    }
}
