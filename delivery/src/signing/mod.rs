//! Signatures over request bodies.
//!
//! Tokens and secrets are those of the receiving side, [`bothends_runtime::signature`], so that both ends
//! share one implementation.

mod ring;
mod shared;

pub use bothends_runtime::signature::{
    InvalidSecret, InvalidToken, SIGNATURE, SIGNING_ID, SigningScheme, SigningSecrets,
    SigningToken, TOKEN_SIGNATURE,
};
pub(crate) use ring::Signed;
pub use ring::{InvalidRules, JwksService, KeyRing};
pub use shared::SharedKeyRing;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use http::HeaderValue;
use std::fmt;
use std::sync::Arc;
use zeroize::Zeroizing;

/// A private key, with the id under which its public key is published.
#[derive(Clone)]
pub struct SigningKey {
    id: String,
    id_value: HeaderValue,
    key: Key,
}

#[derive(Clone)]
enum Key {
    Es256(Arc<EcdsaKeyPair>),
    EdDsa(Arc<Ed25519KeyPair>),
}

impl SigningKey {
    /// Creates a P-256 key for `ES256` (RFC 7518, section 3.4) from PKCS #8 in PEM.
    ///
    /// # Errors
    /// Returns an error if the text is not such a key, or if the id is not a valid header value.
    pub fn es256(id: impl Into<String>, pem: &str) -> Result<Self, SigningKeyError> {
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &private_key(pem)?);
        Self::new(
            id.into(),
            Key::Es256(Arc::new(key.map_err(|_| SigningKeyError)?)),
        )
    }

    /// Creates an Ed25519 key for `EdDSA` (RFC 8037) from PKCS #8 in PEM.
    ///
    /// # Errors
    /// Returns an error if the text is not such a key, or if the id is not a valid header value.
    pub fn ed25519(id: impl Into<String>, pem: &str) -> Result<Self, SigningKeyError> {
        // The public key is optional, because openssl does not write it.
        let key = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&private_key(pem)?);
        Self::new(
            id.into(),
            Key::EdDsa(Arc::new(key.map_err(|_| SigningKeyError)?)),
        )
    }

    fn new(id: String, key: Key) -> Result<Self, SigningKeyError> {
        let id_value = HeaderValue::from_str(&id).map_err(|_| SigningKeyError)?;
        Ok(Self { id, id_value, key })
    }

    /// Returns the id under which the public key is published.
    pub fn id(&self) -> &str {
        &self.id
    }

    const fn algorithm(&self) -> &'static str {
        match self.key {
            Key::Es256(_) => "ES256",
            Key::EdDsa(_) => "EdDSA",
        }
    }

    /// Signs a body. Returns a JWT in compact form (RFC 7515, section 7.1) whose payload is exactly
    /// these bytes.
    ///
    /// # Errors
    /// Returns an error if the system fails to provide memory or random numbers.
    pub fn sign(&self, body: &[u8]) -> Result<String, SigningError> {
        let header = serde_json::json!({"alg": self.algorithm(), "kid": self.id, "typ": "JWT"});
        let mut token = URL_SAFE_NO_PAD.encode(header.to_string());
        token.push('.');
        URL_SAFE_NO_PAD.encode_string(body, &mut token);
        let signature = match &self.key {
            Key::Es256(key) => key.sign(&SystemRandom::new(), token.as_bytes()),
            Key::EdDsa(key) => key.try_sign(token.as_bytes()),
        };
        token.push('.');
        URL_SAFE_NO_PAD.encode_string(signature.map_err(|_| SigningError)?, &mut token);
        Ok(token)
    }

    /// Returns the public key as a JSON Web Key (RFC 7517, section 4).
    pub fn public_jwk(&self) -> serde_json::Value {
        let mut jwk = match &self.key {
            Key::Es256(key) => {
                // The uncompressed form: a tag byte followed by both coordinates (SEC 1, section
                // 2.3.3).
                let (_, point) = key.public_key().as_ref().split_at(1);
                let (x, y) = point.split_at(point.len() / 2);
                serde_json::json!({
                    "kty": "EC",
                    "crv": "P-256",
                    "x": URL_SAFE_NO_PAD.encode(x),
                    "y": URL_SAFE_NO_PAD.encode(y),
                })
            }
            Key::EdDsa(key) => serde_json::json!({
                "kty": "OKP",
                "crv": "Ed25519",
                "x": URL_SAFE_NO_PAD.encode(key.public_key().as_ref()),
            }),
        };
        if let Some(jwk) = jwk.as_object_mut() {
            jwk.insert("use".into(), "sig".into());
            jwk.insert("alg".into(), self.algorithm().into());
            jwk.insert("kid".into(), self.id.clone().into());
        }
        jwk
    }
}

/// Decodes a private key in PEM (RFC 7468, section 10). The bytes are zeroized when dropped.
fn private_key(pem: &str) -> Result<Zeroizing<Vec<u8>>, SigningKeyError> {
    let (_, rest) = pem
        .split_once("-----BEGIN PRIVATE KEY-----")
        .ok_or(SigningKeyError)?;
    let (base64, _) = rest
        .split_once("-----END PRIVATE KEY-----")
        .ok_or(SigningKeyError)?;
    // The full capacity at once: a reallocation would leave a copy of the key behind.
    let mut text = Zeroizing::new(String::with_capacity(base64.len()));
    text.extend(
        base64
            .chars()
            .filter(|character| !character.is_ascii_whitespace()),
    );
    let bytes = STANDARD.decode(&*text).map_err(|_| SigningKeyError)?;
    Ok(Zeroizing::new(bytes))
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({}, {}, …)", self.id, self.algorithm())
    }
}

/// An error for a text that is not a private key of the expected kind, or for an id that is not a
/// valid header value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SigningKeyError;

impl fmt::Display for SigningKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a private key in PKCS #8 of the expected curve")
    }
}

impl std::error::Error for SigningKeyError {}

/// An error for a system without the memory or random numbers that a signature needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SigningError;

impl fmt::Display for SigningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the system has no memory or no random numbers to sign with")
    }
}

impl std::error::Error for SigningError {}
