//! Media types.

use crate::values::syntax::is_plain;
pub(crate) use crate::values::syntax::{Syntax, essence, is_json, is_xml};
#[cfg(feature = "server")]
use crate::values::{Leniencies, Leniency};
use std::borrow::Cow;

/// Returns the media types of a text, separated by commas.
pub(crate) fn each(media: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(media);
    std::iter::from_fn(move || {
        let text = rest?;
        // Most texts have one media type, in which a search for two characters takes longer.
        let mut commas = memchr::memchr_iter(b',', text.as_bytes());
        let end = commas.find(|comma| text.as_bytes().get(comma + 1) == Some(&b' '));
        let (media, after) = match end {
            Some(end) => (text.get(..end)?, text.get(end + 2..)),
            None => (text, None),
        };
        rest = after;
        Some(media)
    })
}

/// Returns an owned media type. The most common one is not allocated.
pub(crate) fn owned(media: &str) -> Cow<'static, str> {
    match media {
        "application/json" => Cow::Borrowed("application/json"),
        other => Cow::Owned(other.to_owned()),
    }
}

/// Returns a parameter of a media type.
pub(crate) fn parameter(media: &str, name: &str) -> Option<String> {
    let (_, rest) = media.split_once(';')?;
    parameters(rest)
        .into_iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|pair| pair.1)
}

/// Parses parameters such as `a=b; c="d"`.
pub(crate) fn parameters(text: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ';']);
        let Some((name, after)) = rest.split_once('=') else {
            return found;
        };
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => unquote(quoted),
            None => {
                let end = after.find(';').unwrap_or(after.len());
                let (value, after) = after.split_at(end);
                (value.trim().to_owned(), after)
            }
        };
        found.push((name.trim(), value));
        rest = after;
    }
}

/// Returns the text up to the closing quote, and the text after it.
fn unquote(quoted: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, character)) = chars.next() {
        match character {
            '"' => return (value, quoted.get(at + 1..).unwrap_or_default()),
            '\\' => match chars.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                // Some clients write paths with unescaped backslashes.
                Some((_, other)) => value.extend(['\\', other]),
                None => value.push('\\'),
            },
            other => value.push(other),
        }
    }
    (value, "")
}

/// Returns the charset of a media type, unless it is UTF-8 or a subset of it.
pub(crate) fn other_charset(media: &str) -> Option<String> {
    let utf8 = |name: &str| {
        let known = ["utf-8", "utf8", "us-ascii", "ascii"];
        known.iter().any(|known| known.eq_ignore_ascii_case(name))
    };
    parameter(media, "charset").filter(|name| !utf8(name))
}

/// The reader of a body, which determines the permitted difference from the documented media types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Reading {
    /// A server decodes a request: undocumented types are rejected (415).
    #[default]
    Strict,
    /// A server decodes a request, and accepts bytes of any type.
    #[cfg_attr(not(feature = "server"), allow(dead_code))]
    StrictButBytes,
    /// A client decodes a response, for which it cannot ask in another format.
    Lenient,
}

impl Reading {
    /// Returns the reading of a server that enables these leniencies.
    #[cfg(feature = "server")]
    pub(crate) const fn new(enabled: Leniencies) -> Self {
        match enabled.contains(Leniency::MediaTypeOfBytes) {
            true => Self::StrictButBytes,
            false => Self::Strict,
        }
    }
}

