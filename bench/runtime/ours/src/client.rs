//! The generated client, over loopback.

use crate::api::client::Client;
use crate::api::operations::*;
use crate::api::types::{Entry, NewDocument, NewEntry, NewEntryInit, Order};
use bench_inputs::canned::Canned;
use bench_inputs::cases::{Case, Prepare, Work, at_once, waiting};
use bench_inputs::{requests, transfer};
use bothends_runtime::client::{Body, CallOptions, TowerTransport, Transport};
use bothends_runtime::serde::Serialize;
use bothends_runtime::{Binary, ByteStream, Check, serde_json};
use futures_util::stream;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use std::convert::Infallible;
use std::hint::black_box;

pub const CASES: &[(&str, Prepare)] = &[
    ("client-get", |url| each(default(url), get)),
    ("client-get-many", |url| each(default(url), get_many)),
    ("client-post", |url| each(default(url), post)),
    ("client-hyper-get", |url| each(hyper(url), get)),
    ("client-hyper-post", |url| each(hyper(url), post)),
    ("client-hyper-get-to-reqwest", |url| each(hyper(url), get)),
    ("client-hyper-post-to-reqwest", |url| each(hyper(url), post)),
    ("client-memory-get", |_| each(memory(), get)),
    ("client-memory-get-checked", |_| {
        let checked = CallOptions::new().check_responses(Check::Fail);
        each(memory().with(checked), get)
    }),
    ("client-memory-post", |_| each(memory(), post)),
    ("client-journal", |url| each(default(url), journal)),
    ("client-multipart", |url| {
        let file = transfer::file();
        each(default(url), move |client| document(client, file.clone()))
    }),
    ("memory-client-upload", |url| each(default(url), upload)),
    ("memory-client-download", |url| each(default(url), download)),
    ("memory-calls", |url| {
        let client = default(url);
        at_once(move |_| {
            let client = client.clone();
            Box::pin(async move { held(client).await.title })
        })
    }),
];

fn default(url: &str) -> Client {
    Client::new(url).expect("the URL is valid")
}

type HyperTransport = TowerTransport<hyper_util::client::legacy::Client<HttpConnector, Body>>;

fn hyper(url: &str) -> Client<HyperTransport> {
    let client = hyper_util::client::legacy::Client::builder(TokioExecutor::new());
    let transport = TowerTransport::new(client.build_http());
    Client::with_transport(url, transport).expect("the URL is valid")
}

fn memory() -> Client<TowerTransport<Canned>> {
    let transport = TowerTransport::new(Canned);
    Client::with_transport("http://127.0.0.1:8080", transport).expect("the URL is valid")
}

/// Returns a case that makes a call. What the call returns is shown as JSON.
fn each<T, C, F, V>(client: Client<T>, call: C) -> Box<dyn Case>
where
    T: Transport + Clone + 'static,
    C: Fn(Client<T>) -> F + 'static,
    F: Future<Output = V> + 'static,
    V: Serialize,
{
    waiting(move |shown| -> Work {
        let value = call(client.clone());
        Box::pin(async move {
            let value = black_box(value.await);
            match shown {
                true => serde_json::to_string(&value).expect("the value can be written"),
                false => String::new(),
            }
        })
    })
}

async fn get<T: Transport>(client: Client<T>) -> Entry {
    let request = GetSummaryRequest::new("acct-0193".to_owned(), 50).order(Order::Oldest);
    let response = client.get_summary(request).await;
    response.expect("the stub responds").into_inner()
}

/// Makes a call whose response waits until the stub is told to respond.
async fn held<T: Transport>(client: Client<T>) -> Entry {
    let request = GetSummaryRequest::new(requests::HELD.to_owned(), 50);
    let response = client.get_summary(request).await;
    response.expect("the stub responds").into_inner()
}

async fn get_many<T: Transport>(client: Client<T>) -> Entry {
    let request = GetEntryRequest::from(GetEntryRequestInit {
        account_id: "acct-0193".to_owned(),
        entry_id: 42,
        limit: 50,
    })
    .order(Order::Newest)
    .search(requests::SEARCH)
    .archived(false)
    .min_amount(12.5);
    let response = client.get_entry(request).await;
    response.expect("the stub responds").into_inner()
}

async fn post<T: Transport>(client: Client<T>) -> Entry {
    let labels = ["home", "monthly", "fixed"].map(str::to_owned).to_vec();
    let text = str::to_owned;
    let new = NewEntry::from(NewEntryInit {
        title: text("Rent for May"),
        amount: 125_000,
        currency: text("EUR"),
        category: text("housing"),
        labels,
    });
    let new = new.memo("paid by standing order");
    let response = client
        .add_entry(AddEntryRequest::new("acct-0193".to_owned(), new))
        .await;
    response.expect("the stub responds").into_inner()
}

/// Returns the number of lines, and the last one.
async fn journal<T: Transport>(client: Client<T>) -> (usize, Option<Entry>) {
    let response = client.read_journal().await.expect("the stub responds");
    let mut lines = response.into_inner();
    let (mut count, mut last) = (0, None);
    while let Some(line) = lines.next().await {
        count += 1;
        last = Some(line.expect("the lines are valid"));
    }
    (count, last)
}

async fn document<T: Transport>(client: Client<T>, file: bytes::Bytes) -> (i64, i64) {
    let document = NewDocument::new(Binary::new(file), 12, "Report".to_owned());
    let response = client.add_document(document).await;
    let receipt = response.expect("the stub responds").into_inner();
    (receipt.items, receipt.bytes)
}

async fn upload<T: Transport>(client: Client<T>) -> i64 {
    let pieces = (0..transfer::PIECES).map(|_| Ok::<_, Infallible>(transfer::piece()));
    let response = client.put_blob(ByteStream::new(stream::iter(pieces))).await;
    response.expect("the stub responds").into_inner().bytes
}

async fn download<T: Transport>(client: Client<T>) -> usize {
    let response = client.get_blob().await.expect("the stub responds");
    let mut body = response.into_inner();
    let mut bytes = 0;
    while let Some(piece) = body.next().await {
        bytes += piece.expect("the body is complete").len();
    }
    bytes
}
