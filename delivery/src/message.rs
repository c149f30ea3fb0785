//! What is sent.

mod id;

pub use id::{InvalidMessageId, MessageId};

use crate::Timestamp;
use crate::subscription::{InvalidHeader, check_header, is_reserved};
use bothends_runtime::Outgoing;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method};
use std::time::Duration;

/// The media type of a message that does not state one.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// One event, with the bytes that tell of it. The bytes are never looked into: what is enqueued is
/// what is signed, sent and kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Stays the same over retries and replays. Unique within the owner's messages.
    pub id: MessageId,
    /// Whose event it is: only subscriptions of this owner receive it.
    pub owner: String,
    /// The kind of the event, such as `payment.success`.
    pub kind: String,
    /// The HTTP method of the request.
    pub method: Method,
    /// The body of the request.
    pub body: Bytes,
    /// When it is sent first.
    pub due: Due,
    pub(crate) headers: HeaderMap,
}

/// When a message is sent first, if its subscription is active by then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Due {
    /// As soon as it is enqueued.
    #[default]
    Now,
    /// This long after it is enqueued, by the clock of the store. The clock of the process that
    /// enqueues it has no influence.
    After(Duration),
    /// Not before this date, by the clock of the store.
    At(Timestamp),
}

/// A webhook of generated code: its kind, method, headers, media type and bytes.
///
/// Headers that the sender sets itself ([`Message::header`] lists them) are left out: signatures belong
/// to each delivery. A webhook without a body has no `Content-Type`.
impl From<Outgoing> for Message {
    fn from(webhook: Outgoing) -> Self {
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
            // Methods of documents are tokens, as those of HTTP are.
            method: Method::from_bytes(webhook.method.as_bytes()).unwrap_or(Method::POST),
            headers,
            ..Self::new(webhook.kind, webhook.body)
        }
    }
}

impl Message {
    /// A message with an id of its own, for subscriptions that have no owner. It is sent by `POST` as
    /// `application/json`.
    pub fn new(kind: impl Into<String>, body: impl Into<Bytes>) -> Self {
        Self {
            id: MessageId::unique(),
            owner: String::new(),
            kind: kind.into(),
            method: Method::POST,
            body: body.into(),
            due: Due::Now,
            headers: HeaderMap::from_iter([(CONTENT_TYPE, JSON)]),
        }
    }

    /// With an id that is known already. Enqueued a second time for the same owner, it does nothing.
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

    /// For the subscriptions of this owner.
    #[must_use]
    pub fn owner(self, owner: impl Into<String>) -> Self {
        Self {
            owner: owner.into(),
            ..self
        }
    }

    /// Sent by this HTTP method.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// Sent with this media type; with `None`, without a `Content-Type`.
    #[must_use]
    pub fn content_type(mut self, content_type: impl Into<Option<HeaderValue>>) -> Self {
        match content_type.into() {
            Some(content_type) => self.headers.insert(CONTENT_TYPE, content_type),
            None => self.headers.remove(CONTENT_TYPE),
        };
        self
    }

    /// Sent with this header, unless the subscription has one of the same name.
    ///
    /// # Errors
    /// Returns an error if the name or the value is malformed, or if the sender sets the header itself:
    /// those that frame the request (`Host`, `Content-Length`, `Connection` and the like), those of
    /// signatures, `Webhook-Id`, `Webhook-Attempt`, and `Content-Type`, which has
    /// [a method of its own](Self::content_type).
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, InvalidHeader> {
        let (name, value) = check_header(name, value)?;
        self.headers.append(name, value);
        Ok(self)
    }

    /// The headers of the message, the media type among them.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Not sent before this date, by the clock of the store. What is to be sent some time from now has
    /// a [delay](Self::delay) instead, which does not depend on any clock being right.
    #[must_use]
    pub fn due(self, due: Timestamp) -> Self {
        Self {
            due: Due::At(due),
            ..self
        }
    }

    /// Sent this long after it is enqueued.
    #[must_use]
    pub fn delay(self, delay: Duration) -> Self {
        Self {
            due: Due::After(delay),
            ..self
        }
    }

    /// Whether a receiver could not tell the two apart: kind, method, headers and body are the same.
    /// When they are sent does not count.
    pub fn is_same_content(&self, other: &Self) -> bool {
        (&self.kind, &self.method, &self.headers, &self.body)
            == (&other.kind, &other.method, &other.headers, &other.body)
    }

    /// When it is due, enqueued now.
    #[cfg(feature = "sqlite")]
    pub(crate) fn due_from(&self, now: Timestamp) -> Timestamp {
        match self.due {
            Due::Now => now,
            Due::After(delay) => now.after(delay),
            Due::At(date) => date.max(now),
        }
    }
}

/// Headers as a store keeps them; nothing for those that most messages have.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn headers_to_json(headers: &HeaderMap) -> Option<String> {
    if headers.len() == 1 && headers.get(CONTENT_TYPE) == Some(&JSON) {
        return None;
    }
    let all: Vec<(&str, &[u8])> = headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_bytes()))
        .collect();
    // Texts and bytes: there is nothing that JSON cannot say.
    Some(serde_json::to_string(&all).unwrap_or_default())
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn headers_from_json(json: Option<&str>) -> Result<HeaderMap, String> {
    let Some(json) = json else {
        return Ok(HeaderMap::from_iter([(CONTENT_TYPE, JSON)]));
    };
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

/// A method as it was stored.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) fn method_from(text: &str) -> Result<Method, String> {
    Method::from_bytes(text.as_bytes()).map_err(|_| format!("the method `{text}`"))
}
