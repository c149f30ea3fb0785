//! Header values.

use super::EncodeError;
use http::{HeaderMap, HeaderValue};

/// A text as the value of a header.
///
/// Line breaks and other control characters are refused, and so is space at an end, which would
/// be lost on the way.
pub(crate) fn value(name: &str, text: &str) -> Result<HeaderValue, EncodeError> {
    let fail = |message| Err(EncodeError::new(name, message));
    if text
        .bytes()
        .any(|byte| (byte < b' ' && byte != b'\t') || byte == 0x7f)
    {
        return fail("a header cannot hold a line break or another control character");
    }
    if text.starts_with([' ', '\t']) || text.ends_with([' ', '\t']) {
        return fail("a header cannot begin or end with space");
    }
    HeaderValue::from_bytes(text.as_bytes()).or_else(|_| fail("a header cannot hold this"))
}

/// All values of a header as texts; `None` for one that is not UTF-8.
pub(crate) fn texts<'a>(
    headers: &'a HeaderMap,
    name: &str,
) -> impl Iterator<Item = Option<&'a str>> {
    headers
        .get_all(name)
        .into_iter()
        .map(|value| std::str::from_utf8(value.as_bytes()).ok())
}

/// The first value of a header as a text.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    texts(headers, name).next().flatten()
}
