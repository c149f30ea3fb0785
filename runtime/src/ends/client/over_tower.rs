//! Conversions between transports and `tower` services.

use super::{Body, BodyError, Transport, TransportError};
use http::{Request, Response};
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use tower_service::Service;

/// A transport over a `tower` service: a client with layers around it.
///
/// ```ignore
/// let layered = ServiceBuilder::new()
///     .concurrency_limit(8)
///     .service(TransportService::new(HyperTransport::new()?));
/// let client = Client::with_transport("https://api.example.com", TowerTransport::new(layered))?;
/// ```
#[derive(Clone)]
pub struct TowerTransport<S>(S);

impl<S> TowerTransport<S> {
    /// Wraps a service. The service is cloned for every call, as is usual for `tower`.
    pub const fn new(service: S) -> Self {
        Self(service)
    }
}

impl<S> fmt::Debug for TowerTransport<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TowerTransport(…)")
    }
}

impl<S, B> Transport for TowerTransport<S>
where
    S: Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
    S::Error: Into<BodyError>,
    S::Future: Send,
    B: http_body::Body + Send + 'static,
    B::Error: Into<BodyError>,
{
    fn send(
        &self,
        request: Request<Body>,
    ) -> impl Future<Output = Result<Response<Body>, TransportError>> + Send {
        respond(self.0.clone(), request)
    }
}

/// Calls a service.
pub(super) async fn respond<S, B>(
    mut service: S,
    request: Request<Body>,
) -> Result<Response<Body>, TransportError>
where
    S: Service<Request<Body>, Response = Response<B>>,
    S::Error: Into<BodyError>,
    B: http_body::Body + Send + 'static,
    B::Error: Into<BodyError>,
{
    let ready = poll_fn(|cx| service.poll_ready(cx)).await;
    ready.map_err(TransportError::new)?;
    let response = service.call(request).await.map_err(TransportError::new)?;
    Ok(response.map(Body::new))
}

/// A transport as a `tower` service, to which layers can be applied. [`TowerTransport`] turns the
/// result into a transport again.
#[derive(Debug, Clone)]
pub struct TransportService<T>(T);

impl<T> TransportService<T> {
    /// Wraps a transport.
    pub const fn new(transport: T) -> Self {
        Self(transport)
    }
}

impl<T: Transport + Clone + 'static> Service<Request<Body>> for TransportService<T> {
    type Response = Response<Body>;
    type Error = TransportError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let transport = self.0.clone();
        Box::pin(async move { transport.send(request).await })
    }
}
