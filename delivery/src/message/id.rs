//! Message ids, kept exactly as given or rejected.

use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

/// The maximum length of an id, in characters. Receivers limit the total size of headers, often to
/// 8 KiB.
const LONGEST: usize = 256;

/// The id of a message, unique among the messages of its owner. Receivers use the id to detect
/// duplicates. Retries and replays send the same id.
///
/// The id is sent unchanged as the value of the `Webhook-Id` header. Valid ids have 1 to 256
/// characters, which are visible ASCII characters and spaces, and neither start nor end with a
/// space.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(String);

impl MessageId {
    /// Creates a new unique id.
    pub fn unique() -> Self {
        Self(Uuid::now_v7().to_string())
    }

    /// Creates an id from a string.
    ///
    /// ```
    /// # use bothends_delivery::MessageId;
    /// assert_eq!(MessageId::new("order 1 2").unwrap().as_str(), "order 1 2");
    /// assert!(MessageId::new("заказ-7").is_err());
    /// ```
    ///
    /// # Errors
    /// Returns an error if the id is not a valid header value of 1 to 256 characters. Invalid
    /// characters are never removed.
    pub fn new(id: impl Into<String>) -> Result<Self, InvalidMessageId> {
        let id = id.into();
        let reason = if id.is_empty() {
            Reason::Empty
        } else if let Some(character) = id.chars().find(|c| !matches!(c, ' '..='~')) {
            Reason::Character(character)
        } else if id.starts_with(' ') || id.ends_with(' ') {
            Reason::Space
        } else if id.len() > LONGEST {
            Reason::Long(id.len())
        } else {
            return Ok(Self(id));
        };
        Err(InvalidMessageId { id, reason })
    }

    /// Creates an id from a stored string without validation: before version 2 of the schema,
    /// stores accepted longer ids and an empty id.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) const fn stored(id: String) -> Self {
        Self(id)
    }

    /// Returns the id as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for MessageId {
    type Err = InvalidMessageId;

    fn from_str(id: &str) -> Result<Self, InvalidMessageId> {
        Self::new(id)
    }
}

impl TryFrom<&str> for MessageId {
    type Error = InvalidMessageId;

    fn try_from(id: &str) -> Result<Self, InvalidMessageId> {
        Self::new(id)
    }
}

impl TryFrom<String> for MessageId {
    type Error = InvalidMessageId;

    fn try_from(id: String) -> Result<Self, InvalidMessageId> {
        Self::new(id)
    }
}

impl From<Uuid> for MessageId {
    fn from(id: Uuid) -> Self {
        Self(id.to_string())
    }
}

impl AsRef<str> for MessageId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An error for an id that cannot be sent unchanged in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidMessageId {
    id: String,
    reason: Reason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    Empty,
    Character(char),
    Space,
    Long(usize),
}

impl fmt::Display for InvalidMessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, reason } = self;
        match reason {
            Reason::Empty => return f.write_str("a message id cannot be empty"),
            Reason::Long(length) => {
                return write!(
                    f,
                    "a message id has at most {LONGEST} characters, and this one has {length}; \
                     send a hash of it instead"
                );
            }
            Reason::Character(character) => write!(
                f,
                "the message id {id:?} contains {character:?}, and the header `Webhook-Id` can only \
                 carry visible ASCII characters and spaces"
            )?,
            Reason::Space => write!(
                f,
                "the message id {id:?} begins or ends with a space, which HTTP removes from the header \
                 `Webhook-Id`"
            )?,
        }
        f.write_str("; percent-encode it, or use a UUID")
    }
}

impl std::error::Error for InvalidMessageId {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_kept_exactly_or_rejected() {
        for kept in [
            "evt-1",
            "order 1 2",
            "order 12",
            "a",
            "{\"a\":1}",
            "~!",
            &"x".repeat(256),
        ] {
            assert_eq!(MessageId::new(kept).unwrap().as_str(), kept);
            let value = http::HeaderValue::from_str(kept).unwrap();
            assert_eq!(value.to_str().unwrap(), kept, "it is a value of a header");
        }
        let reasons = [
            ("заказ-7", "contains 'з'"),
            ("товар-7", "contains 'т'"),
            ("a\nb", "contains '\\n'"),
            ("a\tb", "contains '\\t'"),
            ("a\u{7f}", "contains '\\u{7f}'"),
            (" a", "begins or ends with a space"),
            ("a ", "begins or ends with a space"),
            ("", "cannot be empty"),
            (&"x".repeat(257), "this one has 257"),
        ];
        for (rejected, reason) in reasons {
            let error = MessageId::new(rejected).unwrap_err().to_string();
            assert!(error.contains(reason), "{rejected:?}: {error}");
        }
    }
}
