//! Peers of both ends that write and read bytes by hand, over a socket.

#![allow(clippy::panic, reason = "these are tests, and a test fails by it")]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;

use bothends_runtime::server::Router;

/// Serves a generated router until the process ends.
///
/// # Panics
/// When there is no socket.
pub fn serve<A: Send + Sync + 'static>(router: Router<A>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("{error}"));
    let address = listener
        .local_addr()
        .unwrap_or_else(|error| panic!("{error}"));
    listener
        .set_nonblocking(true)
        .unwrap_or_else(|error| panic!("{error}"));
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.unwrap_or_else(|error| panic!("{error}"));
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener);
            let listener = listener.unwrap_or_else(|error| panic!("{error}"));
            let service = axum::Router::new().fallback_service(router);
            axum::serve(listener, service).await
        })
    });
    address
}

/// Sends the bytes of a request, and returns those of the response: `Connection: close` is added to
/// the first line.
///
/// # Panics
/// When the socket breaks.
#[must_use]
pub fn send(to: SocketAddr, request: &str) -> String {
    let (line, rest) = request.split_once("\r\n").unwrap_or((request, ""));
    let request = format!("{line}\r\nHost: peer\r\nConnection: close\r\n{rest}");
    let mut stream = TcpStream::connect(to).unwrap_or_else(|error| panic!("{error}"));
    stream
        .write_all(request.as_bytes())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut response = Vec::new();
    stream
        .read_to_end(&mut response)
        .unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8_lossy(&response).into_owned()
}

/// A `GET` with these headers, each with its line break.
#[must_use]
pub fn get(to: SocketAddr, target: &str, headers: &str) -> String {
    send(to, &format!("GET {target} HTTP/1.1\r\n{headers}\r\n"))
}

/// A `POST` with these headers, each with its line break; no length is added.
#[must_use]
pub fn post(to: SocketAddr, target: &str, headers: &str, body: &str) -> String {
    send(
        to,
        &format!("POST {target} HTTP/1.1\r\n{headers}\r\n{body}"),
    )
}

/// A server that answers one request with recorded bytes: its URL, and the bytes of the request.
///
/// # Panics
/// When there is no socket.
#[must_use]
pub fn answering(response: &str) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("{error}"));
    let address = listener
        .local_addr()
        .unwrap_or_else(|error| panic!("{error}"));
    let response = response.to_owned();
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap_or_else(|error| panic!("{error}"));
        let request = request_of(&mut stream);
        stream
            .write_all(response.as_bytes())
            .unwrap_or_else(|error| panic!("{error}"));
        request
    });
    (format!("http://{address}"), served)
}

/// The bytes of a request up to the end that its `Content-Length` says.
fn request_of(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                let is_it = name.eq_ignore_ascii_case("content-length");
                is_it.then(|| value.trim().parse().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        match stream.read(&mut piece) {
            Ok(0) => return text,
            Ok(read) => bytes.extend_from_slice(piece.get(..read).unwrap_or_default()),
            Err(error) => panic!("{error}"),
        }
    }
}

/// A response with a length, as a server would write it.
#[must_use]
pub fn response(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    )
}
