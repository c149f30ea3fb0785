//! The transport over hyper: the default of a client.

mod builder;
mod connector;
mod stream;
mod tls;

pub use builder::HyperTransportBuilder;

use self::connector::Connector;
use super::{
    Body, BuildError, ProvidedTransport, TimeLimit, TimedOut, Transport, TransportError, provided,
    redact, timed,
};
use crate::message::chain::chain;
use http::header::{ACCEPT, PROXY_AUTHORIZATION};
use http::{HeaderValue, Request, Response, Uri};
use hyper::body::Incoming;
use hyper_util::client::legacy::{Client, Error as ClientError};
use hyper_util::client::proxy::matcher::Matcher;
use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;

/// The transport over hyper: HTTP/1.1, HTTP/2 where a server selects it in the TLS handshake, and
/// a pool of connections that clones share.
///
/// It enforces the [`TimeLimits`](super::TimeLimits) of each request, follows no redirects, and
/// uses the proxies of the environment (`HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, each
/// in lower case too). `https` needs the feature `rustls` or `native-tls`. The transport needs a
/// tokio runtime with its timer enabled.
#[derive(Clone)]
pub struct HyperTransport {
    client: Client<Connector, Body>,
    /// The proxies, if one of them needs credentials in requests with `http` URLs.
    proxy_credentials: Option<Arc<Matcher>>,
}

impl HyperTransport {
    /// Creates a transport with the default settings: see [`HyperTransportBuilder`].
    ///
    /// # Errors
    ///
    /// Returns an error if TLS cannot be configured, for example because the system has no root
    /// certificates.
    pub fn new() -> Result<Self, TransportError> {
        Self::builder().build()
    }

    /// Creates a builder with the default settings.
    pub fn builder() -> HyperTransportBuilder {
        HyperTransportBuilder::default()
    }

    async fn exchange(
        &self,
        mut request: Request<Body>,
    ) -> Result<Response<Incoming>, TransportError> {
        let proxy = self.proxy_authorization(request.uri());
        let headers = request.headers_mut();
        if let Some(value) = proxy {
            headers.entry(PROXY_AUTHORIZATION).or_insert(value);
        }
        if !headers.contains_key(ACCEPT) {
            headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        }
        self.client.request(request).await.map_err(failed)
    }

    /// Returns the credentials of the proxy that forwards a request with an `http` URL. A request
    /// with an `https` URL passes a proxy unseen, in a tunnel.
    fn proxy_authorization(&self, url: &Uri) -> Option<HeaderValue> {
        let proxies = self.proxy_credentials.as_deref()?;
        if url.scheme_str() != Some("http") {
            return None;
        }
        let mut value = proxies.intercept(url)?.basic_auth()?.clone();
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for HyperTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HyperTransport").finish_non_exhaustive()
    }
}

impl ProvidedTransport for HyperTransport {
    fn provide(base_url: &str) -> Result<Self, BuildError> {
        provided::check_tls(&super::base::parse(base_url)?, tls::IS_COMPILED_IN)?;
        Ok(Self::new()?)
    }
}

impl Transport for HyperTransport {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        provided::check_tls(request.uri(), tls::IS_COMPILED_IN).map_err(TransportError::new)?;
        // hyper would write them into `Host`, and log them in its events.
        if redact::has_userinfo(request.uri()) {
            return Err(TransportError::new(provided::USER_INFORMATION));
        }
        timed::send(request, |request| self.exchange(request)).await
    }
}

/// Returns the error of an exchange, which does not contain a URL.
fn failed(error: ClientError) -> TransportError {
    if TimedOut::find(&error).is_some() {
        return TransportError::new(Failed(error));
    }
    if error.is_connect() && has_timed_out(&error) {
        return TransportError::new(TimedOut {
            limit: TimeLimit::Connect,
            after: None,
        });
    }
    TransportError::new(Failed(error))
}

/// Returns whether the operating system, or hyper for one of several addresses, has waited for too
/// long.
fn has_timed_out(error: &(dyn Error + 'static)) -> bool {
    chain(error)
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::TimedOut)
}

/// An error of hyper's client, with a text that says what failed.
#[derive(Debug)]
struct Failed(ClientError);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_connect() {
            "cannot connect to the server"
        } else {
            "no response was received"
        })
    }
}

impl Error for Failed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
