//! A server in the same process.

use super::{Body, Transport, TransportError};
use http::{Request, Response};
use std::convert::Infallible;
use std::fmt;
use std::future::poll_fn;
use tower_service::Service;

/// A transport that calls a `tower` service directly, without a socket: a generated router, for
/// example.
#[derive(Clone)]
pub struct InProcess<S>(S);

impl<S> InProcess<S> {
    /// Wraps a service.
    pub const fn new(service: S) -> Self {
        Self(service)
    }
}

impl<S> fmt::Debug for InProcess<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InProcess(…)")
    }
}

impl<S> Transport for InProcess<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>
        + Clone
        + Send
        + Sync
        + 'static,
    S::Future: Send,
{
    fn send(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Result<Response<Body>, TransportError>> + Send {
        let mut service = self.0.clone();
        async move {
            match poll_fn(|cx| service.poll_ready(cx)).await {
                Ok(()) => {}
                Err(never) => match never {},
            }
            match service.call(request).await {
                Ok(response) => Ok(response),
                Err(never) => match never {},
            }
        }
    }
}
