//! A server of raw bytes, written by hand: what it sends is what the script says, HTTP or not.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// What the peer does on a connection, once it has read the head of a request.
#[derive(Debug, Clone)]
pub enum Step {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Sends these bytes again and again, until the client is gone or [`ENDLESS`] bytes are out.
    Repeat(Vec<u8>),
    /// Sends these bytes one by one, with a pause before each.
    Drip(Vec<u8>, Duration),
    /// Sends these bytes so many times, with a pause before each.
    Beat(Vec<u8>, Duration, usize),
    /// Does nothing for a while.
    Pause(Duration),
    /// Sends the head of the request back.
    Echo,
    /// Reads so many bytes of the request's body, with a pause before each piece.
    Take(usize, Duration),
    /// Keeps the connection open, and does nothing more.
    Stall,
}

/// What stands for endless: more than any limit of a client.
pub const ENDLESS: usize = 512 << 20;

/// A listening peer, which runs for as long as the test's runtime.
#[derive(Clone)]
pub struct Peer {
    pub url: String,
    /// How many bytes it has handed to its sockets.
    pub sent: Arc<AtomicUsize>,
    script: Arc<Mutex<Vec<Step>>>,
    /// The heads of the requests.
    pub heads: Arc<Mutex<Vec<String>>>,
}

/// Keeps a paused clock from advancing until the result is dropped. While the kernel waits between two packets, tasks of
/// both ends are idle, and tokio would advance the clock to the next limit; it does not while a blocking task runs.
fn hold_the_clock() -> impl Sized {
    let (held, released) = std::sync::mpsc::channel::<()>();
    tokio::task::spawn_blocking(move || released.recv());
    held
}

impl Peer {
    pub async fn new(script: Vec<Step>) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        // Little is on its way unseen.
        socket.set_send_buffer_size(16 << 10).unwrap();
        socket.set_recv_buffer_size(16 << 10).unwrap();
        socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
        let listener = socket.listen(64).unwrap();
        let address = listener.local_addr().unwrap();
        let peer = Self {
            url: format!("http://{address}"),
            sent: Arc::default(),
            script: Arc::new(Mutex::new(script)),
            heads: Arc::default(),
        };
        tokio::spawn(peer.clone().serve(listener));
        peer
    }

    /// What connections from now on get.
    pub fn put(&self, script: Vec<Step>) {
        *self.script.lock().unwrap() = script;
    }

    pub async fn sending(bytes: impl AsRef<[u8]>) -> Self {
        Self::new(vec![Step::Send(bytes.as_ref().to_vec())]).await
    }

    async fn serve(self, listener: TcpListener) {
        while let Ok((stream, _)) = listener.accept().await {
            let (peer, script) = (self.clone(), self.script.lock().unwrap().clone());
            tokio::spawn(async move { drop(peer.play(stream, script).await) });
        }
    }

    async fn play(self, mut stream: TcpStream, script: Vec<Step>) -> std::io::Result<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await?);
        }
        let head = String::from_utf8(head).unwrap();
        self.heads.lock().unwrap().push(head.clone());
        for step in script {
            match step {
                Step::Send(bytes) => self.write(&mut stream, &bytes).await?,
                Step::Echo => self.write(&mut stream, head.as_bytes()).await?,
                Step::Repeat(bytes) => {
                    while self.sent() < ENDLESS {
                        self.write(&mut stream, &bytes).await?;
                    }
                }
                Step::Drip(bytes, pause) => {
                    for byte in bytes {
                        tokio::time::sleep(pause).await;
                        self.write(&mut stream, &[byte]).await?;
                    }
                }
                Step::Beat(bytes, pause, times) => {
                    for _ in 0..times {
                        tokio::time::sleep(pause).await;
                        self.write(&mut stream, &bytes).await?;
                    }
                }
                Step::Pause(pause) => tokio::time::sleep(pause).await,
                Step::Take(mut left, pause) => {
                    let mut piece = vec![0; 1 << 20];
                    while left > 0 {
                        tokio::time::sleep(pause).await;
                        let length = left.min(piece.len());
                        let held = hold_the_clock();
                        stream.read_exact(&mut piece[..length]).await?;
                        drop(held);
                        left -= length;
                    }
                }
                Step::Stall => std::future::pending().await,
            }
        }
        stream.shutdown().await
    }

    async fn write(&self, stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
        for piece in bytes.chunks(8 << 10) {
            stream.write_all(piece).await?;
            self.sent.fetch_add(piece.len(), Ordering::SeqCst);
        }
        Ok(())
    }

    pub fn sent(&self) -> usize {
        self.sent.load(Ordering::SeqCst)
    }

    pub fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}
