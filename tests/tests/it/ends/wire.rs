//! The other end: bytes over a socket.

use bothends_runtime::server::Router;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What comes back from a router for the bytes of a request: the status, the head and the body.
pub(crate) async fn ask<A: Send + Sync>(router: Router<A>, request: &str) -> (u16, String, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let app = axum::Router::new().fallback_service(router);
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let mut stream = TcpStream::connect(address).await.expect("connected");
    let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
    let (head, length) = (head.replace('\n', "\r\n"), body.len());
    let request = format!(
        "{head}\r\nHost: here\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("a response");
    server.abort();
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    (
        status.expect("a status"),
        head.to_ascii_lowercase(),
        body.to_owned(),
    )
}

/// A server that answers one request with these bytes; its address, and the head that it receives.
pub(crate) async fn answers(head: &str, body: &str) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let length = match head.contains("Content-Length") {
        true => String::new(),
        false => format!("\r\nContent-Length: {}", body.len()),
    };
    let head = head.replace('\n', "\r\n");
    let response = format!("HTTP/1.1 {head}{length}\r\nConnection: close\r\n\r\n{body}");
    let received = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a client");
        let mut request = Vec::new();
        while !request.windows(4).any(|window| window == b"\r\n\r\n") {
            let mut buffer = [0; 1024];
            let count = stream.read(&mut buffer).await.expect("a request");
            assert!(count > 0, "the client went away");
            request.extend_from_slice(&buffer[..count]);
        }
        stream.write_all(response.as_bytes()).await.expect("sent");
        stream.shutdown().await.expect("closed");
        String::from_utf8_lossy(&request).into_owned()
    });
    (format!("http://{address}"), received)
}
