//! Signatures of other services' webhooks, made by Python's `hmac`.

use super::{Log, send, serve, statuses};
use bothends_runtime::Json;
use bothends_runtime::server::{Body, Response};
use bothends_runtime::webhook::{Encoding, HmacSignature, InvalidSecret, Receiver};
use bothends_tests::has_python;
use http::Request;
use serde_json::json;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};
use tower_service::Service;

/// Notes what comes through.
#[derive(Clone, Default)]
struct Through(Log);

impl Service<Request<Body>> for Through {
    type Response = Response;
    type Error = Infallible;
    type Future = Ready<Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.0.add(request.uri().path());
        ready(Ok(Response::default()))
    }
}

/// What comes of a genuine webhook, a forged one, and one without a signature.
async fn outcome(verifier: HmacSignature, scheme: &str, secret: &str) -> Vec<u64> {
    let through = Through::default();
    let url = serve(Receiver::new(through.clone(), verifier)).await;
    let request = |path: &str, scheme: &str, forge: bool| json!({ "path": path, "body": "{\"a\": 1}", "scheme": scheme, "secret": secret, "forge": forge });
    let requests = vec![
        request("/genuine", scheme, false),
        request("/forged", scheme, true),
        request("/bare", "", false),
    ];
    let responses = send(&url, requests).await;
    let genuine = usize::from(responses[0]["status"] == 200);
    assert_eq!(through.0.take(), ["/genuine"][..genuine]);
    statuses(&responses)
}

const STANDARD: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

#[tokio::test]
async fn signatures_of_other_services_are_verified() {
    if !has_python("signatures_of_other_services_are_verified") {
        return;
    }
    let shop = HmacSignature::new("x-shopify-hmac-sha256".parse().unwrap(), ["s"]).unwrap();
    let verified: [(HmacSignature, &str, &str); 6] = [
        (HmacSignature::github(["old", "s"]).unwrap(), "github", "s"),
        (shop.encoding(Encoding::Base64), "base64", "s"),
        (
            HmacSignature::stripe(["whsec_s"]).unwrap(),
            "stripe",
            "whsec_s",
        ),
        (HmacSignature::slack(["s"]).unwrap(), "slack", "s"),
        (
            HmacSignature::standard_webhooks([STANDARD]).unwrap(),
            "webhook",
            STANDARD,
        ),
        (HmacSignature::svix([STANDARD]).unwrap(), "svix", STANDARD),
    ];
    for (verifier, scheme, secret) in verified {
        assert_eq!(
            outcome(verifier, scheme, secret).await,
            [200, 401, 401],
            "{scheme}"
        );
    }
    let other = HmacSignature::github(["another secret"]).unwrap();
    assert_eq!(outcome(other, "github", "s").await, [401, 401, 401]);
}

#[tokio::test]
async fn a_signed_timestamp_out_of_tolerance_is_rejected() {
    if !has_python("a_signed_timestamp_out_of_tolerance_is_rejected") {
        return;
    }
    // The receiver's clock runs an hour ahead of the sender's.
    let ahead = || SystemTime::now() + Duration::from_secs(3600);
    for (scheme, verifier, secret) in [
        ("stripe", HmacSignature::stripe(["s"]).unwrap(), "s"),
        ("slack", HmacSignature::slack(["s"]).unwrap(), "s"),
        (
            "webhook",
            HmacSignature::standard_webhooks([STANDARD]).unwrap(),
            STANDARD,
        ),
    ] {
        let late = verifier.clone().clock(ahead);
        let tolerant = late.clone().tolerance(Duration::from_secs(2 * 3600));
        assert_eq!(outcome(late, scheme, secret).await, [401; 3], "{scheme}");
        assert_eq!(
            outcome(tolerant, scheme, secret).await,
            [200, 401, 401],
            "{scheme}"
        );
    }
}

#[tokio::test]
async fn a_rejection_says_what_is_wrong_and_no_secret() {
    if !has_python("a_rejection_says_what_is_wrong_and_no_secret") {
        return;
    }
    let verifier = HmacSignature::github(["planted-secret"]).unwrap();
    assert!(!format!("{verifier:?}").contains("planted"));
    let url = serve(Receiver::new(Through::default(), verifier)).await;
    let request = |headers: Json| json!({ "path": "/", "body": "{}", "headers": headers });
    let name = "X-Hub-Signature-256";
    let responses = send(
        &url,
        vec![
            request(json!({})),
            request(json!({ name: "0".repeat(64) })),
            request(json!({ name: "sha256=zz" })),
            request(json!({ name: format!("sha256={}", "0".repeat(64)) })),
        ],
    )
    .await;
    let details: Vec<Json> = responses
        .iter()
        .map(|response| {
            let body: Json = serde_json::from_str(response["body"].as_str().unwrap()).unwrap();
            body["detail"].clone()
        })
        .collect();
    assert_eq!(
        details,
        [
            "there is not one header `x-hub-signature-256`",
            "the signature does not have the required prefix",
            "the signature is not of the required form",
            "the signature is not that of this body",
        ]
    );
}

#[test]
fn a_secret_of_any_length_will_do_and_a_rejected_one_says_why() {
    assert!(HmacSignature::github(["x"]).is_ok());
    let none: [&str; 0] = [];
    assert_eq!(
        HmacSignature::github(none).unwrap_err(),
        InvalidSecret::Missing
    );
    assert_eq!(
        HmacSignature::stripe([""]).unwrap_err(),
        InvalidSecret::Empty
    );
    let error = HmacSignature::standard_webhooks(["whsec_not base64"]).unwrap_err();
    assert_eq!(error.to_string(), "the secret is not Base64");
}
