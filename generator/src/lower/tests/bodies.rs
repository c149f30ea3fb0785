//! Tests of media types and codecs.

use crate::ir::{Codec, Payload, Response, shown};

use super::super::Options;
use super::{document, lower_with, operation};

/// Returns the media types of a request: codec, media types and type.
fn sent(content: &str) -> (Vec<(Codec, String, String)>, Vec<&'static str>) {
    let (operation, api, reported) = operation(&format!(
        "requestBody:\n  content:\n    {}\nresponses: {{'204': {{description: d}}}}",
        content.trim().replace('\n', "\n    ")
    ));
    let body = operation.body.expect("a body");
    let media = body.payload.media().into_iter();
    let media = media.map(|media| (media.codec, media.key(), shown(&api, &media.ty)));
    (media.collect(), reported)
}

fn only_sent(content: &str) -> (Codec, String) {
    let (all, _) = sent(content);
    assert_eq!(all.len(), 1, "{all:?}");
    (all[0].0, all[0].2.clone())
}

const OBJECT: &str = "{schema: {type: object, properties: {a: {type: string}}}}";

#[test]
fn a_media_type_says_how_a_body_is_coded() {
    for (media, codec, ty) in [
        ("application/json", Codec::Json, "RunBody"),
        (
            "application/problem+json; charset=utf-8",
            Codec::Json,
            "RunBody",
        ),
        ("application/x-www-form-urlencoded", Codec::Form, "RunBody"),
        ("multipart/form-data", Codec::Multipart, "RunBody"),
        ("text/csv", Codec::Text, "String"),
        ("application/xml", Codec::Text, "String"),
        ("image/png", Codec::Chunks, "Bytes"),
    ] {
        let (found, held) = only_sent(&format!("'{media}': {OBJECT}"));
        assert_eq!((found, held.as_str()), (codec, ty), "{media}");
    }
}

#[test]
fn items_are_what_a_stream_is_of() {
    for (content, ty) in [
        ("application/jsonl: {itemSchema: {type: integer}}", "i64"),
        (
            "application/jsonl: {schema: {type: array, items: {type: integer}}}",
            "i64",
        ),
        ("application/json-seq: {schema: {type: integer}}", "i64"),
        ("application/x-ndjson: {}", "Json"),
        ("text/event-stream: {}", "String"),
    ] {
        let (codec, held) = only_sent(content);
        assert!(codec.is_items(), "{content}");
        assert_eq!(held, ty, "{content}");
    }
}

#[test]
fn a_range_is_what_its_schema_says() {
    for (schema, codec, ty) in [
        (
            "{schema: {type: string, format: binary}}",
            Codec::Chunks,
            "Bytes",
        ),
        ("{schema: {type: string}}", Codec::Chunks, "Bytes"),
        (
            "{schema: {type: string, format: byte}}",
            Codec::Chunks,
            "Bytes",
        ),
        ("{schema: {type: integer}}", Codec::Json, "i64"),
        ("{}", Codec::Chunks, "Bytes"),
    ] {
        let (found, held) = only_sent(&format!("'*/*': {schema}"));
        assert_eq!((found, held.as_str()), (codec, ty), "{schema}");
    }
}

#[test]
fn media_types_of_one_type_are_one() {
    let (all, _) = sent(&format!(
        "application/json: {OBJECT}\napplication/vnd.x+json: {{schema: {{type: integer}}}}\ntext/plain: {{}}\ntext/csv: {{}}"
    ));
    let keys: Vec<&str> = all.iter().map(|(_, key, _)| key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "application/json",
            "application/vnd.x+json",
            "text/plain",
            "text/csv"
        ]
    );
    let (all, _) = sent("image/png: {}\nimage/jpeg: {}");
    assert_eq!(
        all,
        [(
            Codec::Chunks,
            "image/png, image/jpeg".to_owned(),
            "Bytes".to_owned()
        )]
    );
}

const INTEGER: &str = "{schema: {type: integer}}";

