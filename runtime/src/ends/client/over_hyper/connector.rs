//! New connections: directly, or through a proxy.

use super::stream::{Connection, ProxyStream};
use super::tls::Https;
use crate::ends::client::{BodyError, TimeLimit, TimedOut};
use http::Uri;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

type Connecting<C> = Pin<Box<dyn Future<Output = Result<C, BodyError>> + Send>>;

/// The connector of a transport: TLS over [`Dialer`], within the connect timeout.
#[derive(Clone)]
pub(super) struct Connector {
    pub(super) inner: Https<Dialer>,
    pub(super) timeout: Option<Duration>,
}

impl Service<Uri> for Connector {
    type Response = <Https<Dialer> as Service<Uri>>::Response;
    type Error = BodyError;
    type Future = Connecting<Self::Response>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BodyError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, url: Uri) -> Self::Future {
        let connecting = self.inner.call(url);
        let Some(timeout) = self.timeout else {
            return Box::pin(connecting);
        };
        Box::pin(async move {
            match tokio::time::timeout(timeout, connecting).await {
                Ok(connected) => connected,
                Err(_) => Err(BodyError::from(TimedOut {
                    limit: TimeLimit::Connect,
                    after: Some(timeout),
                })),
            }
        })
    }
}

/// A connector without TLS to the server: connects to its host, or to a proxy.
#[derive(Clone)]
pub(super) struct Dialer {
    pub(super) http: HttpConnector,
    /// The connector to proxies, which may themselves need TLS.
    pub(super) proxy: Https<HttpConnector>,
    pub(super) proxies: Arc<Matcher>,
}

impl Service<Uri> for Dialer {
    type Response = Connection;
    type Error = BodyError;
    type Future = Connecting<Connection>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BodyError>> {
        // The inner connectors are awaited when it is known which of them is needed.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, url: Uri) -> Self::Future {
        let Some(proxy) = self.proxies.intercept(&url) else {
            let http = self.http.clone();
            return Box::pin(async move {
                let stream = connect(http, url).await?;
                Ok(Connection::Direct(stream))
            });
        };
        let connector = self.proxy.clone();
        Box::pin(async move {
            let is_tunnel = url.scheme_str() == Some("https");
            let stream = Box::new(through(proxy, connector, url, is_tunnel).await?);
            Ok(Connection::Proxy { stream, is_tunnel })
        })
    }
}

/// Connects to a proxy, and through it to the server if this is to be a tunnel.
async fn through(
    proxy: Intercept,
    connector: Https<HttpConnector>,
    url: Uri,
    is_tunnel: bool,
) -> Result<ProxyStream, BodyError> {
    match proxy.uri().scheme_str() {
        Some("http") => {}
        Some("https") if super::tls::IS_COMPILED_IN => {}
        Some("https") => {
            let why = "an `https` proxy needs the feature `rustls` or `native-tls`";
            return Err(why.into());
        }
        _ => return Err("proxies with SOCKS are not supported".into()),
    }
    if !is_tunnel {
        return connect(connector, proxy.uri().clone()).await;
    }
    let mut tunnel = Tunnel::new(proxy.uri().clone(), connector);
    if let Some(credentials) = proxy.basic_auth() {
        tunnel = tunnel.with_auth(credentials.clone());
    }
    connect(tunnel, url).await
}

async fn connect<C>(mut connector: C, url: Uri) -> Result<C::Response, BodyError>
where
    C: Service<Uri>,
    C::Error: Into<BodyError>,
{
    let ready = poll_fn(|cx| connector.poll_ready(cx)).await;
    ready.map_err(Into::into)?;
    connector.call(url).await.map_err(Into::into)
}
