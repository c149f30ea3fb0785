//! Time limits for responses, and the error of an exceeded limit.

use crate::message::chain::chain;
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// Time limits for the stages of a response. They apply to each attempt at a call.
///
/// | limit | default | measured |
/// |---|---|---|
/// | [`head`](Self::head) | 60 s | from the last piece of the request that was passed on until the head of the response is complete, connecting included |
/// | [`idle`](Self::idle) | 60 s | between two pieces of a buffered body |
/// | [`body`](Self::body) | 10 min | from the head to the end of a buffered body |
/// | [`stream_idle`](Self::stream_idle) | 5 min | between two pieces of a streamed body: events, lines of JSON, downloads |
///
/// - 60 s is what common proxies and load balancers wait for a server (`proxy_read_timeout` of
///   nginx), so a response that has not begun by then rarely does.
/// - `body` ends a response that is received so slowly that `idle` is never exceeded.
/// - A stream may last indefinitely: its total duration is not limited. Any byte counts, including
///   the comments of an event stream, which servers are to send every 15 s or so (HTML, section
///   9.2.7). For a stream that may be silent for longer, such as a watch without heartbeats, use
///   `stream_idle(None)`.
/// - Time passes only while the client waits for the server: time that the caller spends between
///   two items does not count.
///
/// `HyperTransport` and `ReqwestTransport` enforce the limits, and so does any transport inside
/// `TimeLimited`. Other transports find the limits among the
/// extensions of the request. An exceeded limit is an error with a [`TimedOut`] among its sources.
/// The limit for connecting, 10 s, is a setting of the transport: `HyperTransport::builder`.
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
    /// No limits.
    pub const NONE: Self = Self {
        head: None,
        idle: None,
        body: None,
        stream_idle: None,
    };

    /// Sets the limit for the head of the response; `None` disables the limit.
    #[must_use]
    pub fn head(self, head: impl Into<Option<Duration>>) -> Self {
        Self {
            head: head.into(),
            ..self
        }
    }

    /// Sets the limit between two pieces of a buffered body; `None` disables the limit.
    #[must_use]
    pub fn idle(self, idle: impl Into<Option<Duration>>) -> Self {
        Self {
            idle: idle.into(),
            ..self
        }
    }

    /// Sets the limit for the whole of a buffered body; `None` disables the limit.
    #[must_use]
    pub fn body(self, body: impl Into<Option<Duration>>) -> Self {
        Self {
            body: body.into(),
            ..self
        }
    }

    /// Sets the limit between two pieces of a streamed body; `None` disables the limit.
    #[must_use]
    pub fn stream_idle(self, stream_idle: impl Into<Option<Duration>>) -> Self {
        Self {
            stream_idle: stream_idle.into(),
            ..self
        }
    }
}

/// The time limit that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TimeLimit {
    /// The connect timeout, a setting of the transport.
    Connect,
    /// The limit for the response head: [`TimeLimits::head`].
    Head,
    /// The limit between two pieces of a buffered body: [`TimeLimits::idle`].
    Idle,
    /// The limit for a whole buffered body: [`TimeLimits::body`].
    Body,
    /// The limit between two pieces of a streamed body: [`TimeLimits::stream_idle`].
    StreamIdle,
    /// The timeout of an attempt: [`CallOptions::timeout`](super::CallOptions::timeout).
    Timeout,
}

/// The error of an exceeded time limit.
///
/// It is among the sources of a [`TransportError`](super::TransportError), or of a
/// [`StreamError`](crate::StreamError) if the response is a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedOut {
    pub(super) limit: TimeLimit,
    pub(super) after: Option<Duration>,
}

impl TimedOut {
    /// Returns the limit that was exceeded.
    pub const fn limit(&self) -> TimeLimit {
        self.limit
    }

    /// Returns the duration of the limit; `None` if only the transport knows it.
    pub const fn after(&self) -> Option<Duration> {
        self.after
    }

    /// Returns the first `TimedOut` in the chain of an error and its sources.
    pub fn find<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Self> {
        chain(error).find_map(|error| error.downcast_ref())
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
