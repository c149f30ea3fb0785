//! The server of the runtime with clients that send half of a message, or nothing, or that read nothing.
//!
//! The connections are pipes in memory, so that the paused clock moves on only when both ends wait.

mod bodies;
mod connections;
mod http2;

use super::petstore;
use bothends_runtime::Bytes;
use bothends_runtime::http::{Request, Response};
use bothends_runtime::server::{Body, Listener, Serve, serve};
use http_body::Frame;
use std::convert::Infallible;
use std::future::{pending, ready};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tower_service::Service;

const GET: &str = "GET / HTTP/1.1\r\nhost: peer\r\n\r\n";
const MINUTE: Duration = Duration::from_secs(60);

/// Accepts pipes.
struct Pipes(mpsc::UnboundedReceiver<DuplexStream>);

impl Listener for Pipes {
    type Io = DuplexStream;

    async fn accept(&mut self) -> io::Result<(DuplexStream, Option<SocketAddr>)> {
        match self.0.recv().await {
            Some(pipe) => Ok((pipe, None)),
            None => pending().await,
        }
    }
}

/// The clients' end of [`Pipes`].
struct Connector(mpsc::UnboundedSender<DuplexStream>);

impl Connector {
    fn connect(&self) -> DuplexStream {
        let (own, other) = duplex(16 << 10);
        self.0.send(other).unwrap();
        own
    }
}

fn pipes() -> (Connector, Pipes) {
    let (sender, receiver) = mpsc::unbounded_channel();
    (Connector(sender), Pipes(receiver))
}

/// A response body: pieces, and a pause before each.
struct Pieces {
    left: usize,
    pause: Duration,
    timer: Option<Pin<Box<tokio::time::Sleep>>>,
}

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        let pause = self.pause;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(pause)));
        if !pause.is_zero() && timer.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        self.timer = None;
        self.left -= 1;
        Poll::Ready(Some(Ok(Frame::data(vec![b'a'; 8 << 10].into()))))
    }
}

/// Responds by path.
#[derive(Clone, Default)]
struct Paths {
    entered: Arc<Notify>,
    left: Arc<Notify>,
}

impl Service<Request<Body>> for Paths {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let own = self.clone();
        let pieces = |left, pause| {
            let timer = None;
            Body::new(Pieces { left, pause, timer })
        };
        match request.uri().path() {
            "/many" => Box::pin(ready(Ok(Response::new(pieces(1 << 10, Duration::ZERO))))),
            "/quiet" => Box::pin(ready(Ok(Response::new(pieces(3, 10 * MINUTE))))),
            "/wait" => Box::pin(async move {
                own.entered.notify_one();
                own.left.notified().await;
                Ok(Response::new(Body::from("waited")))
            }),
            _ => Box::pin(ready(Ok(Response::new(Body::from("hello"))))),
        }
    }
}

fn start<S>(server: Serve<Pipes, S>) -> JoinHandle<io::Result<()>>
where
    Serve<Pipes, S>: IntoFuture<Output = io::Result<()>, IntoFuture: Send + 'static>,
{
    tokio::spawn(server.into_future())
}

/// Reads until the server closes the connection; returns the text, and the seconds that it took.
async fn until_closed(pipe: &mut DuplexStream) -> (String, u64) {
    let begun = Instant::now();
    let mut bytes = Vec::new();
    // A connection that is dropped with bytes in it is an error of the pipe.
    let _ = pipe.read_to_end(&mut bytes).await;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (text, begun.elapsed().as_secs())
}

/// Reads the response to [`GET`].
async fn hello(pipe: &mut DuplexStream) -> String {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"hello") {
        bytes.push(pipe.read_u8().await.unwrap());
    }
    String::from_utf8(bytes).unwrap()
}

fn pets() -> bothends_runtime::server::Router<petstore::store::Store> {
    petstore::server::router(petstore::store::Store::default()).allow_unauthenticated()
}

const UPLOAD: &str = "PUT /files/a.b HTTP/1.1\r\nhost: peer\r\ncontent-type: text/plain\r\ncontent-length: 40000\r\n\r\n";
