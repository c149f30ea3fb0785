//! Content codings (RFC 9110, 8.4): what a body is wrapped in on its way.

use super::Body;
use http::HeaderMap;
#[cfg(feature = "gzip")]
use http::HeaderValue;
use http::header::CONTENT_ENCODING;

/// The codings that can be taken off a body, as `Accept-Encoding` has them.
pub(crate) const ACCEPTED: &str = if cfg!(feature = "gzip") {
    "gzip"
} else {
    "identity"
};

/// A body is wrapped in what cannot be taken off here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnknownCoding;

/// Whether headers say that their body is wrapped in what [`unwrapped`] takes off.
pub(crate) fn is_wrapped(headers: &HeaderMap) -> Result<bool, UnknownCoding> {
    let mut wrapped = false;
    for value in headers.get_all(CONTENT_ENCODING) {
        let text = value.to_str().map_err(|_| UnknownCoding)?;
        for coding in text.split(',').map(str::trim) {
            match coding {
                coding if coding.is_empty() || coding.eq_ignore_ascii_case("identity") => {}
                // What is wrapped twice can become a million times as large.
                coding if cfg!(feature = "gzip") && is_gzip(coding) && !wrapped => wrapped = true,
                _ => return Err(UnknownCoding),
            }
        }
    }
    Ok(wrapped)
}

/// The body without what it is wrapped in.
///
/// It is unwrapped as it comes, and holds no more than a megabyte of what a piece of it becomes; so
/// a limit has to be kept by whoever reads it, and counts what comes out. What goes in is at most an
/// eighth more than comes out, and 64 KiB; 16 times as much where the body `is_live`, that is handed on
/// item by item.
pub(crate) fn unwrapped(body: Body, is_live: bool) -> Body {
    // Nothing at all is nothing, wrapped or not.
    if http_body::Body::is_end_stream(&body) {
        return body;
    }
    #[cfg(feature = "gzip")]
    let body = {
        use super::gzip::{Share, Unwrapped};
        let share = if is_live {
            Share::Streamed
        } else {
            Share::Whole
        };
        Body::new(Unwrapped::new(body, share))
    };
    #[cfg(not(feature = "gzip"))]
    let _ = is_live;
    body
}

/// `x-gzip` is the same (RFC 9110, 8.4.1.3).
fn is_gzip(coding: &str) -> bool {
    coding.eq_ignore_ascii_case("gzip") || coding.eq_ignore_ascii_case("x-gzip")
}

/// Whether the headers of a request take gzip for an answer (RFC 9110, 12.5.3).
#[cfg(all(feature = "gzip", feature = "server"))]
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    use crate::wire::media;
    let mut any = None;
    for value in headers.get_all(http::header::ACCEPT_ENCODING) {
        for entry in value.to_str().unwrap_or_default().split(',') {
            let coding = media::essence(entry);
            let quality = media::parameter(entry, "q").and_then(|q| q.parse::<f32>().ok());
            let taken = quality.is_none_or(|quality| quality > 0.0);
            if is_gzip(coding) {
                return taken;
            }
            if coding == "*" {
                any = Some(taken);
            }
        }
    }
    any.unwrap_or(false)
}

/// What is smaller is not worth it: it may even grow.
#[cfg(feature = "gzip")]
const WORTHWHILE: usize = 1024;

/// The body wrapped in gzip, and its header told, where its bytes are there and that is worth it.
#[cfg(feature = "gzip")]
pub(crate) fn wrapped(headers: &mut HeaderMap, body: Body) -> Body {
    use http::header::{CONTENT_LENGTH, CONTENT_RANGE};
    let told = [CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE];
    if told.iter().any(|name| headers.contains_key(name)) {
        return body;
    }
    match body.into_bytes() {
        Ok(bytes) if bytes.len() >= WORTHWHILE => {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            Body::from(super::gzip::wrap(&bytes))
        }
        Ok(bytes) => Body::from(bytes),
        Err(stream) => stream,
    }
}
