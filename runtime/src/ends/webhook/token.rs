//! Signatures with a shared secret.

use super::{SignatureError, Verifier, header_of, only_value};
use crate::ends::TokenSigning;
use crate::ends::server::BoxFuture;
use crate::ends::signature::{InvalidToken, SigningToken, TOKEN_SIGNATURE, decode};
use http::{HeaderMap, HeaderName};
use std::fmt;

/// A verifier of the HMAC-SHA256 of the body in lower-case hexadecimal, keyed with a shared token.
///
/// Several tokens are valid at once, so that a token can be replaced without interruption.
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
    header: HeaderName,
    /// Never empty: the first one signs.
    tokens: Vec<SigningToken>,
}

impl TokenSignature {
    /// Creates a verifier that accepts any of these tokens; the first is used for signing.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no token, or an empty one.
    pub fn new<T: AsRef<str>>(tokens: impl IntoIterator<Item = T>) -> Result<Self, InvalidToken> {
        Self::longer_than(tokens, 0)
    }

    /// Creates a verifier by the rules of the document: `SIGNING.token` of generated code states
    /// the header of the signature, and the length of a token.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no token, or one that is too short.
    pub fn from_rules<T: AsRef<str>>(
        rules: &TokenSigning,
        tokens: impl IntoIterator<Item = T>,
    ) -> Result<Self, InvalidToken> {
        let signature = Self::longer_than(tokens, rules.longer_than.unwrap_or(0))?;
        Ok(signature.header(header_of(rules.header, TOKEN_SIGNATURE)))
    }

    fn longer_than<T: AsRef<str>>(
        tokens: impl IntoIterator<Item = T>,
        characters: usize,
    ) -> Result<Self, InvalidToken> {
        let tokens = tokens.into_iter();
        let tokens: Vec<_> = tokens
            .map(|token| SigningToken::longer_than(token.as_ref(), characters))
            .collect::<Result<_, _>>()?;
        if tokens.is_empty() {
            return Err(InvalidToken::missing(characters));
        }
        Ok(Self {
            header: TOKEN_SIGNATURE,
            tokens,
        })
    }

    /// Sets the header of the signature. The default is `X-Token-Signature`.
    #[must_use]
    pub fn header(mut self, name: HeaderName) -> Self {
        self.header = name;
        self
    }

    /// Returns the signature of a body.
    pub fn sign(&self, body: &[u8]) -> String {
        let token = self.tokens.first();
        token.map_or_else(String::new, |token| token.sign(body))
    }

    /// Verifies the headers and the body as received, in constant time.
    ///
    /// # Errors
    ///
    /// Returns an error if the signature is missing or wrong. Upper-case digits are wrong: the rule
    /// is lower-case hexadecimal.
    pub fn check(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), SignatureError> {
        let text = only_value(headers, &self.header)?;
        let Some(signature) = decode(text) else {
            return Err(SignatureError::Invalid(
                "is not 64 lower-case hexadecimal digits",
            ));
        };
        // All tokens are tried, so that the duration does not reveal which one matched.
        let good = self.tokens.iter();
        let good = good.fold(false, |good, token| token.made(body, &signature) | good);
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
