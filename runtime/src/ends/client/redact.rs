//! Redaction of URLs: user information, the query and the fragment may contain secrets.

#[cfg(any(feature = "reqwest", feature = "tokens", feature = "receiver"))]
use http::Uri;

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
#[cfg(any(feature = "reqwest", feature = "tokens"))]
pub(super) fn has_userinfo(url: &Uri) -> bool {
    url.authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
}

/// Redacts a URL.
#[cfg(any(feature = "reqwest", feature = "tokens", feature = "receiver"))]
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
