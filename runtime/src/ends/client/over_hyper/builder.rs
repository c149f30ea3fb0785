//! Settings of the transport over hyper.

use super::connector::{Connector, Dialer};
use super::{HyperTransport, tls};
use crate::ends::client::TransportError;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The connect timeout, TLS and proxy included. Without it, a TCP client on Linux waits about two
/// minutes for a host that does not respond.
const CONNECT: Duration = Duration::from_secs(10);
/// The idle timeout of pooled connections.
const IDLE: Duration = Duration::from_secs(90);
/// The interval of probes on a TCP connection, and of pings on an HTTP/2 connection with requests
/// in progress. Without them, a connection that the network has lost would stay in the pool.
const PROBE: Duration = Duration::from_secs(15);
/// The number of TCP probes without a reply after which a connection is closed.
const PROBES: u32 = 3;
/// How long sent data, or an HTTP/2 ping, may remain unacknowledged.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// A builder of a [`HyperTransport`].
///
/// | setting | default |
/// |---|---|
/// | [`connect_timeout`](Self::connect_timeout) | 10 s |
/// | [`pool_idle_timeout`](Self::pool_idle_timeout) | 90 s |
/// | [`pool_max_idle_per_host`](Self::pool_max_idle_per_host) | unlimited |
/// | proxies | those of the environment |
/// | TLS with the feature `rustls` | TLS 1.2 and 1.3, root certificates of the operating system, HTTP/1.1 and HTTP/2 |
///
/// For other settings use the feature `reqwest` and `ReqwestTransport::builder`, or a client of
/// `hyper-util` in a [`TowerTransport`](crate::client::TowerTransport).
#[must_use]
pub struct HyperTransportBuilder {
    connect_timeout: Option<Duration>,
    pool_idle_timeout: Option<Duration>,
    pool_max_idle_per_host: usize,
    proxies: Proxies,
    #[cfg(feature = "rustls-no-provider")]
    tls: Option<rustls::ClientConfig>,
}

/// The proxies of a transport.
enum Proxies {
    /// Those of the environment.
    Environment,
    /// No proxies.
    None,
    /// One proxy for all requests.
    All(String),
}

impl Default for HyperTransportBuilder {
    fn default() -> Self {
        Self {
            connect_timeout: Some(CONNECT),
            pool_idle_timeout: Some(IDLE),
            pool_max_idle_per_host: usize::MAX,
            proxies: Proxies::Environment,
            #[cfg(feature = "rustls-no-provider")]
            tls: None,
        }
    }
}

impl fmt::Debug for HyperTransportBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL of a proxy may contain a password.
        f.debug_struct("HyperTransportBuilder")
            .field("connect_timeout", &self.connect_timeout)
            .field("pool_idle_timeout", &self.pool_idle_timeout)
            .field("pool_max_idle_per_host", &self.pool_max_idle_per_host)
            .finish_non_exhaustive()
    }
}

impl HyperTransportBuilder {
    /// Sets the timeout for a new connection: DNS, TCP, the tunnel of a proxy and TLS. `None`
    /// disables it.
    pub fn connect_timeout(self, timeout: impl Into<Option<Duration>>) -> Self {
        Self {
            connect_timeout: timeout.into(),
            ..self
        }
    }

    /// Sets how long an idle connection is kept; `None` keeps it until the server closes it.
    pub fn pool_idle_timeout(self, timeout: impl Into<Option<Duration>>) -> Self {
        Self {
            pool_idle_timeout: timeout.into(),
            ..self
        }
    }

    /// Sets the maximum number of idle connections per host. With 0, no connection is reused.
    pub fn pool_max_idle_per_host(self, pool_max_idle_per_host: usize) -> Self {
        Self {
            pool_max_idle_per_host,
            ..self
        }
    }

    /// Sends all requests through a proxy, such as `http://user:password@proxy.example.com:3128`,
    /// whatever the environment says.
    ///
    /// Requests with `https` URLs pass the proxy in a tunnel (`CONNECT`), all others are forwarded
    /// by it. SOCKS is not supported.
    pub fn proxy(self, url: impl Into<String>) -> Self {
        Self {
            proxies: Proxies::All(url.into()),
            ..self
        }
    }

    /// Disables proxies, including those of the environment.
    pub fn no_proxy(self) -> Self {
        Self {
            proxies: Proxies::None,
            ..self
        }
    }

