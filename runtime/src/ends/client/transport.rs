//! Transports of requests.

use super::{Body, MissingTls, TimedOut};
use http::{Request, Response};
use std::error::Error;
use std::fmt;

/// A transport that sends a request to a server and returns the response.
///
/// Transports do not follow redirects: credentials belong to the host that they were given for.
///
/// The request of a call has its operation as an extension: the transport, and layers around it,
/// read the id and the path template of `&'static OperationMeta` there. A request for a token has
/// none.
///
/// ```
/// use bothends_runtime::OperationMeta;
/// use bothends_runtime::client::Body;
/// use bothends_runtime::http::Request;
///
/// fn name(request: &Request<Body>) -> &'static str {
///     let operation = request.extensions().get::<&'static OperationMeta>();
///     operation.map_or("token", |operation| operation.id)
/// }
/// # assert_eq!(name(&Request::new(Body::empty())), "token");
/// ```
pub trait Transport: Send + Sync {
    /// Sends a request.
    fn send(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Result<Response<Body>, TransportError>> + Send;
}

/// The error of a request that could not be sent, or of a response that could not be received.
///
/// Errors of reqwest are stripped of their URL, because its query may contain an API key. Errors of
/// a custom transport should not contain a URL either.
#[derive(Debug)]
pub struct TransportError(Box<dyn Error + Send + Sync>);

impl TransportError {
    /// Creates an error from the transport's own error.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(without_url(error.into()))
    }

    /// Returns the time limit that was exceeded, if this is the cause of the error.
    pub fn timed_out(&self) -> Option<&TimedOut> {
        TimedOut::find(&*self.0)
    }

    /// Returns whether the cause is that the client does not trust the certificate of the server. A
    /// retry fails in the same way.
    pub fn is_untrusted(&self) -> bool {
        super::certificate::is_untrusted(&*self.0)
    }

    /// Converts the error to [`MissingTls`], if this is its cause.
    ///
    /// # Errors
    ///
    /// Returns the error unchanged if it has another cause.
    pub(super) fn into_missing_tls(self) -> Result<MissingTls, Self> {
        self.0.downcast().map(|missing| *missing).map_err(Self)
    }
}

/// Strips the URL from an error of reqwest, which layers may have boxed.
fn without_url(error: Box<dyn Error + Send + Sync>) -> Box<dyn Error + Send + Sync> {
    #[cfg(feature = "reqwest")]
    let error = match error.downcast::<reqwest::Error>() {
        Ok(error) => Box::new(error.without_url()),
        Err(other) => other,
    };
    error
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the transport failed: {}", self.0)
    }
}

impl Error for TransportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// The absent transport: the feature `hyper` provides one.
///
/// This type has no values. It is the type parameter of a client for which no transport is named.
#[cfg(not(feature = "hyper"))]
#[derive(Debug, Clone, Copy)]
pub enum NoTransport {}

#[cfg(not(feature = "hyper"))]
impl Transport for NoTransport {
    async fn send(&self, _: Request<Body>) -> Result<Response<Body>, TransportError> {
        match *self {}
    }
}
