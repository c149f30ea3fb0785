//! The check of a response by the document, on request.

use super::row::Row;
use super::success::{ResponseHeaders as _, SuccessSet as _};
use super::{Operation, OperationError, OperationMeta, ResponseDecoder, ResponseSet as _};
use crate::message::wire::media;
use crate::values::read::{FieldErrors, REQUIRED, ReadAs};
use crate::values::short::{self, Budget};
use crate::values::{BODY, DecodeError, Rule, WireError, check::Checker};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What is done with responses that do not match the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Check {
    /// Responses are not checked.
    #[default]
    Off,
    /// Mismatches are reported, and the response is used all the same.
    Log,
    /// A response that does not match is an error: of the call in a client, and a 500 in a server.
    Fail,
}

/// The mismatches of a response with the document.
///
/// It never contains a value of the response: only names, JSON pointers and the rules of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseMismatch {
    operation: &'static str,
    status: StatusCode,
    mismatches: Vec<Mismatch>,
}

/// A mismatch of a response with the document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The part of the response.
    pub part: ResponsePart,
    /// The JSON pointer of the value in the body or in the value of the header (RFC 6901); empty for the
    /// whole.
    pub pointer: String,
    /// The violated rule, as a predicate: `must be an integer`.
    pub rule: String,
}

/// A part of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResponsePart {
    /// The status.
    Status,
    /// The header of this name, as the document writes it.
    Header(&'static str),
    /// The body.
    Body,
}

impl ResponseMismatch {
    /// Returns the id of the operation in the document.
    pub const fn operation(&self) -> &'static str {
        self.operation
    }

    /// Returns the status of the response.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the mismatches: at least one.
    pub fn mismatches(&self) -> &[Mismatch] {
        &self.mismatches
    }
}

impl fmt::Display for ResponseMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            operation, status, ..
        } = self;
        write!(
            f,
            "the response {} of {operation} does not match the document",
            status.as_u16()
        )?;
        for (index, mismatch) in self.mismatches.iter().enumerate() {
            write!(f, "{} {mismatch}", if index == 0 { ":" } else { ";" })?;
        }
        Ok(())
    }
}

impl std::error::Error for ResponseMismatch {}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            ResponsePart::Status => f.write_str("the status")?,
            ResponsePart::Header(name) => write!(f, "header `{name}`")?,
            ResponsePart::Body => f.write_str("the body")?,
        }
        match self.pointer.as_str() {
            "" => {}
            pointer => write!(f, " at {pointer}")?,
        }
        write!(f, " {}", self.rule)
    }
}

/// The mismatches that are found while a response is decoded.
#[derive(Debug, Default)]
pub(crate) struct Findings(Mutex<(Vec<Mismatch>, Budget)>);

impl Findings {
    fn add(&self, part: ResponsePart, error: &WireError) {
        let mismatch = Mismatch {
            part,
            pointer: error.pointer(),
            rule: error.message.clone(),
        };
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (found, budget) = &mut *found;
        if budget.takes(&mismatch.pointer, &mismatch.rule) && !found.contains(&mismatch) {
            found.push(mismatch);
        }
    }

    /// Records the errors of a part, or the rules that its value violates.
    pub(crate) fn part<T, R: ReadAs<T>>(
        &self,
        part: ResponsePart,
        read: Result<&T, &FieldErrors>,
        rules: &[Rule],
    ) {
        match read {
            Ok(value) => {
                let mut checker = Checker::default().of_response(true);
                R::check(value, rules, &mut checker);
                for error in checker.into_wire_errors() {
                    self.add(part, &error);
                }
            }
            Err(errors) => errors.iter().for_each(|error| self.add(part, error)),
        }
    }

    fn take(&self) -> Vec<Mismatch> {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut found.0)
    }
}

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
    let decode = |decoder: &ResponseDecoder| match O::Success::decode(O::META, decoder) {
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
    decode: &dyn Fn(&ResponseDecoder) -> Option<DecodeError>,
) -> Vec<Mismatch> {
    let find = |rows| Row::find(rows, status.as_u16());
    let Some(row) = rows.into_iter().find_map(find) else {
        let rule = "is not documented".to_owned();
        return vec![Mismatch::of(ResponsePart::Status, rule)];
    };
    let body = body.filter(|_| meta.method != "HEAD");
    let has_body = body.is_none_or(|body| !body.is_empty());
    let media = undocumented_media(row, headers).filter(|_| has_body && meta.method != "HEAD");
    let bytes = body.cloned().unwrap_or_default();
    let (decoder, findings) = ResponseDecoder::checked(status, headers.clone(), bytes);
    let error = decode(&decoder);
    let mut found = findings.take();
    if let Some(error) = error
        && found.is_empty()
    {
        found.push(Mismatch::of(ResponsePart::Body, error.message().to_owned()));
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
        Some(media) if documented.any(|of| media::matches(of, media)) => return None,
        Some(_) => format!("must be {}", row.media.join(" or ")),
        None => REQUIRED.to_owned(),
    };
    Some(Mismatch::of(ResponsePart::Header("Content-Type"), rule))
}

impl Mismatch {
    fn of(part: ResponsePart, rule: String) -> Self {
        Self {
            part,
            pointer: String::new(),
            rule,
        }
    }
}

impl WireError {
    /// Returns the JSON pointer of the value.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in self.path.iter().rev() {
            let index = step.strip_prefix('[').and_then(|of| of.strip_suffix(']'));
            let step = step.replace('~', "~0").replace('/', "~1");
            pointer.extend(["/", index.unwrap_or(&step)]);
        }
        match self.path.as_slice() {
            // The statement that there are more errors.
            [only] if only == BODY && self.message == crate::values::more().message => {
                String::new()
            }
            _ => short::path(pointer),
        }
    }
}
