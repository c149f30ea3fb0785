//! Required `readOnly` and `writeOnly` properties: only the messages of the side that writes them count.

use serde_json::{Value, json};

use super::super::{Audience, Level, Options};
use super::report;
use super::table::document;

/// The messages that contain `Thing`.
#[derive(Clone, Copy)]
enum Messages {
    Request,
    Response,
    Both,
    Webhook,
    WebhookBoth,
}

fn things(messages: Messages, keyword: &str, required: &[&str], properties: &[&str]) -> Value {
    let body = json!({ "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } } });
    let (request, response) = match messages {
        Messages::Request | Messages::Webhook => (true, false),
        Messages::Response => (false, true),
        Messages::Both | Messages::WebhookBoth => (true, true),
    };
    let mut operation =
        json!({ "operationId": "thing", "responses": { "200": { "description": "Done." } } });
    if request {
        operation["requestBody"] = body.clone();
    }
    if response {
        operation["responses"]["200"]["content"] = body["content"].clone();
    }
    let mut all = json!({ "a": { "type": "string" }, "b": { "type": "string", keyword: true } });
    let all = all.as_object_mut().expect("an object");
    all.retain(|name, _| properties.contains(&name.as_str()));
    let thing = json!({ "type": "object", "required": required, "properties": all });
    let mut keys = json!({ "components": { "schemas": { "Thing": thing } } });
    match messages {
        Messages::Webhook | Messages::WebhookBoth => {
            keys["webhooks"] = json!({ "thing": { "post": operation } });
        }
        _ => keys["paths"] = json!({ "/things": { "post": operation } }),
    }
    document(&keys)
}

/// Returns each change of `b`: its code, and its levels for clients, servers, callers and implementers.
fn changes(old: &Value, new: &Value) -> Vec<String> {
    let report = report(old, new, &Options::default());
    let of_b = report
        .changes
        .iter()
        .filter(|change| change.place.member == "b");
    of_b.map(|change| {
        let levels = Audience::ALL.map(|audience| match change.outcome(audience).level {
            Level::Safe => 's',
            Level::Attention => 'a',
            Level::Breaking => 'b',
        });
        format!("{} {}", change.code(), levels.iter().collect::<String>())
    })
    .collect()
}

/// Compares an optional with a required property, in both orders.
fn required(messages: Messages, keyword: &str) -> [Vec<String>; 2] {
    let optional = things(messages, keyword, &["a"], &["a", "b"]);
    let required = things(messages, keyword, &["a", "b"], &["a", "b"]);
    [changes(&optional, &required), changes(&required, &optional)]
}

#[test]
fn the_other_side_does_not_send_the_property() {
    let none: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    assert_eq!(required(Messages::Request, "readOnly"), none);
    assert_eq!(required(Messages::Response, "writeOnly"), none);
}

#[test]
fn a_type_of_one_direction_has_the_field_in_its_constructor() {
    assert_eq!(
        required(Messages::Response, "readOnly"),
        [["D0509 sbbb"], ["D0510 bsbb"]]
    );
    assert_eq!(
        required(Messages::Request, "writeOnly"),
        [["D0409 bsbb"], ["D0410 sbbb"]]
    );
    // The service sends a webhook, which is a request.
    assert_eq!(
        required(Messages::Webhook, "readOnly"),
        [["D0409 bsbb"], ["D0410 sbbb"]]
    );
}

#[test]
fn a_type_of_both_directions_changes_on_the_wire_only() {
    assert_eq!(
        required(Messages::Both, "readOnly"),
        [["D0555 sbss"], ["D0556 bsss"]]
    );
    assert_eq!(
        required(Messages::Both, "writeOnly"),
        [["D0455 bsss"], ["D0456 sbss"]]
    );
    assert_eq!(
        required(Messages::WebhookBoth, "readOnly"),
        [["D0455 bsss"], ["D0456 sbss"]]
    );
    assert_eq!(
        required(Messages::WebhookBoth, "writeOnly"),
        [["D0555 sbss"], ["D0556 bsss"]]
    );
}

#[test]
fn a_new_property_that_one_side_must_send_breaks_that_side() {
    let without = things(Messages::Both, "writeOnly", &["a"], &["a"]);
    let with = things(Messages::Both, "writeOnly", &["a", "b"], &["a", "b"]);
    assert_eq!(changes(&without, &with), ["D0401 ssss", "D0455 bsss"]);
    assert_eq!(changes(&with, &without), ["D0402 ssbb", "D0456 sbss"]);
}

#[test]
fn a_required_property_that_becomes_one_sided_is_missed_by_the_other_side() {
    let both = things(Messages::Both, "x-both", &["a", "b"], &["a", "b"]);
    let server = things(Messages::Both, "readOnly", &["a", "b"], &["a", "b"]);
    let client = things(Messages::Both, "writeOnly", &["a", "b"], &["a", "b"]);
    assert_eq!(changes(&both, &server), ["D0410 sbbb", "D0439+D0539 ssss"]);
    assert_eq!(changes(&server, &both), ["D0409 bsbb", "D0440+D0540 ssss"]);
    assert_eq!(changes(&both, &client), ["D0441+D0541 ssss", "D0510 bsbb"]);
}
