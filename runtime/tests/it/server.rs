//! What the router answers by itself.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::http::{Method, Request, StatusCode, header};
use bothends_runtime::server::{
    Authenticator, Body, BoxFuture, Context, Error, Rejection, Response, Router,
};
use bothends_runtime::{Json, NoError, SecurityRequirement};
use petstore::server::router;
use petstore::store::Store;
use serde_json::json;
use std::convert::Infallible;
use std::future::poll_fn;
use tower_service::Service;

/// The status, the headers that matter, and the body.
struct Answer {
    status: u16,
    content_type: String,
    allow: String,
    length: String,
    body: String,
}

async fn ask<S>(mut service: S, method: &str, path: &str, body: &[(&str, &str)]) -> Answer
where
    S: Service<Request<Body>, Response = Response, Error = Infallible>,
{
    let mut request = Request::builder().method(method).uri(path);
    if let [(content_type, _)] = body
        && !content_type.is_empty()
    {
        request = request.header(header::CONTENT_TYPE, *content_type);
    }
    let text = body
        .first()
        .map(|(_, text)| (*text).to_owned())
        .unwrap_or_default();
    poll_fn(|cx| service.poll_ready(cx)).await.unwrap();
    let response = service
        .call(request.body(Body::from(text)).unwrap())
        .await
        .unwrap();
    let get = |name| {
        let value = response
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap().to_owned());
        value.unwrap_or_default()
    };
    Answer {
        status: response.status().as_u16(),
        content_type: get(header::CONTENT_TYPE),
        allow: get(header::ALLOW),
        length: get(header::CONTENT_LENGTH),
        body: String::from_utf8(response.into_body().collect(1 << 20).await.unwrap().into())
            .unwrap(),
    }
}

async fn get(path: &str) -> Answer {
    ask(store(), "GET", path, &[]).await
}

async fn post(content_type: &str, body: &str) -> Answer {
    ask(store(), "POST", "/pets", &[(content_type, body)]).await
}

fn store() -> Router<Store> {
    router(Store::default()).allow_unauthenticated()
}

#[tokio::test]
async fn unknown_paths_are_not_found_in_the_words_of_the_api() {
    for path in [
        "/",
        "/other",
        "/pets/",
        "/pets//",
        "/pets/1/",
        "/pets/1/2",
        "//pets",
        "/files/x",
        "/PETS",
    ] {
        let answer = get(path).await;
        assert_eq!(
            (answer.status, &*answer.content_type),
            (404, "application/json"),
            "{path}"
        );
        assert_eq!(
            answer.body,
            r#"{"operation_id":"unknown","code_id":"not_found","errors":{}}"#
        );
    }
    assert_eq!(get("/p%65ts").await.status, 200);
    assert_eq!(get("/pets/a%2Fb").await.status, 200);
    assert_eq!(get("/pets%2Fa").await.status, 404);
    assert_eq!(get("/pets/%FF").await.status, 400);
}

#[tokio::test]
async fn methods_that_a_path_does_not_have() {
    let answer = ask(store(), "DELETE", "/pets", &[]).await;
    assert_eq!(
        (answer.status, &*answer.allow),
        (405, "GET, POST, HEAD, OPTIONS")
    );
    assert_eq!(answer.content_type, "application/problem+json");
    assert_eq!(
        answer.body,
        r#"{"type":"about:blank","title":"Method Not Allowed","status":405}"#
    );
    let answer = ask(store(), "OPTIONS", "/files/a.b", &[]).await;
    assert_eq!(
        (answer.status, &*answer.allow, &*answer.body),
        (204, "PUT, OPTIONS", "")
    );
    let head = ask(store(), "HEAD", "/pets", &[]).await;
    let get = get("/pets").await;
    assert_eq!((head.status, &*head.body), (200, ""));
    assert_eq!(head.length, get.body.len().to_string());
    assert_eq!(head.content_type, get.content_type);
    assert_eq!(ask(store(), "HEAD", "/files/a.b", &[]).await.status, 405);
    assert_eq!(ask(store(), "HEAD", "/other", &[]).await.body, "");
}

