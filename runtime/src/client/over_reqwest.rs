//! The transport over reqwest.

use super::{Body, Timeout, Transport, TransportError};
use http::{Request, Response};

/// The transport over reqwest.
#[derive(Debug, Clone)]
pub struct Reqwest(reqwest::Client);

impl Reqwest {
    /// With reqwest's defaults, and without redirects.
    pub fn new() -> Result<Self, TransportError> {
        Self::build(reqwest::Client::builder())
    }

    /// With settings of your own; redirects are turned off all the same, so that credentials
    /// never go to another host.
    pub fn build(builder: reqwest::ClientBuilder) -> Result<Self, TransportError> {
        let client = builder.redirect(reqwest::redirect::Policy::none()).build();
        client.map(Self).map_err(TransportError::new)
    }
}

impl Transport for Reqwest {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let (parts, body) = request.into_parts();
        let body = match body.into_bytes() {
            Ok(bytes) => reqwest::Body::from(bytes),
            Err(stream) => reqwest::Body::wrap(Shared(std::sync::Mutex::new(stream))),
        };
        let timeout = parts.extensions.get::<Timeout>().copied();
        let mut request = reqwest::Request::try_from(Request::from_parts(parts, body))
            .map_err(TransportError::new)?;
        if let Some(Timeout(timeout)) = timeout {
            *request.timeout_mut() = Some(timeout);
        }
        let response = self.0.execute(request).await.map_err(TransportError::new)?;
        Ok(Response::<reqwest::Body>::from(response).map(Body::new))
    }
}

/// A body that several threads may hold, though only one takes from it.
struct Shared(std::sync::Mutex<Body>);

impl http_body::Body for Shared {
    type Data = bytes::Bytes;
    type Error = super::BodyError;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
        match self.0.get_mut() {
            Ok(body) => std::pin::Pin::new(body).poll_frame(cx),
            Err(_) => std::task::Poll::Ready(Some(Err("the body broke off".into()))),
        }
    }
}
