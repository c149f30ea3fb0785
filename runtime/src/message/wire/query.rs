//! Pairs in a query, in a form, and among cookies.

use crate::message::wire::percent::decode;
use std::borrow::Cow;

/// Decoded names and undecoded values.
pub(crate) type Pairs<'a> = Vec<(Cow<'a, str>, &'a str)>;

/// Parses the pairs of a query or of a form.
pub(crate) fn pairs(text: &str) -> Pairs<'_> {
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name, true).unwrap_or(Cow::Borrowed(name)), value)
        })
        .collect()
}
