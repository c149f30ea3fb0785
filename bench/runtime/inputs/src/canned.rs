//! A service in memory for clients: the response to every request is an entry.

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};
use tower_service::Service;

const ENTRY: &str = r#"{"id":42,"account":"acct-0193","title":"GET /accounts/acct-0193/summary?limit=50&order=oldest","amount":125000,"currency":"EUR","category":"application/json","labels":["","home","monthly"],"memo":""}"#;

/// The service.
#[derive(Debug, Clone, Copy)]
pub struct Canned;

impl<B> Service<Request<B>> for Canned {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let mut response = Response::new(Full::from(ENTRY));
        if request.method() == Method::POST {
            *response.status_mut() = StatusCode::CREATED;
        }
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(CONTENT_LENGTH, HeaderValue::from(ENTRY.len()));
        ready(Ok(response))
    }
}
