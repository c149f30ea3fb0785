//! Retries of calls.

use super::TransportError;
#[cfg(feature = "retries")]
use super::jitter::part;
use crate::message::{OperationMeta, retry_after};
use http::{HeaderMap, StatusCode};
use std::fmt;
use std::pin::Pin;
use std::time::Duration;

/// The delay before the next attempt.
pub type Delay = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A policy that decides whether and when a call is retried.
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
    /// Returns the delay before the next attempt, or `None` for no further attempt.
    ///
    /// The client calls this after every attempt, including successful ones.
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay>;
}

/// An attempt at a call and its result. `Debug` shows only the names of headers.
pub struct Attempt<'a> {
    /// The operation.
    pub operation: &'static OperationMeta,
    /// The number of the attempt, starting at 1.
    pub number: u32,
    /// The time since the first attempt began.
    pub elapsed: Duration,
    /// Whether the request has an idempotency key: the header `Idempotency-Key`, or the header that
    /// the document has for it.
    pub idempotency_key: bool,
    /// The status and the headers of the response, if one was received.
    pub response: Option<(StatusCode, &'a HeaderMap)>,
    /// The transport error, if no response was received.
    pub error: Option<&'a TransportError>,
}

impl fmt::Debug for Attempt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let response = self.response.map(|(status, headers)| {
            let names: Vec<&str> = headers.keys().map(http::HeaderName::as_str).collect();
            (status, names)
        });
        f.debug_struct("Attempt")
            .field("operation", &self.operation.id)
            .field("number", &self.number)
            .field("elapsed", &self.elapsed)
            .field("idempotency_key", &self.idempotency_key)
            .field("response", &response)
            .field("error", &self.error)
            .finish()
    }
}

impl Attempt<'_> {
    /// Returns whether the request can be repeated safely: its method is idempotent (RFC 9110,
    /// section 9.2.2), it has an idempotency key, or the document declares the operation as
    /// idempotent.
    pub fn is_repeatable(&self) -> bool {
        let safe = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "DELETE"];
        let is_declared = || self.operation.retries.is_some_and(|rules| rules.idempotent);
        self.idempotency_key || safe.contains(&self.operation.method) || is_declared()
    }

    /// Returns whether the same request may succeed later: the server or the connection failed, the
    /// server asks the client to wait, or the server still handles an earlier attempt with the same
    /// idempotency key (409 with `Retry-After`).
    pub fn is_transient(&self) -> bool {
        match self.response {
            Some((StatusCode::CONFLICT, _)) => self.idempotency_key && self.retry_after().is_some(),
            Some((status, _)) => passes(status),
            None => self.error.is_some_and(|error| !error.is_untrusted()),
        }
    }

    /// Returns whether a response was received that reports no error.
    pub fn is_success(&self) -> bool {
        let is_error = |status: StatusCode| status.is_client_error() || status.is_server_error();
        self.response.is_some_and(|(status, _)| !is_error(status))
    }

    /// Returns the delay that the server asks for by `Retry-After` (RFC 9110, section 10.2.3).
    pub fn retry_after(&self) -> Option<Duration> {
        let (_, headers) = self.response?;
        retry_after(headers)
    }

    /// Returns the delay before the next attempt, or `None` if the server asks for more than the
    /// longest one.
    #[cfg(feature = "retries")]
    pub(super) fn delay(
        &self,
        first: Duration,
        longest: Duration,
        factor: f64,
    ) -> Option<Duration> {
        let exponent = i32::try_from(self.number.saturating_sub(1)).unwrap_or(i32::MAX);
        let grown = first.as_secs_f64() * factor.powi(exponent);
        let pause = Duration::try_from_secs_f64(grown).unwrap_or(longest);
        let pause = part(pause.min(longest), 1.0 - 0.5 * fastrand::f64());
        let asked = self.retry_after().unwrap_or_default();
        (asked <= longest).then(|| pause.max(asked))
    }
}

/// A policy that retries transient failures of repeatable calls with exponential backoff.
///
/// A longer delay in `Retry-After` takes precedence. A call is not retried if the server asks for
/// more than the longest delay.
#[cfg(feature = "retries")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backoff {
    /// The number of attempts in all. The default is 3.
    pub attempts: u32,
    /// The delay before the second attempt. The default is 200 ms. Up to half of each delay is
    /// subtracted at random, so that clients that failed together do not retry together.
    pub initial_delay: Duration,
    /// The longest delay. The default is 20 s.
    pub max_delay: Duration,
    /// Whether calls that are not [repeatable](Attempt::is_repeatable) are retried too. The default
    /// is `false`.
    pub retry_all_methods: bool,
}

#[cfg(feature = "retries")]
impl Default for Backoff {
    fn default() -> Self {
        Self {
            attempts: 3,
            initial_delay: Duration::from_millis(200),
            max_delay: Duration::from_secs(20),
            retry_all_methods: false,
        }
    }
}

#[cfg(feature = "retries")]
impl Backoff {
    /// Delays double.
    pub(super) const FACTOR: f64 = 2.0;

    /// Returns whether a further attempt is safe, and may succeed.
    pub(super) fn may_retry(&self, attempt: &Attempt<'_>) -> bool {
        (self.retry_all_methods || attempt.is_repeatable()) && attempt.is_transient()
    }

    /// Sets the number of attempts in all.
    #[must_use]
    pub const fn attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    /// Retries calls of every method, for an API whose document asks clients to do so. A failed
    /// `POST` may have been processed, and the retry then processes it again.
    #[must_use]
    pub const fn retry_all_methods(self) -> Self {
        Self {
            retry_all_methods: true,
            ..self
        }
    }
}

#[cfg(feature = "retries")]
impl RetryPolicy for Backoff {
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
        if attempt.number >= self.attempts || !self.may_retry(attempt) {
            return None;
        }
        let delay = attempt.delay(self.initial_delay, self.max_delay, Self::FACTOR)?;
        Some(Box::pin(tokio::time::sleep(delay)))
    }
}

/// Returns whether a status reports a transient failure.
pub(super) fn passes(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429)
}

/// The timeout of an attempt; a transport finds it among the extensions of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeout(pub Duration);

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
