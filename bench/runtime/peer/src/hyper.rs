//! A client by hand over a service: the client of hyper-util, or one in memory.

use crate::client::{Error, JSON, decode, new_entry};
use crate::types::Entry;
use bench_inputs::canned::Canned;
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{Method, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tower_service::Service;

#[derive(Debug, Clone)]
pub struct Hyper<S = Client<HttpConnector, Full<Bytes>>> {
    base: String,
    http: S,
}

impl Hyper {
    pub fn new(url: &str) -> Self {
        Self {
            base: url.to_owned(),
            http: Client::builder(TokioExecutor::new()).build_http(),
        }
    }
}

impl Hyper<Canned> {
    pub fn memory() -> Self {
        Self {
            base: "http://127.0.0.1:8080".to_owned(),
            http: Canned,
        }
    }
}

/// What is encoded in a segment of a path.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

type Received = Result<(StatusCode, Bytes), Error>;

impl<S, B> Hyper<S>
where
    S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone,
    S::Error: Into<Box<dyn std::error::Error>>,
    B: Body,
    B::Error: Into<Box<dyn std::error::Error>>,
{
    async fn send(&self, request: http::Result<Request<Full<Bytes>>>) -> Received {
        let request = request.map_err(|error| Error::Transport(error.into()))?;
        let response = self.http.clone().call(request).await;
        let response = response.map_err(|error| Error::Transport(error.into()))?;
        let status = response.status();
        let body = response.into_body().collect().await;
        let body = body.map_err(|error| Error::Transport(error.into()))?;
        Ok((status, body.to_bytes()))
    }
}

pub async fn get<S, B>(client: Hyper<S>) -> Result<Entry, Error>
where
    S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone,
    S::Error: Into<Box<dyn std::error::Error>>,
    B: Body,
    B::Error: Into<Box<dyn std::error::Error>>,
{
    let account = utf8_percent_encode("acct-0193", PATH);
    let (base, limit, order) = (&client.base, 50, "oldest");
    let uri = format!("{base}/accounts/{account}/summary?limit={limit}&order={order}");
    let request = Request::builder().method(Method::GET).uri(uri);
    let request = request.header(ACCEPT, JSON).body(Full::default());
    let (status, body) = client.send(request).await?;
    decode(status, StatusCode::OK, StatusCode::NOT_FOUND, &body)
}

pub async fn post<S, B>(client: Hyper<S>) -> Result<Entry, Error>
where
    S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone,
    S::Error: Into<Box<dyn std::error::Error>>,
    B: Body,
    B::Error: Into<Box<dyn std::error::Error>>,
{
    let account = utf8_percent_encode("acct-0193", PATH);
    let uri = format!("{}/accounts/{account}/entries", client.base);
    let body = serde_json::to_vec(&new_entry()).map_err(Error::Decode)?;
    let request = Request::builder()
        .method(Method::POST)
        .uri(uri)
        .header(ACCEPT, JSON)
        .header(CONTENT_TYPE, JSON)
        .body(Full::from(body));
    let (status, body) = client.send(request).await?;
    decode(status, StatusCode::CREATED, StatusCode::BAD_REQUEST, &body)
}