#[tokio::test]
async fn all_faults_of_a_request_are_told_at_once() {
    let mut service = store();
    let request = Request::builder()
        .uri("/pets/1?order=left&order=up&tags=%FF")
        .header("x-trace", "many")
        .body(Body::empty())
        .unwrap();
    let response = service.call(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let body = response.into_body().collect(1 << 20).await.unwrap();
    // Whether the members come sorted depends on a feature of serde_json that any crate of a build may set.
    let body: Json = serde_json::from_slice(&body).unwrap();
    assert_eq!(
        body,
        json!({
            "operation_id": "unknown",
            "code_id": "failed_validation",
            "errors": {
                "X-Trace": "must be an integer",
                "order": "is given more than once",
                "tags": "is badly encoded",
            },
        })
    );
}

#[tokio::test]
async fn bodies_are_checked() {
    let errors = |answer: &Answer| -> Json {
        let body: Json = serde_json::from_str(&answer.body).unwrap();
        body.get("errors").cloned().unwrap()
    };
    for (body, field, message) in [
        ("", "body", "is empty"),
        (
            "{",
            "body",
            "is not JSON: the text ends early at line 1 column 1",
        ),
        ("{\"name\": 1}", "name", "must be a string"),
        ("[]", "body", "must be an object"),
    ] {
        let answer = post("application/json", body).await;
        assert_eq!(answer.status, 400);
        assert_eq!(
            errors(&answer),
            serde_json::json!({ field: message }),
            "{body}"
        );
    }
    assert_eq!(
        errors(&post("", "").await),
        serde_json::json!({"body": "is required"})
    );
    for media in [
        "application/json; charset=utf-8",
        "application/merge-patch+json",
        "",
    ] {
        assert_eq!(post(media, "{}").await.status, 201, "{media}");
    }
    for media in ["text/plain", "application/xml", "nonsense"] {
        assert_eq!(post(media, "{}").await.status, 415, "{media}");
    }
    let large = format!("\"{}\"", "x".repeat(2 << 20));
    assert_eq!(post("application/json", &large).await.status, 413);
    let small = store().body_limit(3);
    let answer = ask(small, "POST", "/pets", &[("application/json", "{  }")]).await;
    assert_eq!(answer.status, 413);
}

#[tokio::test]
async fn a_router_may_stand_under_a_path() {
    for (base, path, status) in [
        ("/v1", "/v1/pets", 200),
        ("v1/", "/v1/pets", 200),
        ("/v1", "/pets", 404),
        ("/v1", "/v1pets", 404),
        ("/v1", "/v1", 404),
        ("/", "/pets", 200),
    ] {
        let answer = ask(store().base_path(base), "GET", path, &[]).await;
        assert_eq!(answer.status, status, "{base} {path}");
    }
}

/// Lets in who knows the word, and tells the handler who it was.
struct Word;

impl Authenticator for Word {
    fn authenticate<'a>(
        &'a self,
        context: &'a mut Context,
    ) -> BoxFuture<'a, Result<(), Error<NoError>>> {
        Box::pin(async {
            let security: &[&[SecurityRequirement]] = context.operation().security;
            if security.is_empty() {
                return Ok(());
            }
            match context.headers().get(header::AUTHORIZATION) {
                Some(word) if word == "open sesame" => {
                    context.extensions_mut().insert("Ali");
                    Ok(())
                }
                _ => Err(Rejection::unauthorized().into()),
            }
        })
    }
}

#[tokio::test]
async fn an_authenticator_decides_before_anything_is_read() {
    let store = Store::default();
    let service = router(store.clone()).authenticate(Word);
    assert_eq!(ask(service.clone(), "GET", "/pets", &[]).await.status, 200);
    let refused = ask(service.clone(), "POST", "/pets", &[("text/plain", "{")]).await;
    assert_eq!(refused.status, 401);
    let mut service = service;
    let request = Request::builder()
        .uri("/pets/1")
        .header(header::AUTHORIZATION, "open sesame")
        .body(Body::empty())
        .unwrap();
    assert_eq!(
        service.call(request).await.unwrap().status(),
        StatusCode::OK
    );
    let seen = store.seen.lock().unwrap();
    let (context, _) = seen.first().unwrap();
    assert_eq!(context.extensions().get::<&str>(), Some(&"Ali"));
}

#[tokio::test]
async fn it_mounts_into_axum() {
    let app = axum::Router::new()
        .route("/health", axum::routing::get(|| async { "well" }))
        .nest_service("/v1", store())
        .fallback_service(store());
    for (path, status) in [
        ("/health", 200),
        ("/v1/pets", 200),
        ("/pets", 200),
        ("/x", 404),
    ] {
        let request = Request::builder().method(Method::GET).uri(path);
        let request = request.body(axum::body::Body::empty()).unwrap();
        let response = app.clone().call(request).await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{path}");
    }
}