#[test]
fn each_meaning_of_json_is_a_request_of_its_own() {
    let keys = |names: &[&str], schema: &str| {
        let content: Vec<String> = names
            .iter()
            .map(|name| format!("'{name}': {schema}"))
            .collect();
        let (all, _) = sent(&content.join("\n"));
        all.into_iter().map(|(_, key, _)| key).collect::<Vec<_>>()
    };
    let patches = [
        "application/merge-patch+json",
        "application/strategic-merge-patch+json",
    ];
    assert_eq!(keys(&patches, INTEGER), patches);
    let levels = ["application/json; v=1", "application/json; v=2"];
    assert_eq!(keys(&levels, INTEGER), levels);
    let plain = [
        "application/json; charset=utf-8",
        "text/json",
        "application/*+json",
    ];
    assert_eq!(keys(&plain, INTEGER), ["application/json; charset=utf-8"]);
    let framework = [
        "application/json-patch+json",
        "application/json",
        "text/json",
    ];
    let joined = "application/json, application/json-patch+json";
    assert_eq!(keys(&framework, INTEGER), [joined]);
    let list = "{schema: {type: array, items: {type: object}}}";
    assert_eq!(keys(&framework, list), framework[..2]);
}

#[test]
fn a_response_of_one_schema_is_one_type() {
    let (operation, api, _) = operation(
        "responses:
  '200':
    description: d
    content:
      application/json: {schema: {type: integer}}
      application/hal+json: {schema: {type: integer}}
      text/json: {schema: {type: integer}}
  '202': {description: d, content: {'*/*': {schema: {type: string}}}}
  '203': {description: d, content: {'text/*': {schema: {type: string}}}}
  '206': {description: d, content: {'*/*': {schema: {type: string, format: byte}}}}",
    );
    let bodies = operation.successes.iter().map(|success| {
        let media = success.payload.as_ref().expect("a body").media();
        assert_eq!(media.len(), 1);
        (media[0].codec, media[0].key(), shown(&api, &media[0].ty))
    });
    let expected = [
        (Codec::Json, "application/json, application/hal+json", "i64"),
        (Codec::Text, "*/*", "String"),
        (Codec::Text, "text/*", "String"),
        (Codec::Bytes, "*/*", "Base64"),
    ];
    let expected = expected.map(|(codec, key, ty)| (codec, key.to_owned(), ty.to_owned()));
    assert_eq!(bodies.collect::<Vec<_>>(), expected);
}

#[test]
fn stream_definitions_are_lines_of_json_whatever_their_title() {
    let (api, _) = lower_with(
        "swagger: '2.0'
info: {title: t, version: '1'}
paths:
  /x:
    get:
      operationId: watch
      responses: {'200': {description: d, schema: {$ref: '#/x-stream-definitions/Thing'}}}
x-stream-definitions: {Thing: {type: object, title: Things as they come, properties: {result: {type: integer}}}}
",
        &Options::default(),
    );
    let payload = api.operations[0].successes[0].payload.as_ref();
    assert_eq!(payload.expect("a body").media()[0].codec, Codec::Lines);
}

#[test]
fn a_name_of_a_scalar_does_not_change_the_codec_of_a_range() {
    let paths = "/x:
  post:
    operationId: run
    requestBody: {content: {'*/*': {schema: {$ref: '#/components/schemas/Photo'}}}}
    responses:
      '200': {description: d, content: {'*/*': {schema: {$ref: '#/components/schemas/Photo'}}}}
      '201': {description: d, content: {'*/*': {schema: {$ref: '#/components/schemas/File'}}}}";
    let components = "schemas:
  Photo: {type: string, format: byte, maxLength: 9}
  File: {type: string, format: binary}";
    let (api, _) = lower_with(&document(paths, components), &Options::default());
    let operation = &api.operations[0];
    let answers = operation
        .successes
        .iter()
        .map(|success| success.payload.as_ref());
    let sent = operation.body.as_ref().map(|body| &body.payload);
    let bodies = [sent].into_iter().chain(answers).map(|payload| {
        let media = payload.expect("a body").media();
        (media[0].codec, shown(&api, &media[0].ty))
    });
    let expected = [
        (Codec::Chunks, "Bytes"),
        (Codec::Bytes, "Base64"),
        (Codec::Chunks, "Bytes"),
    ];
    let expected = expected.map(|(codec, ty)| (codec, ty.to_owned()));
    assert_eq!(bodies.collect::<Vec<_>>(), expected);
}

