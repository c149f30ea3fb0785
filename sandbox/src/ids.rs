//! Identifiers, secrets and their hashes.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
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

/// Returns a new identifier whose order is that of time, also within a millisecond. It can be guessed, so
/// that it is no secret.
pub fn ordered() -> String {
    /// The last millisecond since 1970-01-01, and the number of the last identifier in it.
    static LAST: Mutex<(u64, u32)> = Mutex::new((0, 0));
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = since.unwrap_or_default().as_millis();
    let now = u64::try_from(now).unwrap_or(u64::MAX);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    *last = match now > last.0 {
        // The begin tells instances apart.
        true => (now, fastrand::u32(..1 << 25)),
        false => (last.0, last.1.saturating_add(1)),
    };
    let (time, number) = *last;
    drop(last);
    // The version and the variant take the first four bits, and two bits of the third byte (RFC 9562).
    let [high, low] = u16::try_from(number >> 14)
        .unwrap_or(u16::MAX)
        .to_be_bytes();
    let [.., third, fourth] = (number & 0x3fff).to_be_bytes();
    let [a, b, c, d, e, f, ..] = fastrand::u64(..).to_be_bytes();
    let bytes = [high, low, third, fourth, a, b, c, d, e, f];
    uuid::Builder::from_unix_timestamp_millis(time, &bytes)
        .into_uuid()
        .to_string()
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
    fn ordered_identifiers_have_the_order_of_time() {
        let ids: Vec<String> = (0..50_000).map(|_| ordered()).collect();
        assert!(ids.is_sorted_by(|previous, next| previous < next));
        let id = Uuid::parse_str(&ids[0]).unwrap();
        assert_eq!(
            (id.get_version_num(), id.get_variant()),
            (7, uuid::Variant::RFC4122)
        );
    }

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
