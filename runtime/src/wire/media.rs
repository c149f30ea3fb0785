//! Media types.

/// `type/subtype` without parameters.
pub(crate) fn essence(media: &str) -> &str {
    media.split(';').next().unwrap_or(media).trim()
}

/// Media types that stand in one text, with commas between.
pub(crate) fn each(media: &str) -> impl Iterator<Item = &str> {
    media.split(", ")
}

/// A parameter of a media type.
pub(crate) fn parameter(media: &str, name: &str) -> Option<String> {
    let (_, rest) = media.split_once(';')?;
    parameters(rest)
        .into_iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|of| of.1)
}

/// `a=b; c="d"` taken apart.
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

/// The text up to the closing quote, and what follows it.
fn unquote(quoted: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, of)) = chars.next() {
        match of {
            '"' => return (value, quoted.get(at + 1..).unwrap_or_default()),
            '\\' => match chars.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                // Some write paths with backslashes as they are.
                Some((_, other)) => value.extend(['\\', other]),
                None => value.push('\\'),
            },
            other => value.push(other),
        }
    }
    (value, "")
}

/// The charset that a media type names, where it is another than UTF-8 or a part of it.
pub(crate) fn other_charset(media: &str) -> Option<String> {
    let utf8 = |name: &str| {
        let known = ["utf-8", "utf8", "us-ascii", "ascii"];
        known.iter().any(|known| known.eq_ignore_ascii_case(name))
    };
    parameter(media, "charset").filter(|name| !utf8(name))
}

/// Whether a body of this type is JSON.
pub(crate) fn is_json(media: &str) -> bool {
    let essence = essence(media);
    let suffix = essence
        .len()
        .checked_sub(5)
        .and_then(|at| essence.get(at..));
    essence.eq_ignore_ascii_case("application/json")
        || essence.eq_ignore_ascii_case("text/json")
        || suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("+json"))
}

/// Whether a type falls under another, which may have `*` in it.
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

/// Whether two media types have one structure by their suffixes (RFC 6839): `application/a+json` is
/// JSON, as `application/json` is.
#[cfg(feature = "server")]
pub(crate) fn share_structure(one: &str, other: &str) -> bool {
    if is_json(one) && is_json(other) {
        return true;
    }
    match (structure(one), structure(other)) {
        (Some((one, by_suffix)), Some((other, too))) => {
            (by_suffix || too) && one.eq_ignore_ascii_case(other)
        }
        _ => false,
    }
}

/// The syntax of a media type, and whether it is stated by a suffix.
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
    fn parameters_may_be_quoted() {
        let media = "multipart/form-data; charset=x; boundary=\"a;\\\"b\"";
        assert_eq!(parameter(media, "Boundary").as_deref(), Some("a;\"b"));
        assert_eq!(parameter(media, "charset").as_deref(), Some("x"));
        assert_eq!(parameter("text/plain", "charset"), None);
    }
}
