//! Responses: successes and errors, their headers and bodies.

use crate::ir::{
    Codec, Doc, Header, Media, Name, Payload, Primitive, Response, StatusSpec, StyleWord, TypeRef,
};
use crate::model;

use crate::lower::operation::bodies::{Taking, Use};
use crate::lower::operation::media_variants::Message;
use crate::lower::operation::{bodies, params};
use crate::lower::passes::requested::KeptRules;
use crate::lower::schema::place::{Place, Whole};
use crate::lower::schema::presence;
use crate::lower::{Lowered, Lowering};

/// The responses of an operation.
pub(in crate::lower) struct Responses {
    pub(in crate::lower) successes: Vec<Response>,
    /// The headers of all successes.
    pub(in crate::lower) success_headers: Vec<Header>,
    pub(in crate::lower) errors: Vec<Response>,
    /// The headers of all errors.
    pub(in crate::lower) error_headers: Vec<Header>,
}

/// Returns the responses of an operation: successes, and errors.
///
/// A documented 2xx is a success, and responses of other statuses are errors: with them, there is no
/// result. Where no 2xx is documented, any status below 400 is a success.
///
/// A `default` represents every status without other documentation. Next to a documented success it
/// is an error. Without one it is both, by the class of the status: a 2xx is the success with its
/// body, any other status is the error with the same body.
pub(in crate::lower) fn lower(
    lowering: &mut Lowering<'_>,
    operation: &model::Operation,
    place: &Place,
) -> Responses {
    let (mut successes, mut errors) = (Vec::new(), Vec::new());
    let (mut of_successes, mut of_errors) = (Vec::new(), Vec::new());
    let head = operation.method == "HEAD";
    let documented = |is: fn(model::StatusSpec) -> bool| {
        let mut responses = operation.responses.iter();
        responses.any(|response| is(response.status)).then_some(is)
    };
    let is_success = documented(is_2xx).or_else(|| documented(is_below_400));
    for response in &operation.responses {
        let default = response.status == model::StatusSpec::Default && is_success.is_none();
        if !is_success.is_some_and(|is| is(response.status)) && !default {
            // An error body is buffered.
            let (error, headers) = lower_response(lowering, response, place, (head, Taking::Whole));
            errors.push(error);
            of_errors.push(headers);
            continue;
        }
        let (mut success, headers) =
            lower_response(lowering, response, place, (head, Taking::new(place)));
        // Only the sender of a webhook reads the status of the receiver's response.
        if default && place.whole != Whole::Webhook {
            errors.push(match in_pieces(&success) {
                true => lower_response(lowering, response, place, (head, Taking::Whole)).0,
                false => success.clone(),
            });
            of_errors.push(headers.clone());
            success.status = StatusSpec::Range(2);
        }
        successes.push(success);
        of_successes.push(headers);
    }
    // The errors of an operation usually repeat those of all operations, and so do their examples.
    errors
        .iter_mut()
        .for_each(|error| error.doc.examples.clear());
    if successes.is_empty() {
        // The receiver of a webhook may send any response.
        if !operation.responses.is_empty() || place.whole != Whole::Webhook {
            lowering.note_no_success(operation);
        }
        successes.push(any_success(operation));
    }
    let mut error_headers = merge(of_errors);
    error_headers.iter_mut().for_each(make_optional);
    Responses {
        successes,
        success_headers: merge(of_successes),
        errors,
        error_headers,
    }
}

