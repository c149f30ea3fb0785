//! What carries requests.

use super::{Body, MissingTls, TimedOut};
use http::{Request, Response};
use std::error::Error;
use std::fmt;

/// Carries a request to a server, and brings the response.
///
/// It follows no redirects: credentials belong to the host they were given for.
pub trait Transport: Send + Sync {
    /// Sends a request.
    fn send(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Result<Response<Body>, TransportError>> + Send;
}

/// A request found no way to its server, or the response none back.
///
/// Errors of reqwest lose their URL: its query may hold an API key. A transport of your own should
/// name none either.
#[derive(Debug)]
pub struct TransportError(Box<dyn Error + Send + Sync>);

impl TransportError {
    /// From what the transport says.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(without_url(error.into()))
    }

    /// Which limit of time was passed, if that is what happened.
    pub fn timed_out(&self) -> Option<&TimedOut> {
        TimedOut::find(&*self.0)
    }

    /// The error as [`MissingTls`], if that is what it is.
    ///
    /// # Errors
    ///
    /// Returns the error unchanged if it is another one.
    pub(super) fn into_missing_tls(self) -> Result<MissingTls, Self> {
        self.0.downcast().map(|missing| *missing).map_err(Self)
    }
}

/// An error of reqwest's without its URL; layers hand it on in a box.
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

/// There is no transport: the feature `reqwest` brings one.
///
/// It has no values. It stands in the type of a client for which no transport is named.
#[cfg(not(feature = "reqwest"))]
#[derive(Debug, Clone, Copy)]
pub enum NoTransport {}

#[cfg(not(feature = "reqwest"))]
impl Transport for NoTransport {
    async fn send(&self, _: Request<Body>) -> Result<Response<Body>, TransportError> {
        match *self {}
    }
}
