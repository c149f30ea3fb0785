//! Signatures that are right, or wrong in one way.

use super::ProbeSignature;
use crate::ids;
use crate::store::StorageError;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bothends_delivery::signing::{SIGNATURE, SIGNING_ID, TOKEN_SIGNATURE};
use bothends_delivery::{KeyRing, Signing, SigningKey, SigningToken};
use http::{HeaderMap, HeaderName, HeaderValue};

/// Returns the signature headers of a body.
pub(super) fn headers(
    signing: &Signing,
    keys: &KeyRing,
    signature: ProbeSignature,
    body: &[u8],
) -> Result<HeaderMap, StorageError> {
    let mut headers = HeaderMap::new();
    match signing {
        Signing::Token(token) => {
            if let Some(text) = by_token(token, signature, body)? {
                put(&mut headers, TOKEN_SIGNATURE, text)?;
            }
        }
        Signing::Key => {
            let key = keys.current();
            let key = key.ok_or_else(|| StorageError::new("there is no signing key"))?;
            if let Some(text) = by_key(key, signature, body)? {
                put(&mut headers, SIGNATURE, text)?;
                put(&mut headers, SIGNING_ID, key.id().to_owned())?;
            }
        }
        _ => {}
    }
    Ok(headers)
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: String) -> Result<(), StorageError> {
    let value = HeaderValue::try_from(value).map_err(StorageError::new)?;
    headers.insert(name, value);
    Ok(())
}

/// The body that is signed in place of the one that is sent.
const OTHER: &[u8] = br#"{"data":{}}"#;

fn by_token(
    token: &SigningToken,
    signature: ProbeSignature,
    body: &[u8],
) -> Result<Option<String>, StorageError> {
    Ok(match signature {
        ProbeSignature::Right => Some(token.sign(body)),
        ProbeSignature::AlteredBody => Some(token.sign(OTHER)),
        ProbeSignature::WrongKey => {
            let secret = ids::secret().map_err(StorageError::new)?;
            let other = SigningToken::new(secret).map_err(StorageError::new)?;
            Some(other.sign(body))
        }
        ProbeSignature::AlgorithmNone | ProbeSignature::Missing => None,
    })
}

fn by_key(
    key: &SigningKey,
    signature: ProbeSignature,
    body: &[u8],
) -> Result<Option<String>, StorageError> {
    Ok(match signature {
        ProbeSignature::Right => Some(key.sign(body).map_err(StorageError::new)?),
        ProbeSignature::AlteredBody => Some(key.sign(OTHER).map_err(StorageError::new)?),
        ProbeSignature::WrongKey => {
            let other = another(key)?;
            Some(other.sign(body).map_err(StorageError::new)?)
        }
        ProbeSignature::AlgorithmNone => {
            let header = serde_json::json!({"alg": "none", "kid": key.id(), "typ": "JWT"});
            let header = URL_SAFE_NO_PAD.encode(header.to_string());
            let payload = URL_SAFE_NO_PAD.encode(body);
            Some(format!("{header}.{payload}."))
        }
        ProbeSignature::Missing => None,
    })
}

/// Returns a new key with the id and the algorithm of another.
fn another(key: &SigningKey) -> Result<SigningKey, StorageError> {
    let random = SystemRandom::new();
    let is_p256 = key.public_jwk()["alg"] == "ES256";
    let made = if is_p256 {
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
    } else {
        Ed25519KeyPair::generate_pkcs8(&random)
    };
    let made = made.map_err(|_| StorageError::new("the system cannot make a signing key"))?;
    let pem = format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
        STANDARD.encode(made.as_ref())
    );
    let signing_key = if is_p256 {
        SigningKey::es256(key.id(), &pem)
    } else {
        SigningKey::ed25519(key.id(), &pem)
    };
    signing_key.map_err(StorageError::new)
}
