//! Options of single calls.

use super::idempotency_key::IDEMPOTENCY_KEY;
use super::{Attempt, Delay, RetryPolicy, TimeLimits, Timeout};
#[cfg(feature = "check-responses")]
use crate::message::operation::checked::Check;
use crate::message::wire::percent::{Keep, encode};
use crate::values::EncodeError;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Options of calls that override those of the client: see [`ClientCore::with`](super::ClientCore::with), and
/// `with` of generated clients.
///
/// ```
/// use bothends_runtime::client::CallOptions;
/// use std::time::Duration;
///
/// let options = CallOptions::new()
///     .timeout(Duration::from_secs(5))
///     .header("x-request-id", "7f1c")
///     .idempotency_key("3c1f0a2e");
/// ```
#[derive(Clone, Default)]
pub struct CallOptions {
    pub(super) headers: HeaderMap,
    /// Pairs of the query, already encoded.
    pub(super) query: Vec<(String, String)>,
    pub(super) credentials: CredentialMode,
    pub(super) timeout: Option<Timeout>,
    pub(super) limits: Option<TimeLimits>,
    pub(super) retry: Option<Arc<dyn RetryPolicy>>,
    /// The id of the last event of a stream that is resumed.
    pub(super) last_event_id: Option<HeaderValue>,
    /// What is done with responses that do not match the document.
    #[cfg(feature = "check-responses")]
    pub(super) check: Option<Check>,
    /// The first invalid option. Each call with these options fails with it.
    pub(super) error: Option<EncodeError>,
}

/// The credentials that calls are made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum CredentialMode {
    /// All credentials of one alternative of the operation.
    #[default]
    Required,
    /// The available credentials, even if some are missing.
    Optional,
    /// No credentials.
    None,
}

impl CallOptions {
    /// Creates options that change nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a header. It replaces the header of the same name that the client sends with all calls.
    /// A header that the operation itself sends, for a parameter, a credential or the body, is
    /// kept.
    ///
    /// The call returns [`Error::Encode`](super::Error::Encode), and nothing is sent, if the name
    /// or the value is invalid, or if the header is `Content-Length` or `Transfer-Encoding`, which
    /// the transport sets.
    #[must_use]
    pub fn header(
        mut self,
        name: impl TryInto<HeaderName>,
        value: impl TryInto<HeaderValue>,
    ) -> Self {
        let error = match (name.try_into(), value.try_into()) {
            (Ok(name), _) if name == CONTENT_LENGTH || name == TRANSFER_ENCODING => {
                EncodeError::new(name.as_str(), "only the transport can say this")
            }
            (Ok(name), Ok(value)) => {
                self.headers.insert(name, value);
                return self;
            }
            (Ok(name), Err(_)) => EncodeError::new(name.as_str(), "no header can have this value"),
            (Err(_), _) => EncodeError::new("header", "this cannot be the name of a header"),
        };
        self.error.get_or_insert(error);
        self
    }

    /// Adds a pair to the query, for a key that the document does not describe. A key may be added
    /// more than once; pairs of the client are sent first.
    ///
    /// The pair is not sent if the operation itself sends the key, for a parameter or a credential.
    ///
    /// ```
    /// use bothends_runtime::client::CallOptions;
    ///
    /// let options = CallOptions::new().query("utm_source", "news letter");
    /// ```
    #[must_use]
    pub fn query(mut self, name: &str, value: &str) -> Self {
        let [name, value] = [name, value].map(|text| encode(text, Keep::UNRESERVED));
        self.query.push((name, value));
        self
    }

    /// Sends the available credentials only. An operation for which a credential is missing is
    /// called without it, instead of failing with
    /// [`Error::MissingCredentials`](super::Error::MissingCredentials).
    ///
    /// Use this for servers that accept callers without the credentials that their document
    /// requires.
    ///
    /// ```
    /// # use bothends_runtime::client::{CallOptions, ClientCore};
    /// # fn with<T: Clone>(core: ClientCore<T>) -> ClientCore<T> {
    /// // Every call of this client; `client.with(…)` of a generated client does the same.
    /// core.with(CallOptions::new().optional_credentials())
    /// # }
    /// ```
    #[must_use]
    pub fn optional_credentials(self) -> Self {
        Self {
            credentials: CredentialMode::Optional,
            ..self
        }
    }