#[test]
fn xml_beside_json_is_left_out_and_alone_is_text() {
    let (all, reported) = sent(&format!(
        "application/xml: {OBJECT}\napplication/json: {OBJECT}"
    ));
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].0, Codec::Json);
    assert_eq!(reported.len(), 1, "{reported:?}");
    let (all, reported) = sent(&format!("application/xml: {OBJECT}"));
    assert_eq!(all[0].0, Codec::Text);
    assert_eq!(reported.len(), 1, "{reported:?}");
}

#[test]
fn a_form_has_fields() {
    let (all, reported) = sent("application/x-www-form-urlencoded: {schema: {type: string}}");
    assert_eq!(all[0].2, "Map<Json>");
    assert_eq!(reported.len(), 1, "{reported:?}");
}

#[test]
fn parts_without_names_are_bytes() {
    let (all, reported) = sent("multipart/mixed: {itemSchema: {type: string}}");
    assert_eq!((all[0].0, all[0].2.as_str()), (Codec::Chunks, "Bytes"));
    assert_eq!(reported, ["W0370"]);
}

#[test]
fn errors_are_buffered_and_successes_are_streamed() {
    let (operation, _, _) = operation(
        "responses:
  '200': {description: d, content: {image/png: {}}}
  '500': {description: d, content: {image/png: {}}}",
    );
    let codec = |payload: &Option<Payload>| payload.as_ref().expect("a body").media()[0].codec;
    assert_eq!(codec(&operation.successes[0].payload), Codec::Chunks);
    assert_eq!(codec(&operation.errors[0].payload), Codec::Bytes);
}

#[test]
fn some_statuses_never_have_a_body() {
    let (operation, _, _) = operation(
        "responses:
  '204': {description: d, content: {application/json: {schema: {type: string}}}}
  '304': {description: d, content: {application/json: {schema: {type: string}}}}",
    );
    let mut responses = operation.successes.iter().chain(&operation.errors);
    assert!(responses.all(|response| response.payload.is_none()));
}

#[test]
fn a_redirect_is_a_success_only_without_a_2xx() {
    let sides = |statuses: &[&str]| {
        let responses = statuses
            .iter()
            .map(|status| format!("  '{status}': {{description: d}}\n"));
        let (operation, ..) = operation(&format!("responses:\n{}", responses.collect::<String>()));
        let names = |responses: &[Response]| {
            let names = responses
                .iter()
                .map(|responses| responses.name.wire.clone());
            names.collect::<Vec<_>>().join(" ")
        };
        [names(&operation.successes), names(&operation.errors)]
    };
    assert_eq!(sides(&["103", "200", "304", "404"]), ["200", "103 304 404"]);
    assert_eq!(sides(&["2XX", "3XX"]), ["2XX", "3XX"]);
    assert_eq!(sides(&["101", "302", "404"]), ["101 302", "404"]);
    assert_eq!(sides(&["302", "default"]), ["302", "default"]);
    assert_eq!(sides(&["404", "default"]), ["default", "404 default"]);
}

#[test]
fn examples_stand_at_own_bodies_and_successes() {
    let (operation, _, _) = operation(
        "requestBody: {content: {application/json: {example: 1}}}
responses:
  '200': {description: d, content: {application/json: {example: 2}}}
  '400': {description: d, content: {application/json: {example: 3}}}",
    );
    let body = operation.body.expect("a body");
    assert_eq!(body.doc.examples, ["1"]);
    assert_eq!(operation.successes[0].doc.examples, ["2"]);
    assert!(operation.errors[0].doc.examples.is_empty());
}
