#![allow(dead_code)]
mod api;
mod own;

use api::operations::*;
use api::server::{DefaultApi, router};
use bothends_runtime::server::{Body, Context, Error};
use tower_service::Service as _;

struct Shop;

impl DefaultApi for Shop {
    async fn put_order(
        &self,
        _: Context,
        request: PutOrderRequest,
    ) -> Result<PutOrderResponse, Error<PutOrderError>> {
        let headers = PutOrderResponseHeaders::new(request.code);
        Ok(PutOrderResponse::with_headers(request.body, headers))
    }

    async fn put_code(
        &self,
        _: Context,
        request: PutCodeRequest,
    ) -> Result<PutCodeResponse, Error<PutCodeError>> {
        let code = match request.body.0.as_str() {
            // The type refuses to write this one.
            "LOST" => own::Code("unwritable".to_owned()),
            _ => request.body,
        };
        Ok(PutCodeResponse::new(code))
    }

    async fn send_form(
        &self,
        _: Context,
        request: SendFormRequest,
    ) -> Result<SendFormResponse, Error<SendFormError>> {
        let _: own::Code = request.body.code;
        Ok(SendFormResponse::new(()))
    }

    async fn send_either(
        &self,
        _: Context,
        _: SendEitherRequest,
    ) -> Result<SendEitherResponse, Error<SendEitherError>> {
        Ok(SendEitherResponse::new(()))
    }

    async fn put_tree(
        &self,
        _: Context,
        request: PutTreeRequest,
    ) -> Result<PutTreeResponse, Error<PutTreeError>> {
        let _: &own::Tree = &request.body;
        Ok(PutTreeResponse::new(request.body))
    }
}

struct Ask(tokio::runtime::Runtime);

impl Ask {
    /// Sends bytes, and returns the status and the body.
    fn send(&self, call: &str, media: &str, codes: &str, body: &str) -> (u16, String) {
        let (method, path) = call.split_once(' ').unwrap();
        let mut request = http::Request::builder()
            .method(method)
            .uri(path)
            .header("content-type", media);
        if !codes.is_empty() {
            request = request.header("x-codes", codes);
        }
        let request = request.body(Body::from(body.to_owned())).unwrap();
        let mut router = router(Shop).allow_unauthenticated();
        self.0.block_on(async {
            let response = router.call(request).await.unwrap();
            let status = response.status().as_u16();
            let body = response.into_body().collect(1 << 20).await.unwrap();
            (status, String::from_utf8(body.to_vec()).unwrap())
        })
    }

    /// Sends JSON that is returned as it is.
    fn same(&self, call: &str, body: &str) {
        assert_eq!(
            self.send(call, "application/json", "", body),
            (200, body.to_owned())
        );
    }

