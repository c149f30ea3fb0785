//! The part of a client that all operations share.

use super::base::{self, Servers};
use super::credentials::CredentialOverrides;
use super::origin::Trusted;
use super::user_agent;
use super::{
    CallOptions, CredentialSource, InvalidBaseUrl, NoCredentials, RetryPolicy, TimeLimits,
    TokenProvider,
};
#[cfg(feature = "check-responses")]
use crate::message::operation::checked::Check;
use http::{HeaderName, HeaderValue};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Default limit for the body of a response, in bytes.
const BODY_LIMIT: usize = 64 << 20;

/// The shared part of a client: server URLs, transport, credentials and the options of every
/// request.
#[derive(Clone)]
pub struct ClientCore<T> {
    pub(super) transport: T,
    pub(super) servers: Servers,
    pub(super) credentials: Arc<dyn CredentialSource>,
    pub(super) tokens: Option<Arc<dyn TokenProvider>>,
    pub(super) options: CallOptions,
    pub(super) trusted: Trusted,
    pub(super) body_limit: usize,
    pub(super) user_agent: HeaderValue,
    #[cfg(feature = "validate")]
    pub(super) checked: bool,
    #[cfg(feature = "gzip")]
    pub(super) compressed: bool,
}

impl<T: fmt::Debug> fmt::Debug for ClientCore<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientCore")
            .field("base", &self.servers.base)
            .field("transport", &self.transport)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "reqwest")]
impl ClientCore<super::ReqwestTransport> {
    /// Creates a client for the server at `base` over reqwest.
    ///
    /// # Errors
    ///
    /// Returns an error if `base` is not an absolute `http` or `https` URL, if it is an `https` URL
    /// and reqwest was compiled without TLS, or if the reqwest client cannot be built.
    pub fn reqwest(base: &str) -> Result<Self, super::BuildError> {
        let transport = <super::ReqwestTransport as super::ProvidedTransport>::provide(base)?;
        Ok(Self::new(base, transport)?)
    }
}

impl<T> ClientCore<T> {
    /// Creates a client for the server at `base`, such as `https://api.example.com/v1`.
    ///
    /// # Errors
    ///
    /// Returns an error if `base` is not an absolute `http` or `https` URL, or contains
    /// credentials, a query or a fragment.
    pub fn new(base: &str, transport: T) -> Result<Self, InvalidBaseUrl> {
        Ok(Self {
            transport,
            servers: Servers::new(base::parse(base)?),
            credentials: Arc::new(NoCredentials),
            tokens: None,
            options: CallOptions::new(),
            trusted: Trusted::default(),
            body_limit: BODY_LIMIT,
            user_agent: user_agent::usual(),
            #[cfg(feature = "validate")]
            checked: false,
            #[cfg(feature = "gzip")]
            compressed: false,
        })
    }

    /// Overrides a server that the document states for some operations.
    ///
    /// `stated` is the server's URL as the document states it, with the default of each variable
    /// inserted.
    ///
    /// # Errors
    ///
    /// Returns an error if `base` is not an absolute `http` or `https` URL, or contains
    /// credentials, a query or a fragment.
    pub fn override_server(self, stated: &str, base: &str) -> Result<Self, InvalidBaseUrl> {
        let base = base::parse(base)?;
        Ok(Self {
            servers: self.servers.instead(stated, base),
            ..self
        })
    }

    /// Sends all operations to the base URL of this client, including those for which the document
    /// states another server.
    ///
    /// Use this in tests, or behind a gateway.
    #[must_use]
    pub fn override_all_servers(mut self) -> Self {
        self.servers.overrides_all = true;
        self
    }

    /// Sets the credentials, which are sent with the operations that require them.
    #[must_use]
    pub fn credentials(self, credentials: impl CredentialSource + 'static) -> Self {
        Self {
            credentials: Arc::new(credentials),
            ..self
        }
    }

    /// Sets credentials that take precedence over the present ones. Credentials for other schemes
    /// are kept.
    #[must_use]
    pub fn credential_overrides(self, credentials: impl CredentialSource + 'static) -> Self {
        let credentials = CredentialOverrides {
            first: Arc::new(credentials),
            then: self.credentials,
        };
        Self {
            credentials: Arc::new(credentials),
            ..self
        }
    }

