//! What one call does differently.

use super::{Attempt, Delay, RetryPolicy, TimeLimits, Timeout};
use crate::EncodeError;
use crate::wire::percent::{Keep, encode};
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The header by which a server knows a request that it has had before
/// (draft-ietf-httpapi-idempotency-key-header).
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// What some calls do differently from the others of their client: see [`Core::with`](super::Core::with),
/// and `with` of generated clients.
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
    /// Pairs of the query, as they are written.
    pub(super) query: Vec<(String, String)>,
    pub(super) credentials: Showing,
    pub(super) timeout: Option<Timeout>,
    pub(super) limits: Option<TimeLimits>,
    pub(super) retry: Option<Arc<dyn RetryPolicy>>,
    /// Why no call can be made with these.
    pub(super) error: Option<EncodeError>,
}

/// Which credentials calls are made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Showing {
    /// All that one alternative of the operation needs.
    #[default]
    Required,
    /// Those that there are.
    Optional,
    /// None.
    None,
}

impl CallOptions {
    /// Nothing different.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a header; it takes the place of one of the same name that all calls of the client have.
    /// A header that the operation itself sends, for a parameter, a credential or the body, stays.
    ///
    /// A name or a value that no header can have, and `Content-Length` and `Transfer-Encoding`,
    /// which only the transport can say, come as [`Error::Encode`](super::Error::Encode) from the
    /// call; nothing is sent.
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

    /// With a pair in the query, for a key that the document does not have. It may be said more than
    /// once; pairs of the client come first. A key that the operation itself sends, for a parameter or a
    /// credential, stays as it is, and the pair is not sent.
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

    /// With the credentials that there are: an operation for which one is missing is called without
    /// it, in place of an [`Error::MissingCredentials`](super::Error::MissingCredentials). For servers
    /// that let callers in without what their document asks for.
    ///
    /// ```
    /// # use bothends_runtime::client::{CallOptions, Core};
    /// # fn with<T: Clone>(core: Core<T>) -> Core<T> {
    /// // Every call of this client; `client.with(…)` of a generated client does the same.
    /// core.with(CallOptions::new().optional_credentials())
    /// # }
    /// ```
    #[must_use]
    pub fn optional_credentials(self) -> Self {
        Self {
            credentials: Showing::Optional,
            ..self
        }
    }

    /// Without any credentials, also where the client has them; no token is obtained.
    #[must_use]
    pub fn without_credentials(self) -> Self {
        Self {
            credentials: Showing::None,
            ..self
        }
    }

    /// With a key, as the header `Idempotency-Key`, by which the server knows a request that it has
    /// had before. A call with one [may be repeated](Attempt::is_repeatable) whatever its method.
    #[must_use]
    pub fn idempotency_key(self, key: impl TryInto<HeaderValue>) -> Self {
        self.header(IDEMPOTENCY_KEY, key)
    }

    /// With a limit for the time of each attempt, until the body is read; for a response that is
    /// streamed until its head, since a stream may live as long as it likes. The transport keeps it:
    /// one of your own finds it among the request's extensions, as a [`Timeout`].
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self {
            timeout: Some(Timeout(timeout)),
            ..self
        }
    }

    /// With other limits than the client's for the time that each stage of a response may take.
    #[must_use]
    pub fn time_limits(self, limits: TimeLimits) -> Self {
        Self {
            limits: Some(limits),
            ..self
        }
    }

    /// With somebody who decides whether the call is tried again.
    #[must_use]
    pub fn retry(self, retry: impl RetryPolicy + 'static) -> Self {
        Self {
            retry: Some(Arc::new(retry)),
            ..self
        }
    }

    /// With one attempt only, whatever the client does otherwise.
    #[must_use]
    pub fn no_retry(self) -> Self {
        self.retry(Once)
    }

    /// These, and where they say nothing, those.
    pub(super) fn over(self, those: &Self) -> Self {
        let mut headers = those.headers.clone();
        headers.extend(self.headers);
        let mut query = those.query.clone();
        query.extend(self.query);
        Self {
            headers,
            query,
            credentials: match self.credentials {
                Showing::Required => those.credentials,
                credentials => credentials,
            },
            timeout: self.timeout.or(those.timeout),
            limits: self.limits.or(those.limits),
            retry: self.retry.or_else(|| those.retry.clone()),
            error: self.error.or_else(|| those.error.clone()),
        }
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names only: a value may be a secret.
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

/// Leaves it at the first attempt.
struct Once;

impl RetryPolicy for Once {
    fn next_delay(&self, _: &Attempt<'_>) -> Option<Delay> {
        None
    }
}
