//! What is sent.

use crate::Timestamp;
use bothends_runtime::Outgoing;
use bytes::Bytes;
use std::fmt;
use uuid::Uuid;

/// Names a message, for receivers to tell a message that comes twice. It stays the same over
/// retries and replays.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(String);

impl MessageId {
    /// An id that nobody has had before.
    pub fn unique() -> Self {
        Self(Uuid::now_v7().to_string())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What can be sent as the value of a header; anything else is left out of the id.
impl<T: AsRef<str>> From<T> for MessageId {
    fn from(id: T) -> Self {
        Self(id.as_ref().chars().filter(char::is_ascii_graphic).collect())
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One event, with the bytes that tell of it. The bytes are never looked into: what is enqueued is
/// what is signed, sent and kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Stays the same over retries and replays.
    pub id: MessageId,
    /// Whose event it is: only subscriptions of this owner receive it.
    pub owner: String,
    /// The kind of the event, such as `payment.success`.
    pub kind: String,
    /// The body of the request.
    pub body: Bytes,
    /// Not sent before this time.
    pub due: Option<Timestamp>,
}

/// A webhook of generated code: its kind and its bytes. Headers belong to the subscription and to the
/// signature, so those of the webhook are not taken.
impl From<Outgoing> for Message {
    fn from(webhook: Outgoing) -> Self {
        Self::new(webhook.kind, webhook.body)
    }
}

impl Message {
    /// A message with an id of its own, for subscriptions that have no owner.
    pub fn new(kind: impl Into<String>, body: impl Into<Bytes>) -> Self {
        Self {
            id: MessageId::unique(),
            owner: String::new(),
            kind: kind.into(),
            body: body.into(),
            due: None,
        }
    }

    /// With an id that is known already. Enqueued a second time, it does nothing.
    #[must_use]
    pub fn id(self, id: impl Into<MessageId>) -> Self {
        Self {
            id: id.into(),
            ..self
        }
    }

    /// For the subscriptions of this owner.
    #[must_use]
    pub fn owner(self, owner: impl Into<String>) -> Self {
        Self {
            owner: owner.into(),
            ..self
        }
    }

    /// Not sent before this time.
    #[must_use]
    pub fn due(self, due: Timestamp) -> Self {
        Self {
            due: Some(due),
            ..self
        }
    }
}
