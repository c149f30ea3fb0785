//! What the client takes, and what the server makes: the header `Accept` (RFC 9110, 12.5.1).

use crate::wire::media::{self, Reading};

/// `Accept` for the media types of responses and of errors; `None` when there are none.
#[cfg(feature = "client")]
pub(crate) fn accept(media: [&[&str]; 2]) -> Option<http::HeaderValue> {
    let mut all: Vec<&str> = Vec::new();
    for media in media.into_iter().flatten() {
        if !all.iter().any(|known| known.eq_ignore_ascii_case(media)) {
            all.push(media);
        }
    }
    if all.is_empty() {
        return None;
    }
    // An answer of another type can be looked at, a 406 says nothing.
    if !all.contains(&"*/*") {
        all.push("*/*;q=0.1");
    }
    http::HeaderValue::from_str(&all.join(", ")).ok()
}

/// Whether a body of this type is read as it comes, by what an operation says of its media types.
pub(crate) fn is_live(
    media: &[(&str, bool)],
    content_type: Option<&str>,
    reading: Reading,
) -> bool {
    let names = media.iter().map(|(name, _)| *name);
    let chosen = media::choose(names, content_type, reading);
    chosen
        .and_then(|index| media.get(index))
        .is_some_and(|(_, live)| *live)
}

/// How much a media type is wanted, in thousandths; of the ranges that it falls under, the
/// narrowest counts. Nothing said means that anything is taken.
#[cfg(feature = "server")]
pub(crate) fn quality(accept: &str, media: &str) -> u16 {
    let mut best: Option<(u8, u16)> = None;
    let mut any = false;
    for entry in accept.split(',').filter(|entry| !entry.trim().is_empty()) {
        any = true;
        let range = media::essence(entry);
        let narrow = match range.split_once('/') {
            Some(("*", "*")) => 0,
            Some((_, "*")) => 1,
            _ => 2,
        };
        if media::matches(range, media) && best.is_none_or(|(known, _)| narrow > known) {
            best = Some((narrow, weight(entry)));
        }
    }
    match best {
        Some((_, quality)) => quality,
        None if any => 0,
        None => 1000,
    }
}

/// `q` of an entry; what cannot be read counts as 1.
#[cfg(feature = "server")]
fn weight(entry: &str) -> u16 {
    let Some(q) = media::parameter(entry, "q") else {
        return 1000;
    };
    let (whole, fraction) = q.trim().split_once('.').unwrap_or((q.trim(), ""));
    let fraction: String = fraction.chars().chain("000".chars()).take(3).collect();
    match (whole, fraction.parse::<u16>()) {
        ("0", Ok(fraction)) => fraction,
        _ => 1000,
    }
}

/// The index of the media type that is wanted most; the first of several. `None` when none is
/// taken.
#[cfg(feature = "server")]
pub(crate) fn choose(accept: &str, offered: &[&str]) -> Option<usize> {
    let mut best: Option<(usize, u16)> = None;
    for (index, media) in offered.iter().enumerate() {
        let quality = quality(accept, media);
        if quality > best.map_or(0, |(_, known)| known) {
            best = Some((index, quality));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_range_counts_and_the_highest_weight_wins() {
        // RFC 9110, 12.5.1, where a parameter `level` is left out of the ranges.
        let accept = "text/*;q=0.3, text/plain;q=0.7, */*;q=0.5";
        assert_eq!(quality(accept, "text/plain"), 700);
        assert_eq!(quality(accept, "text/html"), 300);
        assert_eq!(quality(accept, "image/jpeg"), 500);
        assert_eq!(
            choose(accept, &["text/html", "image/jpeg", "text/plain"]),
            Some(2)
        );
        assert_eq!(choose("", &["a/b", "c/d"]), Some(0));
        assert_eq!(choose("x/y", &["a/b"]), None);
        assert_eq!(choose("a/b;q=0, */*;q=0.1", &["a/b", "c/d"]), Some(1));
        assert_eq!(choose("a/b;q=0.5, c/d;Q=0.501", &["a/b", "c/d"]), Some(1));
    }
}
