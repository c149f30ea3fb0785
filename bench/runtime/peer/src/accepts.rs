//! The check of `Accept`.

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::header::ACCEPT;
use axum::http::request::Parts;

/// An extractor that refuses callers who do not accept JSON, with 406.
pub struct AcceptsJson;

impl<S: Sync> FromRequestParts<S> for AcceptsJson {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
        let accepts = |text: &str| text.split(',').any(accepts_json);
        match parts.headers.get(ACCEPT).map(|value| value.to_str()) {
            None => Ok(Self),
            Some(Ok(text)) if accepts(text) => Ok(Self),
            _ => Err(StatusCode::NOT_ACCEPTABLE),
        }
    }
}

fn accepts_json(range: &str) -> bool {
    let mut parts = range.split(';').map(str::trim);
    let media = parts.next().unwrap_or_default();
    let named = ["application/json", "application/*", "*/*"];
    named.iter().any(|name| media.eq_ignore_ascii_case(name))
        && !parts.any(|part| matches!(part, "q=0" | "q=0.0"))
}