/// Returns the documented headers of several responses, without duplicates. Headers are separate
/// from the body, so that an additional header changes nothing for callers that only use the body.
/// A header of only some responses is optional, and a header of different types is a text.
fn merge(responses: Vec<Vec<Header>>) -> Vec<Header> {
    let count = responses.len();
    let mut merged: Vec<(Header, usize)> = Vec::new();
    for header in responses.into_iter().flatten() {
        let known = merged
            .iter_mut()
            .find(|(known, _)| known.name.wire.eq_ignore_ascii_case(&header.name.wire));
        match known {
            None => merged.push((header, 1)),
            Some((known, times))
                if present(known) == present(&header) && known.style == header.style =>
            {
                *times += 1;
                if known.rules != header.rules {
                    known.rules.clear();
                }
                let rules = std::mem::take(&mut known.rules);
                let required = known.required && header.required;
                if header.optional && !known.optional {
                    *known = header;
                }
                known.required = required;
                known.rules = rules;
            }
            // All values of a header are valid as text.
            Some((known, _)) => {
                known.ty = TypeRef::Option(Box::new(TypeRef::Primitive(Primitive::String)));
                known.optional = true;
                known.style.clear();
                known.rules.clear();
            }
        }
    }
    let merged = merged.into_iter().map(|(mut header, times)| {
        if times < count {
            make_optional(&mut header);
        }
        header
    });
    merged.collect()
}

/// Makes a header optional. All headers of errors are: another documented error must not make a
/// required header optional, and gateways send errors too.
fn make_optional(header: &mut Header) {
    if !header.optional {
        header.optional = true;
        header.ty = TypeRef::Option(Box::new(header.ty.clone()));
    }
}

/// Returns the type of a header that is present.
fn present(header: &Header) -> &TypeRef {
    match &header.ty {
        TypeRef::Option(inner) if header.optional => inner,
        other => other,
    }
}

/// Returns whether a body is streamed. Bodies of errors are not streamed.
fn in_pieces(response: &Response) -> bool {
    let media = response.payload.iter().flat_map(Payload::media);
    media.into_iter().any(|media| media.codec == Codec::Chunks)
}

fn is_2xx(status: model::StatusSpec) -> bool {
    matches!(
        status,
        model::StatusSpec::Code(200..=299) | model::StatusSpec::Range(2)
    )
}

fn is_below_400(status: model::StatusSpec) -> bool {
    match status {
        model::StatusSpec::Code(code) => code < 400,
        model::StatusSpec::Range(first) => first < 4,
        model::StatusSpec::Default => false,
    }
}

/// Returns whether responses of a status have no content, independently of the document (RFC 9110).
pub(in crate::lower) fn is_bare(status: model::StatusSpec) -> bool {
    matches!(status, model::StatusSpec::Code(100..=199 | 204 | 205 | 304))
}

fn any_success(operation: &model::Operation) -> Response {
    Response {
        origin: operation.origin.clone(),
        status: StatusSpec::Range(2),
        name: Name::new("2XX"),
        payload: Some(Payload::One(Media {
            name: "application/octet-stream".to_owned(),
            also: Vec::new(),
            codec: Codec::Bytes,
            ty: TypeRef::Primitive(Primitive::Bytes),
            parts: Vec::new(),
            end: None,
            is_text: false,
            rules: Vec::new(),
        })),
        left_out: Vec::new(),
        doc: Doc {
            text: Some("Not described by the document.".to_owned()),
            ..Doc::default()
        },
        code_path: None,
        message_path: None,
    }
}

