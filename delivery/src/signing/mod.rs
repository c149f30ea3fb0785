//! Signatures over the bytes of a body.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::Signer as _;
use ed25519_dalek::pkcs8::DecodePrivateKey as _;
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderName, HeaderValue};
use sha2::Sha256;
use std::fmt;
use zeroize::Zeroizing;

/// Carries [`SigningToken::sign`].
pub const TOKEN_SIGNATURE: HeaderName = HeaderName::from_static("x-token-signature");
/// Carries [`SigningKey::sign`].
pub const SIGNATURE: HeaderName = HeaderName::from_static("x-signature");
/// Carries the id of the key that signed.
pub const SIGNING_ID: HeaderName = HeaderName::from_static("x-signing-id");

/// A secret that sender and receiver share. It is not shown, and wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningToken(Zeroizing<String>);

impl SigningToken {
    /// The longest text that is too short to be a token, in characters.
    pub const TOO_SHORT: usize = 32;

    /// This text as a token.
    ///
    /// # Errors
    /// Where it is not longer than 32 characters.
    pub fn new(token: impl Into<String>) -> Result<Self, InvalidToken> {
        let token = Zeroizing::new(token.into());
        if token.chars().count() <= Self::TOO_SHORT {
            return Err(InvalidToken);
        }
        Ok(Self(token))
    }

    /// HMAC-SHA256 of these bytes, in lower-case hexadecimal.
    pub fn sign(&self, body: &[u8]) -> String {
        // A key of any length will do for HMAC (RFC 2104, section 2).
        match Hmac::<Sha256>::new_from_slice(self.0.as_bytes()) {
            Ok(mac) => hex::encode(mac.chain_update(body).finalize().into_bytes()),
            Err(_) => unreachable!("HMAC takes keys of any length"),
        }
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SigningToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningToken(…)")
    }
}

/// The token is not longer than 32 characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidToken;

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a signing token has to be longer than 32 characters")
    }
}

impl std::error::Error for InvalidToken {}

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

/// The keys of the sender: one signs, all are published.
///
/// To change keys, publish the new one first ([`KeyRing::publish`]), let it sign when receivers had
/// time to fetch it, and keep the old one published until nothing that it signed is under way.
#[derive(Debug, Clone, Default)]
pub struct KeyRing {
    current: Option<SigningKey>,
    published: Vec<SigningKey>,
}

impl KeyRing {
    /// No keys; subscriptions that ask for [`Signing::Key`](crate::Signing::Key) are not sent to.
    pub fn new() -> Self {
        Self::default()
    }

    /// This key signs.
    #[must_use]
    pub fn sign_with(mut self, key: SigningKey) -> Self {
        if let Some(before) = self.current.replace(key) {
            self.published.push(before);
        }
        self
    }

    /// This key is published, and does not sign.
    #[must_use]
    pub fn publish(mut self, key: SigningKey) -> Self {
        self.published.push(key);
        self
    }

    /// The key that signs.
    pub const fn current(&self) -> Option<&SigningKey> {
        self.current.as_ref()
    }

    /// The public keys, as a JSON Web Key Set (RFC 7517, section 5).
    pub fn public_jwks(&self) -> serde_json::Value {
        let keys = self.current.iter().chain(&self.published);
        serde_json::json!({"keys": keys.map(SigningKey::public_jwk).collect::<Vec<_>>()})
    }

    /// Signs a body, and puts the headers that say so. `false` where there is no key to sign with.
    pub(crate) fn sign(
        &self,
        signing: &crate::Signing,
        body: &[u8],
        headers: &mut HeaderMap,
    ) -> bool {
        match signing {
            crate::Signing::None => true,
            crate::Signing::Token(token) => put(headers, TOKEN_SIGNATURE, token.sign(body)),
            crate::Signing::Key => self.current.as_ref().is_some_and(|key| {
                headers.insert(SIGNING_ID, key.id_value.clone());
                put(headers, SIGNATURE, key.sign(body))
            }),
        }
    }
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: String) -> bool {
    // Hexadecimal, or base64 for URLs: always a good value.
    match HeaderValue::try_from(value) {
        Ok(value) => {
            headers.insert(name, value);
            true
        }
        Err(_) => false,
    }
}
