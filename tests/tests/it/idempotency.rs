//! A generated server behind `Idempotent`, byte by byte: the other end is a socket.

use crate::retries::generated::operations::*;
use crate::retries::generated::server::{DefaultApi, router};
use crate::retries::generated::types::{Handled, HandledInit};
use bothends_runtime::http::header::AUTHORIZATION;
use bothends_runtime::server::{Context, Error, Idempotent, MemoryIdempotencyStore, serve};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Counts the orders that it handles, and handles one after a permit if the script says so.
#[derive(Clone)]
struct Shop {
    handled: Arc<AtomicI64>,
    begun: Arc<Semaphore>,
    permits: Arc<Semaphore>,
}

impl DefaultApi for Shop {
    async fn place_order(
        &self,
        _: Context,
        request: PlaceOrderRequest,
    ) -> Result<PlaceOrderResponse, Error<PlaceOrderError>> {
        let count = self.handled.fetch_add(1, Ordering::SeqCst) + 1;
        self.begun.add_permits(1);
        match request.script.as_str() {
            "slow" => drop(self.permits.acquire().await),
            "broken" if count == 1 => return Err(Error::internal("the first attempt fails")),
            "panics" => assert!(count > 1, "the first attempt panics"),
            _ => {}
        }
        let keys = request.idempotency_key.into_iter().collect();
        Ok(PlaceOrderResponse::new(counted(count, keys)))
    }

    async fn pay(&self, _: Context, _: PayRequest) -> Result<PayResponse, Error<PayError>> {
        Err(Error::internal("not called"))
    }

    async fn list_items(
        &self,
        _: Context,
        _: ListItemsRequest,
    ) -> Result<ListItemsResponse, Error<ListItemsError>> {
        let count = self.handled.fetch_add(1, Ordering::SeqCst) + 1;
        Ok(ListItemsResponse::new(counted(count, Vec::new())))
    }

    async fn send_message(
        &self,
        _: Context,
        _: SendMessageRequest,
    ) -> Result<SendMessageResponse, Error<SendMessageError>> {
        Err(Error::internal("not called"))
    }

    async fn get_quote(
        &self,
        _: Context,
        _: GetQuoteRequest,
    ) -> Result<GetQuoteResponse, Error<GetQuoteError>> {
        Err(Error::internal("not called"))
    }

    async fn put_note(
        &self,
        _: Context,
        _: PutNoteRequest,
    ) -> Result<PutNoteResponse, Error<PutNoteError>> {
        Err(Error::internal("not called"))
    }
}

fn counted(handled: i64, keys: Vec<String>) -> Handled {
    HandledInit {
        received: handled,
        handled,
        keys,
    }
    .into()
}

