//! One connection: its requests, and the end of its waits.

use super::Limits;
use super::activity::{Activity, Deadline};
use super::watched::{Failed, Responding, Watched};
use crate::message::payload::{Body, BodyError};
use http::Request;
use http_body::Body as HttpBody;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, sleep};
use tower_service::Service;

/// The time that an idle peer has to close a connection of HTTP/2, after it received GOAWAY.
const GOAWAY: Duration = Duration::from_secs(5);

/// Serves a connection until it is closed, exceeds a limit, or has ended its last response after
/// `stopping`.
pub(super) async fn run<Io, S, B>(
    io: Io,
    peer: Option<SocketAddr>,
    permit: OwnedSemaphorePermit,
    service: S,
    limits: Limits,
    mut stopping: watch::Receiver<bool>,
) where
    Io: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    S: Service<Request<Body>, Response = http::Response<B>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Error: Into<BodyError>,
    B: HttpBody + Send + 'static,
    B::Error: Into<BodyError>,
{
    let activity = Activity::new();
    let io = TokioIo::new(Watched {
        io,
        activity: Arc::clone(&activity),
        _permit: permit,
    });
    let requests = Arc::clone(&activity);
    let service = service_fn(move |request: Request<Incoming>| {
        let exchange = requests.begin(request.version());
        let mut request = request.map(|body| {
            let body = Body::new(body).paused_at_most(limits.progress);
            body.received_within(limits.body)
        });
        if let Some(peer) = peer {
            request.extensions_mut().insert(peer);
        }
        let mut service = service.clone();
        async move {
            let failed = |error: S::Error| Failed(error.into());
            poll_fn(|cx| service.poll_ready(cx)).await.map_err(failed)?;
            let response = service.call(request).await.map_err(failed)?;
            Ok::<_, Failed>(response.map(|body| Responding::new(Body::new(body), exchange)))
        }
    });
    let builder = auto::Builder::new(TokioExecutor::new());
    let mut connection = pin!(builder.serve_connection_with_upgrades(io, service));
    let mut stop = pin!(stopping.wait_for(|stop| *stop));
    let (mut is_stopping, mut closing) = (false, None::<Instant>);
    let mut timer = pin!(sleep(limits.head.unwrap_or(GOAWAY)));
    poll_fn(|cx| {
        activity.set_task(cx.waker());
        if !is_stopping && stop.as_mut().poll(cx).is_ready() {
            is_stopping = true;
            connection.as_mut().graceful_shutdown();
        }
        loop {
            // An error of a connection has already failed its requests.
            if connection.as_mut().poll(cx).is_ready() {
                return Poll::Ready(());
            }
            let Some(Deadline { at, since, is_idle }) = activity.deadline(&limits) else {
                return Poll::Pending;
            };
            // A request may have crossed GOAWAY.
            let closing_at = closing
                .filter(|_| is_idle)
                .map(|at| (since + GOAWAY).max(at));
            let at = closing_at.unwrap_or(at);
            if Instant::now() < at {
                // The timer is set forth only when it ends: most deadlines move with each request.
                if at < timer.deadline() || timer.is_elapsed() {
                    timer.as_mut().reset(at);
                }
                if timer.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                continue;
            }
            if closing.is_some() || !is_idle {
                return Poll::Ready(());
            }
            connection.as_mut().graceful_shutdown();
            closing = Some(Instant::now() + GOAWAY);
        }
    })
    .await;
}
