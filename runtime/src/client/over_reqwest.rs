//! The transport over reqwest.

use super::{Body, BuildError, MissingTls, ProvidedTransport, Timeout, Transport, TransportError};
use http::{Request, Response, Uri};
use std::any::TypeId;

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

impl ProvidedTransport for Reqwest {
    fn provide(base_url: &str) -> Result<Self, BuildError> {
        needs_no_tls(&super::base::parse(base_url)?)?;
        Ok(Self::new()?)
    }
}

/// What stands for reqwest's type of this name where reqwest has none.
struct Certificate;

/// Whether reqwest was compiled with TLS, which features of any crate in the build may have asked
/// for. It has a type `Certificate` only then; the import goes before the type of this module.
fn has_tls() -> bool {
    #[allow(unused_imports, reason = "there may be nothing to import from it")]
    use reqwest::*;
    TypeId::of::<Certificate>() != TypeId::of::<self::Certificate>()
}

/// Returns an error if a URL needs TLS and there is none.
fn needs_no_tls(url: &Uri) -> Result<(), MissingTls> {
    if url.scheme_str() != Some("https") || has_tls() {
        return Ok(());
    }
    let host = url.authority().map_or("", |authority| authority.as_str());
    Err(MissingTls {
        url: format!("https://{host}{}", url.path()),
    })
}

impl Transport for Reqwest {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        needs_no_tls(request.uri()).map_err(TransportError::new)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_needs_tls_that_is_compiled_in() {
        let tls = cfg!(any(feature = "rustls", feature = "native-tls"));
        assert_eq!(has_tls(), tls);
        let told = |url: &str| needs_no_tls(&url.parse().expect("a URL")).err();
        assert_eq!(told("http://h/a"), None);
        let missing = told("https://h:1/a?key=secret");
        let text = missing.as_ref().map(ToString::to_string);
        assert_eq!(missing.is_some(), !tls);
        if let Some(text) = text {
            assert!(text.starts_with("`https://h:1/a` needs TLS"), "{text}");
            assert!(text.contains("`rustls` or `native-tls`"), "{text}");
        }
    }
}
