//! Bodies of raw bytes.

use crate::message::media;
use crate::values::BODY;
use crate::values::DecodeError;
use crate::values::{Base64, Binary};
use bytes::Bytes;

/// A type whose value is a whole body in bytes.
pub trait RawBody: Sized {
    /// Returns the bytes.
    fn bytes(&self) -> Bytes;

    /// Returns the media type, if the value has one that is more specific than the document's.
    fn content_type(&self) -> Option<&str> {
        None
    }

    /// Creates a value from the bytes and their media type.
    fn from_bytes(bytes: Bytes, content_type: Option<&str>) -> Result<Self, DecodeError>;
}

impl RawBody for Bytes {
    fn bytes(&self) -> Bytes {
        self.clone()
    }

    fn from_bytes(bytes: Bytes, _: Option<&str>) -> Result<Self, DecodeError> {
        Ok(bytes)
    }
}

impl RawBody for Vec<u8> {
    fn bytes(&self) -> Bytes {
        Bytes::copy_from_slice(self)
    }

    fn from_bytes(bytes: Bytes, _: Option<&str>) -> Result<Self, DecodeError> {
        Ok(bytes.into())
    }
}

impl RawBody for Binary {
    fn bytes(&self) -> Bytes {
        self.data.clone()
    }

    fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    fn from_bytes(bytes: Bytes, content_type: Option<&str>) -> Result<Self, DecodeError> {
        let file = Self::new(bytes);
        Ok(match content_type {
            Some(content_type) => file.with_content_type(content_type),
            None => file,
        })
    }
}

/// `format: byte` in a body of any media type: sent as JSON. What is received is Base64 in JSON or
/// text, or else the bytes themselves, which frameworks send for byte arrays whatever the media type.
impl RawBody for Base64 {
    fn bytes(&self) -> Bytes {
        Bytes::from(format!("\"{self}\""))
    }

    fn content_type(&self) -> Option<&str> {
        Some("application/json")
    }

    fn from_bytes(bytes: Bytes, content_type: Option<&str>) -> Result<Self, DecodeError> {
        let is_json = content_type.is_some_and(media::is_json);
        let text = std::str::from_utf8(&bytes).unwrap_or_default().trim();
        let quoted = || text.strip_prefix('"')?.strip_suffix('"');
        let encoded = match is_json {
            true => quoted(),
            false => {
                Some(text).filter(|_| content_type.is_some_and(|it| media::matches("text/*", it)))
            }
        };
        let decoded = encoded.and_then(|text| Self::parse_lenient(text).ok());
        Ok(decoded.unwrap_or_else(|| Self(bytes.into())))
    }
}

impl RawBody for String {
    fn bytes(&self) -> Bytes {
        Bytes::copy_from_slice(self.as_bytes())
    }

    fn from_bytes(bytes: Bytes, _: Option<&str>) -> Result<Self, DecodeError> {
        Self::from_utf8(bytes.into()).map_err(|_| DecodeError::new(BODY, "is not UTF-8"))
    }
}
