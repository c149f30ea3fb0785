//! OutgoingWebhook webhooks.

use crate::message::{Operation, RequestEncoder};
use crate::values::EncodeError;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue};

/// An encoded webhook, ready for delivery: the bytes that are signed, sent and logged.
///
/// Signatures belong to each delivery, so the request of the webhook has no signature parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingWebhook {
    /// The name of the webhook in the document.
    pub kind: &'static str,
    /// The URL of a callback, which the caller of an operation has provided; `None` for a webhook,
    /// which is sent to its subscribers.
    pub url: Option<String>,
    /// The HTTP method.
    pub method: &'static str,
    /// The headers, without the media type.
    pub headers: HeaderMap,
    /// The media type of the body, if there is one.
    pub content_type: Option<HeaderValue>,
    /// The body.
    pub body: Bytes,
}

impl OutgoingWebhook {
    /// Encodes the request of a webhook.
    ///
    /// # Errors
    ///
    /// Returns an error if the request cannot be encoded, for example if a header contains a line
    /// break.
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

    /// Sets the URL of a callback, from its constant in generated code (`webhook::CallbackUrl`).
    #[must_use]
    pub fn to(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }
}