    /// Sets the TLS configuration of the crate `rustls`, for custom root certificates or a client
    /// certificate. Its ALPN protocols are replaced by those of HTTP/1.1 and HTTP/2.
    #[cfg(feature = "rustls-no-provider")]
    pub fn tls_config(self, config: rustls::ClientConfig) -> Self {
        Self {
            tls: Some(config),
            ..self
        }
    }

    /// Builds the transport.
    ///
    /// # Errors
    ///
    /// Returns an error if TLS cannot be configured, for example because the system has no root
    /// certificates, or if the URL of the proxy is not valid.
    pub fn build(self) -> Result<HyperTransport, TransportError> {
        let proxies = match self.proxies {
            Proxies::Environment => Matcher::from_env(),
            Proxies::None => Matcher::builder().build(),
            Proxies::All(url) => all(url)?,
        };
        let proxies = Arc::new(proxies);
        #[cfg(feature = "rustls-no-provider")]
        let tls = tls::Tls::new(self.tls)?;
        #[cfg(not(feature = "rustls-no-provider"))]
        let tls = tls::Tls::new()?;
        let http = tcp(self.connect_timeout);
        let dialer = Dialer {
            proxy: tls.without_http2().over(http.clone()),
            http,
            proxies: proxies.clone(),
        };
        let connector = Connector {
            inner: tls.over(dialer),
            timeout: self.connect_timeout,
        };
        let mut builder = Client::builder(TokioExecutor::new());
        builder
            .timer(TokioTimer::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(self.pool_idle_timeout)
            .pool_max_idle_per_host(self.pool_max_idle_per_host);
        #[cfg(any(feature = "rustls-no-provider", feature = "native-tls"))]
        builder
            .http2_keep_alive_interval(PROBE)
            .http2_keep_alive_timeout(UNACKNOWLEDGED);
        Ok(HyperTransport {
            client: builder.build(connector),
            proxy_credentials: needs_credentials(&proxies).then_some(proxies),
        })
    }
}

/// Returns a matcher that sends all requests through one proxy.
fn all(url: String) -> Result<Matcher, TransportError> {
    let proxies = Matcher::builder().all(url).build();
    if intercepts(&proxies, "http://h/").is_none() {
        return Err(TransportError::new("the URL of the proxy is not valid"));
    }
    Ok(proxies)
}

fn intercepts(
    proxies: &Matcher,
    url: &'static str,
) -> Option<hyper_util::client::proxy::matcher::Intercept> {
    proxies.intercept(&http::Uri::from_static(url))
}

/// Returns whether the proxy of `http` URLs has a user name.
fn needs_credentials(proxies: &Matcher) -> bool {
    // `NO_PROXY` could exclude a host of the document, but hardly this address of documentation.
    intercepts(proxies, "http://192.0.2.1/").is_some_and(|proxy| proxy.basic_auth().is_some())
}

fn tcp(connect_timeout: Option<Duration>) -> HttpConnector {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    // Divided among the addresses of a host.
    http.set_connect_timeout(connect_timeout);
    http.set_keepalive(Some(PROBE));
    http.set_keepalive_interval(Some(PROBE));
    http.set_keepalive_retries(Some(PROBES));
    #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
    http.set_tcp_user_timeout(Some(UNACKNOWLEDGED));
    http
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_needs_a_valid_url() {
        for wrong in ["", "a b", "ftp://proxy", "http://"] {
            let built = HyperTransport::builder().proxy(wrong).build();
            let text = built.expect_err(wrong).to_string();
            assert!(
                text.ends_with("the URL of the proxy is not valid"),
                "{text}"
            );
        }
        let built = HyperTransport::builder().proxy("http://u:p@h:1").build();
        assert!(built.expect("a transport").proxy_credentials.is_some());
        let built = HyperTransport::builder().proxy("h:1").build();
        assert!(built.expect("a transport").proxy_credentials.is_none());
    }

    #[test]
    fn passwords_of_proxies_are_not_shown() {
        let builder = HyperTransport::builder().proxy("http://user:s3cret@h");
        assert!(!format!("{builder:?}").contains("s3cret"));
        let built = builder.build().expect("a transport");
        assert!(!format!("{built:?}").contains("s3cret"));
    }
}
