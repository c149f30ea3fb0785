//! Formats of strings that have no Rust type.
//!
//! Each format has a necessary condition: a rejected text is never of the format. The full grammars
//! would also reject values that are in common use.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Returns whether a text may be of a format. Every text is of an unknown format.
pub(super) fn is_of(format: &str, text: &str) -> bool {
    match format {
        "email" | "idn-email" => is_email(text),
        "uri" | "url" | "iri" => is_uri(text),
        "hostname" => is_hostname(text),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        _ => true,
    }
}

/// Checks for a local part before the last `@` and a domain after it (RFC 5321, section 4.1.2),
/// without control characters, and without spaces outside of quotes.
fn is_email(text: &str) -> bool {
    let Some((name, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let quoted = name.len() > 1 && name.starts_with('"') && name.ends_with('"');
    let plain = |part: &str| !part.contains(|c: char| c.is_whitespace() || c == '@');
    !name.is_empty()
        && (quoted || plain(name))
        && !domain.is_empty()
        && plain(domain)
        && !text.contains(char::is_control)
}

/// Checks for a scheme, a colon, and no character that a URI cannot contain (RFC 3986, sections 2
/// and 3.1). Characters beyond ASCII are accepted, as in an IRI (RFC 3987).
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let first = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let named = scheme
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let forbidden = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '<' | '>' | '"' | '\\' | '^' | '`' | '{' | '|' | '}')
    };
    first && named && !rest.contains(forbidden)
}

/// Checks for labels of letters, digits and inner hyphens, separated by dots (RFC 1123, section
/// 2.1).
fn is_hostname(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= 253 && text.strip_suffix('.').unwrap_or(text).split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::is_of;

    #[test]
    fn formats_reject_invalid_texts() {
        for (format, good, bad) in [
            ("email", "a.b+c@example.com", "example.com"),
            ("email", "\"a b\"@example.com", "a b@example.com"),
            ("email", "ü@exämple.com", "a@"),
            ("uri", "https://example.com/a?b#c", "/a?b"),
            ("uri", "urn:isbn:0", "1a:b"),
            ("url", "mailto:a@b", "https://exa mple"),
            ("ipv4", "127.0.0.1", "127.0.0.256"),
            ("ipv6", "::1", "127.0.0.1"),
            ("hostname", "a-1.example", "-a.example"),
            ("hostname", "a.example.", "a..example"),
            ("unheard-of", "anything", ""),
        ] {
            assert!(is_of(format, good), "{format}: {good}");
            assert!(
                !is_of(format, bad) || format == "unheard-of",
                "{format}: {bad}"
            );
        }
    }
}
