//! Connections to addresses that were looked at first.

use super::address::Destinations;
use http::Uri;
use hyper_util::rt::TokioIo;
use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tower_service::Service;

/// How long one of several addresses may take before the next is tried.
const TURN: Duration = Duration::from_secs(3);

type Resolving = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a host.
pub trait Resolve: Send + Sync + 'static {
    /// The addresses of this host.
    fn resolve(&self, host: String) -> Resolving;
}

/// The system's way to find addresses.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, host: String) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Every address of the host is one that may not be sent to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForbiddenAddress(pub(crate) String);

impl fmt::Display for ForbiddenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nothing may be sent to {}", self.0)
    }
}

impl std::error::Error for ForbiddenAddress {}

/// Connects to an address that was vetted: the very address, so that a name that changes its mind
/// between the look and the connection gains nothing. Addresses in place of names take the same way.
#[derive(Clone)]
pub(crate) struct Connector {
    pub(crate) resolver: Arc<dyn Resolve>,
    pub(crate) destinations: Arc<Destinations>,
}

impl Service<Uri> for Connector {
    type Response = TokioIo<TcpStream>;
    type Error = Box<dyn std::error::Error + Send + Sync>;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connector = self.clone();
        Box::pin(async move { connector.connect(&uri).await })
    }
}

impl Connector {
    async fn connect(
        &self,
        uri: &Uri,
    ) -> Result<TokioIo<TcpStream>, Box<dyn std::error::Error + Send + Sync>> {
        let host = uri.host().ok_or("the URL has no host")?;
        let port = uri
            .port_u16()
            .unwrap_or(if uri.scheme_str() == Some("https") {
                443
            } else {
                80
            });
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let found = match bare.parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => self.resolver.resolve(host.to_owned()).await?,
        };
        // One bad address is enough to refuse the host: honest ones do not mix.
        if let Some(bad) = found
            .iter()
            .find(|address| !self.destinations.permits(**address))
        {
            return Err(ForbiddenAddress(format!("{host} ({bad})")).into());
        }
        let stream = connect_any(&found, port).await?;
        stream.set_nodelay(true)?;
        Ok(TokioIo::new(stream))
    }
}

/// The first of these that takes a connection, in their order.
async fn connect_any(addresses: &[IpAddr], port: u16) -> io::Result<TcpStream> {
    let mut failed = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for (index, address) in addresses.iter().enumerate() {
        let connecting = TcpStream::connect(SocketAddr::new(*address, port));
        let connected = if index + 1 < addresses.len() {
            match tokio::time::timeout(TURN, connecting).await {
                Ok(connected) => connected,
                Err(_) => Err(io::ErrorKind::TimedOut.into()),
            }
        } else {
            connecting.await
        };
        match connected {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}
