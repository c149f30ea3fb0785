//! The `Cookie` header.

use crate::message::wire::percent::decode;
use crate::message::wire::query::Pairs;
use std::borrow::Cow;

/// Returns the cookies of a header. Values are not decoded; names are decoded unless `raw` is set.
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

/// Returns whether a text can be the name of a cookie without encoding: a token (RFC 6265, section
/// 4.1.1, and RFC 9110, section 5.6.2).
pub(crate) fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// Returns whether a text can be the value of a cookie without encoding: octets without control
/// characters, space, quotes, commas, semicolons and backslashes, optionally in quotes (RFC 6265,
/// section 4.1.1).
#[cfg(feature = "client")]
pub(crate) fn is_value(text: &str) -> bool {
    let quoted = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    let is_octet =
        |byte: u8| matches!(byte, 0x21 | 0x23..=0x2b | 0x2d..=0x3a | 0x3c..=0x5b | 0x5d..=0x7e);
    quoted.unwrap_or(text).bytes().all(is_octet)
}
