//! The transport over reqwest.

use super::{
    Body, BodyError, BuildError, ProvidedTransport, TimeLimit, TimedOut, Transport, TransportError,
    provided, redact, timed,
};
use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::any::TypeId;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// The connect timeout, TLS included. Without it, a TCP client on Linux waits about two minutes for
/// a host that does not respond.
const CONNECT: Duration = Duration::from_secs(10);

/// The transport over reqwest. It enforces the [`TimeLimits`](super::TimeLimits) of each request,
/// and needs a tokio runtime with its timer enabled.
#[derive(Debug, Clone)]
pub struct ReqwestTransport(reqwest::Client);

impl ReqwestTransport {
    /// Creates a transport with the defaults of reqwest, except for a connect timeout of 10 s and
    /// no redirects.
    pub fn new() -> Result<Self, TransportError> {
        Self::build(Self::builder())
    }

    /// Returns a builder with the settings of [`ReqwestTransport::new`].
    pub fn builder() -> reqwest::ClientBuilder {
        reqwest::Client::builder().connect_timeout(CONNECT)
    }

    /// Creates a transport with custom settings. Redirects are disabled in any case, so that
    /// credentials are never sent to another host: reqwest would remove `Authorization`, but not a
    /// header with an API key.
    pub fn build(builder: reqwest::ClientBuilder) -> Result<Self, TransportError> {
        #[cfg(all(feature = "rustls-no-provider", not(feature = "rustls")))]
        super::crypto::install()?;
        let client = builder.redirect(reqwest::redirect::Policy::none()).build();
        client.map(Self).map_err(TransportError::new)
    }
}

impl ProvidedTransport for ReqwestTransport {
    fn provide(base_url: &str) -> Result<Self, BuildError> {
        provided::check_tls(&super::base::parse(base_url)?, has_tls())?;
        Ok(Self::new()?)
    }
}

/// A stand-in for reqwest's type of this name, for builds in which reqwest does not have it.
struct Certificate;

/// Returns whether reqwest was compiled with TLS, which any crate of the build may have enabled.
/// Only then does reqwest have a type `Certificate`, and an explicit import shadows the type of
/// this module.
fn has_tls() -> bool {
    #[allow(unused_imports, reason = "there may be nothing to import from it")]
    use reqwest::*;
    TypeId::of::<Certificate>() != TypeId::of::<self::Certificate>()
}

impl Transport for ReqwestTransport {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        provided::check_tls(request.uri(), has_tls()).map_err(TransportError::new)?;
        // reqwest would drop them, and hyper would log them in its events.
        if redact::has_userinfo(request.uri()) {
            return Err(TransportError::new(provided::USER_INFORMATION));
        }
        timed::send(request, |request| self.execute(request)).await
    }
}

impl ReqwestTransport {
    async fn execute(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let (parts, body) = request.into_parts();
        let body = match body.into_bytes() {
            Ok(bytes) => reqwest::Body::from(bytes),
            Err(stream) => reqwest::Body::wrap(Shared(std::sync::Mutex::new(stream))),
        };
        let request = reqwest::Request::try_from(Request::from_parts(parts, body))
            .map_err(TransportError::new)?;
        let response = self.0.execute(request).await.map_err(failed)?;
        Ok(Response::<reqwest::Body>::from(response).map(|body| Body::new(Received(body))))
    }
}

fn failed(error: reqwest::Error) -> TransportError {
    if error.is_connect() && error.is_timeout() {
        return TransportError::new(TimedOut {
            limit: TimeLimit::Connect,
            after: None,
        });
    }
    TransportError::new(error)
}

/// The body of a response, whose errors do not contain a URL.
struct Received(reqwest::Body);

impl HttpBody for Received {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let frame = Pin::new(&mut self.0).poll_frame(cx);
        frame.map_err(|error| error.without_url().into())
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

/// A body that is `Sync`, although only one thread reads it.
struct Shared(std::sync::Mutex<Body>);

impl HttpBody for Shared {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        match self.0.get_mut() {
            Ok(body) => Pin::new(body).poll_frame(cx),
            Err(_) => Poll::Ready(Some(Err("the body ended early".into()))),
        }
    }

    fn size_hint(&self) -> SizeHint {
        // A known length is sent as `Content-Length`.
        match self.0.lock() {
            Ok(body) => body.size_hint(),
            Err(_) => SizeHint::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_is_found_if_it_is_compiled_in() {
        let expected = cfg!(any(feature = "rustls-no-provider", feature = "native-tls"));
        assert_eq!(has_tls(), expected);
    }
}
