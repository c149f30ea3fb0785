//! `X-Token-Signature`: HMAC-SHA256 of the body, keyed with the signing token.

use super::{Different, Steps, only};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use financial_data::webhooks::SIGNING;

/// The length of the signature in hexadecimal.
const LENGTH: usize = 64;

pub(super) fn check(
    body: &[u8],
    headers: &[(String, String)],
    token: &str,
    steps: &mut Steps,
) -> Result<(), Different> {
    let rules = SIGNING.token.ok_or(Different)?;
    let longer_than = rules.longer_than.unwrap_or(0);
    let length = token.chars().count();
    if length <= longer_than {
        let message = format!("has {length} characters, and must have more than {longer_than}");
        return Err(steps.different("signing token", message));
    }
    steps.passed("signing token", format!("has {length} characters"));
    let signature = only(headers, rules.header, steps)?;
    let expected = hmac(token, body);
    if signature == expected {
        steps.passed(
            "signature",
            "is the HMAC-SHA256 of the body, keyed with the token",
        );
        return Ok(());
    }
    format_of(signature, &expected, steps)?;
    let reason =
        mistake(signature, body, token).unwrap_or_else(|| first_difference(signature, &expected));
    Err(steps.different("signature", reason))
}

fn hmac(token: &str, body: &[u8]) -> String {
    hex::encode(sign(&Key::new(HMAC_SHA256, token.as_bytes()), body))
}

/// Checks that a signature has the form of one.
fn format_of(signature: &str, expected: &str, steps: &mut Steps) -> Result<(), Different> {
    let name = "format";
    let bytes = hex::decode(expected).unwrap_or_default();
    if signature == STANDARD.encode(&bytes) || signature == URL_SAFE_NO_PAD.encode(&bytes) {
        return Err(steps.different(name, "is right, but in Base64 instead of hexadecimal"));
    }
    if signature.eq_ignore_ascii_case(expected) {
        return Err(steps.different(name, "is right, but has upper-case letters"));
    }
    if let Some((_, rest)) = signature.split_once('=')
        && rest == expected
    {
        return Err(steps.different(name, "is right, but has a prefix with `=`"));
    }
    if let Some(place) = signature.find(|character: char| !character.is_ascii_hexdigit()) {
        let message = format!("character {} is not hexadecimal", place + 1);
        return Err(steps.different(name, message));
    }
    if signature.len() != LENGTH {
        let message = format!("has {} characters, and must have {LENGTH}", signature.len());
        return Err(steps.different(name, message));
    }
    steps.passed(name, "is hexadecimal, of the right length");
    Ok(())
}

/// Returns the mistake that explains a signature, if it is one of the usual ones.
fn mistake(signature: &str, body: &[u8], token: &str) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let json = serde_json::from_slice::<serde_json::Value>(body).ok();
    let compact = json
        .as_ref()
        .and_then(|json| serde_json::to_string(json).ok());
    let pretty = json
        .as_ref()
        .and_then(|json| serde_json::to_string_pretty(json).ok());
    let bodies = [
        (
            Some(text.trim_end().to_owned()),
            "the body without white space at its end",
        ),
        (
            Some(format!("{text}\n")),
            "the body with a line break at its end",
        ),
        (
            Some(text.replace("\r\n", "\n")),
            "the body with other line breaks",
        ),
        (
            compact,
            "the body after JSON was read and written again without spaces",
        ),
        (
            pretty,
            "the body after JSON was read and written again with line breaks",
        ),
        (Some(String::new()), "an empty body"),
    ];
    for (body, what) in bodies {
        if body.is_some_and(|body| hmac(token, body.as_bytes()) == signature) {
            return Some(format!(
                "is that of {what}; sign and check the bytes as sent"
            ));
        }
    }
    let is = |expected: String| expected == signature;
    if is(hmac(token.trim(), body)) {
        return Some("is that of the token without white space around it".to_owned());
    }
    if is(hmac(&format!("{token}\n"), body)) {
        return Some("is that of the token with a line break at its end".to_owned());
    }
    if is(hex::encode(digest(&SHA256, body))) {
        return Some("is the SHA-256 of the body, without the token".to_owned());
    }
    let joined = [token.as_bytes(), body].concat();
    if is(hex::encode(digest(&SHA256, &joined))) {
        return Some("is the SHA-256 of token and body, instead of the HMAC".to_owned());
    }
    None
}

fn first_difference(signature: &str, expected: &str) -> String {
    let same = signature
        .chars()
        .zip(expected.chars())
        .take_while(|(a, b)| a == b)
        .count();
    format!(
        "differs from character {} on: another token, or another body; it must be {expected}",
        same + 1
    )
}
