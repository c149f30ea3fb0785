//! Verification of the sender of webhooks.

use crate::ends::server::BoxFuture;
use crate::values::escaped::beginning;
use crate::values::short;
use http::{HeaderMap, HeaderName};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A verifier of webhooks: checks that a webhook was sent by the expected sender.
pub trait Verifier: Send + Sync {
    /// Verifies the headers and the body as received.
    ///
    /// # Errors
    ///
    /// Returns an error if the signature is missing or wrong, or if the keys to verify it are not
    /// available.
    fn verify<'a>(
        &'a self,
        headers: &'a HeaderMap,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<(), SignatureError>>;

    /// Returns the id of the message, if the signature covers one that stays the same over retries.
    /// [`Receiver::deduplicate`](super::Receiver::deduplicate) identifies events by it. It is called
    /// for verified webhooks only.
    fn message_id<'h>(&self, _headers: &'h HeaderMap) -> Option<&'h [u8]> {
        None
    }
}

impl<V: Verifier + ?Sized> Verifier for Arc<V> {
    fn verify<'a>(
        &'a self,
        headers: &'a HeaderMap,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<(), SignatureError>> {
        (**self).verify(headers, body)
    }

    fn message_id<'h>(&self, headers: &'h HeaderMap) -> Option<&'h [u8]> {
        (**self).message_id(headers)
    }
}

/// The reason why a webhook is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureError {
    /// A header with the signature, or one that is needed to verify it, is missing or repeated.
    Missing(HeaderName),
    /// The signature is wrong or malformed.
    Invalid(&'static str),
    /// The key id is unknown.
    UnknownKey(String),
    /// The key id is not in the cached keys, which were fetched too recently to be fetched again:
    /// the key may have been published since.
    KeyPending {
        /// The key id.
        id: String,
        /// The time until the keys may be fetched again.
        retry_after: Duration,
    },
    /// The keys could not be fetched: the signature may be valid.
    NoKeys(String),
}

impl SignatureError {
    /// Returns whether the same webhook may be accepted later.
    pub const fn is_retryable(&self) -> bool {
        matches!(self, Self::NoKeys(_) | Self::KeyPending { .. })
    }

    /// Returns the time after which a retry may succeed, if it is known.
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::KeyPending { retry_after, .. } => Some(*retry_after),
            _ => None,
        }
    }
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(header) => write!(f, "there is not one header `{header}`"),
            Self::Invalid(why) => write!(f, "the signature {why}"),
            Self::UnknownKey(id) => write!(f, "no key has the id `{}`", shown(id)),
            Self::KeyPending { id, .. } => write!(
                f,
                "no key has the id `{}`, and it is too early to get the keys again",
                shown(id)
            ),
            Self::NoKeys(error) => write!(f, "the keys could not be fetched: {error}"),
        }
    }
}

impl std::error::Error for SignatureError {}

/// Returns the beginning of a key id, which is as long as the sender likes.
fn shown(id: &str) -> String {
    beginning(id, short::NAME)
}

/// Returns the value of a header that must occur exactly once.
pub(super) fn only_value<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<&'h str, SignatureError> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(|value| value.to_str()), values.next()) {
        (Some(Ok(value)), None) => Ok(value),
        _ => Err(SignatureError::Missing(name.clone())),
    }
}

/// Returns the header name of a rule. The generator has checked the name; for an invalid one, the
/// default is used.
pub(super) fn header_of(name: &'static str, usual: HeaderName) -> HeaderName {
    HeaderName::from_bytes(name.as_bytes()).unwrap_or(usual)
}
