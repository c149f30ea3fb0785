//! Bodies of raw bytes.

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

impl RawBody for Base64 {
    fn bytes(&self) -> Bytes {
        Bytes::from(self.to_string())
    }

    fn from_bytes(bytes: Bytes, _: Option<&str>) -> Result<Self, DecodeError> {
        let text =
            std::str::from_utf8(&bytes).map_err(|_| DecodeError::new(BODY, "is not UTF-8"))?;
        Self::parse(text).map_err(|error| DecodeError::new(BODY, error.to_string()))
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