/// Starts a server.
async fn started() -> (Shop, SocketAddr) {
    let shop = Shop {
        handled: Arc::default(),
        begun: Arc::new(Semaphore::new(0)),
        permits: Arc::new(Semaphore::new(0)),
    };
    let store = MemoryIdempotencyStore::new(100, Duration::from_secs(60));
    let service = Idempotent::new(router(shop.clone()), store, |request| {
        let caller = request.headers.get(AUTHORIZATION);
        Some(caller.map_or_else(Vec::new, |caller| caller.as_bytes().to_vec()))
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { serve(listener, service).await });
    (shop, address)
}

/// Sends an order with further lines of the head.
async fn send(address: SocketAddr, script: &str, lines: &str, product: &str) -> TcpStream {
    let body = format!(r#"{{"product":"{product}"}}"#);
    let request = format!(
        "POST /orders/{script} HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n{lines}\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("sent");
    stream
}

/// Reads a response, without its date.
async fn read(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("a response");
    let lines = text.split("\r\n").filter(|line| !line.starts_with("date:"));
    lines.collect::<Vec<_>>().join("\n")
}

async fn exchange(address: SocketAddr, script: &str, lines: &str, product: &str) -> String {
    read(send(address, script, lines, product).await).await
}

#[track_caller]
fn assert_problem(response: &str, status: &str, detail: &str) {
    assert!(
        response.starts_with(&format!("HTTP/1.1 {status} ")),
        "{response}"
    );
    assert!(
        response.contains("content-type: application/problem+json\n"),
        "{response}"
    );
    assert!(response.contains(detail), "{response}");
}

#[tokio::test]
async fn a_key_is_handled_once_for_each_caller() {
    let (shop, address) = started().await;
    let first = exchange(address, "a", "idempotency-key: k\r\n", "pen").await;
    assert!(first.starts_with("HTTP/1.1 201 Created\n"), "{first}");
    assert!(
        first.ends_with(r#"{"received":1,"handled":1,"keys":["k"]}"#),
        "{first}"
    );
    // The draft's form of the header has quotes.
    for line in ["idempotency-key: k\r\n", "Idempotency-Key: \"k\"\r\n"] {
        assert_eq!(exchange(address, "a", line, "pen").await, first);
    }
    // Another caller, and another key.
    for lines in [
        "idempotency-key: k\r\nauthorization: Bearer b\r\n",
        "idempotency-key: l\r\n",
    ] {
        let other = exchange(address, "a", lines, "pen").await;
        assert!(other.starts_with("HTTP/1.1 201 "), "{other}");
    }
    assert_eq!(shop.handled.load(Ordering::SeqCst), 3);

    // Another body, and another path.
    for (script, product) in [("a", "ink"), ("b", "pen")] {
        let mismatch = exchange(address, script, "idempotency-key: k\r\n", product).await;
        assert_problem(&mismatch, "422", "the key was used for another request");
    }
    // The document requires the header; the layer checks its form.
    assert_problem(
        &exchange(address, "a", "", "pen").await,
        "400",
        r#""Idempotency-Key":"is required""#,
    );
    for lines in [
        "idempotency-key: \r\n",
        "idempotency-key: a\r\nidempotency-key: b\r\n",
    ] {
        let invalid = exchange(address, "a", lines, "pen").await;
        assert_problem(&invalid, "400", "the idempotency key is ");
    }
    let long = format!("idempotency-key: {}\r\n", "k".repeat(256));
    assert_problem(
        &exchange(address, "a", &long, "pen").await,
        "400",
        "longer than 255 bytes",
    );
    assert_eq!(shop.handled.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn the_first_request_ends_whoever_waits_for_it() {
    let (shop, address) = started().await;
    let key = "idempotency-key: k\r\n";
    let first = send(address, "slow", key, "pen").await;
    shop.begun.acquire().await.expect("begun").forget();
    let busy = exchange(address, "slow", key, "pen").await;
    assert_problem(&busy, "409", "a request with this key is being handled");
    assert!(busy.contains("retry-after: 1\n"), "{busy}");
    let mismatch = exchange(address, "slow", key, "ink").await;
    assert_problem(&mismatch, "422", "the key was used for another request");
    // The client closes the connection; the handler goes on.
    drop(first);
    shop.permits.add_permits(1);
    let replayed = loop {
        let response = exchange(address, "slow", key, "pen").await;
        if !response.starts_with("HTTP/1.1 409 ") {
            break response;
        }
    };
    assert!(replayed.starts_with("HTTP/1.1 201 "), "{replayed}");
    assert_eq!(shop.handled.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_failure_of_the_server_releases_the_key() {
    for script in ["broken", "panics"] {
        let (shop, address) = started().await;
        let key = "idempotency-key: k\r\n";
        let failed = exchange(address, script, key, "pen").await;
        assert!(failed.starts_with("HTTP/1.1 500 "), "{failed}");
        let second = exchange(address, script, key, "pen").await;
        assert!(second.starts_with("HTTP/1.1 201 "), "{second}");
        assert_eq!(exchange(address, script, key, "pen").await, second);
        assert_eq!(shop.handled.load(Ordering::SeqCst), 2);
    }
}

#[tokio::test]
async fn safe_methods_are_passed_on() {
    let (shop, address) = started().await;
    for count in 1..=2 {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let request = "GET /items/a HTTP/1.1\r\nhost: shop\r\nconnection: close\r\nidempotency-key: k\r\n\r\n";
        stream.write_all(request.as_bytes()).await.expect("sent");
        assert!(read(stream).await.starts_with("HTTP/1.1 200 "));
        assert_eq!(shop.handled.load(Ordering::SeqCst), count);
    }
}
