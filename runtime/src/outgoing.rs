//! Webhooks as they are handed to whoever delivers them.

use crate::{EncodeError, Operation, RequestEncoder};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue};

/// One webhook, ready to be delivered: the bytes that are signed, sent and logged.
///
/// Signatures belong to each delivery, so their parameters are left empty in what this is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The name of the webhook in the document.
    pub kind: &'static str,
    /// Where it is sent, where the caller of an operation has said so (a callback); a webhook is sent
    /// to whoever has subscribed.
    pub url: Option<String>,
    /// The HTTP method of the call.
    pub method: &'static str,
    /// Its headers, but for the media type.
    pub headers: HeaderMap,
    /// The media type of the body, where there is one.
    pub content_type: Option<HeaderValue>,
    /// The body.
    pub body: Bytes,
}

impl Outgoing {
    /// From the request of a webhook of generated code.
    ///
    /// # Errors
    ///
    /// When it cannot be written: a header that holds a line break, for example.
    pub fn new<O: Operation>(webhook: &O) -> Result<Self, EncodeError> {
        let mut encoder = RequestEncoder::new(O::META);
        webhook.encode(&mut encoder);
        let written = encoder.finish()?;
        let (content_type, body) = match written.body {
            Some((content_type, body)) => (Some(content_type), body),
            None => (None, Bytes::new()),
        };
        Ok(Self {
            kind: O::META.id,
            url: None,
            method: O::META.method,
            headers: written.headers,
            content_type,
            body,
        })
    }

    /// Sends it to this URL: that of a callback, from the constant which generated code has for it
    /// (`webhook::CallbackUrl`).
    #[must_use]
    pub fn to(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }
}
