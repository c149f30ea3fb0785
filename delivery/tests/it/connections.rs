//! Connections to receivers are kept, as many as there were requests at once.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use bothends_delivery::send::{AttemptContext, HttpSenderBuilder, OutgoingRequest, Sender};
use bothends_delivery::{DeliveryId, Destinations, HttpSender, Message};
use bytes::Bytes;
use futures_util::future::join_all;
use http::{HeaderMap, Method};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Barrier;
use url::Url;

const AT_ONCE: usize = 8;

/// A receiver that responds when as many requests have arrived as are sent at once.
struct Receiver {
    url: Url,
    /// The number of connections it has accepted.
    accepted: Arc<AtomicUsize>,
}

impl Receiver {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let accepted = Arc::<AtomicUsize>::default();
        let (count, all) = (Arc::clone(&accepted), Arc::new(Barrier::new(AT_ONCE)));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(respond(BufReader::new(stream), Arc::clone(&all)));
            }
        });
        Self {
            url: url.parse().unwrap(),
            accepted,
        }
    }

    fn accepted(&self) -> usize {
        self.accepted.load(Ordering::Relaxed)
    }

    /// Sends requests at once, and returns how many connections were opened for them.
    async fn opened_for_requests_of(&self, sender: &HttpSender) -> usize {
        let before = self.accepted();
        let message = Message::new("kind", "");
        let requests = (0..AT_ONCE).map(|_| OutgoingRequest {
            url: self.url.clone(),
            method: Method::GET,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            attempt: AttemptContext::new(DeliveryId(1), 1, &message, "s"),
        });
        for sent in join_all(requests.map(|request| sender.send(request))).await {
            assert_eq!(sent.unwrap().status, 204);
        }
        self.accepted() - before
    }
}

async fn respond(mut stream: BufReader<TcpStream>, all: Arc<Barrier>) {
    let mut line = String::new();
    while let Ok(1..) = stream.read_line(&mut line).await {
        // The line at the end of a head is empty.
        if line == "\r\n" {
            all.wait().await;
            let response = b"HTTP/1.1 204 No Content\r\n\r\n";
            stream.write_all(response).await.unwrap();
        }
        line.clear();
    }
}

fn builder() -> HttpSenderBuilder {
    HttpSender::builder().destinations(Destinations::public().allow_loopback())
}

#[tokio::test]
async fn as_many_connections_are_kept_as_there_were_requests_at_once() {
    let receiver = Receiver::start().await;
    let sender = builder().build().unwrap();
    assert_eq!(receiver.opened_for_requests_of(&sender).await, AT_ONCE);
    // A connection is idle a moment after its response: a request in between opens another one.
    for _ in 0..1000 {
        if receiver.opened_for_requests_of(&sender).await == 0 {
            return;
        }
    }
    unreachable!("connections are opened again and again");
}

#[tokio::test]
async fn a_limit_closes_the_connections_beyond_it() {
    let receiver = Receiver::start().await;
    let sender = builder().idle_per_host(1).build().unwrap();
    assert_eq!(receiver.opened_for_requests_of(&sender).await, AT_ONCE);
    for _ in 0..10 {
        let opened = receiver.opened_for_requests_of(&sender).await;
        assert!(opened >= AT_ONCE - 1, "{opened}");
    }
}
