//! A server over hyper, with limits for its connections.

mod activity;
mod connection;
mod watched;

use super::{Body, BodyError, BoxFuture};
use http::Request;
use http_body::Body as HttpBody;
use std::fmt;
use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower_service::Service;

/// The delay after an error of a listener, such as too many open files.
const ACCEPT_DELAY: Duration = Duration::from_secs(1);

/// Serves a `tower` service, such as a [`Router`](super::Router), a
/// [`Receiver`](crate::webhook::Receiver) or an `axum::Router`, over HTTP/1.1 and HTTP/2.
///
/// HTTP/2 is used by clients that know that the server has it ("prior knowledge", RFC 9113, section
/// 3.3). The returned [`Serve`] has the limits, and is awaited. It needs a tokio runtime with I/O
/// and timers.
///
/// ```no_run
/// use bothends_runtime::server::{Router, serve};
///
/// # async fn with<A: Send + Sync + 'static>(router: Router<A>) -> std::io::Result<()> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// serve(listener, router).await
/// # }
/// ```
pub fn serve<L: Listener, S>(listener: L, service: S) -> Serve<L, S> {
    Serve {
        listener,
        service,
        limits: Limits::default(),
        connections: 10_000,
        shutdown: Box::pin(std::future::pending()),
        shutdown_timeout: Duration::from_secs(30),
    }
}

/// A server that runs while it is awaited: see [`serve`].
///
/// | limit | default | measured | when it is exceeded |
/// |---|---|---|---|
/// | [`head_timeout`](Self::head_timeout) | 10 s | from the connection, or from the first byte of a further HTTP/1 request, to the end of the head of the request | the connection is closed |
/// | [`idle_timeout`](Self::idle_timeout) | 60 s | from the end of a response to the next request | the connection is closed |
/// | [`body_progress`](Self::body_progress) | 30 s | while the service reads a request body and no byte is received; while the client takes no byte of a response that is ready | the body fails, to which a router responds 408; the connection is closed |
/// | [`body_timeout`](Self::body_timeout) | none | from the first wait of the service for a request body to its end, and a second more for each 10 KiB | the body fails |
/// | [`max_connections`](Self::max_connections) | 10,000 | open connections | further ones wait in the queue of the listener |
/// | [`shutdown_timeout`](Self::shutdown_timeout) | 30 s | from the start of the shutdown to the end of the last response | the remaining connections are closed |
///
/// The time of a handler is not limited, and neither is the time in which a streamed response has
/// no item. [`Router::body_timeout`](super::Router::body_timeout) limits the whole time of a
/// buffered request body by default. Each request has the address of its client as a [`SocketAddr`] among its
/// extensions. If the future is dropped, all connections are closed.
///
/// ```no_run
/// # use bothends_runtime::server::{Router, serve};
/// # use std::time::Duration;
/// # async fn with<A: Send + Sync + 'static>(router: Router<A>, signal: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
/// # let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
/// serve(listener, router)
///     .head_timeout(Duration::from_secs(5))
///     .max_connections(1_000)
///     .graceful_shutdown(signal)
///     .await
/// # }
/// ```
#[must_use = "a server does nothing unless it is awaited"]
pub struct Serve<L, S> {
    listener: L,
    service: S,
    limits: Limits,
    connections: usize,
    shutdown: BoxFuture<'static, ()>,
    shutdown_timeout: Duration,
}

/// The limits of a connection; `None` is no limit.
#[derive(Debug, Clone, Copy)]
struct Limits {
    head: Option<Duration>,
    idle: Option<Duration>,
    progress: Option<Duration>,
    body: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: Some(Duration::from_secs(10)),
            idle: Some(Duration::from_secs(60)),
            progress: Some(Duration::from_secs(30)),
            body: None,
        }
    }
}

impl<L, S> Serve<L, S> {
    /// Sets the limit for the time to receive the head of a request; the default is 10 s. `None` is
    /// no limit.
    pub fn head_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.limits.head = limit.into();
        self
    }

    /// Sets the limit for the time between a response and the next request on a connection; the
    /// default is 60 s. `None` is no limit.
    pub fn idle_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.limits.idle = limit.into();
        self
    }

    /// Sets the limit for the time without progress of a body: without a byte of a request body
    /// that the service waits for, or without a byte that the client takes of a response. The
    /// default is 30 s. `None` is no limit.
    pub fn body_progress(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.limits.progress = limit.into();
        self
    }

    /// Sets the limit for the time to receive a request body: the given duration, and one second
    /// more for each 10 KiB that are received. By default, the time is not limited: a streamed body
    /// may last as long as it likes, and a [`Router`](super::Router) has its own limit for buffered
    /// bodies. Other services, such as handlers of axum, have no limit.
    pub fn body_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.limits.body = limit.into();
        self
    }

    /// Sets the limit for the number of open connections; the default is 10,000. 0 counts as 1.
    pub fn max_connections(mut self, limit: usize) -> Self {
        self.connections = limit;
        self
    }

    /// Shuts the server down when a future completes: the listener and idle connections are closed,
    /// and requests that were received are responded to, within the
    /// [`shutdown_timeout`](Self::shutdown_timeout).
    pub fn graceful_shutdown(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.shutdown = Box::pin(signal);
        self
    }

    /// Sets the limit for the time of a [`graceful_shutdown`](Self::graceful_shutdown); the default
    /// is 30 s.
    pub fn shutdown_timeout(mut self, limit: Duration) -> Self {
        self.shutdown_timeout = limit;
        self
    }
}

