//! A client by hand with reqwest, over loopback.

use crate::hyper::{self, Hyper};
use crate::types::{Entry, NewEntry, Order, Problem, Receipt};
use bench_inputs::cases::{Case, Prepare, Work, at_once, waiting};
use bench_inputs::{requests, transfer};
use bytes::{Buf, Bytes, BytesMut};
use futures_util::stream;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use reqwest::{Body, Url, multipart};
use serde::{Serialize, de::DeserializeOwned};
use std::convert::Infallible;
use std::fmt;
use std::hint::black_box;
use std::time::Duration;

pub const CASES: &[(&str, Prepare)] = &[
    ("client-get", |url| each(Reqwest::new(url), get)),
    ("client-get-many", |url| each(Reqwest::new(url), get_many)),
    ("client-post", |url| each(Reqwest::new(url), post)),
    ("client-hyper-get", |url| each(Hyper::new(url), hyper::get)),
    ("client-hyper-post", |url| {
        each(Hyper::new(url), hyper::post)
    }),
    ("client-hyper-get-to-reqwest", |url| {
        each(Reqwest::new(url), get)
    }),
    ("client-hyper-post-to-reqwest", |url| {
        each(Reqwest::new(url), post)
    }),
    ("client-memory-get", |_| each(Hyper::memory(), hyper::get)),
    ("client-memory-get-checked", |_| {
        each(Hyper::memory(), hyper::get)
    }),
    ("client-memory-post", |_| each(Hyper::memory(), hyper::post)),
    ("client-journal", |url| each(Reqwest::new(url), journal)),
    ("client-multipart", |url| {
        let file = transfer::file();
        each(Reqwest::new(url), move |client| {
            document(client, file.clone())
        })
    }),
    ("memory-client-upload", |url| {
        each(Reqwest::new(url), upload)
    }),
    ("memory-client-download", |url| {
        each(Reqwest::new(url), download)
    }),
    ("memory-calls", |url| {
        let client = Reqwest::new(url);
        at_once(move |_| {
            let client = client.clone();
            Box::pin(async move { held(client).await.expect("the stub responds").title })
        })
    }),
];

/// Returns a case that makes a call. What the call returns is shown as JSON.
fn each<T, C, F, V>(client: T, call: C) -> Box<dyn Case>
where
    T: Clone + 'static,
    C: Fn(T) -> F + 'static,
    F: Future<Output = Result<V, Error>> + 'static,
    V: Serialize,
{
    waiting(move |shown| -> Work {
        let value = call(client.clone());
        Box::pin(async move {
            let value = black_box(value.await.expect("the stub responds"));
            match shown {
                true => serde_json::to_string(&value).expect("the value can be written"),
                false => String::new(),
            }
        })
    })
}

/// The error of a call.
#[derive(Debug)]
pub enum Error {
    Transport(Box<dyn std::error::Error>),
    Decode(serde_json::Error),
    Documented(Problem),
    Unexpected(StatusCode),
    BaseUrl,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => write!(f, "the transport failed: {error}"),
            Self::Decode(error) => write!(f, "the body is invalid: {error}"),
            Self::Documented(problem) => f.write_str(&problem.message),
            Self::Unexpected(status) => write!(f, "unexpected status {status}"),
            Self::BaseUrl => f.write_str("the base URL has no path"),
        }
    }
}

impl std::error::Error for Error {}

impl From<reqwest::Error> for Error {
    fn from(error: reqwest::Error) -> Self {
        Self::Transport(error.into())
    }
}

/// Decodes a body by its status: the success, the documented error, or neither.
pub fn decode<T: DeserializeOwned>(
    status: StatusCode,
    success: StatusCode,
    documented: StatusCode,
    body: &[u8],
) -> Result<T, Error> {
    if status == success {
        serde_json::from_slice(body).map_err(Error::Decode)
    } else if status == documented {
        Err(Error::Documented(
            serde_json::from_slice(body).map_err(Error::Decode)?,
        ))
    } else {
        Err(Error::Unexpected(status))
    }
}

#[derive(Debug, Clone)]
struct Reqwest {
    base: Url,
    http: reqwest::Client,
}

#[derive(Serialize)]
struct SummaryQuery {
    limit: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<Order>,
}

#[derive(Serialize)]
struct EntryQuery<'a> {
    limit: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<Order>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    archived: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_amount: Option<f64>,
}

impl Reqwest {
    fn new(url: &str) -> Self {
        let http = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .timeout(Duration::from_secs(60))
            .redirect(reqwest::redirect::Policy::none())
            .build();
        Self {
            base: url.parse().expect("the URL is valid"),
            http: http.expect("the client can be built"),
        }
    }

    fn url(&self, segments: &[&str]) -> Result<Url, Error> {
        let mut url = self.base.clone();
        let mut path = url.path_segments_mut().map_err(|()| Error::BaseUrl)?;
        path.pop_if_empty().extend(segments);
        drop(path);
        Ok(url)
    }

