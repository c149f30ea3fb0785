//! All errors of unions in unions are in one response.

use api::operations::{CreateOrderError, CreateOrderRequest, CreateOrderResponse};
use api::server::{DefaultApi, router};
use bothends_runtime::server::{Context, Error};
use bothends_test_peers::{post, serve};

bothends_case_tests::document!(api, "unions-in-unions");

struct Shop;

impl DefaultApi for Shop {
    async fn create_order(
        &self,
        _: Context,
        _: CreateOrderRequest,
    ) -> Result<CreateOrderResponse, Error<CreateOrderError>> {
        Ok(().into())
    }
}

/// The names of the fields of a 400, sorted.
fn fields(body: &str) -> Vec<String> {
    let to = serve(router(Shop).allow_unauthenticated());
    let head = format!(
        "Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    );
    let answer = post(to, "/orders", &head, body);
    let (head, problem) = answer.split_once("\r\n\r\n").expect("a body");
    assert!(head.starts_with("HTTP/1.1 400 "), "{answer}");
    let problem: serde_json::Value = serde_json::from_str(problem).expect("JSON");
    let errors = problem["errors"].as_object().expect("errors");
    let mut names: Vec<String> = errors.keys().cloned().collect();
    names.sort_unstable();
    names
}

#[test]
fn errors_at_all_levels_of_tagged_unions_are_listed() {
    let body = r#"{"id":"x","payment":{"kind":"card","number":"x","holder":{"type":"person","name":1,"age":"x"}}}"#;
    assert_eq!(
        fields(body),
        [
            "id",
            "payment.holder.age",
            "payment.holder.name",
            "payment.number"
        ]
    );
    // The tags are last.
    let body = r#"{"payment":{"holder":{"name":1,"age":"x","type":"person"},"number":"x","kind":"card"},"id":"x"}"#;
    assert_eq!(
        fields(body),
        [
            "id",
            "payment.holder.age",
            "payment.holder.name",
            "payment.number"
        ]
    );
}

#[test]
fn errors_at_all_levels_of_untagged_unions_are_listed() {
    let body = r#"{"id":1,"payment":{"kind":"bank","iban":1},"shapes":[{"radius":"r","at":{"x":"x","y":"y"}},{"side":"s"},{"radius":1,"at":{"x":1,"y":10}}]}"#;
    assert_eq!(
        fields(body),
        [
            "payment.iban",
            "shapes[0].at.x",
            "shapes[0].at.y",
            "shapes[0].radius",
            "shapes[1].side",
            "shapes[2].at.y",
        ]
    );
}
