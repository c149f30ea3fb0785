//! Pairs in a query, in a form, and among cookies.

use crate::message::wire::percent::{decode, find_near};
use std::borrow::Cow;

/// Decoded names and undecoded values.
pub(crate) type Pairs<'a> = Vec<(Cow<'a, str>, &'a str)>;

/// Parses the pairs of a query or of a form.
pub(crate) fn pairs(text: &str) -> Pairs<'_> {
    if text.is_empty() {
        return Vec::new();
    }
    let bytes = text.as_bytes();
    // Few queries have more parameters.
    let mut pairs = Vec::with_capacity(8);
    let mut start = 0;
    while start < bytes.len() {
        let rest = bytes.get(start..).unwrap_or_default();
        let mut is_encoded = false;
        let length = rest.iter().position(|byte| {
            is_encoded |= matches!(byte, b'%' | b'+');
            matches!(byte, b'=' | b'&')
        });
        let split = start + length.unwrap_or(rest.len());
        let value = split + usize::from(bytes.get(split) == Some(&b'='));
        let end = bytes.get(value..).and_then(|rest| find_near(b'&', rest));
        let end = end.map_or(bytes.len(), |length| value + length);
        if end > start {
            let name = text.get(start..split).unwrap_or_default();
            let name = match is_encoded {
                true => decode(name, true).unwrap_or(Cow::Borrowed(name)),
                false => Cow::Borrowed(name),
            };
            pairs.push((name, text.get(value..end).unwrap_or_default()));
        }
        start = end + 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Splits a query by the definition.
    fn split(text: &str) -> Pairs<'_> {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        let pair = |pair| {
            let (name, value) = str::split_once(pair, '=').unwrap_or((pair, ""));
            (decode(name, true).unwrap_or(Cow::Borrowed(name)), value)
        };
        pairs.map(pair).collect()
    }

    proptest! {
        #[test]
        fn pairs_are_separated_by_the_definition(text in "[a&=+%26é]{0,12}") {
            prop_assert_eq!(pairs(&text), split(&text));
        }
    }
}
