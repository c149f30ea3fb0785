//! A response as it was received, in the error of a call.

use super::redact;
use crate::message::ResponseDecoder;
use crate::values::escaped::beginning;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use std::borrow::Cow;
use std::fmt;

/// Limit for the part of a body that the message of an error shows, in bytes.
const SHOWN: usize = 256;

/// An HTTP response as it was received.
///
/// `Debug` shows the names of the headers and the length of the body only: header values and the
/// body may contain secrets, such as a session or a token.
#[derive(Clone, PartialEq, Eq)]
pub struct RawResponse {
    /// The status code.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The first [`RawResponse::BODY_LIMIT`] bytes of the body. The body is empty if the document
    /// describes a stream: the error itself then contains the stream.
    pub body: Bytes,
    /// The id of the operation in the document.
    pub(super) operation: &'static str,
    /// The beginning of the body, without values of the request, for the message of an error.
    shown: String,
}

impl RawResponse {
    /// How much of a body an error contains: 64 KiB.
    pub const BODY_LIMIT: usize = 64 << 10;

    pub(super) fn new(
        operation: &'static str,
        status: StatusCode,
        headers: HeaderMap,
        body: Bytes,
    ) -> Box<Self> {
        let body = match body.get(..Self::BODY_LIMIT) {
            // A slice would keep the whole body in memory.
            Some(beginning) if beginning.len() < body.len() => Bytes::copy_from_slice(beginning),
            _ => body,
        };
        Box::new(Self {
            operation,
            status,
            headers,
            body,
            shown: String::new(),
        })
    }

    /// Returns the text that the message of an error shows. It may be empty.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// Lets messages show the beginning of the body, if it is text. Values that the request sent
    /// may be secrets that the server repeats; they are left out.
    pub(super) fn show(mut self: Box<Self>, sent: &[String]) -> Box<Self> {
        if let Some(text) = self.body_text() {
            let text = redact::without(text, sent);
            self.shown = beginning(&text, SHOWN);
        }
        self
    }

    fn body_text(&self) -> Option<&str> {
        // A character may be cut at the end of the kept bytes.
        match std::str::from_utf8(&self.body) {
            Ok(text) => Some(text),
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(self.body.get(..error.valid_up_to())?).ok()
            }
            Err(_) => None,
        }
    }

    /// Returns the status.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the headers.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Returns the beginning of the body: the first [`RawResponse::BODY_LIMIT`] bytes.
    pub const fn body(&self) -> &Bytes {
        &self.body
    }

    /// Returns the beginning of the body, and drops the rest of the response.
    pub fn into_inner(self) -> Bytes {
        self.body
    }

    /// Returns the headers and the beginning of the body.
    pub fn into_parts(self) -> (HeaderMap, Bytes) {
        (self.headers, self.body)
    }

    /// Returns the beginning of the body as text. Bytes that are not UTF-8 are replaced.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }

    /// Returns the id of the operation in the document.
    pub const fn operation(&self) -> &'static str {
        self.operation
    }

    pub(super) fn boxed(response: ResponseDecoder, operation: &'static str) -> Box<Self> {
        let (status, headers, body) = response.into_parts();
        Self::new(operation, status, headers, body)
    }
}

impl fmt::Debug for RawResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.keys().map(http::HeaderName::as_str).collect();
        f.debug_struct("RawResponse")
            .field("status", &self.status)
            .field("headers", &names)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}
