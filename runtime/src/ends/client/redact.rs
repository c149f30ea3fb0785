//! Redaction of URLs: user information, the query and the fragment may contain secrets.

use crate::message::wire::percent::decode;
use http::Request;
#[cfg(any(
    feature = "hyper",
    feature = "reqwest",
    feature = "tokens",
    feature = "receiver"
))]
use http::Uri;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, USER_AGENT};
use std::borrow::Cow;

/// Redacts a text that may not be a valid URL.
pub(super) fn text(url: &str) -> String {
    // The `@` is searched first, because a password may contain any character.
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) if !scheme.contains('@') => (Some(scheme), rest),
        _ => (None, url),
    };
    let (mark, rest) = match rest.rsplit_once('@') {
        Some((_, rest)) => ("…@", rest),
        None => ("", rest),
    };
    let shown = rest.split(['?', '#']).next().unwrap_or_default();
    let cut = if shown.len() < rest.len() { "?…" } else { "" };
    let scheme = scheme.map_or_else(String::new, |scheme| format!("{scheme}://"));
    format!("{scheme}{mark}{shown}{cut}")
}

/// Returns whether a URL contains a user name or a password.
#[cfg(any(feature = "hyper", feature = "reqwest", feature = "tokens"))]
pub(super) fn has_userinfo(url: &Uri) -> bool {
    url.authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
}

/// Redacts a URL.
#[cfg(any(
    feature = "hyper",
    feature = "reqwest",
    feature = "tokens",
    feature = "receiver"
))]
pub(crate) fn url(url: &Uri) -> String {
    text(&url.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_urls_are_not_shown() {
        for (url, shown) in [
            ("https://h:1/a", "https://h:1/a"),
            ("https://h/a?key=s3cret#s3cret", "https://h/a?…"),
            ("https://h/a#s3cret", "https://h/a?…"),
            ("https://user:s3cret@h/a", "https://…@h/a"),
            ("https://user:s3?cr#et@h/a?k=s3cret", "https://…@h/a?…"),
            ("https://user:s3@cret@h", "https://…@h"),
            ("user:s3cret@h", "…@h"),
            ("u@s3cret://s3cret@h", "…@h"),
            ("nowhere", "nowhere"),
            ("", ""),
        ] {
            assert_eq!(text(url), shown, "{url}");
        }
    }
}

/// The shortest value that is left out of a text. Shorter ones are part of many words.
const SHORTEST: usize = 4;

/// Headers of a request that are no secrets.
const PUBLIC: [http::HeaderName; 4] = [ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, USER_AGENT];

/// Returns the values of the headers and of the query of a request, and their parts, the longest
/// first.
pub(super) fn values_of(request: &Request<super::Body>) -> Vec<String> {
    let headers = request.headers().iter();
    let headers = headers.filter(|(name, _)| !PUBLIC.contains(name));
    let headers = headers.map(|(_, value)| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let mut values: Vec<String> = headers.collect();
    for pair in request.uri().query().unwrap_or_default().split('&') {
        let value = pair.split_once('=').map_or(pair, |(_, value)| value);
        values.push(value.to_owned());
        values.extend(decode(value, true).map(Cow::into_owned));
    }
    let parts: Vec<String> = (values.iter())
        .flat_map(|value| value.split([' ', ';', '=', ',']))
        .map(str::to_owned)
        .collect();
    values.extend(parts);
    values.retain(|value| value.len() >= SHORTEST);
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    values.dedup();
    values
}

/// Returns a text without these values.
pub(super) fn without(text: &str, values: &[String]) -> String {
    let mut text = text.to_owned();
    for value in values.iter().filter(|value| !value.is_empty()) {
        if text.contains(value.as_str()) {
            text = text.replace(value.as_str(), "…");
        }
    }
    text
}
