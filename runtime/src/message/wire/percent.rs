//! Percent-encoding (RFC 3986).

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
        let plain = byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'.' | b'_' | b'~')
            || self.more.contains(&byte);
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

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Appends a byte as a triple.
pub(crate) fn push_triple(out: &mut String, byte: u8) {
    out.push('%');
    out.push(char::from(HEX[usize::from(byte >> 4)]));
    out.push(char::from(HEX[usize::from(byte & 15)]));
}

/// Appends an encoded text.
pub(crate) fn encode_into(out: &mut String, text: &str, keep: Keep) {
    let bytes = text.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let triple = || {
            let digits = bytes.get(index + 1..index + 3);
            digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        };
        if keep.keeps(*byte) || (*byte == b'%' && keep.triples && triple()) {
            out.push(char::from(*byte));
        } else {
            push_triple(out, *byte);
        }
    }
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
    if !raw
        .bytes()
        .any(|byte| byte == b'%' || (plus && byte == b'+'))
    {
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
    fn decoding_is_strict() {
        assert_eq!(decode("a+b%20c", true).as_deref(), Ok("a b c"));
        assert_eq!(decode("a+b", false).as_deref(), Ok("a+b"));
        for bad in ["%", "%4", "%zz", "%FF", "%C3"] {
            assert_eq!(decode(bad, false), Err(BadEncoding), "{bad}");
        }
    }
}