impl<L, S> fmt::Debug for Serve<L, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serve")
            .field("limits", &self.limits)
            .field("connections", &self.connections)
            .field("shutdown_timeout", &self.shutdown_timeout)
            .finish_non_exhaustive()
    }
}

impl<L, S, B> IntoFuture for Serve<L, S>
where
    L: Listener,
    S: Service<Request<Body>, Response = http::Response<B>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Error: Into<BodyError>,
    B: HttpBody + Send + 'static,
    B::Error: Into<BodyError>,
{
    /// The result is an error only if the system fails for good, which the sockets of tokio never
    /// report: a failed `accept` is repeated.
    type Output = Result<()>;
    type IntoFuture = BoxFuture<'static, Result<()>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl<L: Listener, S> Serve<L, S> {
    async fn run<B>(mut self) -> Result<()>
    where
        S: Service<Request<Body>, Response = http::Response<B>> + Clone + Send + 'static,
        S::Future: Send + 'static,
        S::Error: Into<BodyError>,
        B: HttpBody + Send + 'static,
        B::Error: Into<BodyError>,
    {
        let most = self.connections.clamp(1, Semaphore::MAX_PERMITS);
        let free = Arc::new(Semaphore::new(most));
        let (stop, stopping) = watch::channel(false);
        let mut connections = JoinSet::new();
        loop {
            while connections.try_join_next().is_some() {}
            let next = async {
                let permit = Arc::clone(&free).acquire_owned().await;
                (permit, accept(&mut self.listener).await)
            };
            let (permit, (io, peer)) = tokio::select! {
                biased;
                () = &mut self.shutdown => break,
                next = next => next,
            };
            // The semaphore is never closed.
            let Ok(permit) = permit else { break };
            let (service, limits) = (self.service.clone(), self.limits);
            let stopping = stopping.clone();
            connections.spawn(async move {
                connection::run(io, peer, permit, service, limits, stopping).await;
            });
        }
        drop(self.listener);
        stop.send_replace(true);
        let ended = async { while connections.join_next().await.is_some() {} };
        // The others are closed when the set is dropped.
        let _ = timeout(self.shutdown_timeout, ended).await;
        Ok(())
    }
}

/// Accepts the next connection, after as many errors as there are.
async fn accept<L: Listener>(listener: &mut L) -> (L::Io, Option<SocketAddr>) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if is_of_connection(&error) => {}
            Err(error) => {
                #[cfg(feature = "tracing")]
                tracing::error!(%error, "cannot accept a connection");
                #[cfg(not(feature = "tracing"))]
                drop(error);
                sleep(ACCEPT_DELAY).await;
            }
        }
    }
}

/// Returns whether an error of `accept` concerns one connection, not the listener.
fn is_of_connection(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionRefused
            | ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::Interrupted
    )
}

/// A listener that [`serve`] accepts connections from.
pub trait Listener: Send + 'static {
    /// A connection.
    type Io: AsyncRead + AsyncWrite + Unpin + Send + 'static;

    /// Accepts the next connection, and returns the address of its peer if it has one. [`serve`]
    /// may drop the future before it completes, and calls this again after an error.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no connection now.
    fn accept(&mut self) -> impl Future<Output = Result<(Self::Io, Option<SocketAddr>)>> + Send;
}

impl Listener for TcpListener {
    type Io = tokio::net::TcpStream;

    async fn accept(&mut self) -> Result<(Self::Io, Option<SocketAddr>)> {
        let (stream, peer) = Self::accept(self).await?;
        // A small response is sent at once. Without the option it is sent later.
        let _ = stream.set_nodelay(true);
        Ok((stream, Some(peer)))
    }
}

#[cfg(unix)]
impl Listener for tokio::net::UnixListener {
    type Io = tokio::net::UnixStream;

    async fn accept(&mut self) -> Result<(Self::Io, Option<SocketAddr>)> {
        let (stream, _) = Self::accept(self).await?;
        Ok((stream, None))
    }
}
