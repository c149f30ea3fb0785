//! The `Cookie` header.

use super::percent::decode;
use super::query::Pairs;
use std::borrow::Cow;

/// The cookies of a header, names decoded and values as they came.
pub(crate) fn pairs(header: &str) -> Pairs<'_> {
    header
        .split(';')
        .map(|pair| pair.trim_matches([' ', '\t']))
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(name, false).unwrap_or(Cow::Borrowed(name)), value)
        })
        .collect()
}
