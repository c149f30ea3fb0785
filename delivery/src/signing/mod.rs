//! Signatures over the bytes of a body.
//!
//! Tokens are those of the receiving side, [`bothends_runtime::signature`]: one rule for both ends.

mod ring;

pub use bothends_runtime::signature::{
    InvalidToken, SIGNATURE, SIGNING_ID, SigningToken, TOKEN_SIGNATURE,
};
pub use ring::{InvalidRules, KeyRing, Publisher};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::Signer as _;
use ed25519_dalek::pkcs8::DecodePrivateKey as _;
use http::HeaderValue;
use std::fmt;

/// A private key, with the id that receivers know its public half by.
#[derive(Clone)]
pub struct SigningKey {
    id: String,
    id_value: HeaderValue,
    key: Key,
}

#[derive(Clone)]
enum Key {
    Es256(Box<p256::ecdsa::SigningKey>),
    EdDsa(Box<ed25519_dalek::SigningKey>),
}

impl SigningKey {
    /// A key of the curve P-256, for `ES256` (RFC 7518, section 3.4), from PKCS #8 in PEM.
    ///
    /// # Errors
    /// Where the text is no such key, or the id cannot be sent in a header.
    pub fn es256(id: impl Into<String>, pem: &str) -> Result<Self, InvalidKey> {
        let key = p256::ecdsa::SigningKey::from_pkcs8_pem(pem).map_err(|_| InvalidKey)?;
        Self::new(id.into(), Key::Es256(Box::new(key)))
    }

    /// A key of the curve Ed25519, for `EdDSA` (RFC 8037), from PKCS #8 in PEM.
    ///
    /// # Errors
    /// Where the text is no such key, or the id cannot be sent in a header.
    pub fn ed25519(id: impl Into<String>, pem: &str) -> Result<Self, InvalidKey> {
        let key = ed25519_dalek::SigningKey::from_pkcs8_pem(pem).map_err(|_| InvalidKey)?;
        Self::new(id.into(), Key::EdDsa(Box::new(key)))
    }

    fn new(id: String, key: Key) -> Result<Self, InvalidKey> {
        let id_value = HeaderValue::from_str(&id).map_err(|_| InvalidKey)?;
        Ok(Self { id, id_value, key })
    }

    /// The id that the public half is published under.
    pub fn id(&self) -> &str {
        &self.id
    }

    const fn algorithm(&self) -> &'static str {
        match self.key {
            Key::Es256(_) => "ES256",
            Key::EdDsa(_) => "EdDSA",
        }
    }

    /// A JWT in compact form (RFC 7515, section 7.1) whose payload is exactly these bytes.
    pub fn sign(&self, body: &[u8]) -> String {
        let header = serde_json::json!({"alg": self.algorithm(), "kid": self.id, "typ": "JWT"});
        let mut token = URL_SAFE_NO_PAD.encode(header.to_string());
        token.push('.');
        URL_SAFE_NO_PAD.encode_string(body, &mut token);
        let signature = match &self.key {
            Key::Es256(key) => {
                let signature: p256::ecdsa::Signature = key.sign(token.as_bytes());
                signature.to_bytes().to_vec()
            }
            Key::EdDsa(key) => key.sign(token.as_bytes()).to_vec(),
        };
        token.push('.');
        URL_SAFE_NO_PAD.encode_string(signature, &mut token);
        token
    }

    /// The public half, as a JSON Web Key (RFC 7517, section 4).
    pub fn public_jwk(&self) -> serde_json::Value {
        let mut jwk = match &self.key {
            Key::Es256(key) => {
                let point = key.verifying_key().to_sec1_point(false);
                let coordinate =
                    |bytes: Option<&[u8]>| URL_SAFE_NO_PAD.encode(bytes.unwrap_or(&[]));
                serde_json::json!({
                    "kty": "EC",
                    "crv": "P-256",
                    "x": coordinate(point.x().map(|x| x.as_ref())),
                    "y": coordinate(point.y().map(|y| y.as_ref())),
                })
            }
            Key::EdDsa(key) => serde_json::json!({
                "kty": "OKP",
                "crv": "Ed25519",
                "x": URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes()),
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

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({}, {}, …)", self.id, self.algorithm())
    }
}

/// The text is no private key of the kind that was asked for, or its id fits in no header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidKey;

impl fmt::Display for InvalidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this is no private key in PKCS #8 of the curve that was asked for")
    }
}

impl std::error::Error for InvalidKey {}
