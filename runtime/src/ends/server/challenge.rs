//! The challenges of a 401: the header `WWW-Authenticate` (RFC 9110, section 11.6.1).

use super::Response;
use crate::message::SecurityRequirement;
use http::HeaderValue;
use http::header::WWW_AUTHENTICATE;

/// Security schemes as in [`PresentedCredentials`](super::PresentedCredentials): name, kind, and
/// the name of the header, query parameter or cookie.
pub(super) type Schemes = &'static [(&'static str, &'static str, &'static str)];

/// Returns a challenge for each accepted scheme; `error` is appended to the realm of `Bearer`.
pub(super) fn of_all(
    schemes: Schemes,
    security: &[&[SecurityRequirement]],
    error: &str,
) -> Vec<HeaderValue> {
    let mut challenges: Vec<String> = Vec::new();
    for requirement in security.iter().flat_map(|needed| needed.iter()) {
        let challenge = match scheme(schemes, requirement) {
            Some(("basic", _)) => "Basic realm=\"api\", charset=\"UTF-8\"".to_owned(),
            Some(("bearer", _)) => format!("Bearer realm=\"api\"{error}"),
            Some(("http", word)) => format!("{word} realm=\"api\""),
            Some((place @ ("header" | "query" | "cookie"), name)) => {
                format!("ApiKey in=\"{place}\", name=\"{}\"", quotable(name))
            }
            _ => continue,
        };
        if !challenges.contains(&challenge) {
            challenges.push(challenge);
        }
    }
    let values = challenges.iter();
    values
        .filter_map(|challenge| HeaderValue::from_str(challenge).ok())
        .collect()
}

/// Returns the error attributes of `Bearer` for missing scopes (RFC 6750, section 3.1).
pub(super) fn insufficient_scope(needed: &[SecurityRequirement]) -> String {
    let mut error = ", error=\"insufficient_scope\"".to_owned();
    let scopes: Vec<&str> = needed
        .iter()
        .flat_map(|requirement| requirement.scopes)
        .copied()
        .collect();
    if !scopes.is_empty() {
        let scopes = scopes.join(" ");
        error.push_str(&format!(", scope=\"{}\"", quotable(&scopes)));
    }
    error
}

/// Returns the requirements whose schemes are bearer tokens.
pub(super) fn bearers(
    schemes: Schemes,
    needed: &'static [SecurityRequirement],
) -> Vec<SecurityRequirement> {
    let is_bearer = |requirement: &&SecurityRequirement| {
        matches!(scheme(schemes, requirement), Some(("bearer", _)))
    };
    needed.iter().filter(is_bearer).copied().collect()
}

/// Adds challenges to a response.
pub(super) fn add(response: &mut Response, challenges: Vec<HeaderValue>) {
    for challenge in challenges {
        response.headers_mut().append(WWW_AUTHENTICATE, challenge);
    }
}

fn scheme(
    schemes: Schemes,
    requirement: &SecurityRequirement,
) -> Option<(&'static str, &'static str)> {
    let mut known = schemes.iter();
    known
        .find(|(scheme, ..)| *scheme == requirement.scheme)
        .map(|(_, kind, name)| (*kind, *name))
}

/// Escapes a text for a quoted string of a header.
fn quotable(text: &str) -> String {
    text.replace(['\\', '"'], "")
}
