//! Enforcement of [`TimeLimits`] over a transport, on tokio's clock.

use super::call::CallOf;
use super::{Body, BodyError, TimeLimit, TimeLimits, TimedOut, Timeout, Transport, TransportError};
use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::fmt;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep};

/// A buffered body is passed on in pieces of this size, so that a long upload shows progress: the
/// limit for the head is measured from the last piece.
const PIECE: usize = 256 << 10;

/// A transport that enforces the [`TimeLimits`] and the [`Timeout`] of each request.
///
/// Wrap custom transports in it: [`ReqwestTransport`](super::ReqwestTransport) enforces the limits
/// itself. It needs a tokio runtime with its timer enabled.
#[derive(Clone)]
pub struct TimeLimited<T>(T);

impl<T> TimeLimited<T> {
    /// Wraps a transport.
    pub const fn new(transport: T) -> Self {
        Self(transport)
    }
}

impl<T> fmt::Debug for TimeLimited<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TimeLimited(…)")
    }
}

impl<T: Transport> Transport for TimeLimited<T> {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        send(request, |request| self.0.send(request)).await
    }
}

/// Sends a request within its limits, and applies the limits to the body of the response.
pub(super) async fn send<F>(
    request: Request<Body>,
    transport: impl FnOnce(Request<Body>) -> F,
) -> Result<Response<Body>, TransportError>
where
    F: Future<Output = Result<Response<Body>, TransportError>>,
{
    // Without tokio there is no clock.
    let Ok(runtime) = Handle::try_current() else {
        return transport(request).await;
    };
    let extensions = request.extensions();
    let limits: TimeLimits = extensions.get().copied().unwrap_or_default();
    let call: Option<CallOf> = extensions.get().copied();
    let timeout = extensions.get().map(|Timeout(timeout)| *timeout);
    let end = Due::after(Instant::now(), timeout, TimeLimit::Timeout);
    let progress = Progress::new();
    let request = request.map(|body| progress.watch(body));
    let mut answer = pin!(transport(request));
    let response = loop {
        let head = Due::after(progress.last(), limits.head, TimeLimit::Head);
        let Some(due) = Due::first(head, end) else {
            break answer.await?;
        };
        match tokio::time::timeout_at(due.at, answer.as_mut()).await {
            Ok(response) => break response?,
            // Another piece of the request may have been sent in the meantime.
            Err(_) if due.is(TimeLimit::Head) && progress.has_moved(head) => {}
            Err(_) => return Err(TransportError::new(due.passed)),
        }
    };
    let is_live = call.is_some_and(|call| call.is_live(response.status(), response.headers()));
    let (idle, end) = if is_live {
        // The total duration of a stream is not limited.
        ((TimeLimit::StreamIdle, limits.stream_idle), None)
    } else {
        let body = Due::after(Instant::now(), limits.body, TimeLimit::Body);
        ((TimeLimit::Idle, limits.idle), Due::first(end, body))
    };
    Ok(response.map(|body| {
        Body::new(Paced {
            body,
            idle,
            end,
            waiting: None,
            runtime,
        })
    }))
}

/// The time at which a limit is exceeded.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Due {
    at: Instant,
    passed: TimedOut,
}

impl Due {
    /// Returns `None` if there is no limit, or if it is too far away to be represented.
    fn after(from: Instant, after: Option<Duration>, limit: TimeLimit) -> Option<Self> {
        Some(Self {
            at: from.checked_add(after?)?,
            passed: TimedOut { limit, after },
        })
    }

    fn first(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) if other.at < one.at => Some(other),
            (one, other) => one.or(other),
        }
    }

    fn is(&self, limit: TimeLimit) -> bool {
        self.passed.limit == limit
    }
}

/// The time at which a piece of the request was last passed on.
#[derive(Clone)]
struct Progress(Arc<Mutex<Instant>>);

impl Progress {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    fn last(&self) -> Instant {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a piece was passed on after the limit was computed.
    fn has_moved(&self, due: Option<Due>) -> bool {
        let last = self.last();
        let later = |after| {
            last.checked_add(after)
                .map(|at| due.is_some_and(|due| at > due.at))
        };
        let after = due.and_then(|due| due.passed.after);
        after.and_then(later).unwrap_or_default()
    }

    /// Returns the same body, and records each piece. A small buffered body is sent at once.
    fn watch(&self, body: Body) -> Body {
        match body.into_bytes() {
            Ok(bytes) if bytes.len() <= PIECE => Body::from(bytes),
            Ok(bytes) => self.noting(Upload::Bytes(bytes)),
            Err(stream) => self.noting(Upload::Stream(stream)),
        }
    }

    fn noting(&self, upload: Upload) -> Body {
        Body::new(Noted {
            upload,
            progress: self.clone(),
        })
    }
}

/// The body of a request that is being sent.
enum Upload {
    Bytes(Bytes),
    Stream(Body),
}

struct Noted {
    upload: Upload,
    progress: Progress,
}

impl HttpBody for Noted {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let frame = match &mut self.upload {
            Upload::Bytes(bytes) if bytes.is_empty() => None,
            Upload::Bytes(bytes) => {
                let piece = bytes.split_to(bytes.len().min(PIECE));
                Some(Ok(Frame::data(piece)))
            }
            Upload::Stream(body) => ready!(Pin::new(body).poll_frame(cx)),
        };
        let now = Instant::now();
        *(self.progress.0.lock()).unwrap_or_else(PoisonError::into_inner) = now;
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        match &self.upload {
            Upload::Bytes(bytes) => bytes.is_empty(),
            Upload::Stream(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.upload {
            Upload::Bytes(bytes) => SizeHint::with_exact(u64::try_from(bytes.len()).unwrap_or(0)),
            Upload::Stream(body) => body.size_hint(),
        }
    }
}

/// The body of a response, which fails when a limit is exceeded.
struct Paced {
    body: Body,
    idle: (TimeLimit, Option<Duration>),
    end: Option<Due>,
    /// The timer of the piece that is awaited, and its limit.
    waiting: Option<(Pin<Box<Sleep>>, TimedOut)>,
    /// The body may be read outside of the runtime's context.
    runtime: Handle,
}

impl Paced {
    fn due(&self) -> Option<Due> {
        let (limit, after) = self.idle;
        Due::first(Due::after(Instant::now(), after, limit), self.end)
    }
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(cx) {
            this.waiting = None;
            return Poll::Ready(frame);
        }
        if this.waiting.is_none() {
            let Some(due) = this.due() else {
                return Poll::Pending;
            };
            let _entered = this.runtime.enter();
            this.waiting = Some((Box::pin(tokio::time::sleep_until(due.at)), due.passed));
        }
        let Some((sleep, passed)) = &mut this.waiting else {
            return Poll::Pending;
        };
        ready!(sleep.as_mut().poll(cx));
        let passed = *passed;
        this.body = Body::empty();
        this.waiting = None;
        Poll::Ready(Some(Err(passed.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
