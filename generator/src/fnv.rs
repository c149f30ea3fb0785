//! A hash that depends neither on the version of Rust nor on that of this crate: FNV-1a, 64 bits.

/// The hash of no bytes.
pub(crate) const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// Returns the hash of the bytes after those of `hash`.
pub(crate) fn extend(hash: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(hash, step)
}

#[cfg(test)]
mod tests {
    use super::{EMPTY, extend};

    // The test vectors of the hash's authors.
    #[test]
    fn hashes_are_those_of_fnv_1a() {
        let hash = |text: &str| extend(EMPTY, text.bytes());
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(extend(hash("foo"), *b"bar"), hash("foobar"));
    }
}
