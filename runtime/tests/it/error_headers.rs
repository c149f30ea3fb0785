//! Documented headers of errors: from a handler to a client. The errors themselves have the same
//! form with and without headers.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

use bothends_runtime::client::{ClientCore, Error as ClientError, InProcess};
use bothends_runtime::http::{HeaderValue, StatusCode, header};
use bothends_runtime::server::{Context, Error, RejectionBodies, Response, Router};

/// Errors that two operations share.
#[derive(Debug, Clone, PartialEq)]
pub enum Errors429 {
    Gone,
    TooManyRequests(String),
    ClientError { status: StatusCode, body: String },
}
bothends_runtime::errors! {
    Errors429[Errors429Headers] {
        410 => Gone,
        429 => TooManyRequests(text String),
        4XX => ClientError { status, body(json String) },
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Errors429Headers {
    pub retry_after: Option<i64>,
    pub scopes: Option<Vec<String>>,
}
bothends_runtime::response_headers! {
    Errors429Headers() {
        header "Retry-After": i64 => retry_after?,
        header "X-Scopes": Vec<String> => scopes?,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct FindRequest {
    pub status: u16,
}
bothends_runtime::operation! {
    "find": "GET" "/find/{status}"
    FindRequest(status: u16) from [u16] {
        path "status" => status,
    }
    -> FindResponse { 204 }, FindError[FindErrorHeaders] = Errors429
}

#[derive(Clone)]
struct Handler;

impl Handler {
    async fn find(
        &self,
        _: Context,
        request: FindRequest,
    ) -> Result<FindResponse, Error<FindError>> {
        let all = FindErrorHeaders::new().retry_after(30);
        let all = all.scopes(vec!["read".to_owned(), "write".to_owned()]);
        match request.status {
            410 => Err(Error::with_headers(FindError::Gone, all)),
            418 => {
                let (status, body) = (StatusCode::IM_A_TEAPOT, "tea".to_owned());
                let error = FindError::ClientError { status, body };
                let headers = FindErrorHeaders::new().retry_after(1);
                Err(Error::with_headers(error, headers))
            }
            422 => {
                // The header cannot be sent.
                let headers = FindErrorHeaders::new().scopes(vec!["a\nb".to_owned()]);
                Err(Error::with_headers(FindError::Gone, headers))
            }
            425 => {
                let mut raw = Response::new("not yet".into());
                *raw.status_mut() = StatusCode::TOO_MANY_REQUESTS;
                let headers = raw.headers_mut();
                headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("soon"));
                headers.insert("x-scopes", HeaderValue::from_static("a"));
                Err(raw.into())
            }
            429 => Err(FindError::TooManyRequests("wait".to_owned()))?,
            500 => Err(Error::internal("broken")),
            _ => Ok(().into()),
        }
    }
}

bothends_runtime::routes! {
    find: Handler {
        ["find", _] => { "GET" => find },
    }
}

async fn call(status: u16) -> ClientError<FindError> {
    let router = Router::new(Handler, find, &RejectionBodies::DEFAULT);
    let client = ClientCore::new("http://localhost", InProcess::new(router)).unwrap();
    client.call(&FindRequest::new(status)).await.unwrap_err()
}

#[tokio::test]
async fn a_server_sends_headers_with_any_error() {
    let gone = call(410).await;
    assert_eq!(gone.api(), Some(&FindError::Gone));
    let headers = gone.documented_headers().unwrap();
    assert_eq!(headers.retry_after, Some(30));
    assert_eq!(headers.scopes.unwrap(), ["read", "write"]);
    let raw = gone.raw_response().unwrap();
    assert_eq!(raw.headers["retry-after"], "30");
    assert_eq!(raw.headers["x-scopes"], "read,write");

    let tea = call(418).await;
    let (status, body) = (StatusCode::IM_A_TEAPOT, "tea".to_owned());
    assert_eq!(tea.api(), Some(&FindError::ClientError { status, body }));
    assert_eq!(tea.status(), Some(status));
    let expected = FindErrorHeaders::new().retry_after(1);
    assert_eq!(tea.documented_headers(), Some(expected));
}

#[tokio::test]
async fn an_error_without_headers_is_the_same_error() {
    let many = call(429).await;
    let expected = FindError::TooManyRequests("wait".to_owned());
    assert_eq!(many.api(), Some(&expected));
    assert_eq!(many.documented_headers(), Some(FindErrorHeaders::new()));
}

#[tokio::test]
async fn a_header_that_is_not_valid_hides_neither_the_error_nor_the_others() {
    let many = call(425).await;
    let expected = FindError::TooManyRequests("not yet".to_owned());
    assert_eq!(many.api(), Some(&expected));
    let headers = FindErrorHeaders::new().scopes(vec!["a".to_owned()]);
    assert_eq!(many.documented_headers(), Some(headers));
    assert_eq!(many.raw_response().unwrap().headers["retry-after"], "soon");
}

#[tokio::test]
async fn other_errors_have_no_documented_headers() {
    // A header that cannot be sent is a failure of the server.
    for status in [422, 500] {
        let error = call(status).await;
        assert_eq!(error.status(), Some(StatusCode::INTERNAL_SERVER_ERROR));
        assert_eq!(error.documented_headers(), None);
    }
}

#[test]
fn values_of_headers_are_not_shown() {
    let headers = FindErrorHeaders::new().scopes(vec!["a secret".to_owned()]);
    let error = Error::with_headers(FindError::Gone, headers);
    let shown = format!("{error:?}");
    assert!(shown.contains("Gone"), "{shown}");
    assert!(!shown.contains("a secret"), "{shown}");
}
