//! Pairs in a query, in a form, and among cookies.

use crate::message::wire::percent::decode;
use memchr::{memchr, memchr_iter};
use std::borrow::Cow;

/// Decoded names and undecoded values.
pub(crate) type Pairs<'a> = Vec<(Cow<'a, str>, &'a str)>;

/// Parses the pairs of a query or of a form.
pub(crate) fn pairs(text: &str) -> Pairs<'_> {
    if text.is_empty() {
        return Vec::new();
    }
    let separators = memchr_iter(b'&', text.as_bytes());
    let mut pairs = Vec::with_capacity(separators.count() + 1);
    let mut rest = Some(text);
    while let Some(text) = rest {
        let (pair, after) = match memchr(b'&', text.as_bytes()) {
            Some(end) => (text.get(..end), text.get(end + 1..)),
            None => (Some(text), None),
        };
        rest = after;
        let Some(pair) = pair.filter(|pair| !pair.is_empty()) else {
            continue;
        };
        let (name, value) = match memchr(b'=', pair.as_bytes()) {
            Some(end) => (pair.get(..end), pair.get(end + 1..)),
            None => (None, None),
        };
        let (name, value) = (name.unwrap_or(pair), value.unwrap_or_default());
        pairs.push((decode(name, true).unwrap_or(Cow::Borrowed(name)), value));
    }
    pairs
}
