//! Shortening of secrets in the log.

use crate::ids;
use crate::model::Call;
use axum::http::{HeaderMap, header};
use serde_json::Value;
use std::borrow::Cow;

/// How many characters of a secret are kept.
const KEPT: usize = 6;
/// The beginnings of tokens, which are recognised in any text.
const TOKENS: [&str; 2] = [super::tokens::ACCESS, super::tokens::REFRESH];
/// The names of fields with secrets, as [`is_secret`] compares them.
const FIELDS: [&str; 5] = [
    "accesstoken",
    "refreshtoken",
    "clientsecret",
    "customersecret",
    "password",
];
/// The length of the shortest of them.
const SHORTEST: usize = "password".len();

/// Returns whether a field has a secret, however its name is written: `client_secret`, `clientSecret`,
/// `Client-Secret`.
fn is_secret(name: &str) -> bool {
    // Most names are shorter.
    if name.len() < SHORTEST {
        return false;
    }
    let letters = name.bytes().filter(|byte| !matches!(byte, b'_' | b'-'));
    let letters = letters.map(|byte| byte.to_ascii_lowercase());
    let mut fields = FIELDS.iter();
    fields.any(|field| letters.clone().eq(field.bytes()))
}

/// Returns a secret's beginning and `…`.
pub(super) fn shorten(secret: &str) -> String {
    let mut text: String = secret.chars().take(KEPT).collect();
    text.push('…');
    text
}

/// Returns headers with their names, with secrets shortened.
pub(super) fn headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let shown = headers.iter().map(|(name, value)| {
        let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
        let shown = match name {
            &header::AUTHORIZATION | &header::PROXY_AUTHORIZATION => match text.split_once(' ') {
                Some((scheme, secret)) => format!("{scheme} {}", shorten(secret.trim())),
                None => shorten(&text),
            },
            &header::COOKIE | &header::SET_COOKIE => shorten(&text),
            name if name.as_str() == "x-customer-secret" => shorten(&text),
            _ => tokens(&text),
        };
        (name.as_str().to_owned(), shown)
    });
    shown.collect()
}

/// Returns a path with its query, with secrets shortened.
pub(super) fn path(uri: &http::Uri) -> String {
    let path = tokens(uri.path());
    match uri.query() {
        Some(query) => format!("{path}?{}", form(query)),
        None => path,
    }
}

/// Returns a body with secrets shortened.
pub(super) fn body(content_type: Option<&str>, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let content_type = content_type.unwrap_or_default().to_ascii_lowercase();
    if content_type.starts_with("application/x-www-form-urlencoded") {
        return form(&text);
    }
    // In text without escapes, every name and string of JSON is between quotes as it is.
    if !text.contains('\\') {
        return tokens(&quoted(&text));
    }
    let json = || -> Option<String> {
        let mut value: Value = serde_json::from_str(&text).ok()?;
        // A body without secrets is shown as it was sent.
        shorten_fields(&mut value).then(|| value.to_string())
    };
    tokens(&json().unwrap_or_else(|| quoted(&text)))
}

/// Shortens secrets in text of JSON without escapes, or in text that is JSON only in parts, such as the
/// beginning of a long body: a string after the name of a secret and a colon.
fn quoted(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut parts = text.split('"');
    shown.push_str(parts.next().unwrap_or_default());
    let (mut name, mut is_inside) = ("", true);
    for part in parts {
        shown.push('"');
        let is_value = is_inside && is_secret(name);
        match is_value && part.chars().count() > KEPT {
            true => shown.push_str(&shorten(part)),
            false => shown.push_str(part),
        }
        // A name is followed by a colon and the beginning of a string.
        if is_inside || part.trim() != ":" {
            name = if is_inside { part } else { "" };
        }
        is_inside = !is_inside;
    }
    shown
}

/// Returns the beginning of a body without the end of it, which may be a part of a secret.
pub(super) fn without_part(bytes: &[u8]) -> &[u8] {
    let end = bytes.rsplit(|byte| !is_part(*byte)).next();
    let part = end.map_or(0, <[u8]>::len).min(ids::SECRET - 1);
    &bytes[..bytes.len() - part]
}

/// Shortens secrets with these hashes wherever a call has them.
pub(super) fn hidden(call: &mut Call, hashes: &[String]) {
    if hashes.is_empty() {
        return;
    }
    let texts = [
        &mut call.path,
        &mut call.request_body,
        &mut call.response_body,
    ];
    let headers = call.request_headers.iter_mut().map(|(_, value)| value);
    for text in texts.into_iter().chain(headers) {
        if let Some(shown) = without(text, hashes) {
            *text = shown;
        }
    }
}

/// Returns a text with secrets shortened that have one of these hashes; `None` if it has none. A secret
/// may be a part of a longer word.
fn without(text: &str, hashes: &[String]) -> Option<String> {
    let bytes = text.as_bytes();
    let (mut shown, mut kept, mut start) = (None::<String>, 0, 0);
    while let Some(word) = bytes.get(start..start + ids::SECRET) {
        if let Some(other) = word.iter().rposition(|byte| !is_part(*byte)) {
            start += other + 1;
            continue;
        }
        let word = &text[start..start + ids::SECRET];
        if hashes.contains(&ids::hash(word)) {
            let shown = shown.get_or_insert_default();
            shown.push_str(&text[kept..start]);
            shown.push_str(&shorten(word));
            start += ids::SECRET;
            kept = start;
        } else {
            start += 1;
        }
    }
    shown.map(|shown| shown + &text[kept..])
}

