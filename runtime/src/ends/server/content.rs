//! The media types of a request body and of a response: which the operation documents, and which the
//! caller prefers.

use super::{Context, Rejection, RejectionKind};
use crate::message::OperationMeta;
use crate::message::media::{self, Reading};
use crate::message::operation::{Row, negotiate};
use crate::values::{BODY, Leniencies, Leniency};
use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue, Method};
use std::borrow::Cow;

/// Checks that an operation documents the media type of a body, or has no body.
///
/// # Errors
///
/// Returns the rejection of an undocumented media type.
pub(super) fn check_documented(
    meta: &OperationMeta,
    content_type: Option<&str>,
    enabled: Leniencies,
) -> Result<(), Rejection> {
    let is_read = |reading| {
        documented(meta).is_none_or(|documented| {
            media::choose(std::iter::once(documented), content_type, reading).is_some()
        })
    };
    if is_read(Reading::new(enabled)) {
        return Ok(());
    }
    let rejection = undocumented(meta);
    Err(match is_read(Reading::StrictButBytes) {
        true => rejection.accepted_by(Leniencies::default().with(Leniency::MediaTypeOfBytes)),
        false => rejection,
    })
}

/// Returns the documented media types of the request body, separated by commas.
fn documented(meta: &OperationMeta) -> Option<&'static str> {
    let mut parameters = meta.parameters.iter();
    let body = parameters.find(|(place, _)| *place == BODY);
    body.map(|(_, media)| *media)
}

/// Returns the rejection of an undocumented media type, with the documented ones (RFC 9110, section
/// 15.5.16).
pub(super) fn undocumented(meta: &OperationMeta) -> Rejection {
    let rejection = Rejection::new(RejectionKind::UnsupportedMediaType);
    match documented(meta).map(HeaderValue::from_str) {
        Some(Ok(documented)) => rejection.header(ACCEPT, documented),
        _ => rejection,
    }
}

/// Returns the header `Accept` of a request, whose lines are one list (RFC 9110, section 5.3).
pub(super) fn accept(headers: &HeaderMap) -> Option<Cow<'_, HeaderValue>> {
    // Without a header of several lines there is nothing to join.
    if headers.len() == headers.keys_len() {
        return headers.get(ACCEPT).map(Cow::Borrowed);
    }
    let lines = headers.get_all(ACCEPT).iter();
    let texts: Vec<&str> = lines.filter_map(|line| line.to_str().ok()).collect();
    let all = HeaderValue::from_str(&texts.join(", ")).ok();
    all.filter(|_| !texts.is_empty()).map(Cow::Owned)
}

/// Returns whether the caller accepts one of the media types of the operation's responses.
///
/// Only safe methods are negotiated: a server may disregard `Accept` (RFC 9110, section 12.4.1),
/// and the effect of another method should not depend on it.
pub(super) fn is_acceptable(context: &Context, offered: &[Row]) -> bool {
    if !matches!(*context.method(), Method::GET | Method::HEAD) {
        return true;
    }
    // Most callers accept everything, or name exactly one documented type.
    accept(context.headers()).is_none_or(|accept| {
        negotiate::is_plainly_acceptable(accept.as_bytes(), offered)
            || negotiate::is_acceptable(accept.to_str().unwrap_or_default(), offered)
    })
}
