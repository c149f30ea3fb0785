//! A `mapping` that sends several values to one schema, which does not declare the property: the
//! variant keeps its value.

use api::types::{Event, EventUserEvent, EventUserEventInit, EventUserEventType};
use bothends_test_peers::serve;
use twin::types::AnyEvent;

use super::posting::{echo, rejects, returns};

bothends_case_tests::document!(api, "06-mapped-many");
bothends_case_tests::document!(twin, "06-mapped-many-twin");

echo! { Echo of api: relay RelayRequest RelayResponse RelayError }

echo! { Twin of twin:
    put_any PutAnyRequest PutAnyResponse PutAnyError,
    put_family PutFamilyRequest PutFamilyResponse PutFamilyError,
}

#[test]
fn the_value_of_the_tag_is_kept_and_can_be_chosen() {
    for (tag, kind) in [
        ("user.created", EventUserEventType::UserCreated),
        ("user.updated", EventUserEventType::UserUpdated),
        ("user.deleted", EventUserEventType::UserDeleted),
    ] {
        let text = format!(r#"{{"type":"{tag}","user":"a"}}"#);
        let built = Event::UserEvent(EventUserEvent::from(EventUserEventInit {
            r#type: kind,
            user: "a".to_owned(),
        }));
        let read: Event = serde_json::from_str(&text).expect("an event");
        assert_eq!(read, built);
        assert_eq!(serde_json::to_string(&built).expect("JSON"), text);
    }
}

#[test]
fn each_value_comes_back_wherever_it_is_in_the_object() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    returns(
        to,
        "/events",
        &[
            r#"{"type":"user.created","user":"a"}"#,
            r#"{"type":"user.updated","user":"a"}"#,
            r#"{"type":"order.placed","order":"o"}"#,
        ],
    );
    let tag_last = r#"{"user":"a","type":"user.deleted"}"#;
    assert_eq!(
        super::posting::posted(to, "/events", tag_last),
        (200, r#"{"type":"user.deleted","user":"a"}"#.to_owned())
    );
    rejects(
        to,
        "/events",
        &[r#"{"type":"user.renamed","user":"a"}"#, r#"{"user":"a"}"#],
    );
}

#[test]
fn several_schemas_with_several_values_keep_them() {
    let to = serve(twin::server::router(Twin).allow_unauthenticated());
    returns(
        to,
        "/anyof",
        &[
            r#"{"type":"user.created","user":"a"}"#,
            r#"{"type":"user.deleted","user":"a"}"#,
            r#"{"type":"order.placed","order":1}"#,
            r#"{"type":"order.paid","order":1}"#,
            r#"{"type":"labels.set","a":"b"}"#,
            r#"{"type":"labels.removed","a":"b"}"#,
            r#"{"type":"shape.a","radius":1}"#,
            r#"{"type":"shape.b","side":1}"#,
            // The default has any other value, or none.
            r#"{"type":"unheard.of","note":"n"}"#,
            r#"{"note":"n"}"#,
        ],
    );
}

#[test]
fn a_base_that_does_not_declare_its_discriminator_keeps_the_value() {
    let to = serve(twin::server::router(Twin).allow_unauthenticated());
    returns(
        to,
        "/family",
        &[
            r#"{"kind":"one","id":1,"a":2}"#,
            r#"{"kind":"only","id":1,"a":2}"#,
            r#"{"kind":"two","id":1,"b":2}"#,
        ],
    );
    let base = r#"{"kind":"none","id":1}"#;
    let (status, body) = super::posting::posted(to, "/family", base);
    let body: serde_json::Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(
        (status, body),
        (200, serde_json::json!({"kind": "none", "id": 1}))
    );
}

#[test]
fn a_webhook_carries_the_value_too() {
    let text = r#"{"type":"user.deleted","user":"a"}"#;
    let request: AnyEvent = serde_json::from_str(text).expect("an event");
    let twin::webhooks::ChangedRequest { body, .. } = twin::webhooks::ChangedRequest::new(request);
    assert_eq!(serde_json::to_string(&body).expect("JSON"), text);
}
