//! Messages to deliver.

mod id;

pub use id::{InvalidMessageId, MessageId};

use crate::Timestamp;
use crate::subscription::{InvalidHeader, check_header, is_reserved};
use bothends_runtime::OutgoingWebhook;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method};
use std::time::Duration;

/// The default media type of a message.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// An event with the bytes of its request body. The bytes are stored, signed and sent exactly as
/// enqueued, without being parsed.
///
/// With the feature `trace-context`, a message has the trace context of the span in which it is created,
/// and each attempt is linked to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The id of the message, unique among the messages of its owner. Retries and replays send the
    /// same id.
    pub id: MessageId,
    /// The owner of the event. Only subscriptions of this owner receive the message.
    pub owner: String,
    /// The kind of the event, such as `payment.success`.
    pub kind: String,
    /// The HTTP method of the request.
    pub method: Method,
    /// The body of the request.
    pub body: Bytes,
    /// The time of the first attempt.
    pub due: Due,
    pub(crate) headers: HeaderMap,
    /// The trace context of the span in which the message was created.
    pub(crate) trace: HeaderMap,
}

/// The time of a message's first attempt, if its subscription is active by then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Due {
    /// Immediately.
    #[default]
    Now,
    /// This long after the message is enqueued, by the store's clock. The clock of the enqueueing
    /// process is not used.
    After(Duration),
    /// At this time or later, by the store's clock.
    At(Timestamp),
}

/// Converts a webhook of generated code, with its kind, method, headers, media type and body.
///
/// Headers that the sender sets itself (see [`Message::header`]) are removed, because each delivery
/// is signed on its own. A webhook without a body has no `Content-Type`.
impl From<OutgoingWebhook> for Message {
    fn from(webhook: OutgoingWebhook) -> Self {
        let mut headers = HeaderMap::new();
        for (name, value) in &webhook.headers {
            if !is_reserved(name) {
                headers.append(name.clone(), value.clone());
            }
        }
        if let Some(content_type) = webhook.content_type {
            headers.insert(CONTENT_TYPE, content_type);
        }
        Self {
            // Method names of OpenAPI documents are tokens, so HTTP accepts them.
            method: Method::from_bytes(webhook.method.as_bytes()).unwrap_or(Method::POST),
            headers,
            ..Self::new(webhook.kind, webhook.body)
        }
    }
}

impl Message {
    /// Creates a message with a new unique id, for subscriptions without an owner. The message is
    /// sent with `POST` as `application/json`, immediately.
    pub fn new(kind: impl Into<String>, body: impl Into<Bytes>) -> Self {
        Self {
            id: MessageId::unique(),
            owner: String::new(),
            kind: kind.into(),
            method: Method::POST,
            body: body.into(),
            due: Due::Now,
            headers: HeaderMap::from_iter([(CONTENT_TYPE, JSON)]),
            trace: crate::trace::current(),
        }
    }

    /// Sets the id of the message. Enqueueing a second message with the same id and owner has no
    /// effect.
    ///
    /// ```
    /// # use bothends_delivery::{InvalidMessageId, Message, MessageId};
    /// let message = Message::new("payment.success", "{}").id(MessageId::new("payment 7")?);
    /// # Ok::<_, InvalidMessageId>(())
    /// ```
    #[must_use]
    pub fn id(self, id: MessageId) -> Self {
        Self { id, ..self }
    }

    /// Sets the owner, whose subscriptions receive the message.
    #[must_use]
    pub fn owner(self, owner: impl Into<String>) -> Self {
        Self {
            owner: owner.into(),
            ..self
        }
    }

    /// Sets the HTTP method.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// Sets the media type. `None` removes the `Content-Type` header.
    #[must_use]
    pub fn content_type(mut self, content_type: impl Into<Option<HeaderValue>>) -> Self {
        match content_type.into() {
            Some(content_type) => self.headers.insert(CONTENT_TYPE, content_type),
            None => self.headers.remove(CONTENT_TYPE),
        };
        self
    }

    /// Adds a header. A header of the same name in the subscription takes precedence.
    ///
    /// # Errors
    /// Returns an error if the name or the value is malformed, or if the sender sets the header
    /// itself. These are the headers that frame the request (`Host`, `Content-Length`, `Connection`
    /// and the like), the signature headers, `Webhook-Id`, `Webhook-Attempt`, and `Content-Type`,
    /// which has [its own method](Self::content_type).
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, InvalidHeader> {
        let (name, value) = check_header(name, value)?;
        self.headers.append(name, value);
        Ok(self)
    }

    /// Returns the headers of the message, including `Content-Type`.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Sets the earliest time of the first attempt, by the store's clock. For a time relative to
    /// now, use [`delay`](Self::delay), which does not depend on the clock of the caller.
    #[must_use]
    pub fn due(self, due: Timestamp) -> Self {
        Self {
            due: Due::At(due),
            ..self
        }
    }

    /// Sets the delay between enqueueing and the first attempt.
    #[must_use]
    pub fn delay(self, delay: Duration) -> Self {
        Self {
            due: Due::After(delay),
            ..self
        }
    }

    /// Returns `true` if a receiver could not distinguish the two messages: kind, method, headers
    /// and body are equal. The due times and the trace contexts are not compared.
    pub fn is_same_content(&self, other: &Self) -> bool {
        (&self.kind, &self.method, &self.headers, &self.body)
            == (&other.kind, &other.method, &other.headers, &other.body)
    }

    /// Returns the due time of the message if enqueued at `now`.
    #[cfg(feature = "sqlite")]
    pub(crate) fn due_from(&self, now: Timestamp) -> Timestamp {
        match self.due {
            Due::Now => now,
            Due::After(delay) => now.after(delay),
            Due::At(date) => date.max(now),
        }
    }
}

/// Returns the stored form of the headers, or `None` for the default headers, which most messages
/// have.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn headers_to_json(headers: &HeaderMap) -> Option<String> {
    if headers.len() == 1 && headers.get(CONTENT_TYPE) == Some(&JSON) {
        return None;
    }
    Some(to_json(headers))
}

/// Returns the stored form of a trace context, or `None` if it is empty.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn trace_to_json(trace: &HeaderMap) -> Option<String> {
    (!trace.is_empty()).then(|| to_json(trace))
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
fn to_json(headers: &HeaderMap) -> String {
    let all: Vec<(&str, &[u8])> = headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_bytes()))
        .collect();
    // Strings and bytes always serialize.
    serde_json::to_string(&all).unwrap_or_default()
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn headers_from_json(json: Option<&str>) -> Result<HeaderMap, String> {
    match json {
        Some(json) => from_json(json),
        None => Ok(HeaderMap::from_iter([(CONTENT_TYPE, JSON)])),
    }
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn trace_from_json(json: Option<&str>) -> Result<HeaderMap, String> {
    json.map_or_else(|| Ok(HeaderMap::new()), from_json)
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
fn from_json(json: &str) -> Result<HeaderMap, String> {
    let stored: Vec<(String, Vec<u8>)> =
        serde_json::from_str(json).map_err(|error| error.to_string())?;
    let mut headers = HeaderMap::new();
    for (name, value) in stored {
        let name: http::HeaderName = name.parse().map_err(|_| "a header's name".to_owned())?;
        let value = HeaderValue::from_bytes(&value).map_err(|_| "a header's value".to_owned())?;
        headers.append(name, value);
    }
    Ok(headers)
}

/// Parses a stored method.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn method_from(text: &str) -> Result<Method, String> {
    Method::from_bytes(text.as_bytes()).map_err(|_| format!("the method `{text}`"))
}
