//! Percent-encoding (RFC 3986).

use memchr::memchr;
use std::borrow::Cow;

/// The set of bytes that are not encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Keep {
    /// Bytes that are kept in addition to letters, digits and `-._~`.
    more: &'static [u8],
    /// Whether a `%` that begins a triple is kept.
    triples: bool,
    /// Bytes that are encoded nevertheless.
    but: &'static [u8],
    /// More bytes that are encoded.
    also: &'static [u8],
    /// A template; the bytes outside of its braces are encoded, too.
    literal: Option<&'static str>,
}

impl Keep {
    /// Letters, digits and `-._~`.
    pub(crate) const UNRESERVED: Self = Self {
        more: b"",
        triples: false,
        but: b"",
        also: b"",
        literal: None,
    };
    /// The characters that `allowReserved` keeps in a query: not `#[]`, which a query cannot
    /// contain, and not `&` and `+`, which are delimiters.
    pub(crate) const QUERY: Self = Self {
        more: b":/?@!$'()*,;=",
        triples: true,
        but: b"",
        also: b"",
        literal: None,
    };
    /// The characters that `allowReserved` keeps in a path segment.
    pub(crate) const PATH: Self = Self {
        more: b":@!$&'()*+,;=",
        triples: true,
        but: b"",
        also: b"",
        literal: None,
    };

    /// Sets bytes to encode nevertheless.
    pub(crate) const fn but(self, but: &'static [u8]) -> Self {
        Self { but, ..self }
    }

    /// Sets more bytes to encode.
    pub(crate) const fn also_but(self, also: &'static [u8]) -> Self {
        Self { also, ..self }
    }

    /// Also encodes the bytes outside of the braces of a template.
    pub(crate) const fn but_literals_of(self, template: Option<&'static str>) -> Self {
        Self {
            literal: template,
            ..self
        }
    }

    fn keeps(&self, byte: u8) -> bool {
        let plain = IS_UNRESERVED[usize::from(byte)] || self.more.contains(&byte);
        plain
            && !self.but.contains(&byte)
            && !self.also.contains(&byte)
            && !self
                .literal
                .is_some_and(|template| in_literals(template, byte))
    }
}

/// Returns whether a byte is outside of the braces of a template.
pub(crate) fn in_literals(template: &str, byte: u8) -> bool {
    let mut inside = false;
    template.bytes().any(|other| {
        match other {
            b'{' => inside = true,
            b'}' => inside = false,
            _ => return !inside && other == byte,
        }
        false
    })
}

/// Returns the position of a byte. It is expected to be near: a call of `memchr` takes as long as a
/// loop over twenty bytes.
pub(crate) fn find_near(byte: u8, bytes: &[u8]) -> Option<usize> {
    let (near, far) = bytes.split_at(bytes.len().min(20));
    let found = near.iter().position(|other| *other == byte);
    if found.is_some() || far.is_empty() {
        return found;
    }
    memchr(byte, far).map(|at| at + near.len())
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Appends a byte as a triple.
pub(crate) fn push_triple(out: &mut String, byte: u8) {
    out.push('%');
    out.push(char::from(HEX[usize::from(byte >> 4)]));
    out.push(char::from(HEX[usize::from(byte & 15)]));
}

/// Whether each byte is a letter, a digit or one of `-._~`.
const IS_UNRESERVED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        #[allow(clippy::cast_possible_truncation, reason = "the loop ends at 256")]
        let at = byte as u8;
        table[byte] = at.is_ascii_alphanumeric() || matches!(at, b'-' | b'.' | b'_' | b'~');
        byte += 1;
    }
    table
};

/// Appends a text, with all but unreserved characters encoded.
pub(crate) fn encode_unreserved(out: &mut String, text: &str) {
    push_runs(out, text, |_, byte| IS_UNRESERVED[usize::from(byte)]);
}

/// Appends an encoded text.
pub(crate) fn encode_into(out: &mut String, text: &str, keep: Keep) {
    if keep == Keep::UNRESERVED {
        return encode_unreserved(out, text);
    }
    let bytes = text.as_bytes();
    push_runs(out, text, |index, byte| {
        let triple = || {
            let digits = bytes.get(index + 1..index + 3);
            digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        };
        keep.keeps(byte) || (byte == b'%' && keep.triples && triple())
    });
}

