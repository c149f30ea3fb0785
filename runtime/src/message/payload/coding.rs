//! Content codings (RFC 9110, section 8.4).

use super::Body;
use crate::message::media::Reading;
use http::HeaderMap;
#[cfg(feature = "gzip")]
use http::HeaderValue;
use http::header::CONTENT_ENCODING;

/// The supported codings, as the value of `Accept-Encoding`.
pub(crate) const ACCEPTED: &str = if cfg!(feature = "gzip") {
    "gzip"
} else {
    "identity"
};

/// The error of a body in an unsupported coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnknownCoding;

/// Returns whether the headers declare a coding that [`unwrapped`] decodes.
pub(crate) fn is_wrapped(headers: &HeaderMap) -> Result<bool, UnknownCoding> {
    let mut wrapped = false;
    for value in headers.get_all(CONTENT_ENCODING) {
        let text = value.to_str().map_err(|_| UnknownCoding)?;
        for coding in text.split(',').map(str::trim) {
            match coding {
                coding if coding.is_empty() || coding.eq_ignore_ascii_case("identity") => {}
                // A body that is compressed twice can expand by a factor of a million.
                coding if cfg!(feature = "gzip") && is_gzip(coding) && !wrapped => wrapped = true,
                _ => return Err(UnknownCoding),
            }
        }
    }
    Ok(wrapped)
}

/// Decodes the content coding of a body.
///
/// The body is decoded while it is received, and at most a megabyte of decoded bytes is buffered.
/// The reader has to enforce a limit on the decoded length. The encoded length may exceed the
/// decoded one by at most an eighth, plus 64 KiB; by a factor of 16 if the body `is_live`, that is,
/// passed on item by item.
///
/// A client reads a body that does not begin as gzip as it is ([`Reading::Lenient`]): proxies and
/// frameworks label bodies that they have decoded, or never encoded.
pub(crate) fn unwrapped(body: Body, is_live: bool, reading: Reading) -> Body {
    // An empty body is valid, although it is not valid gzip.
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
        Body::new(Unwrapped::new(body, share, reading))
    };
    #[cfg(not(feature = "gzip"))]
    let _ = (is_live, reading);
    body
}

/// `x-gzip` is the same as `gzip` (RFC 9110, section 8.4.1.3).
fn is_gzip(coding: &str) -> bool {
    coding.eq_ignore_ascii_case("gzip") || coding.eq_ignore_ascii_case("x-gzip")
}

/// Returns whether the headers of a request accept a response in gzip (RFC 9110, section 12.5.3).
#[cfg(all(feature = "gzip", feature = "server"))]
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    use crate::message::media;
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

/// Compression of smaller bodies is not worthwhile: they may even grow.
#[cfg(feature = "gzip")]
const WORTHWHILE: usize = 1024;

/// Compresses a body with gzip and sets its header, if the body is buffered and large enough.
#[cfg(feature = "gzip")]
pub(crate) fn wrapped(headers: &mut HeaderMap, body: Body) -> Body {
    use http::header::{CONTENT_LENGTH, CONTENT_RANGE};
    let declared = [CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE];
    if declared.iter().any(|name| headers.contains_key(name)) {
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
