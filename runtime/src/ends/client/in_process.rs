//! A server in the same process.

use super::over_tower::respond;
use super::{Body, BodyError, Transport, TransportError};
use http::{Request, Response};
use std::fmt;
use std::sync::{Mutex, PoisonError};
use tower_service::Service;

/// A transport that calls a `tower` service directly, without a socket: a generated router, or an
/// `axum::Router` with its layers. It is made for tests.
///
/// The service is cloned for every call, as is usual for `tower`. It may be any service of HTTP
/// requests with any body and error; an error of the service is a
/// [`TransportError`].
pub struct InProcess<S>(Mutex<S>);

impl<S> InProcess<S> {
    /// Wraps a service.
    pub const fn new(service: S) -> Self {
        Self(Mutex::new(service))
    }
}

impl<S: Clone> InProcess<S> {
    /// Clones the service. It is locked for that only: a boxed service cannot be shared between
    /// threads.
    fn service(&self) -> S {
        let service = self.0.lock();
        service.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<S: Clone> Clone for InProcess<S> {
    fn clone(&self) -> Self {
        Self::new(self.service())
    }
}

impl<S> fmt::Debug for InProcess<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InProcess(…)")
    }
}

impl<S, B> Transport for InProcess<S>
where
    S: Service<Request<Body>, Response = Response<B>> + Clone + Send + 'static,
    S::Error: Into<BodyError>,
    S::Future: Send,
    B: http_body::Body + Send + 'static,
    B::Error: Into<BodyError>,
{
    fn send(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Result<Response<Body>, TransportError>> + Send {
        respond(self.service(), request)
    }
}
