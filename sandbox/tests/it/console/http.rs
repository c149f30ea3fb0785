//! HTTP as it is on the wire, without a library that would hide a difference.

use std::net::SocketAddr;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    /// Returns the only value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let value = found.next().map(|(_, value)| value.as_str());
        assert!(
            found.next().is_none(),
            "{name} is there twice: {:?}",
            self.headers
        );
        value
    }

    /// Returns the values of a header.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        let found = self.headers.iter().filter(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).collect()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

/// Sends a request on a connection of its own.
pub(crate) async fn send(
    base: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Reply {
    receive(&mut begin(base, method, path, headers, body).await).await
}

/// Receives a response.
pub(crate) async fn receive(stream: &mut Stream) -> Reply {
    let (status, headers) = head(stream).await;
    let mut reply = Reply {
        status,
        headers,
        body: String::new(),
    };
    let mut bytes = Vec::new();
    if reply.header("transfer-encoding") == Some("chunked") {
        while let Some(chunk) = chunk(stream).await {
            bytes.extend(chunk);
        }
    } else if let Some(length) = reply.header("content-length") {
        bytes.resize(length.parse().expect("a length"), 0);
        stream.read_exact(&mut bytes).await.expect("a body");
    }
    reply.body = String::from_utf8(bytes).expect("UTF-8");
    reply
}

/// A connection.
pub(crate) type Stream = BufReader<TcpStream>;

/// Opens a connection, and sends bytes.
pub(crate) async fn open(base: &str, bytes: &[u8]) -> Stream {
    let mut stream = TcpStream::connect(address(base))
        .await
        .expect("a connection");
    stream.write_all(bytes).await.expect("a request");
    BufReader::new(stream)
}

fn address(base: &str) -> SocketAddr {
    let address = base.strip_prefix("http://").expect("http");
    address.parse().expect("an address")
}

async fn begin(
    base: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Stream {
    let address = address(base);
    let mut request =
        format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    if !body.is_empty() {
        request += &format!("content-length: {}\r\n", body.len());
    }
    request += "\r\n";
    request += body;
    open(base, request.as_bytes()).await
}

async fn line(stream: &mut Stream) -> String {
    let mut line = String::new();
    stream.read_line(&mut line).await.expect("a line");
    line.trim_end().to_owned()
}

async fn head(stream: &mut Stream) -> (u16, Vec<(String, String)>) {
    let first = line(stream).await;
    let status = first
        .split(' ')
        .nth(1)
        .expect("a status")
        .parse()
        .expect("a number");
    let mut headers = Vec::new();
    loop {
        let header = line(stream).await;
        let Some((name, value)) = header.split_once(':') else {
            return (status, headers);
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
}

async fn chunk(stream: &mut Stream) -> Option<Vec<u8>> {
    let size = usize::from_str_radix(&line(stream).await, 16).ok()?;
    let mut chunk = vec![0; size];
    stream.read_exact(&mut chunk).await.ok()?;
    line(stream).await;
    (size > 0).then_some(chunk)
}

/// A stream of server-sent events.
pub(crate) struct Events {
    stream: Stream,
    text: String,
    /// How many comments were received.
    pub(crate) comments: usize,
}

/// A server-sent event.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    pub(crate) event: String,
    pub(crate) id: String,
    pub(crate) data: String,
}

impl Events {
    pub(crate) async fn open(base: &str, path: &str, headers: &[(&str, &str)]) -> Self {
        let mut stream = begin(base, "GET", path, headers, "").await;
        let (status, headers) = head(&mut stream).await;
        assert_eq!(status, 200, "{headers:?}");
        Self {
            stream,
            text: String::new(),
            comments: 0,
        }
    }

    /// Returns the next event; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<Sent> {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let mut sent = Sent::default();
                for line in event.lines() {
                    match line.split_once(": ").or_else(|| line.split_once(':')) {
                        Some(("id", value)) => sent.id = value.to_owned(),
                        Some(("event", value)) => sent.event = value.to_owned(),
                        Some(("data", value)) => sent.data += value,
                        _ => {}
                    }
                }
                self.text = rest.to_owned();
                self.comments += usize::from(sent.data.is_empty());
                if !sent.data.is_empty() {
                    return Some(sent);
                }
            }
            let chunk = chunk(&mut self.stream).await?;
            self.text += &String::from_utf8(chunk).expect("UTF-8");
        }
    }
}
