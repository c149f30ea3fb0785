//! Calls an operation of Stripe's document over a transport of raw bytes.

#![allow(dead_code)]
mod api;

use api::client::{Client, Credentials};
use api::operations::GetChargesChargeRefundsRequest;
use bothends_runtime::client::{Body, Transport, TransportError};
use bothends_runtime::http;
use std::task::{Context, Poll, Waker};

#[derive(Clone, Debug)]
struct Raw;

impl Transport for Raw {
    async fn send(
        &self,
        request: http::Request<Body>,
    ) -> Result<http::Response<Body>, TransportError> {
        let uri = request.uri();
        let expected = "/v1/charges/ch_1/refunds?expand%5B%5D=data.charge&expand%5B%5D=data.reason";
        assert_eq!(uri.path_and_query().unwrap().as_str(), expected);
        let body = r#"{"object": "list", "data": [], "has_more": false, "url": "/v1/refunds"}"#;
        let response = http::Response::builder().header("content-type", "application/json");
        Ok(response.body(Body::from(body.to_owned())).unwrap())
    }
}

fn main() {
    let client = Client::with_transport("https://api.stripe.com", Raw).unwrap();
    let client = client.with_credentials(Credentials {
        bearer_auth: Some("sk_test".into()),
        ..Credentials::default()
    });
    let expand = vec!["data.charge".to_owned(), "data.reason".to_owned()];
    let request = GetChargesChargeRefundsRequest::new("ch_1".to_owned()).expand(expand);
    let mut call = client.get_charges_charge_refunds(request);
    let mut context = Context::from_waker(Waker::noop());
    let Poll::Ready(found) = call.as_mut().poll(&mut context) else {
        panic!("nothing to wait for")
    };
    let found = found.unwrap();
    assert!(!found.has_more && found.data.is_empty());
}
