//! Identifiers, secrets and their hashes.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;
use uuid::Uuid;

/// The system has no random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoRandomness;

impl fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the system has no random numbers")
    }
}

impl std::error::Error for NoRandomness {}

/// Returns a new identifier in the style of a UUID.
pub fn fresh() -> String {
    Uuid::new_v4().to_string()
}

/// Returns a new identifier whose order is that of time.
pub fn ordered() -> String {
    Uuid::now_v7().to_string()
}

/// Returns the identifier that belongs to a seed and a name.
pub fn derived(seed: u64, name: &str) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&seeded(seed, name)[..16]);
    uuid::Builder::from_random_bytes(bytes)
        .into_uuid()
        .to_string()
}

/// The number of characters of a secret.
pub const SECRET: usize = 43;

/// Returns a new secret of 256 bits in Base64 (RFC 4648, section 5).
///
/// # Errors
/// Returns an error if the system has no random numbers.
pub fn secret() -> Result<String, NoRandomness> {
    let mut bytes = [0; 32];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| NoRandomness)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Returns the secret that belongs to a seed and a name. Anybody who knows the seed knows it.
pub fn derived_secret(seed: u64, name: &str) -> String {
    URL_SAFE_NO_PAD.encode(seeded(seed, &format!("secret {name}")))
}

/// Returns the SHA-256 hash of a secret, in lower-case hexadecimal. Secrets of this program have
/// 256 random bits, so that a fast hash is sufficient.
pub fn hash(secret: &str) -> String {
    hex::encode(digest(&SHA256, secret.as_bytes()))
}

/// Returns a number from 0 up to, but not including, 1, that belongs to a seed and a counter.
pub fn draw(seed: u64, count: u64) -> f64 {
    let bytes = seeded(seed, &count.to_string());
    let mut first = [0; 8];
    first.copy_from_slice(&bytes[..8]);
    // The upper 53 bits are the precision of the type.
    (u64::from_be_bytes(first) >> 11) as f64 / (1_u64 << 53) as f64
}

fn seeded(seed: u64, name: &str) -> Vec<u8> {
    let mut text = seed.to_be_bytes().to_vec();
    text.extend_from_slice(name.as_bytes());
    digest(&SHA256, &text).as_ref().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_values_depend_on_seed_and_name_only() {
        assert_eq!(derived(7, "project"), derived(7, "project"));
        assert_ne!(derived(7, "project"), derived(8, "project"));
        assert_ne!(derived_secret(7, "a"), derived_secret(7, "b"));
        assert_eq!(hash("abc").len(), 64);
        let draws: Vec<f64> = (0..1000).map(|count| draw(7, count)).collect();
        assert!(draws.iter().all(|draw| (0.0..1.0).contains(draw)));
        let mean = draws.iter().sum::<f64>() / 1000.0;
        assert!((0.4..0.6).contains(&mean), "{mean}");
    }
}
