//! What a server responds to a request that is not valid, where operations document it.

use bothends_runtime::client::Error as CallError;
use bothends_runtime::server::{Context, Error, Rejection};
use bothends_runtime::{FieldError, Json, NoError};
use serde_json::json;

use super::generated;
use super::wire::{answers, ask};
use shapes::client::Client;
use shapes::operations::*;
use shapes::server::{DefaultApi, router};
use shapes::types::{Item, ValidationErrorLocItem};

generated!(shapes "validation-shapes");

struct Items;

macro_rules! adds {
    ($($method:ident $Request:ident $Response:ident $Error:ty;)*) => {
        $(async fn $method(&self, _: Context, _: $Request) -> Result<$Response, Error<$Error>> {
            Ok($Response::new(()))
        })*
    };
}

impl DefaultApi for Items {
    async fn create_item(
        &self,
        _: Context,
        request: CreateItemRequest,
    ) -> Result<CreateItemResponse, Error<CreateItemError>> {
        match request.item_id {
            13 => Err(Rejection::field("name", "is taken"))?,
            14 => Err(Rejection::validation(vec![
                FieldError::new("item_id", "is locked").placed("path"),
            ]))?,
            _ => Ok(CreateItemResponse::new(Json::Null)),
        }
    }

    adds! {
        add_map AddMapRequest AddMapResponse AddMapError;
        add_object AddObjectRequest AddObjectResponse AddObjectError;
        add_text AddTextRequest AddTextResponse AddTextError;
        add_second AddSecondRequest AddSecondResponse AddSecondError;
        add_unfilled AddUnfilledRequest AddUnfilledResponse AddUnfilledError;
        add_undocumented AddUndocumentedRequest AddUndocumentedResponse NoError;
    }
}

/// The status, the media type and the body for a request.
async fn refused(request: &str, body: &Json) -> (u16, String, Json) {
    let request = format!("{request}\nContent-Type: application/json\n\n{body}");
    let (status, head, text) = ask(router(Items), &request).await;
    let mut lines = head.lines();
    let media = lines.find_map(|line| line.strip_prefix("content-type: "));
    let body = serde_json::from_str(&text).unwrap_or_default();
    (status, media.unwrap_or_default().to_owned(), body)
}

#[tokio::test]
async fn fastapi_is_told_as_it_tells() {
    let item = json!({"name": "ab", "price": 1});
    for (head, body, detail) in [
        (
            "POST /items/x?limit=11 HTTP/1.1\nX-Token: t\nCookie: session=s",
            &json!({"name": "a", "tags": [{"label": "l"}, {}]}),
            json!([
                {"loc": ["path", "item_id"], "msg": "must be an integer", "type": "value_error"},
                {"loc": ["query", "limit"], "msg": "is more than 10", "type": "value_error"},
                {"loc": ["header", "x-token"], "msg": "must be an integer", "type": "value_error"},
                {"loc": ["cookie", "session"], "msg": "must be an integer", "type": "value_error"},
                {"loc": ["body", "tags", 1, "label"], "msg": "is required", "type": "missing"},
                {"loc": ["body", "price"], "msg": "is required", "type": "missing"},
                {"loc": ["body", "name"], "msg": "has fewer than 2 characters", "type": "value_error"},
            ]),
        ),
        (
            "POST /items/1 HTTP/1.1",
            &json!({"name": "a", "price": 1}),
            json!([{"loc": ["body", "name"], "msg": "has fewer than 2 characters", "type": "value_error"}]),
        ),
        (
            "POST /items/13 HTTP/1.1",
            &item,
            json!([{"loc": ["body", "name"], "msg": "is taken", "type": "value_error"}]),
        ),
        (
            "POST /items/14 HTTP/1.1",
            &item,
            json!([{"loc": ["path", "item_id"], "msg": "is locked", "type": "value_error"}]),
        ),
    ] {
        let (status, media, came) = refused(head, body).await;
        assert_eq!((status, &*media), (422, "application/json"), "{head}");
        assert_eq!(came, json!({ "detail": detail }), "{head}");
    }
}

