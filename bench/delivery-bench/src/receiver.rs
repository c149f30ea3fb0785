//! A receiver that responds with 200 to every request, and notes when its first byte arrives.

use crate::workload::BODY;
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The id of a received message, and the time of its first byte.
pub type Arrival = (String, Instant);

/// Starts a receiver, and returns its URL.
pub async fn start() -> String {
    serve(None).await
}

/// Starts a receiver that reports each request.
pub async fn start_reporting() -> (String, UnboundedReceiver<Arrival>) {
    let (arrived, arrivals) = unbounded_channel();
    (serve(Some(arrived)).await, arrivals)
}

async fn serve(arrived: Option<UnboundedSender<Arrival>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(receive(stream, arrived.clone()));
        }
    });
    url
}

/// Responds to the requests of a connection until it is closed.
async fn receive(
    mut stream: TcpStream,
    arrived: Option<UnboundedSender<Arrival>>,
) -> std::io::Result<()> {
    let mut buffer = Vec::with_capacity(4096);
    stream.set_nodelay(true)?;
    loop {
        let mut first = None;
        let head = loop {
            if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
            first.get_or_insert_with(Instant::now);
        };
        if let (Some(arrived), Some(first)) = (&arrived, first) {
            let _ = arrived.send((id(&buffer[..head]), first));
        }
        while buffer.len() < head + BODY.len() {
            if stream.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        }
        buffer.drain(..head + BODY.len());
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
            .await?;
    }
}

/// Returns the header `Webhook-Id`.
fn id(head: &[u8]) -> String {
    let text = String::from_utf8_lossy(head);
    let mut headers = text.lines().filter_map(|line| line.split_once(": "));
    let id = headers.find(|(name, _)| name.eq_ignore_ascii_case("webhook-id"));
    id.expect("each request has an id").1.to_owned()
}
