//! Signatures over the bytes of webhooks, for senders and receivers.

pub(crate) mod scheme;
pub(crate) mod secret;

pub use scheme::{SigningScheme, SigningSecrets};
pub use secret::InvalidSecret;

use super::mac::{Code, MacKey, is_same};
use http::HeaderName;
use std::fmt;
use zeroize::Zeroizing;

/// The header of [`SigningToken::sign`].
pub const TOKEN_SIGNATURE: HeaderName = HeaderName::from_static("x-token-signature");
/// The header of a JWT of the body in compact form (RFC 7515, section 7.1), signed with a published
/// key.
pub const SIGNATURE: HeaderName = HeaderName::from_static("x-signature");
/// The header of the id of the signing key.
pub const SIGNING_ID: HeaderName = HeaderName::from_static("x-signing-id");

/// A secret that sender and receiver share. `Debug` does not show it, and its text is wiped when
/// dropped.
///
/// ```
/// use bothends_runtime::signature::SigningToken;
///
/// let token = SigningToken::new("correct horse battery staple, twice")?;
/// let signature = token.sign(b"{}");
/// assert_eq!(signature.len(), 64);
/// assert!(token.verify(b"{}", &signature));
/// assert!(!token.verify(b"{ }", &signature));
/// # Ok::<(), bothends_runtime::signature::InvalidToken>(())
/// ```
#[derive(Clone)]
pub struct SigningToken {
    text: Zeroizing<String>,
    keyed: MacKey,
}

impl SigningToken {
    /// Creates a token from its text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is empty.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidToken> {
        Self::longer_than(text, 0)
    }

    /// Creates a token from its text, which must be longer than `characters`, as a document
    /// requires.
    ///
    /// # Errors
    ///
    /// Returns an error if the text has `characters` characters or fewer, or is empty.
    pub fn longer_than(text: impl Into<String>, characters: usize) -> Result<Self, InvalidToken> {
        let text = Zeroizing::new(text.into());
        let invalid = InvalidToken {
            longer_than: characters,
        };
        if text.chars().count() <= characters {
            return Err(invalid);
        }
        let keyed = MacKey::new(text.as_bytes());
        Ok(Self { text, keyed })
    }

    /// Returns the HMAC-SHA256 of these bytes, in lower-case hexadecimal.
    pub fn sign(&self, body: &[u8]) -> String {
        hex::encode(self.keyed.code(&[body]))
    }

    /// Verifies a signature of these bytes, in constant time. Upper-case digits are wrong: the rule
    /// is lower-case hexadecimal.
    pub fn verify(&self, body: &[u8], signature: &str) -> bool {
        decode(signature).is_some_and(|bytes| self.made(body, &bytes))
    }

    /// Verifies the raw bytes of a signature.
    pub(crate) fn made(&self, body: &[u8], signature: &Code) -> bool {
        is_same(&self.keyed.code(&[body]), signature)
    }

    /// Returns the text of the token, for storing it.
    pub fn expose(&self) -> &str {
        &self.text
    }
}

/// Decodes a signature in lower-case hexadecimal.
pub(crate) fn decode(signature: &str) -> Option<Code> {
    let mut bytes = [0; 32];
    if signature.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    hex::decode_to_slice(signature, &mut bytes).ok()?;
    Some(bytes)
}

/// Compares the texts of two tokens. Use this for tests and settings only, and not for input of
/// callers: the comparison is not in constant time.
impl PartialEq for SigningToken {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for SigningToken {}

impl fmt::Debug for SigningToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningToken(…)")
    }
}

/// The error of a missing or too short token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidToken {
    longer_than: usize,
}

impl InvalidToken {
    /// Creates the error of a missing token.
    #[cfg(feature = "receiver")]
    pub(crate) const fn missing(longer_than: usize) -> Self {
        Self { longer_than }
    }
}

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.longer_than {
            0 => f.write_str("the signing token is missing or empty"),
            characters => write!(
                f,
                "the signing token is not longer than {characters} characters"
            ),
        }
    }
}

impl std::error::Error for InvalidToken {}
