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
/// Wrap custom transports in it: `HyperTransport` and `ReqwestTransport` enforce the limits
/// themselves. It needs a tokio runtime with its timer enabled.
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
pub(super) async fn send<F, B>(
    request: Request<Body>,
    transport: impl FnOnce(Request<Body>) -> F,
) -> Result<Response<Body>, TransportError>
where
    F: Future<Output = Result<Response<B>, TransportError>>,
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<BodyError>,
{
    // Without tokio there is no clock.
    let Ok(runtime) = Handle::try_current() else {
        return Ok(transport(request).await?.map(Body::new));
    };
    let extensions = request.extensions();
    let limits: TimeLimits = extensions.get().copied().unwrap_or_default();
    let call: Option<CallOf> = extensions.get().copied();
    let timeout = extensions.get().map(|Timeout(timeout)| *timeout);
    let begun = Instant::now();
    let end = Due::after(begun, timeout, TimeLimit::Timeout);
    let (request, progress) = watch(request);
    let mut sending = pin!(transport(request));
    let response = loop {
        let last = progress.as_ref().map_or(begun, Progress::last);
        let head = Due::after(last, limits.head, TimeLimit::Head);
        let Some(due) = Due::first(head, end) else {
            break sending.await?;
        };
        match tokio::time::timeout_at(due.at, sending.as_mut()).await {
            Ok(response) => break response?,
            // Another piece of the request may have been sent in the meantime.
            Err(_) if due.is(TimeLimit::Head) && has_moved(progress.as_ref(), head) => {}
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
            body: Some(body),
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

    fn first(due: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (due, other) {
            (Some(due), Some(other)) if other.at < due.at => Some(other),
            (due, other) => due.or(other),
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
}

fn has_moved(progress: Option<&Progress>, due: Option<Due>) -> bool {
    progress.is_some_and(|progress| progress.has_moved(due))
}

/// Returns the same request, and records each piece of its body. A small buffered body is sent at
/// once.
fn watch(request: Request<Body>) -> (Request<Body>, Option<Progress>) {
    let (head, body) = request.into_parts();
    if body.is_replayable() && !body.is_larger(PIECE) {
        return (Request::from_parts(head, body), None);
    }
    let progress = Progress::new();
    let noted = Noted {
        rest: Bytes::new(),
        body,
        progress: progress.clone(),
    };
    (Request::from_parts(head, Body::new(noted)), Some(progress))
}

/// The body of a request that is being sent.
struct Noted {
    /// What is left of the frame that is passed on in pieces.
    rest: Bytes,
    body: Body,
    progress: Progress,
}

impl HttpBody for Noted {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let frame = loop {
            if !self.rest.is_empty() {
                let length = self.rest.len().min(PIECE);
                break Some(Ok(Frame::data(self.rest.split_to(length))));
            }
            match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(frame) => break Some(Ok(frame)),
                },
                end => break end,
            }
        };
        let now = Instant::now();
        *(self.progress.0.lock()).unwrap_or_else(PoisonError::into_inner) = now;
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = u64::try_from(self.rest.len()).unwrap_or(0);
        let mut hint = self.body.size_hint();
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}

/// The body of a response, which fails when a limit is exceeded.
struct Paced<B> {
    /// `None` after a limit was exceeded.
    body: Option<B>,
    idle: (TimeLimit, Option<Duration>),
    end: Option<Due>,
    /// The timer of the piece that is awaited, and its limit.
    waiting: Option<(Pin<Box<Sleep>>, TimedOut)>,
    /// The body may be read outside of the runtime's context.
    runtime: Handle,
}

impl<B> Paced<B> {
    fn due(&self) -> Option<Due> {
        let (limit, after) = self.idle;
        Due::first(Due::after(Instant::now(), after, limit), self.end)
    }
}

impl<B> HttpBody for Paced<B>
where
    B: HttpBody<Data = Bytes> + Unpin,
    B::Error: Into<BodyError>,
{
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let this = &mut *self;
        let Some(body) = &mut this.body else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(frame) = Pin::new(body).poll_frame(cx) {
            this.waiting = None;
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
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
        this.body = None;
        this.waiting = None;
        Poll::Ready(Some(Err(passed.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let body = self.body.as_ref();
        body.map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}
