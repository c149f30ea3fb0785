//! A webhook of generated code goes over the wire as its document says: method, media type, headers and
//! bytes.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    DeliveryStore, Destinations, Message, MessageId, SigningToken, Subscription, Worker,
};
use bothends_runtime::OutgoingWebhook;
use bytes::Bytes;
use common::load::delivered;
use common::receiver::{Received, Receiver};
use http::{HeaderMap, HeaderName, HeaderValue};

const TOKEN: &str = "a token of more than thirty-two characters";

fn headers(headers: &[(&'static str, &'static str)]) -> HeaderMap {
    let headers = headers.iter().map(|(name, value)| {
        let name = HeaderName::from_static(name);
        (name, HeaderValue::from_static(value))
    });
    headers.collect()
}

async fn send(messages: Vec<Message>) -> Vec<Received> {
    let receiver = Receiver::always(200).await;
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
    let subscription = Subscription::builder("s")
        .url(receiver.url())
        .header("X-Tenant", "7")
        // One after the other.
        .concurrency(1)
        .token(SigningToken::new(TOKEN).unwrap());
    store
        .put_subscription(subscription.build().unwrap())
        .await
        .unwrap();
    let count = messages.len();
    for message in messages {
        assert!(store.enqueue(message).await.unwrap().is_created());
    }
    let worker = Worker::builder(store.clone())
        .destinations(Destinations::public().allow_loopback())
        .build()
        .unwrap();
    worker.run(delivered(&store, count)).await;
    receiver.log()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_sent_as_its_document_says() {
    let own = [
        ("x-event", "a"),
        ("x-tenant", "of the message"),
        // Left empty for whoever delivers it.
        ("x-token-signature", ""),
        ("host", "elsewhere.example"),
    ];
    let put = OutgoingWebhook {
        url: None,
        kind: "changed",
        method: "PUT",
        headers: headers(&own),
        content_type: Some(HeaderValue::from_static(
            "application/x-www-form-urlencoded",
        )),
        body: Bytes::from_static(b"a=1&b=2"),
    };
    let delete = OutgoingWebhook {
        url: None,
        kind: "gone",
        method: "DELETE",
        headers: HeaderMap::new(),
        content_type: None,
        body: Bytes::new(),
    };
    let id = MessageId::new("order 1 2").unwrap();
    let log = send(vec![
        Message::from(put).id(id),
        Message::from(delete),
        Message::new("usual", "{}"),
    ])
    .await;
    let lines: Vec<_> = log.iter().map(|received| received.line.as_str()).collect();
    assert_eq!(
        lines,
        [
            "PUT /hook HTTP/1.1",
            "DELETE /hook HTTP/1.1",
            "POST /hook HTTP/1.1"
        ]
    );
    let [put, delete, post] = log.as_slice() else {
        unreachable!("there are three");
    };
    assert_eq!(put.body, b"a=1&b=2");
    assert_eq!(
        put.header("content-type"),
        "application/x-www-form-urlencoded"
    );
    assert_eq!(put.header("x-event"), "a");
    assert_eq!(
        put.header("x-tenant"),
        "7",
        "the subscription has the last word"
    );
    assert_eq!(put.header("webhook-id"), "order 1 2", "as it was given");
    assert!(put.header("host").starts_with("127.0.0.1:"));
    let token = SigningToken::new(TOKEN).unwrap();
    assert_eq!(put.header("x-token-signature"), token.sign(b"a=1&b=2"));
    assert_eq!(delete.body, b"");
    assert!(!delete.headers.contains_key("content-type"));
    assert_eq!(post.header("content-type"), "application/json");
}

#[test]
fn headers_of_ours_cannot_be_set() {
    for name in [
        "Host",
        "Content-Type",
        "X-Signature",
        "Webhook-Id",
        "Transfer-Encoding",
    ] {
        let error = Message::new("kind", "").header(name, "x").unwrap_err();
        let message = error.to_string();
        assert!(message.contains("set by the sender"), "{message}");
    }
    let smuggled = Message::new("kind", "")
        .header("X-A", "b\r\nHost: c")
        .unwrap_err();
    assert!(smuggled.to_string().contains("malformed"));
}
