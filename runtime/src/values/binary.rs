//! Binary data: Base64 and files.

use crate::values::syntax;
use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytes::Bytes;
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Bytes that are Base64 on the wire (`format: byte`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Base64(pub Vec<u8>);

impl Base64 {
    /// Parses standard Base64 with padding.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not standard Base64 with padding.
    pub fn parse(text: &str) -> Result<Self, Base64Error> {
        STANDARD.decode(text).map(Self).map_err(|_| Base64Error)
    }

    /// Parses Base64 as services write it: standard or URL-safe (RFC 4648, sections 4 and 5), with
    /// or without padding, and with line breaks (RFC 2045, section 6.8).
    pub(crate) fn parse_lenient(text: &str) -> Result<Self, Base64Error> {
        Self::parse(text).or_else(|_| {
            let standard = |byte: u8| match byte {
                b'-' => b'+',
                b'_' => b'/',
                other => other,
            };
            let bytes = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
            let bytes: Vec<u8> = bytes.map(standard).collect();
            LENIENT.decode(bytes).map(Self).map_err(|_| Base64Error)
        })
    }

    /// Deserializes what a service has sent, or strictly what a caller has sent.
    pub(in crate::values) fn read<'de, D: Deserializer<'de>>(
        deserializer: D,
        is_strict: bool,
    ) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Base64Visitor { is_strict })
    }
}

/// Padding may be missing, and the bits after the last byte may have any value.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The error of a text that is not standard Base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Base64Error;

impl fmt::Display for Base64Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not base64")
    }
}

impl std::error::Error for Base64Error {}

impl fmt::Display for Base64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&STANDARD.encode(&self.0))
    }
}

impl std::str::FromStr for Base64 {
    type Err = Base64Error;

    fn from_str(text: &str) -> Result<Self, Base64Error> {
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
        Self::read(deserializer, true)
    }
}

struct Base64Visitor {
    is_strict: bool,
}

impl Visitor<'_> for Base64Visitor {
    type Value = Base64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("base64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Base64, E> {
        let parsed = match self.is_strict {
            true => Base64::parse(text),
            false => Base64::parse_lenient(text),
        };
        parsed.map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

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
    pub(in crate::values) stream: Option<Attached>,
}

/// A stream that is to be sent. Two of them are equal if they are the same.
#[derive(Clone)]
pub(in crate::values) struct Attached(Arc<dyn Any + Send + Sync>);

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
