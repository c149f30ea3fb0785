//! Header parameters `Authorization`, `Accept` and `Content-Type`, which OpenAPI says are ignored (3.0.4, section
//! 4.7.12.1), beside headers that are sent and returned.

use api::client::Client;
use api::operations::{
    OrderBody, OrderCreatedBody, OrderError, OrderRequest, OrderResponse, OrderResponseHeaders,
};
use api::server::{DefaultApi, router};
use bothends::{Builder, Severity};
use bothends_runtime::server::{Context, Error};
use bothends_test_peers::{answering, post, response, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "27-reserved-headers");

const KEY: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

struct Orders;

impl DefaultApi for Orders {
    async fn order(
        &self,
        _: Context,
        request: OrderRequest,
    ) -> Result<OrderResponse, Error<OrderError>> {
        let key = request.idempotency_key.map(|key| key.to_string());
        assert_eq!(key.as_deref(), Some(KEY));
        assert_eq!(request.x_tags, Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(request.body.sku, "s1");
        let headers = OrderResponseHeaders::new("/orders/1".to_owned())
            .x_rate_limit(7)
            .link(vec!["<a>".to_owned(), "<b>".to_owned()]);
        Ok(OrderResponse::with_headers(
            OrderCreatedBody::new(),
            headers,
        ))
    }
}

#[test]
fn a_server_requires_no_reserved_header() {
    let to = serve(router(Orders));
    let body = r#"{"sku":"s1"}"#;
    let headers = format!(
        "Content-Type: application/json\r\nIdempotency-Key: {KEY}\r\nX-Tags: a, b\r\nContent-Length: {}\r\n",
        body.len()
    );
    let answer = post(to, "/orders", &headers, body).to_ascii_lowercase();
    assert!(answer.starts_with("http/1.1 201 "), "{answer}");
    for line in [
        "\r\nlocation: /orders/1\r\n",
        "\r\nx-rate-limit: 7\r\n",
        "\r\nlink: <a>,<b>\r\n",
    ] {
        assert!(answer.contains(line), "{line:?} in {answer}");
    }
    // The key is required.
    let headers = format!(
        "Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    );
    let answer = post(to, "/orders", &headers, body);
    assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
}

#[test]
fn a_client_has_arguments_for_the_other_headers_only() {
    let headers = "Content-Type: application/json\r\nLocation: /orders/2\r\nLink: <a>, <b>\r\nX-Rate-Limit: 9\r\n";
    let (url, peer) = answering(&response("201 Created", headers, r#"{"id":2}"#));
    let client = Client::new(&url).expect("a client");
    // The client sends a UUID as the key, unless the caller sets one.
    let request = OrderRequest::new(OrderBody::new("s1".to_owned()))
        .idempotency_key(KEY.parse::<bothends_runtime::uuid::Uuid>().expect("a UUID"));
    let order = block_on(client.order(request)).expect("an order");
    assert_eq!(order.id, Some(2));
    let headers = order.documented_headers();
    assert_eq!(headers.location, "/orders/2");
    assert_eq!(headers.x_rate_limit, Some(9));
    assert_eq!(headers.link, Some(vec!["<a>".to_owned(), "<b>".to_owned()]));
    let request = peer.join().expect("a request").to_ascii_lowercase();
    assert!(
        request.contains(&format!("\r\nidempotency-key: {KEY}\r\n")),
        "{request}"
    );
    assert_eq!(
        request
            .matches("\r\ncontent-type: application/json\r\n")
            .count(),
        1,
        "{request}"
    );
    assert!(!request.contains("\r\nauthorization:"), "{request}");
}

#[test]
fn each_ignored_header_is_reported() {
    let document = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/documents/27-reserved-headers.yaml"
    );
    let plan = Builder::new(document).plan().expect("a plan");
    let reported: Vec<String> = plan
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Warning)
        .map(|diagnostic| format!("{}: {}", diagnostic.code.id, diagnostic.message))
        .collect();
    let expected = ["Authorization", "Accept", "Content-Type"].map(|name| {
        format!("W0118: header parameter `{name}` is ignored, as the specification requires")
    });
    assert_eq!(reported, expected);
}
