//! Keys by which a server recognizes a repeated request.

#[cfg(feature = "validate")]
use crate::message::Operation;
use crate::message::OperationMeta;
#[cfg(feature = "validate")]
use crate::values::ValidationErrors;
use http::header::Entry;
use http::{HeaderMap, HeaderName, HeaderValue};
use std::hash::{BuildHasher, RandomState};

/// The usual header of a key (draft-ietf-httpapi-idempotency-key-header).
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Returns the header in which the document wants a key.
fn documented(meta: &OperationMeta) -> Option<HeaderName> {
    HeaderName::from_bytes(meta.idempotency_key?.as_bytes()).ok()
}

/// Returns whether a request has a key.
pub(super) fn is_in(headers: &HeaderMap, meta: &OperationMeta) -> bool {
    let has = |name| headers.contains_key(name);
    has(IDEMPOTENCY_KEY) || documented(meta).is_some_and(has)
}

/// Adds a new key if the document wants one and the caller has set none.
pub(super) fn fill(headers: &mut HeaderMap, meta: &OperationMeta) {
    if let Some(name) = documented(meta)
        && let Entry::Vacant(entry) = headers.entry(name)
        && let Ok(key) = HeaderValue::try_from(random_uuid())
    {
        entry.insert(key);
    }
}

/// Returns the documented header of a request and its key, for another request of the same call.
pub(super) fn kept(headers: &HeaderMap, meta: &OperationMeta) -> Option<(HeaderName, HeaderValue)> {
    let name = documented(meta)?;
    let key = headers.get(&name)?.clone();
    Some((name, key))
}

/// Checks a request by the constraints of the document. A required key may be absent: the client
/// adds it.
#[cfg(feature = "validate")]
pub(super) fn validate<O: Operation>(request: &O) -> Result<(), ValidationErrors> {
    let checked = request.validate();
    match (checked, O::META.idempotency_key) {
        (Err(errors), Some(name)) => errors.without_absent_header(name),
        (checked, _) => checked,
    }
}

/// Returns a random UUID (RFC 9562, version 4). The hasher of std is keyed by the system's source of
/// randomness, so it needs no other crate.
fn random_uuid() -> String {
    let random = RandomState::new();
    let [high, low] = [0_u8, 1].map(|half| random.hash_one(half));
    let high = (high & !0xf000) | 0x4000;
    let low = (low & !(0b11 << 62)) | (0b10 << 62);
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::random_uuid;
    use std::collections::HashSet;

    #[test]
    fn keys_are_uuids_of_version_4_and_never_the_same() {
        let mut seen = HashSet::new();
        for _ in 0..1000 {
            let key = random_uuid();
            let lengths: Vec<usize> = key.split('-').map(str::len).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12], "{key}");
            assert_eq!(key.as_bytes()[14], b'4', "{key}");
            assert!(b"89ab".contains(&key.as_bytes()[19]), "{key}");
            assert!(seen.insert(key));
        }
    }
}
