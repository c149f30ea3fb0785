//! Errors that operations share.

use super::*;
use crate::ir::{
    Codec, ErrorSet, Header, Media, Payload, Response, StatusSpec, StatusSpec::Code,
    StatusSpec::Default as Other, StatusSpec::Range,
};

/// The types that bodies have: named ones by their place in this list, and texts.
const BODIES: &[&str] = &["Problem", "Fault", "TransferServiceRestServiceError"];
const NONE: usize = 100;
const TEXT: usize = 101;

fn response(status: StatusSpec, body: usize, media: &str) -> Response {
    let ty = match body {
        TEXT => TypeRef::Primitive(Primitive::String),
        id => TypeRef::Named(TypeId(u32::try_from(id).expect("a small number"))),
    };
    let media = Media {
        name: media.to_owned(),
        also: Vec::new(),
        codec: Codec::Json,
        ty,
        parts: Vec::new(),
        end: None,
        is_text: false,
        rules: Vec::new(),
    };
    Response {
        origin: Origin::default(),
        status,
        name: Name::default(),
        payload: (body != NONE).then_some(Payload::One(media)),
        left_out: Vec::new(),
        doc: Doc::default(),
        code_path: None,
        message_path: None,
    }
}

fn set(responses: Vec<Response>, headers: &[&str]) -> ErrorSet {
    let header = |wire: &&str| Header {
        name: Name::new(*wire),
        style: Vec::new(),
        ty: TypeRef::Primitive(Primitive::String),
        optional: true,
        required: false,
        rules: Vec::new(),
        doc: Doc::default(),
    };
    ErrorSet {
        name: Name::default(),
        content: String::new(),
        of_webhooks: false,
        responses,
        headers: headers.iter().map(header).collect(),
    }
}

fn json(responses: &[(StatusSpec, usize)]) -> ErrorSet {
    let error = |(status, body): &(StatusSpec, usize)| response(*status, *body, "application/json");
    set(responses.iter().map(error).collect(), &[])
}

fn codes(codes: &[u16]) -> ErrorSet {
    let responses: Vec<_> = codes.iter().map(|code| (Code(*code), 0)).collect();
    json(&responses)
}

/// Returns the names of sets, in their order.
fn names(sets: &[ErrorSet]) -> Vec<String> {
    let types = BODIES.iter();
    let types = types.map(|wire| def(wire, None, Module::Types, object(&[])));
    let (api, reported) = assigned(Api {
        types: types.collect(),
        operations: (0..sets.len())
            .map(|index| Operation {
                error_set: Some(index),
                ..operation(&format!("op{index}x"), None)
            })
            .collect(),
        error_sets: sets.to_vec(),
        ..Api::default()
    });
    assert_eq!(reported, [""; 0]);
    api.error_sets
        .into_iter()
        .map(|set| set.name.rust)
        .collect()
}

fn name(set: ErrorSet) -> String {
    names(&[set]).pop().expect("a name")
}

#[test]
fn short_lists_are_bodies_and_statuses() {
    assert_eq!(name(codes(&[404])), "Problem404");
    assert_eq!(name(codes(&[401, 404])), "Problem401_404");
    assert_eq!(name(json(&[(Other, 0)])), "ProblemDefault");
    assert_eq!(name(json(&[(Code(403), NONE)])), "Empty403");
    assert_eq!(
        name(json(&[(Code(404), 0), (Range(4), 1), (Range(5), 1)])),
        "Problem404Fault4xx5xx"
    );
    assert_eq!(
        name(json(&[(Code(404), 0), (Range(4), 0), (Other, 0)])),
        "Problem404_4xxDefault"
    );
    assert_eq!(
        name(json(&[(Code(401), 2), (Code(403), 0), (Code(404), TEXT)])),
        "Errors401_403_404"
    );
}

#[test]
fn long_lists_are_words() {
    let usual = [400, 401, 403, 405, 406, 429];
    let and = |more: &[u16]| codes(&[&usual, more].concat());
    assert_eq!(name(codes(&usual)), "ClientErrors");
    assert_eq!(name(and(&[500])), "ClientOrServerErrors");
    assert_eq!(name(and(&[404])), "NotFoundOrClientErrors");
    assert_eq!(name(and(&[404, 409, 500])), "NotFoundConflictOrOtherErrors");
    assert_eq!(
        name(and(&[404, 409, 412, 415, 422, 451, 500])),
        "NotFoundConflictOrOtherErrors"
    );
    assert_eq!(name(codes(&[500, 501, 502, 503, 504, 507])), "ServerErrors");
    let mut all = and(&[]);
    all.responses.push(response(Other, 0, "application/json"));
    assert_eq!(name(all), "AllErrors");
}

#[test]
fn equal_words_are_distinguished_by_headers() {
    let with = |headers: &[&str]| set(vec![response(Code(429), 0, "application/json")], headers);
    assert_eq!(name(with(&["Retry-After"])), "Problem429");
    assert_eq!(
        names(&[with(&["Retry-After"]), with(&["A", "B"]), with(&[])]),
        [
            "Problem429WithRetryAfter",
            "Problem429WithHeaders",
            "Problem429"
        ]
    );
    let mut long = vec![codes(&[400, 401, 403, 404, 422, 500]); 2];
    long[1].headers = with(&["Idempotency-Key"]).headers;
    assert_eq!(
        names(&long),
        [
            "NotFoundUnprocessableContentOrOtherErrors",
            "NotFoundUnprocessableContentOrOtherErrorsWithHeader"
        ]
    );
}

#[test]
fn the_content_decides_who_gets_a_number() {
    let problem = "application/problem+json";
    let plain = codes(&[404]);
    let other = set(vec![response(Code(404), 0, problem)], &[]);
    assert_eq!(name(other.clone()), "Problem404");
    assert_eq!(
        names(&[plain.clone(), other.clone()]),
        ["Problem404", "Problem404_2"]
    );
    assert_eq!(names(&[other, plain]), ["Problem404_2", "Problem404"]);
}
