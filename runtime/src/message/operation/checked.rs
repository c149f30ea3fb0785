//! The check of a response by the document, on request.

use super::body::row::Row;
pub use super::findings::{Check, Mismatch, ResponseMismatch, ResponsePart};
use super::success::{ResponseHeaders as _, SuccessSet as _};
use super::{Operation, OperationError, OperationMeta, ResponseDecoder, ResponseSet as _};
use crate::message::media;
use crate::values::DecodeError;
use crate::values::words::REQUIRED;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};

/// The function that checks a response of an operation: see [`check`].
#[cfg_attr(not(feature = "server"), allow(dead_code))]
pub(crate) type CheckOf =
    fn(StatusCode, &HeaderMap, Option<&Bytes>) -> Result<(), Box<ResponseMismatch>>;

/// Checks a response by what the document states for an operation. Without its body, which is streamed, the body is not
/// checked.
#[cfg_attr(not(any(feature = "client", feature = "server")), allow(dead_code))]
pub(crate) fn check<O: Operation>(
    status: StatusCode,
    headers: &HeaderMap,
    body: Option<&Bytes>,
) -> Result<(), Box<ResponseMismatch>> {
    let rows = [
        O::Success::rows(O::META),
        <O::Error as super::ResponseSet>::ROWS,
    ];
    let decode = |decoder: &mut ResponseDecoder| match O::Success::decode(O::META, decoder) {
        Some(decoded) => decoded.err(),
        None => {
            // An invalid header of an error is absent for a client, but recorded.
            let _ = <O::Error as OperationError>::Headers::decode(decoder);
            O::Error::read(decoder).err()
        }
    };
    let mismatches = mismatches(O::META, rows, (status, headers, body), &decode);
    match mismatches.is_empty() {
        true => Ok(()),
        false => Err(Box::new(ResponseMismatch {
            operation: O::META.id,
            status,
            mismatches,
        })),
    }
}

/// Checks a response. Not generic, so compiled once and not for each operation.
fn mismatches(
    meta: &'static OperationMeta,
    rows: [&'static [Row]; 2],
    (status, headers, body): (StatusCode, &HeaderMap, Option<&Bytes>),
    decode: &dyn Fn(&mut ResponseDecoder) -> Option<DecodeError>,
) -> Vec<Mismatch> {
    let find = |rows| Row::find(rows, status.as_u16());
    let Some(row) = rows.into_iter().find_map(find) else {
        let rule = "is not documented".to_owned();
        return vec![Mismatch::new(ResponsePart::Status, rule)];
    };
    let body = body.filter(|_| meta.method != "HEAD");
    let has_body = body.is_none_or(|body| !body.is_empty());
    let media = undocumented_media(row, headers).filter(|_| has_body && meta.method != "HEAD");
    let bytes = body.cloned().unwrap_or_default();
    let (mut decoder, findings) = ResponseDecoder::checked(status, headers.clone(), bytes);
    let error = decode(&mut decoder);
    let mut found = findings.take();
    if let Some(error) = error
        && found.is_empty()
    {
        found.push(Mismatch::new(
            ResponsePart::Body,
            error.message().to_owned(),
        ));
    }
    if body.is_none() || media.is_some() {
        found.retain(|mismatch| mismatch.part != ResponsePart::Body);
    }
    found.splice(0..0, media);
    found
}

/// Returns the mismatch of a media type that a row does not have.
fn undocumented_media(row: &Row, headers: &HeaderMap) -> Option<Mismatch> {
    let mut documented = row.media.iter().copied().flat_map(media::each);
    let received = headers.get(CONTENT_TYPE);
    let rule = match received.map(|media| media.to_str().unwrap_or_default()) {
        _ if row.media.is_empty() => return None,
        Some(media) if documented.any(|range| media::matches(range, media)) => return None,
        Some(_) => format!("must be {}", row.media.join(" or ")),
        None => REQUIRED.to_owned(),
    };
    Some(Mismatch::new(ResponsePart::Header("Content-Type"), rule))
}
