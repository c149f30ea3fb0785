//! Connections restricted to allowed addresses.

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

/// The connection timeout of an address, if the host has further addresses to try.
const TURN: Duration = Duration::from_secs(3);

type Resolving = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// A DNS resolver.
pub trait Resolve: Send + Sync + 'static {
    /// Resolves a host name to its addresses.
    fn resolve(&self, host: String) -> Resolving;
}

/// The DNS resolver of the operating system.
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

/// An error for a host with an address that is not an allowed destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForbiddenAddress(pub(crate) String);

impl fmt::Display for ForbiddenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nothing may be sent to {}", self.0)
    }
}

impl std::error::Error for ForbiddenAddress {}

/// A connector that checks each resolved address and connects to exactly the checked address. A DNS
/// record that changes between check and connection has no effect. IP addresses in URLs are checked
/// the same way.
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
        // One forbidden address rejects the host: legitimate hosts do not mix public and private
        // addresses.
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

/// Tries the addresses in order, and returns the first connection that is established.
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
