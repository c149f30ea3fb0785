//! Secrets that sender and receiver share.

use crate::ends::mac::MacKey;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt;
use zeroize::Zeroizing;

/// Decodes a secret of Standard Webhooks: Base64, with or without the prefix `whsec_`.
pub(crate) fn base64(secret: &str) -> Result<Vec<u8>, InvalidSecret> {
    let secret = secret.strip_prefix("whsec_").unwrap_or(secret);
    STANDARD
        .decode(secret)
        .map_err(|_| InvalidSecret::NotBase64)
}

/// Prepares a secret.
pub(crate) fn key(secret: Result<Vec<u8>, InvalidSecret>) -> Result<MacKey, InvalidSecret> {
    let secret = Zeroizing::new(secret?);
    if secret.is_empty() {
        return Err(InvalidSecret::Empty);
    }
    Ok(MacKey::new(&secret))
}

/// Returns the prepared secrets, of which there has to be one.
pub(crate) fn some<T>(
    keys: impl Iterator<Item = Result<T, InvalidSecret>>,
) -> Result<Vec<T>, InvalidSecret> {
    let keys: Vec<T> = keys.collect::<Result<_, _>>()?;
    if keys.is_empty() {
        return Err(InvalidSecret::Missing);
    }
    Ok(keys)
}

/// The error of a secret that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidSecret {
    /// There is no secret.
    Missing,
    /// A secret is empty.
    Empty,
    /// A secret is not Base64, which its scheme requires.
    NotBase64,
}

impl fmt::Display for InvalidSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "there is no secret",
            Self::Empty => "the secret is empty",
            Self::NotBase64 => "the secret is not Base64",
        })
    }
}

impl std::error::Error for InvalidSecret {}