/// Returns whether secrets and tokens have this character.
const fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Shortens secrets in pairs that are form-encoded.
fn form(text: &str) -> String {
    let pairs = text.split('&').map(|pair| match pair.split_once('=') {
        Some((name, secret)) if is_secret(&decoded(name)) => format!("{name}={}", shorten(secret)),
        _ => tokens(pair),
    });
    pairs.collect::<Vec<_>>().join("&")
}

/// Returns the name of a field that is form-encoded.
fn decoded(name: &str) -> Cow<'_, str> {
    let pair = url::form_urlencoded::parse(name.as_bytes()).next();
    pair.map_or(Cow::Borrowed(name), |(name, _)| name)
}

/// Shortens secrets in a JSON value. Returns `false` if it has none.
fn shorten_fields(value: &mut Value) -> bool {
    match value {
        Value::Object(members) => {
            let mut found = false;
            for (name, member) in members {
                if let (true, Value::String(secret)) = (is_secret(name), &member) {
                    *member = Value::String(shorten(secret));
                    found = true;
                } else {
                    found |= shorten_fields(member);
                }
            }
            found
        }
        Value::Array(items) => {
            let found = items.iter_mut().map(shorten_fields);
            found.fold(false, |any, here| any | here)
        }
        _ => false,
    }
}

/// Shortens tokens of the service anywhere in a text.
fn tokens(text: &str) -> String {
    // Their beginnings end with it.
    if !text.contains('_') {
        return text.to_owned();
    }
    let mut rest = text;
    let mut shown = String::with_capacity(text.len());
    while let Some(at) = TOKENS.iter().filter_map(|word| rest.find(word)).min() {
        let (before, token) = rest.split_at(at);
        let end = token.bytes().position(|byte| !is_part(byte));
        let end = end.unwrap_or(token.len());
        let (token, after) = token.split_at(end);
        shown.push_str(before);
        // A field that is already shortened has no more to hide.
        match token.len() > KEPT {
            true => shown.push_str(&shorten(token)),
            false => shown.push_str(token),
        }
        rest = after;
    }
    shown + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_shortened_and_the_rest_is_unchanged() {
        let form = body(
            Some("application/x-www-form-urlencoded"),
            b"grant_type=refresh_token&refresh_token=another-secret&client_secret=x",
        );
        assert_eq!(
            form,
            "grant_type=refresh_token&refresh_token=anothe…&client_secret=x…"
        );
        let json = body(
            Some("application/json"),
            br#"{"data":{"access_token":"fdat_1234","n":1}}"#,
        );
        assert_eq!(json, r#"{"data":{"access_token":"fdat_1…","n":1}}"#);
        let escaped = br#"{"client\u005fsecret":"0123456789"}"#;
        assert_eq!(body(None, escaped), r#"{"client_secret":"012345…"}"#);
        let plain = br#"{ "b" : 1, "a" : [] }"#;
        assert_eq!(body(None, plain), r#"{ "b" : 1, "a" : [] }"#);
        let cut = body(None, br#"{"data":{"access_token":"fdat_12-34_x","ref"#);
        assert_eq!(cut, r#"{"data":{"access_token":"fdat_1…","ref"#);
        let uri = "/v1/a?client_secret=0123456789&b=fdrt_1_2".parse().unwrap();
        assert_eq!(path(&uri), "/v1/a?client_secret=012345…&b=fdrt_1…");
    }

    /// A body without escapes is not parsed, and one with an escape is.
    #[test]
    fn a_body_is_shortened_alike_whether_it_is_parsed_or_not() {
        for members in [
            r#""access_token":"0123456789","n":1"#,
            r#""a":{"clientSecret" : "0123456789"},"b":[{"Pass-Word":"0123456789"}]"#,
            r#""a":"password","b":"0123456789","c":["password","0123456789"]"#,
            r#""password":["0123456789"],"refresh_token":{"a":"0123456789"},"client_secret":12345678"#,
        ] {
            let plain = body(None, format!("{{{members}}}").as_bytes());
            let escaped = body(None, format!(r#"{{{members},"z":"\u0041"}}"#).as_bytes());
            let mut parsed: Value = serde_json::from_str(&escaped).unwrap();
            parsed.as_object_mut().unwrap().remove("z");
            let plain: Value = serde_json::from_str(&plain).unwrap();
            assert_eq!(plain, parsed, "{members}");
        }
    }

    #[test]
    fn headers_with_credentials_are_shortened() {
        let mut sent = HeaderMap::new();
        sent.insert("authorization", "Bearer fdat_123_456".parse().unwrap());
        sent.insert("x-customer-secret", "0123456789".parse().unwrap());
        sent.insert("x-client-id", "0123456789".parse().unwrap());
        let shown = headers(&sent);
        let value_of = |name: &str| {
            let found = shown.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.as_str())
        };
        assert_eq!(value_of("authorization"), Some("Bearer fdat_1…"));
        assert_eq!(value_of("x-customer-secret"), Some("012345…"));
        assert_eq!(value_of("x-client-id"), Some("0123456789"));
    }
}
