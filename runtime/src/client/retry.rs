//! Calls that are tried again.

use super::TransportError;
use crate::OperationMeta;
use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};
use std::fmt;
use std::pin::Pin;
use std::time::Duration;

/// A while to wait before the next attempt.
pub type Delay = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Decides whether a call is tried again, and when.
///
/// ```
/// use bothends_runtime::client::{Attempt, Delay, RetryPolicy};
///
/// /// Three attempts at what may be repeated, one right after the other.
/// struct Thrice;
///
/// impl RetryPolicy for Thrice {
///     fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
///         let again = attempt.number < 3 && attempt.is_repeatable() && attempt.is_transient();
///         again.then(|| -> Delay { Box::pin(async {}) })
///     }
/// }
/// ```
pub trait RetryPolicy: Send + Sync {
    /// What to wait for before the next attempt; `None` leaves it at this one.
    ///
    /// It is asked after every attempt, those that went well too.
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay>;
}

/// An attempt at a call, and what it came to. Its `Debug` shows the names of headers only.
pub struct Attempt<'a> {
    /// The operation.
    pub operation: &'static OperationMeta,
    /// Which attempt it was; the first is 1.
    pub number: u32,
    /// Whether the request carries a key by which the server knows it again: the header
    /// `Idempotency-Key`.
    pub idempotency_key: bool,
    /// The status and the headers of the answer, if there was one.
    pub response: Option<(StatusCode, &'a HeaderMap)>,
    /// Why there was none.
    pub error: Option<&'a TransportError>,
}

impl fmt::Debug for Attempt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = self.response.map(|(status, headers)| {
            let names: Vec<&str> = headers.keys().map(http::HeaderName::as_str).collect();
            (status, names)
        });
        f.debug_struct("Attempt")
            .field("operation", &self.operation.id)
            .field("number", &self.number)
            .field("idempotency_key", &self.idempotency_key)
            .field("answer", &answer)
            .field("error", &self.error)
            .finish()
    }
}

impl Attempt<'_> {
    /// Whether doing it twice is as good as doing it once: by its method (RFC 9110, section 9.2.2),
    /// or since it carries an idempotency key.
    pub fn is_repeatable(&self) -> bool {
        let safe = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "DELETE"];
        self.idempotency_key || safe.contains(&self.operation.method)
    }

    /// Whether it may come to something else later: the server or the way to it failed, or it
    /// asks to wait.
    pub fn is_transient(&self) -> bool {
        match self.response {
            Some((status, _)) => passes(status),
            None => self.error.is_some(),
        }
    }

    /// How long the server asks to wait, where it says so in seconds (RFC 9110, section 10.2.3).
    pub fn retry_after(&self) -> Option<Duration> {
        let (_, headers) = self.response?;
        let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
        seconds.parse().ok().map(Duration::from_secs)
    }
}

/// Tries again what may be repeated and may pass, after pauses that double.
///
/// A server that asks for a longer pause gets it; one that asks for more than the longest pause is
/// left alone.
#[cfg(any(feature = "tokens", feature = "tasks"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backoff {
    /// How many attempts there are in all: 3 unless something else is said.
    pub attempts: u32,
    /// The pause before the second attempt: 200 ms unless something else is said. Up to half of
    /// each is left off, by chance, so that those who failed together do not come back together.
    pub first: Duration,
    /// The longest pause: 20 s unless something else is said.
    pub longest: Duration,
    /// Whether calls are repeated that are not [repeatable](Attempt::is_repeatable) by their method:
    /// no, unless something else is said.
    pub every_method: bool,
}

#[cfg(any(feature = "tokens", feature = "tasks"))]
impl Default for Backoff {
    fn default() -> Self {
        Self {
            attempts: 3,
            first: Duration::from_millis(200),
            longest: Duration::from_secs(20),
            every_method: false,
        }
    }
}

#[cfg(any(feature = "tokens", feature = "tasks"))]
impl Backoff {
    /// With so many attempts in all.
    #[must_use]
    pub const fn attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    /// Repeats calls of every method, for an API whose document tells its clients to. A `POST` that
    /// failed may have done its work all the same, and is then done twice.
    #[must_use]
    pub const fn every_method(self) -> Self {
        Self {
            every_method: true,
            ..self
        }
    }
}

#[cfg(any(feature = "tokens", feature = "tasks"))]
impl RetryPolicy for Backoff {
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
        let again = attempt.number < self.attempts;
        let may = self.every_method || attempt.is_repeatable();
        if !again || !may || !attempt.is_transient() {
            return None;
        }
        let doubled = 2_u32.saturating_pow(attempt.number.saturating_sub(1));
        let pause = self.first.saturating_mul(doubled).min(self.longest);
        let pause = pause.mul_f64(1.0 - 0.5 * fastrand::f64());
        let asked = attempt.retry_after().unwrap_or_default();
        (asked <= self.longest).then(|| -> Delay { Box::pin(tokio::time::sleep(pause.max(asked))) })
    }
}

/// Whether a status speaks of something that passes.
pub(super) fn passes(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429)
}

/// How long a call may take; a transport finds it among the extensions of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeout(pub Duration);

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
