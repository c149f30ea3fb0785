//! The bytes that need an escape in a string of JSON (RFC 8259, section 7).

/// The lowest bit of each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Returns whether a byte needs an escape: a quote, a backslash or a control character.
pub(super) const fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Sets the highest bit of each of eight bytes that needs an escape. Only the lowest set bit is exact.
#[inline]
pub(super) const fn need_escapes(eight: u64) -> u64 {
    let quote = eight ^ (ONES * b'"' as u64);
    let backslash = eight ^ (ONES * b'\\' as u64);
    let control = eight.wrapping_sub(ONES * 0x20) & !eight;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    (control | quote | backslash) & HIGHS
}

/// Returns whether no name needs an escape, so that each may be compared with a text of JSON as it is.
pub const fn are_plain(names: &[&str]) -> bool {
    let mut rest = names;
    while let [name, others @ ..] = rest {
        let mut bytes = name.as_bytes();
        while let [byte, behind @ ..] = bytes {
            if needs_escape(*byte) {
                return false;
            }
            bytes = behind;
        }
        rest = others;
    }
    true
}
