//! No secret of a receiver is in an error or `Debug` output.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use bothends_delivery::http::{HeaderMap, HeaderValue, Method};
use bothends_delivery::send::{AttemptContext, OutgoingRequest, Sender};
use bothends_delivery::{
    DeliveryId, Destinations, HttpSender, KeyRing, Message, SharedKeyRing, SigningKey,
    SigningToken, Subscription,
};
use std::fmt::Debug;

/// In every secret of these tests.
const MARK: &str = "S3CRET";

fn hidden(value: &impl Debug) {
    let text = format!("{value:?} {value:#?}");
    assert!(!text.contains(MARK), "{text}");
}

#[test]
fn subscriptions_show_no_secret() {
    let builder = || {
        Subscription::builder("s")
            .url("https://receiver.example/hook?key=S3CRET")
            .header("Authorization", "Bearer S3CRET")
            .token(SigningToken::new("a long signing token S3CRET S3CRET").unwrap())
    };
    hidden(&builder());
    let subscription = builder().build().unwrap();
    hidden(&subscription);
    for url in [
        "https://user:S3CRET@receiver.example/hook",
        "https://user:S3CRET@receiver.example:x/?key=S3CRET",
        "user:S3CRET@receiver.example",
        "ftp://receiver.example/?key=S3CRET#S3CRET",
        "u@S3CRET://S3CRET@h",
    ] {
        let error = Subscription::builder("s").url(url).build().unwrap_err();
        hidden(&error);
        assert!(!error.to_string().contains(MARK), "{error}");
    }
    let error = builder().header("X-Key", "S3CRET\n").build().unwrap_err();
    hidden(&error);
    assert!(!error.to_string().contains(MARK), "{error}");
}

#[test]
fn keys_show_no_secret() {
    const ED25519: &str = "-----BEGIN PRIVATE KEY-----\n\
        MC4CAQAwBQYDK2VwBCIEIAlr49UMeaPvs4aC+xTO0AsfMHVVRTXpoOGP61K+sbj7\n\
        -----END PRIVATE KEY-----\n";
    let key = SigningKey::ed25519("key", ED25519).unwrap();
    let text = format!("{key:?}");
    assert!(
        !text.contains("AgEA") && !text.contains("107, 227, 213"),
        "{text}"
    );
    hidden(&KeyRing::default());
    let shared = SharedKeyRing::from(KeyRing::new().sign_with(key));
    let text = format!("{shared:?}");
    assert!(
        text.contains("EdDSA") && !text.contains("107, 227, 213"),
        "{text}"
    );
}

/// Nobody listens there: the reason names neither the URL nor a header.
#[tokio::test]
async fn what_is_told_of_an_attempt_holds_no_secret() {
    let only = Destinations::public().allow("127.0.0.1/32".parse().unwrap());
    let sender = HttpSender::builder().destinations(only).build().unwrap();
    let mut headers = HeaderMap::new();
    headers.insert("authorization", HeaderValue::from_static("Bearer S3CRET"));
    let message = Message::new("kind", "S3CRET").owner("o7");
    let message = message.header("X-Key", "S3CRET").unwrap();
    for url in [
        "http://127.0.0.1:1/S3CRET?key=S3CRET",
        "http://user:S3CRET@127.0.0.1:1/",
        "http://10.0.0.1/?key=S3CRET",
        "https://127.0.0.1:1/?key=S3CRET",
    ] {
        let outgoing = OutgoingRequest {
            url: url.parse().unwrap(),
            method: Method::POST,
            headers: headers.clone(),
            body: "S3CRET".into(),
            attempt: AttemptContext::new(DeliveryId(3), 2, &message, "s"),
        };
        hidden(&outgoing);
        let text = format!("{outgoing:?}");
        let named = ["DeliveryId(3)", "n: 2", "\"o7\"", message.id.as_str()];
        assert!(named.iter().all(|name| text.contains(name)), "{text}");
        let fault = sender.send(outgoing).await.unwrap_err();
        hidden(&fault);
    }
}
