//! `responses: {default: …}` without a documented success, by the class of the status.

use bothends_runtime::client::{Error as CallError, HyperTransport};
use bothends_runtime::http::StatusCode;
use bothends_runtime::server::{Context, Error};
use bothends_runtime::{ByteStream, Bytes};

use super::generated;
use super::wire::{answers, ask};
use default_alone::client::Client;
use default_alone::operations::*;
use default_alone::server::{DefaultApi, router};
use default_alone::types::Thing;

generated!(default_alone "default-alone");

async fn client(head: &str, body: &str) -> Client<HyperTransport> {
    let (url, _) = answers(&format!("{head}\nContent-Type: application/json"), body).await;
    Client::new(&url).expect("a client")
}

#[tokio::test]
async fn a_2xx_is_a_success_and_the_rest_an_error() {
    let body = r#"{"name":"n"}"#;
    for (head, status) in [("200 OK", 200), ("218 Fine", 218)] {
        let client = client(head, body).await;
        let got = client.get_thing().await;
        let got = got.expect("a success");
        assert_eq!((got.status().as_u16(), &*got.name), (status, "n"));
    }
    for (head, status) in [
        ("500 Internal Server Error", 500),
        ("404 Not Found", 404),
        ("304 Not Modified\nContent-Length: 0", 304),
        ("399 Elsewhere", 399),
    ] {
        let body = if status == 304 { "" } else { body };
        let client = client(head, body).await;
        let error = client.get_thing().await;
        let error = error.expect_err("no success");
        assert_eq!(error.status().map(|status| status.as_u16()), Some(status));
        match error {
            CallError::Api {
                error: GetThingError::Default { status: came, body },
                ..
            } => assert_eq!((came.as_u16(), &*body.name), (status, "n")),
            // It has no content (RFC 9110, 15.4.5).
            CallError::Decode { .. } => assert_eq!(status, 304),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_documented_error_beside_it_keeps_its_status() {
    let got = client("404 Not Found", "").await;
    let got = got.get_missing().await;
    let error = got.expect_err("an error");
    assert_eq!(error.api(), Some(&GetMissingError::NotFound));
    let got = client("200 OK", r#"{"name":"n"}"#).await;
    let got = got.get_missing().await;
    assert_eq!(got.expect("a success").name, "n");
    let got = client("503 Busy", r#"{"name":"n"}"#).await;
    let error = got.get_missing().await;
    let error = error.expect_err("an error");
    assert!(matches!(error.api(), Some(GetMissingError::Default { .. })));
}

#[tokio::test]
async fn beside_a_success_it_is_the_error() {
    let got = client("204 No Content\nContent-Length: 0", "").await;
    assert!(got.get_beside().await.is_err());
    let got = client("201 Created", r#""text""#).await;
    let got = got.get_beside().await;
    assert_eq!(got.expect("a success").body(), "text");
    let got = client("500 No", r#"{"name":"n"}"#).await;
    let error = got.get_beside().await;
    assert!(error.expect_err("an error").api().is_some());
}

#[tokio::test]
async fn its_body_may_be_of_several_media_types() {
    let (url, _) = answers("200 OK\nContent-Type: text/plain", "hello").await;
    let client = Client::new(&url).expect("a client");
    let got = client.get_either().await;
    let text = GetEitherSuccessContent::Text("hello".to_owned());
    assert_eq!(got.expect("a success").into_inner(), text);
    let (url, _) = answers("500 No\nContent-Type: text/plain", "hello").await;
    let client = Client::new(&url).expect("a client");
    let error = client.get_either().await;
    match error.expect_err("an error").api() {
        Some(GetEitherError::Default { body, .. }) => {
            assert_eq!(*body, GetEitherDefaultContent::Text("hello".to_owned()));
        }
        other => panic!("{other:?}"),
    }
}

/// Answers both.
struct Things;

impl DefaultApi for Things {
    async fn get_thing(
        &self,
        ctx: Context,
        _: GetThingRequest,
    ) -> Result<GetThingResponse, Error<GetThingError>> {
        let body = Thing::new("n".to_owned());
        match ctx.uri().query() {
            Some("fails") => Err(GetThingError::Default {
                status: StatusCode::CONFLICT,
                body,
            })?,
            _ => Ok(GetThingResponse::new(body).with_status(StatusCode::CREATED)),
        }
    }

    async fn get_either(
        &self,
        _: Context,
        _: GetEitherRequest,
    ) -> Result<GetEitherResponse, Error<GetEitherError>> {
        Err(GetEitherError::Default {
            status: StatusCode::BAD_GATEWAY,
            body: GetEitherDefaultContent::Text("down".to_owned()),
        })?
    }

    async fn get_file(
        &self,
        ctx: Context,
        _: GetFileRequest,
    ) -> Result<GetFileResponse, Error<GetFileError>> {
        match ctx.uri().query() {
            Some("fails") => {
                let (status, body) = (StatusCode::GONE, Bytes::from_static(b"gone"));
                let error = GetFileError::Default { status, body };
                let headers = GetFileErrorHeaders::new().x_kind("why");
                Err(Error::with_headers(error, headers))
            }
            _ => {
                let body = ByteStream::from(Bytes::from_static(b"file"));
                Ok(GetFileResponse::new(body).with_status(StatusCode::OK))
            }
        }
    }

    async fn get_missing(
        &self,
        _: Context,
        _: GetMissingRequest,
    ) -> Result<GetMissingResponse, Error<GetMissingError>> {
        Err(GetMissingError::NotFound)?
    }

    async fn get_empty(
        &self,
        _: Context,
        _: GetEmptyRequest,
    ) -> Result<GetEmptyResponse, Error<GetEmptyError>> {
        Err(GetEmptyError::Default {
            status: StatusCode::IM_A_TEAPOT,
        })?
    }

    async fn get_beside(
        &self,
        _: Context,
        _: GetBesideRequest,
    ) -> Result<GetBesideResponse, Error<GetBesideError>> {
        Ok(GetBesideResponse::new("text".to_owned()).with_status(StatusCode::OK))
    }

    async fn get_inline(
        &self,
        _: Context,
        _: GetInlineRequest,
    ) -> Result<GetInlineResponse, Error<GetInlineError>> {
        Err(Error::internal("nothing"))
    }
}

#[tokio::test]
async fn a_handler_answers_both() {
    for (path, status, body) in [
        ("/thing", 201, r#"{"name":"n"}"#),
        ("/thing?fails", 409, r#"{"name":"n"}"#),
        ("/either", 502, "down"),
        ("/file", 200, "file"),
        ("/file?fails", 410, "gone"),
        ("/missing", 404, ""),
        ("/empty", 418, ""),
        ("/beside", 200, r#""text""#),
    ] {
        let request = format!("GET {path} HTTP/1.1");
        let (came, _, text) = ask(router(Things), &request).await;
        let chunk = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
        assert_eq!(came, status, "{path}");
        assert!(text == body || text == chunk, "{path}: {text}");
    }
}
