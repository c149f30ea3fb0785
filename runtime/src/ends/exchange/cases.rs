//! The requests and the responses that have the examples of an operation.

use super::{
    Received, RequestExample, ResponseExample, difference, encoded, is_same_body, subject, typed,
};
use crate::ends::server::read;
use crate::message::operation::checked::{self, ResponsePart};
use crate::message::operation::{EncodedRequest, RequestPart, SampledPart, SampledRequest};
use crate::message::{EncodedResponse, Operation, ResponseEncoder};
use crate::values::round_trip::RoundTripReport;
use crate::values::sample::{Sampler, Seed};
use crate::values::{BODY, Json};
use bytes::Bytes;
use http::HeaderValue;
use http::header::CONTENT_TYPE;

/// Returns the examples of a part of a request.
pub(super) fn of_part<'e>(
    part: &'static RequestPart,
    examples: &'e [RequestExample],
) -> impl Iterator<Item = &'e RequestExample> {
    let is_body = part.place == BODY;
    examples
        .iter()
        .filter(move |(place, key, ..)| *place == part.place && (is_body || *key == part.key))
}

/// Returns the request with the examples of an index, as the document has it, and as its type has it. Reports examples
/// that are invalid, or that the type writes differently.
pub(super) fn request_case<O: Operation>(
    examples: &[RequestExample],
    index: usize,
    report: &mut RoundTripReport,
) -> Option<(EncodedRequest, O)> {
    let (mut parts, mut used) = (Vec::new(), Vec::new());
    for part in O::PARTS {
        let all: Vec<&RequestExample> = of_part(part, examples).collect();
        let example = all.get(index % all.len().max(1));
        let sampled = match example {
            Some((_, key, _, json)) => {
                SampledPart::with_value(part, key, serde_json::from_str(json).ok()?)?
            }
            None if part.required => Sampler::new().part(part, &mut Seed::new(0)).ok()?,
            None => continue,
        };
        used.extend(example.map(|(place, _, pointer, _)| (*place, sampled.name(), *pointer)));
        parts.push(sampled);
    }
    let place_of = |place: &str, name: &str| {
        let in_place = || used.iter().filter(|(used_place, ..)| *used_place == place);
        let named = in_place().find(|(_, used_name, _)| {
            name == *used_name || name.starts_with(&format!("{used_name}."))
        });
        let found = named.or_else(|| in_place().next()).or_else(|| used.first());
        found.map(|(.., pointer)| *pointer)
    };
    let mut add = |place: &str, name: &str, what: String| {
        if let Some(pointer) = place_of(place, name) {
            report.add_example(pointer, subject::<O>(), what);
        }
    };
    let document = match SampledRequest::new(O::META, parts).encode() {
        Ok(document) => document,
        Err(error) => {
            add("", "", format!("cannot be sent: {error}"));
            return None;
        }
    };
    let (typed, errors) = read::<O>(&document)?;
    for error in &errors {
        let what = format!("is invalid: `{}` {}", error.field, error.message);
        add(error.place, &error.field, what);
    }
    let typed = typed.filter(|_| errors.is_empty())?;
    match encoded(&typed) {
        Ok(written) => match difference(&document, &written, O::META.idempotency_key) {
            None => return Some((document, typed)),
            Some((place, what)) => add(place, "", format!("is written as {what}")),
        },
        Err(error) => add("", "", error),
    }
    None
}

/// A response of the document.
pub(super) struct Case {
    /// The place of the body, or of a header if there is no body.
    pub(super) place: &'static str,
    pub(super) received: Received,
}

impl Case {
    /// Returns how a client that has received the response writes it, if that differs.
    pub(super) fn compare(&self, write: impl FnOnce(&mut ResponseEncoder)) -> Option<String> {
        let mut encoder = ResponseEncoder::new();
        write(&mut encoder);
        let EncodedResponse { status, body, .. } = match encoder.finish() {
            Ok(written) => written,
            Err(error) => return Some(format!("cannot be written: {error}")),
        };
        let bytes = body.map(|(_, bytes)| bytes).unwrap_or_default();
        if status != self.received.0 {
            return Some(format!("is received with the status {status}"));
        }
        let is_same = is_same_body(&self.received.2, &bytes);
        (!is_same).then(|| format!("is written as {}", String::from_utf8_lossy(&bytes)))
    }
}

/// Returns the responses of the document that a handler can send. Reports examples that are invalid.
pub(super) fn response_cases<O: Operation>(
    examples: &[ResponseExample],
    report: &mut RoundTripReport,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for statuses in examples.chunk_by(|(status, ..), (other, ..)| status == other) {
        let is_body = |(_, key, ..): &&ResponseExample| key.contains('/');
        let bodies: Vec<_> = statuses.iter().filter(is_body).collect();
        let headers: Vec<_> = statuses
            .iter()
            .filter(|example| !is_body(example))
            .collect();
        let names: Vec<&str> = headers.iter().map(|(_, name, ..)| *name).collect();
        let most = names
            .iter()
            .map(|name| names.iter().filter(|header| header == &name).count());
        let most = most.max().unwrap_or_default().max(bodies.len());
        for index in 0..most {
            let chosen = names.iter().enumerate().filter_map(|(at, name)| {
                let all: Vec<_> = headers.iter().filter(|(_, key, ..)| key == name).collect();
                let is_first = names.iter().position(|header| header == name) == Some(at);
                let chosen = all.get(index % all.len().max(1)).filter(|_| is_first);
                chosen.map(|example| **example)
            });
            let body = bodies.get(index % bodies.len().max(1));
            let chosen: Vec<_> = chosen.chain(body.copied()).collect();
            cases.extend(response_case::<O>(&chosen, report));
        }
    }
    cases
}

/// Returns the response with these examples; `None` if it is invalid.
fn response_case<O: Operation>(
    parts: &[&ResponseExample],
    report: &mut RoundTripReport,
) -> Option<Case> {
    let (status, _, place, _) = **parts.last()?;
    let mut encoder = ResponseEncoder::new();
    encoder.status(status);
    let mut content = None;
    for (_, key, _, json) in parts {
        let value: Json = serde_json::from_str(json).ok()?;
        match key.contains('/') {
            true => content = Some((HeaderValue::from_str(key).ok()?, Bytes::from(*json))),
            false => drop(encoder.header(key, &value)),
        }
    }
    let EncodedResponse {
        status,
        mut headers,
        ..
    } = encoder.finish().ok()?;
    let bytes = match content {
        Some((media, bytes)) => {
            headers.insert(CONTENT_TYPE, media);
            bytes
        }
        None => Bytes::new(),
    };
    let mut is_valid = true;
    if let Err(mismatch) = checked::check::<O>(status, &headers, Some(&bytes)) {
        for mismatch in mismatch.mismatches() {
            is_valid = false;
            let is_of = |(_, key, ..): &&&ResponseExample| match mismatch.part {
                ResponsePart::Status => false,
                ResponsePart::Header(name) => key.eq_ignore_ascii_case(name),
                ResponsePart::Body => key.contains('/'),
            };
            // A required header may have no example.
            if let Some((_, _, place, _)) = parts.iter().find(is_of) {
                let at = format!("{place}{}", mismatch.pointer);
                let place = if mismatch.part == ResponsePart::Body {
                    &at
                } else {
                    *place
                };
                report.add_example(
                    place,
                    subject::<O>(),
                    format!("is invalid: it {}", mismatch.rule),
                );
            }
        }
    }
    let received = (status, headers, bytes);
    let is_sent = is_valid && O::META.method != "HEAD" && typed::<O>(&received).is_ok();
    is_sent.then_some(Case { place, received })
}