    /// Sends no credentials, even if the client has some. No token is obtained.
    #[must_use]
    pub fn without_credentials(self) -> Self {
        Self {
            credentials: CredentialMode::None,
            ..self
        }
    }

    /// Sets the header `Idempotency-Key`, by which the server recognizes a repeated request. A call
    /// with a key is [repeatable](Attempt::is_repeatable) whatever its method.
    #[must_use]
    pub fn idempotency_key(self, key: impl TryInto<HeaderValue>) -> Self {
        self.header(IDEMPOTENCY_KEY, key)
    }

    /// Sets the timeout of each attempt at a call.
    ///
    /// The timeout includes reading the body. For a streamed response it ends with the response
    /// head, because a stream may last indefinitely. The transport enforces it: a custom transport
    /// finds a [`Timeout`] among the extensions of the request.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self {
            timeout: Some(Timeout(timeout)),
            ..self
        }
    }

    /// Sets the time limits for the stages of each response, instead of those of the client.
    #[must_use]
    pub fn time_limits(self, limits: TimeLimits) -> Self {
        Self {
            limits: Some(limits),
            ..self
        }
    }

    /// Sets the policy that decides whether the call is retried.
    #[must_use]
    pub fn retry(self, retry: impl RetryPolicy + 'static) -> Self {
        Self {
            retry: Some(Arc::new(retry)),
            ..self
        }
    }

    /// Disables retries, whatever the policy of the client.
    #[must_use]
    pub fn no_retry(self) -> Self {
        self.retry(Once)
    }

    /// Checks responses by the document, beyond what is needed to decode them.
    ///
    /// With [`Check::Log`] a mismatch is an event of the feature `tracing`, of the level warn. With [`Check::Fail`] it is
    /// [`Error::Mismatch`](super::Error::Mismatch), instead of any other result. [`Check::Off`] is the default of a
    /// client; as an option of a call it takes precedence over the setting of the client.
    ///
    /// The status, the media type and the headers of each response are checked, and the body unless it is streamed or
    /// bytes. A report contains names, JSON pointers and rules, and no values.
    #[cfg(feature = "check-responses")]
    #[must_use]
    pub fn check_responses(self, check: Check) -> Self {
        Self {
            check: Some(check),
            ..self
        }
    }

    /// Returns whether calls have an idempotency key.
    #[cfg(feature = "retries")]
    pub(super) fn has_idempotency_key(&self) -> bool {
        self.headers.contains_key(IDEMPOTENCY_KEY)
    }

    /// Merges two sets of options; those of `self` take precedence.
    pub(super) fn over(self, those: &Self) -> Self {
        let mut headers = those.headers.clone();
        headers.extend(self.headers);
        let mut query = those.query.clone();
        query.extend(self.query);
        Self {
            headers,
            query,
            credentials: match self.credentials {
                CredentialMode::Required => those.credentials,
                credentials => credentials,
            },
            timeout: self.timeout.or(those.timeout),
            limits: self.limits.or(those.limits),
            retry: self.retry.or_else(|| those.retry.clone()),
            last_event_id: self.last_event_id.or_else(|| those.last_event_id.clone()),
            #[cfg(feature = "check-responses")]
            check: self.check.or(those.check),
            error: self.error.or_else(|| those.error.clone()),
        }
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names only, because a value may be a secret.
        let names: Vec<&str> = self.headers.keys().map(HeaderName::as_str).collect();
        let keys: Vec<&str> = self.query.iter().map(|(key, _)| key.as_str()).collect();
        f.debug_struct("CallOptions")
            .field("headers", &names)
            .field("query", &keys)
            .field("credentials", &self.credentials)
            .field("timeout", &self.timeout)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The policy that never retries.
struct Once;

impl RetryPolicy for Once {
    fn next_delay(&self, _: &Attempt<'_>) -> Option<Delay> {
        None
    }
}
