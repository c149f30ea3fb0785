//! Receivers of webhooks, good ones and bad ones, over bare sockets: what goes over the wire is seen
//! as it is.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A request as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub line: String,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Received {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// What a receiver does with a request, after it was read.
#[derive(Debug, Clone)]
pub enum Act {
    /// Answers with this status and no body.
    Status(u16),
    /// Sends these bytes and keeps the connection.
    Bytes(Vec<u8>),
    /// Sends these bytes and breaks the connection off.
    Reset(Vec<u8>),
    /// Sends these bytes, and then one more every so often, for ever.
    Drip(Vec<u8>, Duration),
    /// Never says a word.
    Hang,
}

/// Listens on a port of loopback's until it is dropped.
pub struct Receiver {
    address: SocketAddr,
    log: Arc<Mutex<Vec<Received>>>,
    task: JoinHandle<()>,
}

impl Receiver {
    /// Does with each request what this says.
    pub async fn start(act: impl Fn(&Received) -> Act + Send + Sync + 'static) -> Self {
        Self::start_at("127.0.0.1", act).await
    }

    /// The same at this address of loopback's.
    pub async fn start_at(
        host: &str,
        act: impl Fn(&Received) -> Act + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((host, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let log = Arc::<Mutex<Vec<Received>>>::default();
        let (act, into) = (Arc::new(act), Arc::clone(&log));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (act, into) = (Arc::clone(&act), Arc::clone(&into));
                tokio::spawn(async move {
                    // A connection that breaks is the sender's to notice.
                    let _ = serve(stream, act.as_ref(), &into).await;
                });
            }
        });
        Self { address, log, task }
    }

    pub async fn always(status: u16) -> Self {
        Self::start(move |_| Act::Status(status)).await
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// What came so far.
    pub fn log(&self) -> Vec<Received> {
        self.log.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.log.lock().unwrap().len()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A URL that nobody listens on.
pub async fn refused() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}/", listener.local_addr().unwrap())
}

async fn serve(
    mut stream: TcpStream,
    act: &(dyn Fn(&Received) -> Act + Send + Sync),
    log: &Mutex<Vec<Received>>,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();
    while let Some(received) = read(&mut stream, &mut buffer).await? {
        let next = act(&received);
        log.lock().unwrap().push(received);
        match next {
            Act::Status(status) => {
                // No body may follow 1xx, 204 and 304 (RFC 9110, section 6.4.1).
                let length = match status {
                    100..200 | 204 | 304 => "",
                    _ => "content-length: 0\r\n",
                };
                let head = format!("HTTP/1.1 {status} Said\r\n{length}\r\n");
                stream.write_all(head.as_bytes()).await?;
            }
            Act::Bytes(bytes) => stream.write_all(&bytes).await?,
            Act::Reset(bytes) => {
                stream.write_all(&bytes).await?;
                return stream.set_zero_linger();
            }
            Act::Drip(bytes, pause) => {
                stream.write_all(&bytes).await?;
                loop {
                    tokio::time::sleep(pause).await;
                    stream.write_all(b"x").await?;
                }
            }
            Act::Hang => std::future::pending().await,
        }
    }
    Ok(())
}

async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<Option<Received>> {
    let head = loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    };
    let text = String::from_utf8_lossy(&buffer[..head]).into_owned();
    let mut lines = text.lines();
    let line = lines.next().unwrap_or_default().to_owned();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers
        .get("content-length")
        .and_then(|length| length.parse().ok());
    let length: usize = length.unwrap_or(0);
    while buffer.len() < head + length {
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
    let body = buffer[head..head + length].to_vec();
    buffer.drain(..head + length);
    Ok(Some(Received {
        line,
        headers,
        body,
    }))
}