#[tokio::test]
async fn the_client_reads_what_fastapi_sends() {
    // Written by hand in the shape that FastAPI documents: with members that the schema does not list.
    let body = r#"{"detail":[{"type":"missing","loc":["body","tags",1,"label"],"msg":"Field required","input":{}}]}"#;
    let head = "422 Unprocessable Entity\nContent-Type: application/json";
    let (url, received) = answers(head, body).await;
    let client = Client::new(&url).expect("a client");
    let request = CreateItemRequest::new(1, Item::new("ab".to_owned(), 1.0));
    let error = client.create_item(request).await.expect_err("an error");
    let CallError::Api {
        error: CreateItemError::UnprocessableContent(body),
        ..
    } = error
    else {
        panic!("{error:?}");
    };
    let detail = body.detail.expect("details");
    assert_eq!(
        (&*detail[0].msg, &*detail[0].r#type),
        ("Field required", "missing")
    );
    assert_eq!(detail[0].loc[2], ValidationErrorLocItem::Integer(1));
    let received = received.await.expect("a request");
    assert!(
        received.starts_with("POST /items/1 HTTP/1.1\r\n"),
        "{received}"
    );
}

#[tokio::test]
async fn each_operation_has_its_own_shape() {
    for (path, status, media, body) in [
        (
            "/maps",
            400,
            "application/problem+json",
            json!({"title": "Bad Request", "status": 400, "errors": {"price": ["is required"], "tags": ["must be an array"]}}),
        ),
        (
            "/objects",
            400,
            "application/json",
            json!({"code": 400, "message": "Bad Request", "errors": [
                {"path": "tags", "pointer": "/tags", "in": "body", "reason": "must be an array", "level": "error"},
                {"path": "price", "pointer": "/price", "in": "body", "reason": "is required", "level": "error"},
            ]}),
        ),
        (
            "/texts",
            422,
            "application/json",
            json!({"errors": ["tags: must be an array", "price: is required"]}),
        ),
        (
            "/second",
            400,
            "application/json",
            json!({"message": "Bad Request: tags: must be an array; price: is required"}),
        ),
        (
            "/unfilled",
            400,
            "application/problem+json",
            json!({"type": "about:blank", "title": "Bad Request", "status": 400,
                "errors": {"price": "is required", "tags": "must be an array"}}),
        ),
        (
            "/undocumented",
            400,
            "application/problem+json",
            json!({"type": "about:blank", "title": "Bad Request", "status": 400,
                "errors": {"price": "is required", "tags": "must be an array"}}),
        ),
    ] {
        let request = format!("POST {path} HTTP/1.1");
        let (came, name, reported) = refused(&request, &json!({"name": "ab", "tags": 1})).await;
        assert_eq!((came, &*name), (status, media), "{path}");
        assert_eq!(reported, body, "{path}");
    }
}

/// The status of the router's own validation fault, and of those of operations.
fn settled(paths: &str) -> (Option<u16>, Vec<(Vec<usize>, u16)>) {
    let text = format!(
        "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}components:\n  responses:\n\
         \x20   E: {{description: d, content: {{application/json: {{schema: {{type: object, properties: \
         {{detail: {{type: array, items: {{type: string}}}}}}}}}}}}}}\n\
         \x20   M: {{description: d, content: {{application/json: {{schema: {{type: object, properties: \
         {{message: {{type: string}}}}}}}}}}}}\n\
         \x20   U: {{description: d, content: {{application/json: {{schema: {{type: string}}}}}}}}\n"
    );
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("api.yaml");
    std::fs::write(&path, text).expect("written");
    let plan = bothends::Builder::new(&path).module(true).plan();
    let faults = plan.expect("a plan").api.rejection_bodies;
    let rows = faults.validation_of.into_iter();
    let rows = rows.map(|(operations, fault)| (operations, fault.status));
    (faults.validation.map(|fault| fault.status), rows.collect())
}

#[test]
fn one_shape_is_the_routers() {
    let operation = |path: &str, errors: &str| {
        format!(
            "  /{path}: {{get: {{operationId: {path}, responses: {{'204': {{description: d}}{errors}}}}}}}\n"
        )
    };
    let e =
        |status: &str, name: &str| format!(", {status}: {{$ref: '#/components/responses/{name}'}}");
    let fastapi = [
        operation("a", &e("'422'", "E")),
        operation("b", ""),
        operation("c", &e("'422'", "E")),
    ];
    assert_eq!(settled(&fastapi.concat()), (Some(422), vec![]));
    let mixed = [
        operation("a", &e("'422'", "E")),
        operation("b", &e("'400'", "M")),
        operation("c", &e("'422'", "E")),
    ];
    // The 400 is that of all operations that have one.
    assert_eq!(
        settled(&mixed.concat()),
        (Some(400), vec![(vec![0, 2], 422)])
    );
    let unfilled = [
        operation("a", &e("'422'", "E")),
        operation("b", &e("'400'", "U")),
    ];
    assert_eq!(settled(&unfilled.concat()), (None, vec![(vec![0], 422)]));
    let default = [operation("a", &e("default", "M"))];
    assert_eq!(settled(&default.concat()), (Some(400), vec![]));
}
