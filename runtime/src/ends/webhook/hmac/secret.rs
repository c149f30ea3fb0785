//! The secrets of a verifier.

use crate::ends::mac::MacKey;
use std::fmt;
use zeroize::Zeroizing;

/// Prepares secrets.
pub(super) fn keys(
    secrets: impl Iterator<Item = Result<Vec<u8>, InvalidSecret>>,
) -> Result<Vec<MacKey>, InvalidSecret> {
    let keys = secrets.map(|secret| {
        let secret = Zeroizing::new(secret?);
        if secret.is_empty() {
            return Err(InvalidSecret::Empty);
        }
        Ok(MacKey::new(&secret))
    });
    let keys: Vec<_> = keys.collect::<Result<_, _>>()?;
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
