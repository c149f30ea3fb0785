//! Enums and unions of requests are open as types, and a server refuses what is not listed, in every
//! place of a request. A client can send it all the same, when it wants to.

use bothends_runtime::Json;
use bothends_runtime::client::InProcess;
use bothends_runtime::server::{Body, Context, Error, Router};
use bothends_tests::in_process::{block_on, call};
use generated::client::Client;
use generated::operations::{
    OrderPaintContent, OrderPaintFinish, OrderPaintRequest, OrderPaintResponse,
};
use generated::server::{DefaultApi, router};
use generated::types::{Order, Tone};
use http::Request;
use std::sync::{Arc, Mutex};

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/requested-enum.rs"));
}

/// Keeps the requests that reached it.
#[derive(Clone, Default)]
struct Shop(Arc<Mutex<Vec<OrderPaintRequest>>>);

impl DefaultApi for Shop {
    async fn order_paint(
        &self,
        _: Context,
        request: OrderPaintRequest,
    ) -> Result<OrderPaintResponse, Error<bothends_runtime::NoError>> {
        self.0.lock().expect("nobody panicked").push(request);
        Ok(OrderPaintResponse::new(()))
    }
}

/// The status, and the text of the body.
fn ask(target: &str, header: (&str, &str), media: &str, body: &str) -> (u16, String) {
    let request = Request::post(target)
        .header(header.0, header.1)
        .header("content-type", media)
        .body(Body::from(body.to_owned()))
        .expect("a request");
    let (parts, body) = block_on(call(&router(Shop::default()), request));
    let body = String::from_utf8_lossy(&body).into_owned();
    (parts.status.as_u16(), body)
}

const NONE: (&str, &str) = ("x-nothing", "here");
const JSON: &str = "application/json";
const ORDER: &str = r#"{"tone": "warm"}"#;

#[test]
fn a_parameter_is_one_of_the_listed_values() {
    for (target, header, status) in [
        (
            "/paints/matt?tone=warm&coats=2&tones=warm&tones=cold",
            NONE,
            204,
        ),
        ("/paints/silk", NONE, 400),
        ("/paints/matt?tone=mild", NONE, 400),
        ("/paints/matt?coats=4", NONE, 400),
        ("/paints/matt?tones=warm&tones=mild", NONE, 400),
        ("/paints/matt?pair=plain,warm%2Ccold", NONE, 204),
        ("/paints/matt?pair=plain%2Cplain", NONE, 204),
        // As two values it would be none that is listed.
        ("/paints/matt?pair=warm%2Ccold", NONE, 204),
        ("/paints/matt?pair=plain%2Cmild", NONE, 400),
        ("/paints/matt", ("x-tone", "cold"), 204),
        ("/paints/matt", ("x-tone", "mild"), 400),
        ("/paints/matt", ("cookie", "tone=cold"), 204),
        ("/paints/matt", ("cookie", "tone=mild"), 400),
    ] {
        let (reported, body) = ask(target, header, JSON, ORDER);
        assert_eq!(reported, status, "{target} {header:?}: {body}");
    }
}

#[test]
fn a_body_holds_listed_values_at_any_depth() {
    for (body, wrong) in [
        (
            r#"{"tone": "warm", "tones": ["cold"], "rooms": {"hall": "warm"}, "amount": "much"}"#,
            "",
        ),
        (
            r#"{"tone": "warm", "tool": {"kind": "brush", "tone": "cold"}, "amount": 3}"#,
            "",
        ),
        (r#"{"tone": "mild"}"#, "tone"),
        (r#"{"tone": "warm", "tones": ["cold", "mild"]}"#, "tones[1]"),
        (
            r#"{"tone": "warm", "rooms": {"hall": "mild"}}"#,
            "rooms.hall",
        ),
        (
            r#"{"tone": "warm", "tool": {"kind": "spray"}}"#,
            "tool.kind",
        ),
        (
            r#"{"tone": "warm", "tool": {"kind": "brush", "tone": "mild"}}"#,
            "tool.tone",
        ),
        (r#"{"tone": "warm", "amount": "some"}"#, "amount"),
    ] {
        let (status, reported) = ask("/paints/matt", NONE, JSON, body);
        assert_eq!(
            status,
            if wrong.is_empty() { 204 } else { 400 },
            "{body}: {reported}"
        );
        assert!(reported.contains(wrong), "{body}: {reported}");
    }
}

#[test]
fn forms_and_parts_hold_listed_values() {
    let form = "application/x-www-form-urlencoded";
    assert_eq!(ask("/paints/matt", NONE, form, "tone=warm").0, 204);
    assert_eq!(ask("/paints/matt", NONE, form, "tone=mild").0, 400);
    let parts = |tone: &str| {
        let head = "--b\r\nContent-Disposition: form-data; name=\"tone\"\r\n\r\n";
        let media = "multipart/form-data; boundary=b";
        ask(
            "/paints/matt",
            NONE,
            media,
            &format!("{head}{tone}\r\n--b--\r\n"),
        )
        .0
    };
    assert_eq!(parts("warm"), 204);
    assert_eq!(parts("mild"), 400);
}

#[test]
fn a_client_can_send_what_is_not_listed_on_purpose() {
    let shop = Shop::default();
    let service: Router<Shop> = router(shop.clone());
    let client = Client::with_transport("http://localhost", InProcess::new(service));
    let client = client.expect("an address");
    let order = OrderPaintRequest {
        tone: Some(Tone::from("mild")),
        ..OrderPaintRequest::new(OrderPaintFinish::Matt)
    };
    let failed = block_on(client.order_paint(order)).expect_err("the server refuses it");
    assert!(failed.to_string().contains("400"), "{failed}");
    let order = OrderPaintRequest {
        body: Some(OrderPaintContent::Json(Order::new(Tone::Warm))),
        ..OrderPaintRequest::new(OrderPaintFinish::Gloss)
    };
    block_on(client.order_paint(order)).expect("the server takes it");
    assert_eq!(shop.0.lock().expect("nobody panicked").len(), 1);
    let order: Json = serde_json::to_value(Order::new(Tone::from("mild"))).expect("JSON");
    assert_eq!(order["tone"], "mild");
}
