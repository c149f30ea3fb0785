//! Signatures over the bytes of webhooks, as both ends make and check them.

use aws_lc_rs::hmac::{self, HMAC_SHA256};
use http::HeaderName;
use std::fmt;
use zeroize::Zeroizing;

/// Carries [`SigningToken::sign`].
pub const TOKEN_SIGNATURE: HeaderName = HeaderName::from_static("x-token-signature");
/// Carries a JWT of the body in compact form (RFC 7515 section 7.1), made with a published key.
pub const SIGNATURE: HeaderName = HeaderName::from_static("x-signature");
/// Carries the id of the key that signed.
pub const SIGNING_ID: HeaderName = HeaderName::from_static("x-signing-id");

/// A secret that sender and receiver share. It is not shown, and its text is wiped when dropped.
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
    keyed: hmac::Key,
}

impl SigningToken {
    /// This text as a token.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is empty.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidToken> {
        Self::longer_than(text, 0)
    }

    /// This text as a token, of a length that a document requires.
    ///
    /// # Errors
    ///
    /// Returns an error if the text does not have more characters than this, or is empty.
    pub fn longer_than(text: impl Into<String>, characters: usize) -> Result<Self, InvalidToken> {
        let text = Zeroizing::new(text.into());
        let invalid = InvalidToken {
            longer_than: characters,
        };
        if text.chars().count() <= characters {
            return Err(invalid);
        }
        // A key of any length will do (RFC 2104 section 2).
        let keyed = hmac::Key::new(HMAC_SHA256, text.as_bytes());
        Ok(Self { text, keyed })
    }

    /// HMAC-SHA256 of these bytes, in lower-case hexadecimal.
    pub fn sign(&self, body: &[u8]) -> String {
        hex::encode(hmac::sign(&self.keyed, body))
    }

    /// Whether this is the signature of these bytes. It takes as long for one that is almost right
    /// as for any other. Capital letters make it wrong: the rule is lower-case hexadecimal.
    pub fn verify(&self, body: &[u8], signature: &str) -> bool {
        decode(signature).is_some_and(|bytes| self.made(body, &bytes))
    }

    /// Whether these are the bytes of the signature of these.
    pub(crate) fn made(&self, body: &[u8], signature: &[u8; 32]) -> bool {
        hmac::verify(&self.keyed, body, signature).is_ok()
    }

    /// The secret itself, for whoever keeps it.
    pub fn expose(&self) -> &str {
        &self.text
    }
}

/// The bytes of a signature in lower-case hexadecimal.
pub(crate) fn decode(signature: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if signature.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    hex::decode_to_slice(signature, &mut bytes).ok()?;
    Some(bytes)
}

/// Two tokens are the same when their texts are. It is for tests and settings, not for what
/// strangers send: it does not take the same time for all.
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

/// There is no token, or one that is too short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidToken {
    longer_than: usize,
}

impl InvalidToken {
    /// Where there is none.
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
