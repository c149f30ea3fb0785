//! Bodies of XML, which are not read: their schemas and the keyword `xml` are compared as texts.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::super::Options;
use super::super::rules::{Audience, Level, Raw};
use super::report;
use super::table::document;

/// A document with a message of a media type, in a request or in a response.
fn message(media: &str, schema: &Value, response: bool, schemas: &Value) -> Value {
    let content = json!({ media: { "schema": schema } });
    let done = json!({ "description": "Done." });
    let operation = match response {
        false => json!({ "requestBody": { "$ref": "#/components/requestBodies/Body" },
            "responses": { "204": done } }),
        true => json!({ "responses": { "200": { "description": "Done.", "content": content } } }),
    };
    document(&json!({
        "paths": { "/a": { "post": operation } },
        "components": { "schemas": schemas, "requestBodies": { "Body": { "content": content } } },
    }))
}

/// Returns whether the report has a keyword that is not compared, in each direction.
fn reported(media: &str, [old, new]: [&Value; 2], schemas: [&Value; 2]) -> [bool; 2] {
    [false, true].map(|response| {
        let old = message(media, old, response, schemas[0]);
        let new = message(media, new, response, schemas[1]);
        let changes = report(&old, &new, &Options::default()).changes;
        let mut changes = changes.iter();
        changes.any(|change| {
            let clients = change.outcome(Audience::WireClients).level;
            change.rules[0].raw == Raw::KeywordChanged && clients == Level::Attention
        })
    })
}

/// An object whose property has a form in XML, in as many objects.
fn nested(depth: usize, xml: &Value) -> Value {
    let innermost = json!({ "type": "string", "xml": xml });
    (0..depth).fold(
        innermost,
        |inner, _| json!({ "type": "object", "properties": { "a": inner } }),
    )
}

#[test]
fn no_change_of_the_form_in_xml_is_silent() {
    let (element, attribute) = (
        json!({ "name": "x" }),
        json!({ "name": "x", "attribute": true }),
    );
    let none = json!({});
    let both = |depth| [nested(depth, &element), nested(depth, &attribute)];
    for depth in [0, 1, 2, 6, 12] {
        let [old, new] = both(depth);
        for media in [
            "application/xml",
            "text/xml",
            "application/atom+xml; charset=utf-8",
        ] {
            assert_eq!(
                reported(media, [&old, &new], [&none; 2]),
                [true; 2],
                "{media} {depth}"
            );
            assert_eq!(reported(media, [&old, &old], [&none; 2]), [false; 2]);
        }
        // JSON has no elements.
        assert_eq!(
            reported("application/json", [&old, &new], [&none; 2]),
            [false; 2]
        );
        let own = json!({ "$ref": "#/components/schemas/Own" });
        let schemas = [&old, &new].map(|schema| json!({ "Own": schema }));
        let found = reported("application/xml", [&own; 2], [&schemas[0], &schemas[1]]);
        assert_eq!(found, [true; 2], "{depth}");
    }
    // Anything else in a schema of XML is not compared either.
    let [old, mut new] = both(3);
    new["properties"]["a"]["properties"]["a"]["properties"]["a"]["type"] = json!("integer");
    assert_eq!(
        reported("application/xml", [&old, &new], [&none; 2]),
        [true; 2]
    );
}

/// The rules of the changes of an operation whose responses offer these media types.
fn responses(old: &Value, new: &Value) -> BTreeSet<Raw> {
    let document = |statuses: &Value| {
        let response = |media: &Value| {
            let media = media.as_object().into_iter().flatten();
            let content: Map<String, Value> = media
                .map(|(name, ty)| (name.clone(), json!({ "schema": { "type": ty } })))
                .collect();
            json!({ "description": "Done.", "content": content })
        };
        let statuses = statuses.as_object().into_iter().flatten();
        let statuses: Map<String, Value> = statuses
            .map(|(status, media)| (status.clone(), response(media)))
            .collect();
        document(&json!({ "paths": { "/a": { "get": { "responses": statuses } } } }))
    };
    let found = report(&document(old), &document(new), &Options::default()).changes;
    let rules = found.iter().flat_map(|change| &change.rules);
    rules.map(|rule| rule.raw).collect()
}

#[test]
fn a_body_of_xml_beside_json_is_a_media_type() {
    let json = json!({ "application/json": "string" });
    let with = |xml: &str| json!({ "application/json": "string", xml: "string" });
    let (xml, charset) = (
        with("application/xml"),
        with("application/xml; charset=utf-8"),
    );
    let ok = |content: &Value| json!({ "200": content });
    let raws = |old: &Value, new: &Value| responses(&ok(old), &ok(new));
    assert_eq!(raws(&xml, &json), [Raw::LeftOutMediaRemoved].into());
    assert_eq!(raws(&json, &xml), [Raw::LeftOutMediaAdded].into());
    assert_eq!(raws(&xml, &charset), [].into());
    let both = [Raw::LeftOutMediaAdded, Raw::LeftOutMediaRemoved];
    assert_eq!(raws(&xml, &with("text/xml")), both.into());
    // The schema is compared whatever the charset is.
    let other =
        json!({ "application/json": "string", "application/xml; charset=utf-8": "integer" });
    assert_eq!(raws(&xml, &other), [Raw::KeywordChanged].into());
    // A body of XML alone is a text, and its media type is one of generated code.
    let alone = json!({ "application/xml": "string" });
    let lost = raws(&alone, &json!({ "text/plain": "string" }));
    assert!(
        lost.contains(&Raw::MediaRemoved) && lost.is_disjoint(&both.into()),
        "{lost:?}"
    );
    // With JSON removed, existing clients of XML keep theirs.
    assert!(raws(&xml, &alone).is_disjoint(&both.into()));
    // The media types of a response that is removed are not reported.
    let two = json!({ "200": json, "404": xml });
    let gone = [Raw::ErrorRemoved, Raw::ErrorShapeChanged];
    assert_eq!(responses(&two, &ok(&json)), gone.into());
    // The media type is removed from one response and stays in another.
    let moved = [
        json!({ "200": xml, "404": json }),
        json!({ "200": json, "404": xml }),
    ];
    assert_eq!(responses(&moved[0], &moved[1]), both.into());
}
