//! The part of a client that all operations share.

use super::base::{self, Servers};
use super::credentials::Further;
use super::origin::Trusted;
use super::{
    CallOptions, CredentialSource, InvalidBaseUrl, NoCredentials, RetryPolicy, TimeLimits,
    TokenProvider,
};
use http::{HeaderName, HeaderValue};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The most bytes that the body of a response may have, unless something else is said.
const BODY_LIMIT: usize = 64 << 20;

/// The part of a client that all operations share: where the server is, how it is reached, and
/// what is sent with every request.
#[derive(Clone)]
pub struct Core<T> {
    pub(super) transport: T,
    pub(super) servers: Servers,
    pub(super) credentials: Arc<dyn CredentialSource>,
    pub(super) tokens: Option<Arc<dyn TokenProvider>>,
    pub(super) options: CallOptions,
    pub(super) trusted: Trusted,
    pub(super) body_limit: usize,
    #[cfg(feature = "validate")]
    pub(super) checked: bool,
    #[cfg(feature = "gzip")]
    pub(super) compressed: bool,
}

impl<T: fmt::Debug> fmt::Debug for Core<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core")
            .field("base", &self.servers.base)
            .field("transport", &self.transport)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "reqwest")]
impl Core<super::ReqwestTransport> {
    /// A client of the server at this address, over reqwest.
    ///
    /// # Errors
    ///
    /// Returns an error if `base` is not a URL of a server, if it is an https URL and reqwest has no
    /// TLS, or if reqwest cannot be set up.
    pub fn reqwest(base: &str) -> Result<Self, super::BuildError> {
        let transport = <super::ReqwestTransport as super::ProvidedTransport>::provide(base)?;
        Ok(Self::new(base, transport)?)
    }
}

impl<T> Core<T> {
    /// A client of the server at this address, such as `https://api.example.com/v1`.
    pub fn new(base: &str, transport: T) -> Result<Self, InvalidBaseUrl> {
        Ok(Self {
            transport,
            servers: Servers::new(base::parse(base)?),
            credentials: Arc::new(NoCredentials),
            tokens: None,
            options: CallOptions::new(),
            trusted: Trusted::default(),
            body_limit: BODY_LIMIT,
            #[cfg(feature = "validate")]
            checked: false,
            #[cfg(feature = "gzip")]
            compressed: false,
        })
    }

    /// With another address for a server that the document has for some operations of its own,
    /// named as the document does, with the defaults of its variables put in.
    ///
    /// # Errors
    ///
    /// When the address is none.
    pub fn override_server(self, stated: &str, base: &str) -> Result<Self, InvalidBaseUrl> {
        let base = base::parse(base)?;
        Ok(Self {
            servers: self.servers.instead(stated, base),
            ..self
        })
    }

    /// All operations are called at the address that this client was made with, also those for
    /// which the document has a server of their own: for tests, and for what stands in front.
    #[must_use]
    pub fn override_all_servers(mut self) -> Self {
        self.servers.one = true;
        self
    }

    /// With credentials, which are sent where an operation asks for them.
    #[must_use]
    pub fn credentials(self, credentials: impl CredentialSource + 'static) -> Self {
        Self {
            credentials: Arc::new(credentials),
            ..self
        }
    }

    /// With credentials that go before those there are; those for other schemes stay.
    #[must_use]
    pub fn credential_overrides(self, credentials: impl CredentialSource + 'static) -> Self {
        let credentials = Further {
            first: Arc::new(credentials),
            then: self.credentials,
        };
        Self {
            credentials: Arc::new(credentials),
            ..self
        }
    }

    /// With tokens that are got and replaced when an operation asks for their scheme.
    ///
    /// A credential that was given for the scheme itself goes before them. When an answer to the
    /// first try says that another token may do, the token is replaced and the operation is called
    /// once more.
    #[must_use]
    pub fn tokens(self, tokens: impl TokenProvider + 'static) -> Self {
        Self {
            tokens: Some(Arc::new(tokens)),
            ..self
        }
    }

    /// The same, whose calls do some things differently.
    ///
    /// It is made at little cost: what is large is shared.
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

    /// With a header on every request that does not have it itself: see [`CallOptions::header`].
    #[must_use]
    pub fn header(self, name: HeaderName, value: HeaderValue) -> Self {
        Self {
            options: self.options.header(name, value),
            ..self
        }
    }

    /// With another limit for the bodies of responses that are read whole, in bytes, as they are after
    /// a content coding is taken off: 64 MiB unless something else is said. Of the body of an error
    /// (a status of 4xx or 5xx) no more than 1 MiB is read in any case.
    #[must_use]
    pub fn body_limit(self, body_limit: usize) -> Self {
        Self { body_limit, ..self }
    }

    /// With a limit for the time of each attempt at a call: see [`CallOptions::timeout`]. There is none
    /// unless it is set; what each stage may take is limited by [`TimeLimits`].
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self {
            options: self.options.timeout(timeout),
            ..self
        }
    }

    /// With other limits for the time that each stage of a response may take.
    #[must_use]
    pub fn time_limits(self, limits: TimeLimits) -> Self {
        Self {
            options: self.options.time_limits(limits),
            ..self
        }
    }

    /// With somebody who decides whether a call is tried again.
    #[must_use]
    pub fn retry(self, retry: impl RetryPolicy + 'static) -> Self {
        Self {
            options: self.options.retry(retry),
            ..self
        }
    }

    /// Wraps the bodies of requests in gzip, where their bytes are there and are a kilobyte or more.
    /// A server that does not take that answers 415. Answers in gzip are taken in any case.
    #[cfg(feature = "gzip")]
    #[must_use]
    pub fn gzip_requests(self) -> Self {
        Self {
            compressed: true,
            ..self
        }
    }

    /// Checks each request by what the document asks of its values before it is sent; what is wrong
    /// with it then comes as [`Error::Invalid`](crate::client::Error::Invalid), without the way to the server and back.
    ///
    /// It needs the feature `validate`: without it, generated code does not have the checks.
    #[cfg(feature = "validate")]
    #[must_use]
    pub fn validate_requests(self) -> Self {
        Self {
            checked: true,
            ..self
        }
    }
}
