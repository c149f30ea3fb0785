//! The `Cookie` header.

use super::percent::decode;
use super::query::Pairs;
use std::borrow::Cow;

/// The cookies of a header: values as they came, and names as well where they are `raw`, or decoded.
pub(crate) fn pairs(header: &str, raw: bool) -> Pairs<'_> {
    header
        .split(';')
        .map(|pair| pair.trim_matches([' ', '\t']))
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = match raw {
                true => Cow::Borrowed(name),
                false => decode(name, false).unwrap_or(Cow::Borrowed(name)),
            };
            (name, value)
        })
        .collect()
}

/// Whether a text can be the name of a cookie as it is: a token (RFC 6265, section 4.1.1, and
/// RFC 9110, section 5.6.2).
pub(crate) fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// Whether a text can be the value of a cookie as it is: octets without control characters, space,
/// quotes, commas, semicolons and backslashes, perhaps in quotes (RFC 6265, section 4.1.1).
#[cfg(feature = "client")]
pub(crate) fn is_value(text: &str) -> bool {
    let quoted = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    let is_octet =
        |byte: u8| matches!(byte, 0x21 | 0x23..=0x2b | 0x2d..=0x3a | 0x3c..=0x5b | 0x5d..=0x7e);
    quoted.unwrap_or(text).bytes().all(is_octet)
}