    async fn summary(&self, account: &str, query: SummaryQuery) -> Result<Entry, Error> {
        let url = self.url(&["accounts", account, "summary"])?;
        let request = self.http.get(url).query(&query);
        let response = request.header(ACCEPT, JSON).send().await?;
        let (status, body) = (response.status(), response.bytes().await?);
        decode(status, StatusCode::OK, StatusCode::NOT_FOUND, &body)
    }
}

pub const JSON: HeaderValue = HeaderValue::from_static("application/json");

async fn get(client: Reqwest) -> Result<Entry, Error> {
    let query = SummaryQuery {
        limit: 50,
        order: Some(Order::Oldest),
    };
    client.summary("acct-0193", query).await
}

async fn held(client: Reqwest) -> Result<Entry, Error> {
    let query = SummaryQuery {
        limit: 50,
        order: None,
    };
    client.summary(requests::HELD, query).await
}

async fn get_many(client: Reqwest) -> Result<Entry, Error> {
    let id = 42.to_string();
    let url = client.url(&["accounts", "acct-0193", "entries", &id])?;
    let query = EntryQuery {
        limit: 50,
        order: Some(Order::Newest),
        search: Some(requests::SEARCH),
        archived: Some(false),
        min_amount: Some(12.5),
    };
    let request = client.http.get(url).query(&query);
    let response = request.header(ACCEPT, JSON).send().await?;
    let (status, body) = (response.status(), response.bytes().await?);
    decode(status, StatusCode::OK, StatusCode::NOT_FOUND, &body)
}

pub fn new_entry() -> NewEntry {
    NewEntry {
        title: "Rent for May".to_owned(),
        amount: 125_000,
        currency: "EUR".to_owned(),
        category: "housing".to_owned(),
        labels: ["home", "monthly", "fixed"].map(str::to_owned).to_vec(),
        memo: Some("paid by standing order".to_owned()),
    }
}

async fn post(client: Reqwest) -> Result<Entry, Error> {
    let url = client.url(&["accounts", "acct-0193", "entries"])?;
    let request = client.http.post(url).json(&new_entry());
    let response = request.header(ACCEPT, JSON).send().await?;
    let (status, body) = (response.status(), response.bytes().await?);
    decode(status, StatusCode::CREATED, StatusCode::BAD_REQUEST, &body)
}

/// Returns the number of lines, and the last one.
async fn journal(client: Reqwest) -> Result<(usize, Option<Entry>), Error> {
    let url = client.url(&["journal"])?;
    let lines = HeaderValue::from_static("application/jsonl");
    let mut response = client.http.get(url).header(ACCEPT, lines).send().await?;
    if response.status() != StatusCode::OK {
        return Err(Error::Unexpected(response.status()));
    }
    let (mut count, mut last) = (0, None);
    let (mut buffer, mut searched) = (BytesMut::new(), 0);
    while let Some(piece) = response.chunk().await? {
        buffer.extend_from_slice(&piece);
        while let Some(end) = memchr::memchr(b'\n', &buffer[searched..]) {
            let line: Entry =
                serde_json::from_slice(&buffer[..searched + end]).map_err(Error::Decode)?;
            buffer.advance(searched + end + 1);
            searched = 0;
            count += 1;
            last = Some(line);
        }
        searched = buffer.len();
    }
    if !buffer.is_empty() {
        last = Some(serde_json::from_slice(&buffer).map_err(Error::Decode)?);
        count += 1;
    }
    Ok((count, last))
}

async fn document(client: Reqwest, file: Bytes) -> Result<(i64, i64), Error> {
    let url = client.url(&["documents"])?;
    let length = file.len() as u64;
    let file = multipart::Part::stream_with_length(file, length);
    let form = multipart::Form::new()
        .text("title", "Report")
        .text("pages", "12")
        .part("file", file.mime_str("application/octet-stream")?);
    let response = client
        .http
        .post(url)
        .multipart(form)
        .header(ACCEPT, JSON)
        .send()
        .await?;
    let (status, body) = (response.status(), response.bytes().await?);
    let receipt: Receipt = decode(status, StatusCode::OK, StatusCode::BAD_REQUEST, &body)?;
    Ok((receipt.items, receipt.bytes))
}

async fn upload(client: Reqwest) -> Result<i64, Error> {
    let url = client.url(&["blobs"])?;
    let pieces = (0..transfer::PIECES).map(|_| Ok::<_, Infallible>(transfer::piece()));
    let media = HeaderValue::from_static("application/octet-stream");
    let body = Body::wrap_stream(stream::iter(pieces));
    let request = client.http.post(url).header(CONTENT_TYPE, media).body(body);
    let response = request.header(ACCEPT, JSON).send().await?;
    let (status, body) = (response.status(), response.bytes().await?);
    let receipt: Receipt = decode(status, StatusCode::OK, StatusCode::BAD_REQUEST, &body)?;
    Ok(receipt.bytes)
}

async fn download(client: Reqwest) -> Result<usize, Error> {
    let url = client.url(&["blobs"])?;
    let mut response = client.http.get(url).send().await?;
    if response.status() != StatusCode::OK {
        return Err(Error::Unexpected(response.status()));
    }
    let mut bytes = 0;
    while let Some(piece) = response.chunk().await? {
        bytes += piece.len();
    }
    Ok(bytes)
}
