//! Content negotiation by the header `Accept` (RFC 9110, section 12.5.1).

use super::Row;
use crate::message::media;
use crate::message::media::Reading;

/// Returns `Accept` for the media types of successes and errors; `None` if there are none.
///
/// The value of an operation is joined once, and then found by the addresses of its rows. There are
/// 256 places; an operation without a place joins its value each time.
#[cfg(feature = "client")]
pub(crate) fn accept(rows: [&'static [Row]; 2]) -> Option<http::HeaderValue> {
    use std::sync::OnceLock;

    type Place = OnceLock<([(usize, usize); 2], Option<http::HeaderValue>)>;
    static PLACES: [Place; 256] = [const { OnceLock::new() }; 256];

    // Rows of the same address and length are the same rows.
    let key = rows.map(|rows| (rows.as_ptr().addr(), rows.len()));
    let [(address, _), (other, _)] = key;
    let hash = (address ^ other.rotate_left(17)) >> 4;
    let places =
        (0..4).filter_map(|next| PLACES.get((hash ^ (hash >> 8)).wrapping_add(next) % 256));
    for place in places {
        let (known, value) = place.get_or_init(|| (key, joined(rows)));
        if *known == key {
            return value.clone();
        }
    }
    joined(rows)
}

#[cfg(feature = "client")]
fn joined(rows: [&[Row]; 2]) -> Option<http::HeaderValue> {
    let mut all: Vec<&str> = Vec::new();
    let names = rows.into_iter().flatten().flat_map(|row| row.media);
    for media in names.flat_map(|media| media::each(media)) {
        if !all.iter().any(|known| known.eq_ignore_ascii_case(media)) {
            all.push(media);
        }
    }
    if all.is_empty() {
        return None;
    }
    // A response of another type can be inspected, while a 406 contains no information.
    if !all.contains(&"*/*") {
        all.push("*/*;q=0.1");
    }
    http::HeaderValue::from_str(&all.join(", ")).ok()
}

/// Returns whether a body of this type is streamed, by the media types of the operation.
pub(crate) fn is_live(
    media: &[(&str, bool)],
    content_type: Option<&str>,
    reading: Reading,
) -> bool {
    if media.is_empty() {
        return false;
    }
    let names = media.iter().map(|(name, _)| *name);
    let chosen = media::choose(names, content_type, reading);
    chosen
        .and_then(|index| media.get(index))
        .is_some_and(|(_, live)| *live)
}

/// Returns whether a header `Accept` allows one of the media types of an operation's responses (RFC
/// 9110, section 12.5.1). An operation without response bodies allows every `Accept`.
///
/// The comparison is lenient where practice is: `application/vnd.github.v3+json` allows
/// `application/json` and vice versa, by the structured syntax suffix (RFC 6839), `*` means `*/*`,
/// and a response of arbitrary bytes (`application/octet-stream`, or a range of the document) is of
/// any type.
#[cfg(feature = "server")]
pub(crate) fn is_acceptable(accept: &str, rows: &[Row]) -> bool {
    let names = rows.iter().flat_map(|row| row.media);
    let mut offered = names.flat_map(|media| media::each(media)).peekable();
    offered.peek().is_none() || offered.any(|media| allows(accept, media))
}

/// Returns whether a header `Accept` obviously allows one of the media types: it is `*/*`, or equals
/// the only media type of a response. [`is_acceptable`] agrees.
#[cfg(feature = "server")]
pub(crate) fn is_plainly_acceptable(accept: &[u8], rows: &[Row]) -> bool {
    let is_named = |row: &Row| matches!(row.media, [only] if only.as_bytes() == accept);
    accept == b"*/*" || (rows.iter().any(is_named) && !accept.contains(&b';'))
}

#[cfg(feature = "server")]
fn allows(accept: &str, media: &str) -> bool {
    match best(accept, media, true) {
        Best::Unsaid => true,
        Best::Rated(Closeness::Exact, weight) => weight > 0,
        Best::Rated(_, weight) if weight > 0 => true,
        Best::Rated(..) | Best::Unmatched => {
            let any_bytes = media::essence(media).eq_ignore_ascii_case("application/octet-stream");
            let falls = |entry: &str| any_bytes || media::matches(media, entry);
            (any_bytes || media.contains('*'))
                && entries(accept).any(|entry| weight(entry) > 0 && falls(entry))
        }
    }
}

/// Returns the weight of a media type, in thousandths. The narrowest matching range counts. An
/// empty header accepts any type.
#[cfg(feature = "server")]
fn quality(accept: &str, media: &str, lenient: bool) -> u16 {
    match best(accept, media, lenient) {
        Best::Unsaid => 1000,
        Best::Rated(_, weight) => weight,
        Best::Unmatched => 0,
    }
}

/// The best match of a media type in a header `Accept`.
#[cfg(feature = "server")]
enum Best {
    /// The header is empty.
    Unsaid,
    /// No range of the header matches the media type.
    Unmatched,
    /// The weight of the narrowest matching range.
    Rated(Closeness, u16),
}

/// How closely a range matches a media type.
#[cfg(feature = "server")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Closeness {
    /// `*/*`
    Any,
    /// `type/*`
    Type,
    /// By the structured syntax suffix.
    Suffix,
    /// Exactly.
    Exact,
}