/// Returns the index of the documented media type by which a body is decoded; `None` if none
/// applies. Each entry may contain several types, separated by commas. The first rule that finds a
/// type decides; a server applies the first three, and the fifth if it accepts bytes of any type and
/// documents nothing else; a client applies all of them:
///
/// 1. A body without `Content-Type` is of the first documented type (RFC 9110, section 8.3, leaves
///    it to the recipient).
/// 2. The narrowest documented type or range that matches the received type. Of types that differ
///    in their parameters, the one whose parameters the received type has. For a server, a type
///    with another value of a documented parameter does not match.
/// 3. A documented type of the same structured syntax (RFC 6839): any JSON is decoded as documented
///    JSON, whatever its vendor name. For a server, this does not apply if a documented type with a
///    name of its own could be meant, such as `application/merge-patch+json` or
///    `application/vnd.users.v1+json`: then only `application/json` and `text/json` are the same.
/// 4. A documented type of the same kind without a structured syntax: `text/html` for `text/plain`,
///    `image/webp` for `image/png`, `application/x-zip` for `application/zip`.
/// 5. A documented `application/octet-stream`, which matches any bytes (RFC 2046, section 4.5.1).
/// 6. The first documented type that is not a form, a multipart body or a stream of items: these
///    accept almost any text as empty. A JSON parser detects a text that is not JSON.
pub(crate) fn choose<'m>(
    documented: impl Iterator<Item = &'m str> + Clone,
    received: Option<&str>,
    reading: Reading,
) -> Option<usize> {
    let names = || {
        let entries = documented.clone().enumerate();
        entries.flat_map(|(index, entry)| each(entry).map(move |name| (index, name)))
    };
    let Some(received) = received else {
        return names().next().map(|(index, _)| index);
    };
    // Rule 2 for the most common request.
    let is_one = |media: &str| !media.bytes().any(|byte| matches!(byte, b',' | b'*'));
    if documented.clone().next() == Some(received) && is_one(received) {
        return Some(0);
    }
    let under = names().filter(|(_, name)| matches(name, received));
    let rated = under.map(|(index, name)| (index, name, Agreement::new(name, received)));
    let stars = |name: &str| name.matches('*').count();
    let narrowest = rated.min_by_key(|(_, name, agreement)| (stars(name), *agreement));
    match (narrowest, reading) {
        (Some((index, ..)), Reading::Lenient) => Some(index),
        (Some((index, name, agreement)), Reading::Strict | Reading::StrictButBytes) => {
            let same = names().filter(|(_, other)| matches(other, name));
            let is_clear = match agreement {
                Agreement::Met { .. } => true,
                Agreement::Unstated => same.count() == 1,
                Agreement::Other => false,
            };
            is_clear.then_some(index)
        }
        (None, Reading::Strict) => same_syntax(&names, received).map(|(index, _)| index),
        (None, Reading::StrictButBytes) => same_syntax(&names, received)
            .map(|(index, _)| index)
            .or_else(|| names().all(|(_, name)| is_octets(name)).then_some(0)),
        (None, Reading::Lenient) => similar(&names, received).map(|(index, _)| index),
    }
}

/// How the parameters of a documented type agree with those of a received one, in the order of
/// preference. The parameters `charset` and `boundary` state how a body is encoded, and not what it
/// is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    /// The received type has all documented parameters. More of them are preferred.
    Met { further: std::cmp::Reverse<usize> },
    /// A documented parameter is missing.
    Unstated,
    /// A documented parameter has another value.
    Other,
}

impl Agreement {
    fn new(documented: &str, received: &str) -> Self {
        let (mut met, mut is_stated) = (0, true);
        let rest = documented.split_once(';').map_or("", |(_, rest)| rest);
        for (name, value) in parameters(rest) {
            if ["charset", "boundary"]
                .iter()
                .any(|ignored| name.eq_ignore_ascii_case(ignored))
            {
                continue;
            }
            match parameter(received, name) {
                Some(other) if other.eq_ignore_ascii_case(&value) => met += 1,
                Some(_) => return Self::Other,
                None => is_stated = false,
            }
        }
        match is_stated {
            true => Self::Met {
                further: std::cmp::Reverse(met),
            },
            false => Self::Unstated,
        }
    }
}

/// Returns the first documented type of the same syntax that no other documented type could be
/// confused with: rule 3 of a server.
fn same_syntax<'m, I: Iterator<Item = (usize, &'m str)>>(
    names: &impl Fn() -> I,
    received: &str,
) -> Option<(usize, &'m str)> {
    let syntax = Syntax::new(received);
    if syntax == Syntax::Other {
        return None;
    }
    let same = || names().filter(|(_, name)| Syntax::new(name) == syntax);
    let has_suffix = matches!(syntax, Syntax::Json | Syntax::Xml);
    if !has_suffix || same().all(|(_, name)| is_plain(name)) {
        return same().next();
    }
    same().find(|(_, name)| is_plain(name) && is_plain(received))
}