/// Returns a response, and its headers.
pub(in crate::lower) fn lower_response(
    lowering: &mut Lowering<'_>,
    response: &model::Response,
    place: &Place,
    (head, taking): (bool, Taking),
) -> (Response, Vec<Header>) {
    let (status, wire) = match response.status {
        model::StatusSpec::Code(code) => (StatusSpec::Code(code), code.to_string()),
        model::StatusSpec::Range(first) => (StatusSpec::Range(first), format!("{first}XX")),
        model::StatusSpec::Default => (StatusSpec::Default, "default".to_owned()),
    };
    let place = &place.within(response.reusable.as_ref());
    let words = words(status);
    let payload = if head || is_bare(response.status) {
        None
    } else {
        bodies::payload(
            lowering,
            &response.content,
            place,
            Use {
                message: match is_below_400(response.status) {
                    true => Message::Response,
                    false => Message::Error,
                },
                taking,
                words: &format!("{words} body"),
            },
        )
    };
    let payload_is_kept = payload.is_some();
    let headers = response
        .headers
        .iter()
        .filter_map(|h| header(lowering, h, place, &words))
        .collect();
    let response = Response {
        origin: response.origin.clone(),
        status,
        name: Name::new(wire),
        payload,
        left_out: bodies::left_out(lowering, &response.content),
        doc: Doc {
            text: response
                .description
                .clone()
                .filter(|text| !text.trim().is_empty()),
            // Examples of a reusable response would be repeated at every use.
            examples: match payload_is_kept && response.reusable.is_none() {
                true => bodies::examples(&response.content),
                false => Vec::new(),
            },
            ..Doc::default()
        },
        code_path: None,
        message_path: None,
    };
    (response, headers)
}

/// Returns the words for the inline types of a response.
fn words(status: StatusSpec) -> String {
    match status {
        StatusSpec::Code(200) => "ok".to_owned(),
        StatusSpec::Code(201) => "created".to_owned(),
        StatusSpec::Code(202) => "accepted".to_owned(),
        StatusSpec::Code(400) => "bad request".to_owned(),
        StatusSpec::Code(401) => "unauthorized".to_owned(),
        StatusSpec::Code(403) => "forbidden".to_owned(),
        StatusSpec::Code(404) => "not found".to_owned(),
        StatusSpec::Code(409) => "conflict".to_owned(),
        StatusSpec::Code(422) => "unprocessable content".to_owned(),
        StatusSpec::Code(500) => "internal server error".to_owned(),
        StatusSpec::Code(code) => format!("status {code}"),
        StatusSpec::Range(1) => "informational".to_owned(),
        StatusSpec::Range(2) => "success".to_owned(),
        StatusSpec::Range(3) => "redirection".to_owned(),
        StatusSpec::Range(4) => "client error".to_owned(),
        StatusSpec::Range(_) => "server error".to_owned(),
        StatusSpec::Default => "default".to_owned(),
    }
}

pub(in crate::lower) fn header(
    lowering: &mut Lowering<'_>,
    header: &model::Header,
    place: &Place,
    words: &str,
) -> Option<Header> {
    // OpenAPI: a header named `Content-Type` is ignored here.
    if header.name.eq_ignore_ascii_case("content-type") {
        return None;
    }
    let schema = header
        .schema
        .or_else(|| header.content.as_ref().and_then(|c| c.schema));
    let at = match &header.reusable {
        Some(name) => Place::reusable(name).part("", "header"),
        None => place.part(&format!("{words} {}", header.name), &header.name),
    };
    let lowered = match schema {
        Some(id) => lowering.lower(id, &at),
        None => Lowered {
            ty: TypeRef::Primitive(Primitive::String),
            nullable: false,
        },
    };
    let lowered = Lowered {
        nullable: false,
        ..lowered
    };
    let style = match &header.content {
        Some(content) => params::content_style(content),
        None => match header.style {
            model::Style::SpaceDelimited => Some(StyleWord::Space),
            model::Style::PipeDelimited => Some(StyleWord::Pipe),
            model::Style::TabDelimited => Some(StyleWord::Tab),
            _ => header.explode.then_some(StyleWord::Explode),
        },
    };
    Some(Header {
        name: Name::new(header.name.clone()),
        style: style.into_iter().collect(),
        ty: presence::field_type(lowered, header.required),
        optional: !header.required,
        required: header.required,
        rules: match schema {
            Some(id) if lowering.document.options.kept_rules == KeptRules::Responses => {
                lowering.document.rules(id)
            }
            _ => Vec::new(),
        },
        doc: Doc {
            text: header.description.clone(),
            deprecated: header.deprecated,
            ..Doc::default()
        },
    })
}
