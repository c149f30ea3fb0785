//! Who may send webhooks.

use crate::server::BoxFuture;
use http::{HeaderMap, HeaderName};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Decides whether a webhook comes from who it should.
pub trait Verifier: Send + Sync {
    /// Looks at the headers and the body as they came.
    ///
    /// # Errors
    ///
    /// When there is no signature, a wrong one, or nothing to check it with.
    fn verify<'a>(
        &'a self,
        headers: &'a HeaderMap,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<(), SignatureError>>;
}

impl<V: Verifier + ?Sized> Verifier for Arc<V> {
    fn verify<'a>(
        &'a self,
        headers: &'a HeaderMap,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<(), SignatureError>> {
        (**self).verify(headers, body)
    }
}

/// Why a webhook is not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureError {
    /// A header that carries the signature, or says how to check it, is missing or comes twice.
    Missing(HeaderName),
    /// The signature is wrong, or is none.
    Invalid(&'static str),
    /// No key has this id.
    UnknownKey(String),
    /// No key that is known has this id, and the keys were got too recently to be got again: it may be
    /// one that was published since.
    KeyPending {
        /// The id.
        id: String,
        /// After how long the keys may be got again.
        retry_after: Duration,
    },
    /// The keys could not be got: it may be right all the same.
    NoKeys(String),
}

impl SignatureError {
    /// Whether the same webhook may be let in later.
    pub const fn is_retryable(&self) -> bool {
        matches!(self, Self::NoKeys(_) | Self::KeyPending { .. })
    }

    /// After how long that is worth a try, where it is known.
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
            Self::UnknownKey(id) => write!(f, "no key has the id `{}`", id.escape_debug()),
            Self::KeyPending { id, .. } => write!(
                f,
                "no key has the id `{}`, and it is too early to get the keys again",
                id.escape_debug()
            ),
            Self::NoKeys(error) => write!(f, "the keys could not be got: {error}"),
        }
    }
}

impl std::error::Error for SignatureError {}

/// The one value of a header.
pub(super) fn one<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<&'h str, SignatureError> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(|value| value.to_str()), values.next()) {
        (Some(Ok(value)), None) => Ok(value),
        _ => Err(SignatureError::Missing(name.clone())),
    }
}

/// The header of a rule. The generator has checked its name; for one that no header can have, the usual
/// one is left.
pub(super) fn header_of(name: &'static str, usual: HeaderName) -> HeaderName {
    HeaderName::from_bytes(name.as_bytes()).unwrap_or(usual)
}
