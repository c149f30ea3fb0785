//! Connections of the default transport: which are reused, and what is sent again.

use super::api::*;
use bothends_runtime::client::{ClientCore, Error, HyperTransport, Transport};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What a server does with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reply {
    /// Responds, and keeps the connection.
    Keep,
    /// Responds, and closes the connection without saying so.
    Leave,
    /// Closes the connection.
    Drop,
}

/// The number of the connection, and the method, of each request.
type Log = Arc<Mutex<Vec<(usize, String)>>>;

/// A server that takes one reply of the script per request. The channel receives a message for each
/// connection that it has closed.
async fn serve(script: &[Reply]) -> (String, Log, mpsc::UnboundedReceiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (closed, closings) = mpsc::unbounded_channel();
    let log = Log::default();
    let script = Arc::new(Mutex::new(script.to_vec()));
    let requests = log.clone();
    tokio::spawn(async move {
        let mut number = 0;
        while let Ok((stream, _)) = listener.accept().await {
            number += 1;
            let (closed, requests, script) = (closed.clone(), requests.clone(), script.clone());
            tokio::spawn(async move {
                play(stream, number, &script, &requests).await;
                closed.send(()).unwrap();
            });
        }
    });
    (url, log, closings)
}

async fn play(mut stream: TcpStream, number: usize, script: &Mutex<Vec<Reply>>, log: &Log) {
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read_u8().await {
                Ok(byte) => head.push(byte),
                Err(_) => return,
            }
        }
        let head = String::from_utf8(head).unwrap();
        let method = head.split(' ').next().unwrap().to_owned();
        log.lock().unwrap().push((number, method));
        let reply = script.lock().unwrap().remove(0);
        if reply != Reply::Drop {
            let response = b"HTTP/1.1 204 No Content\r\n\r\n";
            stream.write_all(response).await.unwrap();
        }
        if reply != Reply::Keep {
            return;
        }
    }
}

/// Lets the tasks of the connections go on.
async fn run_tasks() {
    for _ in 0..32 {
        tokio::task::yield_now().await;
    }
}

fn requests(log: &Log) -> Vec<(usize, String)> {
    log.lock().unwrap().clone()
}

fn expected(requests: &[(usize, &str)]) -> Vec<(usize, String)> {
    let owned = requests.iter().map(|(at, method)| (*at, (*method).into()));
    owned.collect()
}

#[tokio::test]
async fn a_connection_serves_one_call_after_the_other() {
    let (url, log, _) = serve(&[Reply::Keep; 3]).await;
    // Clones share the connections.
    let client = core(&url);
    for client in [client.clone(), client.clone(), client] {
        client.call(&GetThingRequest::new()).await.unwrap();
        run_tasks().await;
    }
    assert_eq!(
        requests(&log),
        expected(&[(1, "GET"), (1, "GET"), (1, "GET")])
    );
}

#[tokio::test]
async fn a_pool_of_no_connections_reuses_none() {
    let (url, log, _) = serve(&[Reply::Keep; 2]).await;
    let builder = HyperTransport::builder()
        .no_proxy()
        .pool_max_idle_per_host(0);
    let client = ClientCore::new(&url, builder.build().unwrap()).unwrap();
    for _ in 0..2 {
        client.call(&GetThingRequest::new()).await.unwrap();
        run_tasks().await;
    }
    assert_eq!(requests(&log), expected(&[(1, "GET"), (2, "GET")]));
}

/// The request was not sent on the connection that was closed, so even a `POST` is sent on another.
#[tokio::test]
async fn a_connection_closed_between_calls_is_replaced() {
    let (url, log, mut closings) = serve(&[Reply::Leave, Reply::Keep]).await;
    let client = core(&url).credentials(all());
    client.call(&GetThingRequest::new()).await.unwrap();
    closings.recv().await.unwrap();
    client.call(&BearerRequest::new()).await.unwrap();
    assert_eq!(requests(&log), expected(&[(1, "GET"), (2, "POST")]));
}

/// The server may have processed the request before it closed the connection.
#[tokio::test]
async fn a_request_that_was_sent_is_not_repeated() {
    async fn check<T: Transport>(client: impl Fn(&str) -> ClientCore<T>) {
        let (url, log, _) = serve(&[Reply::Keep, Reply::Drop]).await;
        let client = client(&url);
        client.call(&GetThingRequest::new()).await.unwrap();
        run_tasks().await;
        let error = client.call(&GetThingRequest::new()).await.unwrap_err();
        assert!(matches!(error, Error::Transport(_)), "{error:#}");
        assert_eq!(requests(&log), expected(&[(1, "GET"), (1, "GET")]));
    }
    check(core).await;
    check(over_reqwest).await;
}

fn all() -> Credentials {
    Credentials {
        basic: None,
        bearer: Some("b".into()),
        header: Some("h".into()),
        query: Some("q".into()),
        cookie: Some("c".into()),
    }
}

#[tokio::test]
async fn errors_say_what_failed_without_the_url() {
    let (url, ..) = serve(&[Reply::Drop]).await;
    let error = core(&url).call(&GetThingRequest::new()).await.unwrap_err();
    assert_eq!(
        format!("{error:#}"),
        "the transport failed: no response was received: connection closed before message completed"
    );
    // A port that nobody listens on.
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/secret", free.local_addr().unwrap());
    drop(free);
    let error = core(&url).call(&GetThingRequest::new()).await.unwrap_err();
    let text = format!("{error:#}");
    let expected = "the transport failed: cannot connect to the server: tcp connect error: ";
    assert!(text.starts_with(expected), "{text}");
    assert!(!text.contains("secret"), "{text}");
}