    /// Sets the provider of tokens for its security scheme.
    ///
    /// A credential set for the scheme itself takes precedence. If the response to the first
    /// attempt can be remedied with another token ([`TokenProvider::should_refresh`]), the token is
    /// replaced and the request is retried once.
    #[must_use]
    pub fn tokens(self, tokens: impl TokenProvider + 'static) -> Self {
        Self {
            tokens: Some(Arc::new(tokens)),
            ..self
        }
    }

    /// Returns a client whose calls use these options.
    ///
    /// The clone is cheap: credentials and tokens are shared.
    #[must_use]
    pub fn with(&self, options: CallOptions) -> Self
    where
        T: Clone,
    {
        Self {
            options: options.over(&self.options),
            ..self.clone()
        }
    }

    /// Sets a header for every request that does not set the header itself: see
    /// [`CallOptions::header`].
    #[must_use]
    pub fn header(self, name: HeaderName, value: HeaderValue) -> Self {
        Self {
            options: self.options.header(name, value),
            ..self
        }
    }

    /// Sets the header `User-Agent` of all requests, including those of
    /// [`token_source`](Self::token_source). The default is `bothends`; a generated client sends
    /// `NAME/VERSION bothends`, with the name and the version of the crate that it is compiled in.
    ///
    /// A token source that was made before keeps the header of that time.
    #[must_use]
    pub fn user_agent(self, user_agent: HeaderValue) -> Self {
        Self { user_agent, ..self }
    }

    /// Sets the limit for a buffered response body, in bytes after content decoding. The default is
    /// 64 MiB.
    ///
    /// For the body of an error (a status of 4xx or 5xx) the limit is never more than 1 MiB.
    #[must_use]
    pub fn body_limit(self, body_limit: usize) -> Self {
        Self { body_limit, ..self }
    }

    /// Sets the timeout of each attempt at a call: see [`CallOptions::timeout`].
    ///
    /// There is no such timeout by default. The stages of a call are limited by [`TimeLimits`].
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self {
            options: self.options.timeout(timeout),
            ..self
        }
    }

    /// Sets the time limits for the stages of each response.
    #[must_use]
    pub fn time_limits(self, limits: TimeLimits) -> Self {
        Self {
            options: self.options.time_limits(limits),
            ..self
        }
    }

    /// Sets the policy that decides whether a call is retried.
    #[must_use]
    pub fn retry(self, retry: impl RetryPolicy + 'static) -> Self {
        Self {
            options: self.options.retry(retry),
            ..self
        }
    }

    /// Retries calls as the document states ([`DocumentedRetries`](super::DocumentedRetries)), within
    /// a [`RetryBudget`](super::RetryBudget) that the clones of this client share.
    #[cfg(feature = "retries")]
    #[must_use]
    pub fn documented_retries(self) -> Self {
        let retries = super::DocumentedRetries::default();
        self.retry(super::RetryBudget::default().limit(retries))
    }

    /// Compresses request bodies with gzip if they are buffered and at least 1 KiB long.
    ///
    /// A server that does not support this returns 415. Responses in gzip are decoded in any case.
    #[cfg(feature = "gzip")]
    #[must_use]
    pub fn gzip_requests(self) -> Self {
        Self {
            compressed: true,
            ..self
        }
    }

    /// Checks each response by the document: see [`CallOptions::check_responses`].
    #[cfg(feature = "check-responses")]
    #[must_use]
    pub fn check_responses(self, check: Check) -> Self {
        Self {
            options: self.options.check_responses(check),
            ..self
        }
    }

    /// Validates each request against the constraints of the document before it is sent.
    ///
    /// A violation is returned as [`Error::Validation`](super::Error::Validation), and nothing is
    /// sent. This requires the feature `validate`: without it, generated code does not contain the
    /// checks.
    #[cfg(feature = "validate")]
    #[must_use]
    pub fn validate_requests(self) -> Self {
        Self {
            checked: true,
            ..self
        }
    }
}