#[cfg(feature = "server")]
fn best(accept: &str, media: &str, lenient: bool) -> Best {
    let mut best = Best::Unsaid;
    for entry in entries(accept) {
        let found = closeness(entry, media).filter(|found| lenient || *found != Closeness::Suffix);
        best = match (best, found) {
            (Best::Rated(known, weight), found) if found.is_none_or(|found| found <= known) => {
                Best::Rated(known, weight)
            }
            (_, Some(found)) => Best::Rated(found, weight(entry)),
            (_, None) => Best::Unmatched,
        };
    }
    best
}

#[cfg(feature = "server")]
fn entries(accept: &str) -> impl Iterator<Item = &str> {
    let entries = accept.split(',').map(str::trim);
    entries.filter(|entry| !entry.is_empty())
}

#[cfg(feature = "server")]
fn closeness(range: &str, media: &str) -> Option<Closeness> {
    let (range, media) = (media::essence(range), media::essence(media));
    if matches!(range, "*/*" | "*") {
        Some(Closeness::Any)
    } else if range.eq_ignore_ascii_case(media) {
        Some(Closeness::Exact)
    } else if media::matches(range, media) {
        Some(Closeness::Type)
    } else {
        media::share_structure(range, media).then_some(Closeness::Suffix)
    }
}

/// Returns the weight `q` of an entry; an invalid weight counts as 1.
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

/// Returns the index of the preferred media type: the first of several, and `None` if no type is
/// accepted. A type that shares only its suffix with a range ranks last.
#[cfg(feature = "server")]
pub(crate) fn choose(accept: &str, offered: &[&str]) -> Option<usize> {
    let most_wanted = |lenient| {
        let mut best: Option<(usize, u16)> = None;
        for (index, media) in offered.iter().enumerate() {
            let quality = quality(accept, media, lenient);
            if quality > best.map_or(0, |(_, known)| known) {
                best = Some((index, quality));
            }
        }
        best.map(|(index, _)| index)
    };
    most_wanted(false).or_else(|| most_wanted(true))
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;
    use crate::message::operation::Statuses;

    #[test]
    fn the_narrowest_range_counts_and_the_highest_weight_wins() {
        // The example of RFC 9110, section 12.5.1, without the parameter `level` of its ranges.
        let accept = "text/*;q=0.3, text/plain;q=0.7, */*;q=0.5";
        for (media, weight) in [("text/plain", 700), ("text/html", 300), ("image/jpeg", 500)] {
            assert_eq!(quality(accept, media, true), weight, "{media}");
        }
        assert_eq!(
            choose(accept, &["text/html", "image/jpeg", "text/plain"]),
            Some(2)
        );
        assert_eq!(choose("", &["a/b", "c/d"]), Some(0));
        assert_eq!(choose("x/y", &["a/b"]), None);
        assert_eq!(choose("a/b;q=0, */*;q=0.1", &["a/b", "c/d"]), Some(1));
        assert_eq!(choose("a/b;q=0.5, c/d;Q=0.501", &["a/b", "c/d"]), Some(1));
    }

    #[test]
    fn a_suffix_matches_less_closely_than_the_name() {
        let offered = ["application/json", "application/vnd.x+json"];
        assert_eq!(choose("application/vnd.x+json", &offered), Some(1));
        assert_eq!(choose("application/vnd.y+json", &offered), Some(0));
    }

    #[test]
    fn accept_headers_are_matched() {
        const JSON: &[&str] = &["application/json"];
        for (accept, offered, allowed) in [
            ("", JSON, true),
            ("*/*", JSON, true),
            ("*", JSON, true),
            ("application/*", JSON, true),
            ("APPLICATION/JSON; charset=utf-8", JSON, true),
            ("application/vnd.github.v3+json", JSON, true),
            ("application/json", &["application/hal+json"], true),
            ("application/a+json", &["application/b+JSON"], true),
            ("text/json", JSON, true),
            ("text/xml", &["application/atom+xml"], true),
            ("text/html", JSON, false),
            ("application/xml", JSON, false),
            ("text/html, application/json;q=0.1", JSON, true),
            ("application/json;q=0", JSON, false),
            ("*/*;q=0", JSON, false),
            ("application/json;q=0, */*", JSON, false),
            ("application/json;q=0, application/x+json", JSON, false),
            ("application/*;q=0, application/x+json", JSON, true),
            ("application/json;q=0.000", JSON, false),
            ("application/json;q=nonsense", JSON, true),
            ("text/html", &[], true),
            ("text/html", &["application/json", "text/html"], true),
            ("image/png", &["image/*"], true),
            ("image/png;q=0", &["image/*"], false),
            ("text/html", &["image/*"], false),
            ("text/html", &["*/*"], true),
            ("application/pdf", &["application/octet-stream"], true),
            (
                "application/octet-stream;q=0",
                &["application/octet-stream"],
                false,
            ),
            ("*/*;q=0", &["application/octet-stream"], false),
            ("application/plain", &["text/plain"], false),
        ] {
            let row = Row {
                media: offered,
                ..Row::empty(Statuses::parse("200"))
            };
            let rows = [row];
            let found = is_acceptable(accept, &rows);
            assert_eq!(found, allowed, "{accept} {offered:?}");
            assert!(found || !is_plainly_acceptable(accept.as_bytes(), &rows));
        }
    }
}
