//! Signatures with a secret that both ends know.

use super::{SignatureError, Verifier, one};
use crate::server::BoxFuture;
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderMap;
use sha2::Sha256;
use std::fmt;

/// The header that carries the signature, unless another is named.
const HEADER: &str = "x-token-signature";
/// The longest token that is too short, in characters.
const TOO_SHORT: usize = 32;

/// HMAC-SHA256 of the body in lower-case hexadecimal, keyed with a token that both ends know.
///
/// Several tokens are good at once, so that one can be replaced by another without a gap.
///
/// ```
/// use bothends_runtime::http::HeaderMap;
/// use bothends_runtime::webhook::TokenSignature;
///
/// let tokens = TokenSignature::new(["correct horse battery staple, twice"])?;
/// let mut headers = HeaderMap::new();
/// headers.insert("x-token-signature", tokens.sign(b"{}").parse()?);
/// assert!(tokens.check(&headers, b"{}").is_ok());
/// assert!(tokens.check(&headers, b"{ }").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TokenSignature {
    header: &'static str,
    /// Keyed, without anything in them; never empty.
    keyed: Vec<Hmac<Sha256>>,
}

impl TokenSignature {
    /// Good with any of these tokens; the first is the one to sign with.
    ///
    /// # Errors
    ///
    /// When there is none, or one that is not longer than 32 characters.
    pub fn new<T: AsRef<str>>(tokens: impl IntoIterator<Item = T>) -> Result<Self, InvalidToken> {
        let keyed = tokens.into_iter().map(|token| {
            let token = token.as_ref();
            if token.chars().count() <= TOO_SHORT {
                return Err(InvalidToken);
            }
            Hmac::new_from_slice(token.as_bytes()).map_err(|_| InvalidToken)
        });
        let keyed: Vec<_> = keyed.collect::<Result<_, _>>()?;
        if keyed.is_empty() {
            return Err(InvalidToken);
        }
        Ok(Self {
            header: HEADER,
            keyed,
        })
    }

    /// In another header than `X-Token-Signature`; in small letters.
    #[must_use]
    pub const fn header(mut self, name: &'static str) -> Self {
        self.header = name;
        self
    }

    /// The signature of a body.
    pub fn sign(&self, body: &[u8]) -> String {
        let mac = self.keyed.first().cloned();
        mac.map_or_else(String::new, |mac| {
            hex::encode(mac.chain_update(body).finalize().into_bytes())
        })
    }

    /// Looks at the headers and the body as they came. It takes as long for a signature that is
    /// almost right as for any other.
    ///
    /// # Errors
    ///
    /// When there is no signature or a wrong one. Capital letters make it wrong: the rule is
    /// lower-case hexadecimal.
    pub fn check(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), SignatureError> {
        let text = one(headers, self.header)?;
        let mut signature = [0; 32];
        if text.bytes().any(|byte| byte.is_ascii_uppercase())
            || hex::decode_to_slice(text, &mut signature).is_err()
        {
            return Err(SignatureError::Invalid(
                "is not 64 lower-case hexadecimal digits",
            ));
        }
        let good = self.keyed.iter().fold(false, |good, mac| {
            // All are tried, so that the time does not tell which one it was.
            let mac = mac.clone().chain_update(body);
            mac.verify_slice(&signature).is_ok() | good
        });
        if good {
            Ok(())
        } else {
            Err(SignatureError::Invalid("is not that of this body"))
        }
    }
}

impl Verifier for TokenSignature {
    fn verify<'a>(
        &'a self,
        headers: &'a HeaderMap,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<(), SignatureError>> {
        Box::pin(std::future::ready(self.check(headers, body)))
    }
}

impl fmt::Debug for TokenSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenSignature(…)")
    }
}

/// There is no token, or one that is not longer than 32 characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidToken;

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a signing token has to be longer than 32 characters")
    }
}

impl std::error::Error for InvalidToken {}
