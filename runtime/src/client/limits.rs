//! How long a server may take, and which limit it has passed.

use std::error::Error;
use std::fmt;
use std::time::Duration;

/// How long a server may take over a response: the limits of each attempt at a call.
///
/// | limit | default | counts |
/// |---|---|---|
/// | [`head`](Self::head) | 60 s | from the last piece of the request that was handed on until the head of the response is whole, connecting included |
/// | [`idle`](Self::idle) | 60 s | between two pieces of a body that is read whole |
/// | [`body`](Self::body) | 10 min | from the head to the end of a body that is read whole |
/// | [`stream_idle`](Self::stream_idle) | 5 min | between two pieces of a body that is handed on as it is received: events, lines of JSON, downloads |
///
/// - 60 s is what common proxies and load balancers wait for a server (`proxy_read_timeout` of nginx),
///   so what has not begun by then rarely does.
/// - `body` ends a response that drips, which never reaches `idle`.
/// - A stream may live as long as it likes: nothing limits the whole of it. Any byte counts, comments of
///   an event stream among them, which servers are to send every 15 s or so (HTML, section 9.2.7).
///   A stream that may be silent for longer, such as a watch without heartbeats, is called with
///   `stream_idle(None)`.
/// - Time passes only while the client waits: a caller that takes its time between two items loses
///   nothing.
///
/// [`ReqwestTransport`](super::ReqwestTransport) keeps the limits, and so does any transport within
/// [`TimeLimited`](super::TimeLimited); others find them among the extensions of the request. What
/// passes a limit fails with a [`TimedOut`] among its sources. The limit for connecting, 10 s, belongs to
/// the transport: `ReqwestTransport::builder`.
///
/// ```
/// use bothends_runtime::client::{CallOptions, TimeLimits};
/// use std::time::Duration;
///
/// let slow_report = TimeLimits::default().head(Duration::from_secs(300));
/// let watch = TimeLimits::default().stream_idle(None);
/// let options = CallOptions::new().time_limits(watch);
/// # drop((slow_report, options));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    pub(super) head: Option<Duration>,
    pub(super) idle: Option<Duration>,
    pub(super) body: Option<Duration>,
    pub(super) stream_idle: Option<Duration>,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self {
            head: Some(Duration::from_secs(60)),
            idle: Some(Duration::from_secs(60)),
            body: Some(Duration::from_secs(10 * 60)),
            stream_idle: Some(Duration::from_secs(5 * 60)),
        }
    }
}

impl TimeLimits {
    /// No limit at all.
    pub const NONE: Self = Self {
        head: None,
        idle: None,
        body: None,
        stream_idle: None,
    };

    /// With another limit until the head of the response; `None` waits for ever.
    #[must_use]
    pub fn head(self, head: impl Into<Option<Duration>>) -> Self {
        Self {
            head: head.into(),
            ..self
        }
    }

    /// With another limit between two pieces of a body that is read whole.
    #[must_use]
    pub fn idle(self, idle: impl Into<Option<Duration>>) -> Self {
        Self {
            idle: idle.into(),
            ..self
        }
    }

    /// With another limit for all of a body that is read whole.
    #[must_use]
    pub fn body(self, body: impl Into<Option<Duration>>) -> Self {
        Self {
            body: body.into(),
            ..self
        }
    }

    /// With another limit between two pieces of a streamed body.
    #[must_use]
    pub fn stream_idle(self, stream_idle: impl Into<Option<Duration>>) -> Self {
        Self {
            stream_idle: stream_idle.into(),
            ..self
        }
    }
}

/// Which limit was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TimeLimit {
    /// No connection was made in time; a setting of the transport.
    Connect,
    /// [`TimeLimits::head`]
    Head,
    /// [`TimeLimits::idle`]
    Idle,
    /// [`TimeLimits::body`]
    Body,
    /// [`TimeLimits::stream_idle`]
    StreamIdle,
    /// [`CallOptions::timeout`](super::CallOptions::timeout)
    Timeout,
}

/// A server took longer than it may.
///
/// It is among the sources of a [`TransportError`](super::TransportError), or of a
/// [`StreamError`](crate::StreamError) where a stream was already handed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedOut {
    pub(super) limit: TimeLimit,
    pub(super) after: Option<Duration>,
}

impl TimedOut {
    /// Which limit was passed.
    pub const fn limit(&self) -> TimeLimit {
        self.limit
    }

    /// How long the limit is; `None` where only the transport knows.
    pub const fn after(&self) -> Option<Duration> {
        self.after
    }

    /// The first one of an error and its sources.
    pub fn find<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Self> {
        let mut error = Some(error);
        while let Some(at) = error {
            if let Some(found) = at.downcast_ref() {
                return Some(found);
            }
            error = at.source();
        }
        None
    }
}

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.limit {
            TimeLimit::Connect => "no connection was made in time",
            TimeLimit::Head => "the head of the response was not received",
            TimeLimit::Idle => "nothing more of the body was received",
            TimeLimit::Body => "the body was not received whole",
            TimeLimit::StreamIdle => "nothing more of the stream was received",
            TimeLimit::Timeout => "the response was not received whole",
        })?;
        match self.after {
            Some(after) => write!(f, " within {after:?}"),
            None => Ok(()),
        }
    }
}

impl Error for TimedOut {}