/// Appends a text; bytes that are not kept are encoded. Only bytes of ASCII may be kept, so each run
/// of them begins and ends at a character.
pub(super) fn push_runs(out: &mut String, text: &str, keeps: impl Fn(usize, u8) -> bool) {
    let mut start = 0;
    for (index, byte) in text.bytes().enumerate() {
        if keeps(index, byte) {
            continue;
        }
        out.push_str(text.get(start..index).unwrap_or_default());
        push_triple(out, byte);
        start = index + 1;
    }
    out.push_str(text.get(start..).unwrap_or_default());
}

/// Encodes a text.
pub(crate) fn encode(text: &str, keep: Keep) -> String {
    let mut out = String::with_capacity(text.len());
    encode_into(&mut out, text, keep);
    out
}

/// The error of a text with invalid percent-encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BadEncoding;

/// Decodes a text; with `plus`, a `+` is a space.
///
/// # Errors
///
/// Returns an error if a `%` does not begin a triple, or if the decoded bytes are not UTF-8.
pub(crate) fn decode(raw: &str, plus: bool) -> Result<Cow<'_, str>, BadEncoding> {
    let other = if plus { b'+' } else { b'%' };
    // All bytes are compared, because a loop that ends at the first is slower for short texts.
    let is_encoded = |found, byte| found | (byte == b'%') | (byte == other);
    if !raw.bytes().fold(false, is_encoded) {
        return Ok(Cow::Borrowed(raw));
    }
    let mut out = Vec::with_capacity(raw.len());
    let mut bytes = raw.bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'%' => {
                let high = digit(bytes.next())?;
                let low = digit(bytes.next())?;
                high << 4 | low
            }
            b'+' if plus => b' ',
            other => other,
        });
    }
    String::from_utf8(out)
        .map(Cow::Owned)
        .map_err(|_| BadEncoding)
}

fn digit(byte: Option<u8>) -> Result<u8, BadEncoding> {
    match byte {
        Some(byte @ b'0'..=b'9') => Ok(byte - b'0'),
        Some(byte @ b'a'..=b'f') => Ok(byte - b'a' + 10),
        Some(byte @ b'A'..=b'F') => Ok(byte - b'A' + 10),
        _ => Err(BadEncoding),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unreserved_characters_are_kept() {
        assert_eq!(encode("aZ09-._~", Keep::UNRESERVED), "aZ09-._~");
        assert_eq!(
            encode("a b/c?é%", Keep::UNRESERVED),
            "a%20b%2Fc%3F%C3%A9%25"
        );
    }

    #[test]
    fn reserved_characters_and_triples_are_kept_where_allowed() {
        assert_eq!(encode("a:/?@!$'()*,;=", Keep::QUERY), "a:/?@!$'()*,;=");
        assert_eq!(encode("#[]&+", Keep::QUERY), "%23%5B%5D%26%2B");
        assert_eq!(encode("50%", Keep::QUERY), "50%25");
        assert_eq!(encode("a%2Fb", Keep::QUERY), "a%2Fb");
        assert_eq!(encode("a/b", Keep::PATH), "a%2Fb");
        assert_eq!(encode("a,b", Keep::QUERY.but(b",")), "a%2Cb");
        let keep = Keep::UNRESERVED.but_literals_of(Some("{name}.{ext}"));
        assert_eq!(encode("x.y", keep), "x%2Ey");
    }

    #[test]
    fn a_byte_is_found_near_and_far() {
        for position in [0, 1, 19, 20, 21, 100] {
            let text = format!("{}&b&", "a".repeat(position));
            assert_eq!(find_near(b'&', text.as_bytes()), Some(position));
            assert_eq!(find_near(b'=', text.as_bytes()), None);
        }
        assert_eq!(find_near(b'&', b""), None);
    }

    #[test]
    fn decoding_is_strict() {
        assert_eq!(decode("a+b%20c", true).as_deref(), Ok("a b c"));
        assert_eq!(decode("a+b", false).as_deref(), Ok("a+b"));
        for bad in ["%", "%4", "%zz", "%FF", "%C3"] {
            assert_eq!(decode(bad, false), Err(BadEncoding), "{bad}");
        }
    }
}