/// Returns the first documented type by which a client decodes another type: rules 3 to 6.
fn similar<'m, I: Iterator<Item = (usize, &'m str)>>(
    names: &impl Fn() -> I,
    received: &str,
) -> Option<(usize, &'m str)> {
    let first = |condition: &dyn Fn(&str) -> bool| names().find(|(_, name)| condition(name));
    let syntax = Syntax::new(received);
    let kind = |media: &str| {
        let (kind, _) = essence(media).split_once('/')?;
        Some(kind.to_ascii_lowercase())
    };
    let is_other = |name: &str| Syntax::new(name) == Syntax::Other;
    let same = |name: &str| syntax != Syntax::Other && Syntax::new(name) == syntax;
    let alike =
        |name: &str| is_other(name) && syntax == Syntax::Other && kind(name) == kind(received);
    let whole =
        |name: &str| is_other(name) || matches!(Syntax::new(name), Syntax::Json | Syntax::Xml);
    first(&same)
        .or_else(|| first(&alike))
        .or_else(|| first(&is_octets))
        .or_else(|| first(&whole))
}

/// Returns whether a documented media type is that of any bytes.
fn is_octets(media: &str) -> bool {
    matches(media, "application/octet-stream")
}

/// Returns whether a media type matches a range, which may contain `*`.
pub(crate) fn matches(range: &str, media: &str) -> bool {
    let (range, media) = (essence(range), essence(media));
    if range == "*/*" || range.eq_ignore_ascii_case(media) {
        return true;
    }
    match (range.strip_suffix("/*"), media.split_once('/')) {
        (Some(range), Some((media, _))) => range.eq_ignore_ascii_case(media),
        _ => false,
    }
}

/// Returns whether two media types have the same structured syntax (RFC 6839): `application/a+json`
/// is JSON, as is `application/json`.
#[cfg(feature = "server")]
pub(crate) fn share_structure(media: &str, other: &str) -> bool {
    if is_json(media) && is_json(other) {
        return true;
    }
    match (structure(media), structure(other)) {
        (Some((syntax, by_suffix)), Some((other, too))) => {
            (by_suffix || too) && syntax.eq_ignore_ascii_case(other)
        }
        _ => false,
    }
}

