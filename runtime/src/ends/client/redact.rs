//! Redaction of URLs: user information, the query and the fragment may contain secrets.

use super::Body;
use crate::message::media::{self, Syntax};
use crate::message::wire::header;
use crate::message::wire::percent::decode;
use crate::values::Json;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::Request;
#[cfg(any(
    feature = "hyper",
    feature = "reqwest",
    feature = "tokens",
    feature = "jwks"
))]
use http::Uri;
use http::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, USER_AGENT};

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
    feature = "jwks"
))]
pub(crate) fn url(url: &Uri) -> String {
    text(&url.to_string())
}

/// The shortest value that is left out of a text. Shorter ones are part of many words.
const SHORTEST: usize = 4;

/// Headers of a request that are no secrets.
const PUBLIC: [http::HeaderName; 4] = [ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, USER_AGENT];

/// Limit for the body of a request whose values are searched, in bytes.
const MOST_BYTES: usize = 64 << 10;

/// Limit for the number of values.
const MOST_VALUES: usize = 1000;

/// Returns the values that a request sends, the longest first: in headers, the path and the query,
/// with their parts, and in the body. `None` if the body is streamed, or beyond the limits.
pub(super) fn values_of(request: Request<Body>, template: &str) -> Option<Vec<String>> {
    let (head, body) = request.into_parts();
    let mut values = Values::default();
    for (name, value) in head
        .headers
        .iter()
        .filter(|(name, _)| !PUBLIC.contains(name))
    {
        let value = String::from_utf8_lossy(value.as_bytes());
        if *name == AUTHORIZATION {
            values.add_basic(&value);
        }
        values.0.push(value.into_owned());
    }
    let is_stated = |segment: &&str| template.split('/').any(|stated| stated == *segment);
    for segment in head
        .uri
        .path()
        .split('/')
        .filter(|segment| !is_stated(segment))
    {
        values.add_encoded(segment, false);
    }
    values.add_pairs(head.uri.query().unwrap_or_default());
    let parts: Vec<String> = (values.0.iter())
        .flat_map(|value| value.split([' ', ';', '=', ',']))
        .map(str::to_owned)
        .collect();
    values.0.extend(parts);
    let body = body
        .into_bytes()
        .ok()
        .filter(|body| body.len() <= MOST_BYTES)?;
    if let Ok(text) = std::str::from_utf8(&body) {
        values.add_body(header::text(&head.headers, CONTENT_TYPE.as_str()), text);
    }
    values.finish()
}

/// Values that a request sends.
#[derive(Default)]
struct Values(Vec<String>);

impl Values {
    /// Adds a value as it is, and decoded.
    fn add_encoded(&mut self, value: &str, is_form: bool) {
        self.0.push(value.to_owned());
        if let Ok(decoded) = decode(value, is_form) {
            self.add_json(&decoded);
            self.0.push(decoded.into_owned());
        }
    }

    fn add_pairs(&mut self, pairs: &str) {
        for pair in pairs.split('&') {
            self.add_encoded(pair.split_once('=').map_or(pair, |(_, value)| value), true);
        }
    }

    /// Adds the user name and the password of `Authorization: Basic …`.
    fn add_basic(&mut self, value: &str) {
        let code = value
            .split_once(' ')
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"));
        let pair = code.and_then(|(_, code)| STANDARD.decode(code).ok());
        if let Some(pair) = pair
            .as_deref()
            .and_then(|pair| std::str::from_utf8(pair).ok())
        {
            self.0.extend(pair.splitn(2, ':').map(str::to_owned));
        }
    }

    /// Adds the scalars of JSON or of a form, and the lines of another text.
    fn add_body(&mut self, media: Option<&str>, text: &str) {
        match media {
            Some(media) if media::is_json(media) => self.add_json(text),
            Some(media) if Syntax::Form.reads(media) => self.add_pairs(text),
            _ => self.0.extend(text.lines().map(str::to_owned)),
        }
    }

    /// Adds the strings and numbers of JSON.
    fn add_json(&mut self, text: &str) {
        let mut open: Vec<Json> = serde_json::from_str(text).into_iter().collect();
        while let Some(json) = open.pop() {
            match json {
                Json::Array(items) => open.extend(items),
                Json::Object(members) => open.extend(members.into_iter().map(|(_, value)| value)),
                Json::String(text) => self.0.push(text),
                Json::Number(number) => self.0.push(number.to_string()),
                Json::Null | Json::Bool(_) => {}
            }
        }
    }

    /// Returns the values that can be told from words, also as JSON escapes them.
    fn finish(mut self) -> Option<Vec<String>> {
        let escaped: Vec<String> = (self.0.iter())
            .filter(|value| value.contains(['"', '\\']))
            .map(|value| Json::from(value.as_str()).to_string())
            .filter_map(|quoted| Some(quoted.get(1..quoted.len() - 1)?.to_owned()))
            .collect();
        self.0.extend(escaped);
        self.0.retain(|value| value.len() >= SHORTEST);
        self.0
            .sort_by(|value, other| (other.len(), value).cmp(&(value.len(), other)));
        self.0.dedup();
        (self.0.len() <= MOST_VALUES).then_some(self.0)
    }
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

    #[test]
    fn everything_that_a_request_sends_is_left_out() {
        let sent = |uri: &str, media: &'static str, body: &str| {
            let basic = format!("Basic {}", STANDARD.encode("user:s3:cret"));
            let request = Request::post(uri)
                .header(AUTHORIZATION, basic)
                .header("cookie", "a=c00kie; b=1")
                .header(CONTENT_TYPE, media)
                .body(Body::from(body.to_owned()));
            values_of(request.expect("a request"), "/users/{name}/keys")
        };
        let json = r#"{"password":"hunter22","more":[{"n":123456,"s":"a \"b\""}],"short":"abc","on":true}"#;
        let uri = "/v1/users/t%C3%B6ken/keys?q=s%20ecret";
        let values = sent(uri, "application/json", json).expect("values");
        for value in [
            "user",
            "s3:cret",
            "c00kie",
            "hunter22",
            "123456",
            r#"a "b""#,
            r#"a \"b\""#,
            "töken",
            "t%C3%B6ken",
            "s ecret",
            "s%20ecret",
        ] {
            assert!(
                values.iter().any(|found| found == value),
                "{value} of {values:?}"
            );
        }
        for value in ["users", "keys", "abc", "true"] {
            assert!(
                !values.iter().any(|found| found == value),
                "{value} of {values:?}"
            );
        }
        let form = sent(
            "/users/a/keys",
            "application/x-www-form-urlencoded",
            "a=b%26cd&o=%7B%22p%22%3A%22qrst%22%7D",
        );
        let form = form.expect("values");
        for value in ["b%26cd", "b&cd", "qrst"] {
            assert!(
                form.iter().any(|found| found == value),
                "{value} of {form:?}"
            );
        }
        let text = sent("/users/a/keys", "text/plain", "one line\r\ntwo lines").expect("values");
        assert!(text.iter().any(|found| found == "two lines"), "{text:?}");
        let many: Vec<String> = (1000..3000).map(|number| number.to_string()).collect();
        let long = "x".repeat(MOST_BYTES + 1);
        for (media, body) in [
            ("application/json", format!("[{}]", many.join(","))),
            ("text/plain", long),
        ] {
            assert_eq!(sent("/users/a/keys", media, &body), None);
        }
    }
}
