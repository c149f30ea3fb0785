//! Signatures with published keys.

use super::SignatureError;
use crate::values::Json;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use std::collections::BTreeMap;
use std::fmt;

/// Limit for the number of keys in a set.
const MOST: usize = 100;

/// Public keys by their ids, each with one algorithm.
#[derive(Clone, Default)]
pub struct KeySet(BTreeMap<String, Key>);

#[derive(Clone)]
struct Key {
    key: DecodingKey,
    algorithm: Algorithm,
}

impl KeySet {
    /// Parses a JWK Set (RFC 7517, section 5).
    ///
    /// The algorithm of a key is its `alg`, or the default for its type and curve: `ES256`,
    /// `ES384`, `EdDSA`, and `RS256` for RSA. Keys without an id, keys for other uses than
    /// signatures, and symmetric keys are left out: a published key is not a secret.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a JWK Set, or if the set has more than 100 keys.
    pub fn read(set: &[u8]) -> Result<Self, InvalidKeys> {
        let set: Json = serde_json::from_slice(set).map_err(|_| InvalidKeys("is no JSON"))?;
        let keys = set.get("keys").and_then(Json::as_array);
        let keys = keys.ok_or(InvalidKeys("has no list `keys`"))?;
        if keys.len() > MOST {
            return Err(InvalidKeys("has more than 100 keys"));
        }
        // A key that cannot be parsed may be for other receivers.
        let keys = keys.iter().filter_map(|key| {
            let key: Jwk = serde_json::from_value(key.clone()).ok()?;
            let id = key.common.key_id.clone()?;
            Some((id, pin(&key)?))
        });
        Ok(Self(keys.collect()))
    }

    /// Returns whether the set has a key with this id.
    pub fn has(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// Verifies that a JWT in compact form, signed with the key of this id, contains exactly these
    /// bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the JWT has another algorithm than the key (such as `none`), parameters
    /// that must be understood (`crit`, RFC 7515, section 4.1.11) or another key id, if its
    /// signature is wrong, or if its payload differs from the body in any byte.
    pub fn check(&self, id: &str, token: &str, body: &[u8]) -> Result<(), SignatureError> {
        let key = (self.0.get(id)).ok_or_else(|| SignatureError::UnknownKey(id.to_owned()))?;
        let wrong = SignatureError::Invalid;
        let (message, signature) = token.rsplit_once('.').ok_or(wrong("is no JWT"))?;
        let (header, payload) = message.split_once('.').ok_or(wrong("is no JWT"))?;
        let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| wrong("is no JWT"));
        let header: Json =
            serde_json::from_slice(&decode(header)?).map_err(|_| wrong("is no JWT"))?;
        let text = |name: &str| header.get(name).and_then(Json::as_str);
        if text("alg") != Some(name_of(key.algorithm)) {
            return Err(wrong("is not made with the algorithm of its key"));
        }
        if header.get("crit").is_some() {
            return Err(wrong("asks for what is not understood"));
        }
        if header.get("kid").is_some() && text("kid") != Some(id) {
            return Err(wrong("names another key"));
        }
        let signature = decode(signature)?;
        let verifier = (DEFAULT_PROVIDER.verifier_factory)(&key.algorithm, &key.key)
            .map_err(|_| wrong("cannot be checked with its key"))?;
        verifier
            .verify(message.as_bytes(), &signature)
            .map_err(|_| wrong("is not made with its key"))?;
        if decode(payload)? != body {
            return Err(wrong("is not that of this body"));
        }
        Ok(())
    }
}

impl KeySet {
    /// Removes the keys of other algorithms than this one (RFC 7518, section 3.1).
    #[must_use]
    pub fn only(mut self, algorithm: &str) -> Self {
        self.0.retain(|_, key| name_of(key.algorithm) == algorithm);
        self
    }
}

/// Returns a key with the one algorithm that it is used with.
fn pin(key: &Jwk) -> Option<Key> {
    if !matches!(
        key.common.public_key_use,
        None | Some(PublicKeyUse::Signature)
    ) {
        return None;
    }
    let stated = key.common.key_algorithm;
    let algorithm = match (&key.algorithm, stated) {
        (AlgorithmParameters::EllipticCurve(parameters), None | Some(KeyAlgorithm::ES256))
            if parameters.curve == EllipticCurve::P256 =>
        {
            Algorithm::ES256
        }
        (AlgorithmParameters::EllipticCurve(parameters), None | Some(KeyAlgorithm::ES384))
            if parameters.curve == EllipticCurve::P384 =>
        {
            Algorithm::ES384
        }
        (AlgorithmParameters::OctetKeyPair(parameters), None | Some(KeyAlgorithm::EdDSA))
            if parameters.curve == EllipticCurve::Ed25519 =>
        {
            Algorithm::EdDSA
        }
        (AlgorithmParameters::RSA(_), stated) => match stated {
            None | Some(KeyAlgorithm::RS256) => Algorithm::RS256,
            Some(KeyAlgorithm::RS384) => Algorithm::RS384,
            Some(KeyAlgorithm::RS512) => Algorithm::RS512,
            Some(KeyAlgorithm::PS256) => Algorithm::PS256,
            Some(KeyAlgorithm::PS384) => Algorithm::PS384,
            Some(KeyAlgorithm::PS512) => Algorithm::PS512,
            Some(_) => return None,
        },
        _ => return None,
    };
    let key = DecodingKey::from_jwk(key).ok()?;
    Some(Key { key, algorithm })
}

/// Returns the name of an algorithm in a header (RFC 7518, section 3.1; RFC 8037, section 3.1).
const fn name_of(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::ES256 => "ES256",
        Algorithm::ES384 => "ES384",
        Algorithm::EdDSA => "EdDSA",
        Algorithm::RS256 => "RS256",
        Algorithm::RS384 => "RS384",
        Algorithm::RS512 => "RS512",
        Algorithm::PS256 => "PS256",
        Algorithm::PS384 => "PS384",
        Algorithm::PS512 => "PS512",
        // These algorithms have no keys.
        _ => "",
    }
}

impl fmt::Debug for KeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.0.iter().map(|(id, key)| (id, key.algorithm));
        f.debug_map().entries(keys).finish()
    }
}

/// The error of an invalid JWK Set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidKeys(&'static str);

impl fmt::Display for InvalidKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the set of keys {}", self.0)
    }
}

impl std::error::Error for InvalidKeys {}