    /// Sends bytes that are rejected: a text that the response contains for each field.
    fn rejected(&self, call: &str, media: &str, codes: &str, body: &str, fields: &[(&str, &str)]) {
        let (status, text) = self.send(call, media, codes, body);
        assert_eq!(status, 400, "{body}: {text}");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let errors = json["errors"].as_object().cloned().unwrap_or_default();
        let mut found: Vec<(String, String)> = errors
            .iter()
            .map(|(field, text)| (field.clone(), text.as_str().unwrap_or_default().to_owned()))
            .collect();
        found.sort();
        let expected: Vec<(String, String)> = fields
            .iter()
            .map(|(field, text)| ((*field).to_owned(), (*text).to_owned()))
            .collect();
        assert_eq!(found, expected, "{body}: {text}");
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let ask = Ask(runtime);
    let json = "application/json";

    // Values of all places survive.
    ask.same("PUT /codes", r#""ABC""#);
    let order = r#"{"id":7,"code":"A","codes":["B","C"],"note":"D","maybe":null,"place":{"x":9},"shape":{"kind":"point","x":3},"text":"E","several":{"mark":"m","size":1},"more":"F"}"#;
    ask.same("POST /orders/ABC?limit=Z", order);
    ask.same("POST /orders/ABC", r#"{"id":7,"code":"A","codes":["B"],"maybe":"C","shape":{"kind":"line","length":3},"text":4}"#);
    ask.same(
        "POST /orders/ABC",
        r#"{"id":7,"code":"A","codes":["B"],"shape":{"kind":"point","x":3}}"#,
    );
    ask.same(
        "PUT /trees",
        r#"{"name":"a","children":[{"name":"b","children":[]}]}"#,
    );
    let form = "application/x-www-form-urlencoded";
    assert_eq!(ask.send("POST /codes", form, "", "code=ABC").0, 204);
    assert_eq!(ask.send("PATCH /codes", "text/plain", "", "ABC").0, 204);
    assert_eq!(ask.send("PATCH /codes", json, "", r#""ABC""#).0, 204);
    assert_eq!(
        ask.send(
            "POST /orders/ABC",
            json,
            "A,B",
            r#"{"id":7,"code":"A","codes":["B"]}"#
        )
        .0,
        200
    );

    // The rules of the schema are checked, at each place, before the type is read.
    let long = "has more than 4 characters";
    ask.rejected("PUT /codes", json, "", r#""ABCDE""#, &[("body", long)]);
    ask.rejected("POST /codes", form, "", "code=ABCDE", &[("code", long)]);
    ask.rejected("PATCH /codes", json, "", r#""ABCDE""#, &[("body", long)]);
    let good = r#"{"id":7,"code":"A","codes":["B"]}"#;
    ask.rejected(
        "POST /orders/ABCDE?limit=ABCDE",
        json,
        "A,ABCDE",
        good,
        &[("X-Codes[1]", long), ("code", long), ("limit", long)],
    );
    ask.rejected(
        "POST /orders/A",
        json,
        "A,B,C",
        good,
        &[("X-Codes", "has more than 2 items")],
    );
    ask.rejected(
        "POST /orders/A",
        json,
        "",
        r#"{"id":0,"code":"ABCDE","codes":[],"place":{"x":10},"more":"ABCDE"}"#,
        &[
            ("code", long),
            ("codes", "has fewer than 1 item"),
            ("id", "is less than 1"),
            ("more", long),
            ("place.x", "is more than 9"),
        ],
    );
    ask.rejected(
        "POST /orders/A",
        json,
        "",
        r#"{"id":7,"code":"A","codes":["B","ABCDE"]}"#,
        &[("codes[1]", long)],
    );
    ask.rejected(
        "POST /orders/A",
        json,
        "",
        r#"{"id":7,"code":"A","codes":["B"],"note":null}"#,
        &[("note", "must not be null")],
    );
    ask.rejected(
        "POST /orders/A",
        json,
        "",
        r#"{"id":7,"code":"A","codes":["B"],"maybe":"ABCDE"}"#,
        &[("maybe", long)],
    );
    ask.rejected(
        "POST /orders/A",
        json,
        "",
        r#"{"id":7,"code":"A","codes":["B"],"shape":{"x":10,"kind":"point"}}"#,
        &[("shape.x", "is more than 9")],
    );
    ask.rejected(
        "PUT /trees",
        json,
        "",
        r#"{"name":"a","children":[{"name":"b"},{"name":"long"}]}"#,
        &[("children[1].name", "has more than 3 characters")],
    );

    // A valid value that the type refuses is an error of its field.
    let refused = "`NO` is no code of ours";
    ask.rejected("PUT /codes", json, "", r#""NO""#, &[("body", refused)]);
    ask.rejected("POST /orders/NO", json, "", good, &[("code", refused)]);
    ask.rejected(
        "POST /orders/A",
        json,
        "",
        r#"{"id":7,"code":"A","codes":["B","NO"]}"#,
        &[("codes[1]", refused)],
    );

    // A value of the handler that the type refuses to write is an error of the server.
    assert_eq!(ask.send("PUT /codes", json, "", r#""LOST""#).0, 500);
}
