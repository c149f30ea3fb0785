//! Bodies of XML, which are not read: their schemas and the keyword `xml` are compared as texts.

use serde_json::{Value, json};

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