/// Returns the syntax of a media type, and whether a suffix states it.
#[cfg(feature = "server")]
fn structure(media: &str) -> Option<(&str, bool)> {
    let (kind, subtype) = essence(media).split_once('/')?;
    match subtype.rsplit_once('+') {
        Some((_, suffix)) => (!suffix.is_empty()).then_some((suffix, true)),
        None => {
            let plain = ["application", "text"];
            let plain = plain.iter().any(|known| known.eq_ignore_ascii_case(kind));
            plain.then_some((subtype, false))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_compared_without_parameters_and_case() {
        assert!(matches(
            "application/json",
            "Application/JSON; charset=utf-8"
        ));
        assert!(matches("image/*", "image/png"));
        assert!(matches("*/*", "a/b"));
        assert!(!matches("image/*", "text/png"));
        assert!(is_json("application/problem+json; x=y"));
        assert!(!is_json("application/jsonl"));
    }

    #[test]
    fn bytes_of_any_type_are_accepted_where_nothing_else_is_documented() {
        let choose = |documented: &[&str], received| {
            let documented = documented.iter().copied();
            choose(documented, Some(received), Reading::StrictButBytes)
        };
        let octets = "application/octet-stream";
        assert_eq!(choose(&[octets], "application/zip"), Some(0));
        assert_eq!(choose(&[octets], "application/json"), Some(0));
        assert_eq!(choose(&[octets, "text/plain"], "application/zip"), None);
        assert_eq!(choose(&["application/json"], "application/zip"), None);
        assert_eq!(choose(&["application/json"], "application/a+json"), Some(0));
    }

    #[test]
    fn bodies_are_decoded_by_the_first_matching_rule() {
        let documented = [
            "application/json",
            "text/plain, text/csv",
            "image/png",
            "text/event-stream",
        ];
        let lenient = |received| choose(documented.iter().copied(), received, Reading::Lenient);
        let strict = |received| choose(documented.iter().copied(), received, Reading::Strict);
        for (received, client, server) in [
            (None, Some(0), Some(0)),
            (Some("Text/CSV; header=present"), Some(1), Some(1)),
            (Some("application/vnd.x+json"), Some(0), Some(0)),
            (Some("application/problem+JSON"), Some(0), Some(0)),
            (Some("text/html"), Some(1), None),
            (Some("image/webp"), Some(2), None),
            (Some("application/x-unknown"), Some(0), None),
            (Some("application/octet-stream"), Some(0), None),
            (Some("text/event-stream"), Some(3), Some(3)),
        ] {
            assert_eq!(lenient(received), client, "{received:?}");
            assert_eq!(strict(received), server, "{received:?}");
        }
        let bytes = ["application/json", "application/octet-stream"];
        let bytes = |received| choose(bytes.iter().copied(), Some(received), Reading::Lenient);
        assert_eq!(bytes("application/x-unknown"), Some(1));
        assert_eq!(bytes("text/html"), Some(1));
        assert_eq!(bytes("application/hal+json"), Some(0));
        let streams = ["text/event-stream", "multipart/form-data"];
        let streams = |received| choose(streams.iter().copied(), Some(received), Reading::Lenient);
        assert_eq!(streams("text/html"), None);
        assert_eq!(streams("application/json"), None);
        assert_eq!(streams("multipart/mixed; boundary=b"), Some(1));
    }

    #[test]
    fn a_server_confuses_no_name_with_another() {
        let strict = |documented: &[&str], received| {
            choose(documented.iter().copied(), Some(received), Reading::Strict)
        };
        let versions = [
            "application/vnd.users.v1+json",
            "application/vnd.users.v2+json",
        ];
        let merge = ["application/merge-patch+json"];
        let both = ["application/vnd.api+json", "application/json"];
        let level = ["application/a+json; v=1", "application/a+json; v=\"2\""];
        for (documented, received, found) in [
            (&versions[..], "application/vnd.users.v2+json", Some(1)),
            (&versions[..], "application/vnd.users.v3+json", None),
            (&versions[..], "application/json", None),
            (&merge[..], "application/json", None),
            (
                &merge[..],
                "Application/Merge-Patch+JSON; charset=utf-8",
                Some(0),
            ),
            (&both[..], "text/json", Some(1)),
            (&both[..], "application/hal+json", None),
            (&level[..], "application/a+json;v=2", Some(1)),
            (&level[..], "application/a+json;v=3", None),
            (&level[..], "application/a+json", None),
            (&level[..1], "application/a+json", Some(0)),
            (
                &["application/json; charset=utf-8"],
                "application/json",
                Some(0),
            ),
            (&["application/soap+xml"], "text/xml", None),
            (&["application/xml"], "text/xml", Some(0)),
        ] {
            assert_eq!(
                strict(documented, received),
                found,
                "{documented:?} {received}"
            );
        }
        let lenient = |received| choose(level.iter().copied(), Some(received), Reading::Lenient);
        assert_eq!(lenient("application/a+json;v=2"), Some(1));
        assert_eq!(lenient("application/json"), Some(0));
    }

    #[test]
    fn parameters_may_be_quoted() {
        let media = "multipart/form-data; charset=x; boundary=\"a;\\\"b\"";
        assert_eq!(parameter(media, "Boundary").as_deref(), Some("a;\"b"));
        assert_eq!(parameter(media, "charset").as_deref(), Some("x"));
        assert_eq!(parameter("text/plain", "charset"), None);
    }
}
