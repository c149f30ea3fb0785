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

/// Whether the value of a header `Accept` allows a media type (RFC 9110, section 12.5.1): a range
/// that names it more closely counts before one that does not. An empty value allows everything.
#[cfg(feature = "server")]
pub(crate) fn accepts(accept: &str, content_type: &str) -> bool {
    let ranges = accept.split(',').map(str::trim).filter(|of| !of.is_empty());
    let mut best: Option<(usize, bool)> = None;
    let mut any = false;
    for range in ranges {
        any = true;
        if !matches(range, content_type) {
            continue;
        }
        let closeness = 2 - essence(range).matches('*').count().min(2);
        let quality = parameter(range, "q").and_then(|q| q.parse::<f32>().ok());
        let allowed = quality.is_none_or(|quality| quality > 0.0);
        if best.is_none_or(|(known, _)| closeness > known) {
            best = Some((closeness, allowed));
        }
    }
    !any || best.is_some_and(|(_, allowed)| allowed)
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
