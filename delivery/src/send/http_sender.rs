//! The HTTP/1.1 sender.

use super::address::Destinations;
use super::connect::{Connector, ForbiddenAddress, Resolve, SystemResolver};
use super::{OutgoingRequest, ReceiverResponse, SendError, Sender, Sent};
use crate::delivery::AttemptEnd;
use bothends_runtime::retry_after;
use bytes::Bytes;
use http::header::USER_AGENT;
use http::{HeaderValue, Request};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::client::legacy::{Client, Error as ClientError};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The number of response body bytes to read. The rest of a longer body is discarded, because only
/// the status matters.
const ANSWER_LIMIT: usize = 64 << 10;
/// The number of response body bytes to keep.
const EXCERPT: usize = 512;
/// The idle timeout of pooled connections.
const IDLE: Duration = Duration::from_secs(30);

#[cfg(feature = "rustls")]
type Connecting = hyper_rustls::HttpsConnector<Connector>;
#[cfg(not(feature = "rustls"))]
type Connecting = Connector;

/// An HTTP/1.1 sender without redirects, proxies and cookies, restricted to allowed destinations.
#[derive(Clone)]
pub struct HttpSender {
    client: Client<Connecting, Full<Bytes>>,
    user_agent: HeaderValue,
}

impl fmt::Debug for HttpSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSender").finish_non_exhaustive()
    }
}

impl HttpSender {
    /// Returns a builder with default settings.
    pub fn builder() -> HttpSenderBuilder {
        HttpSenderBuilder {
            destinations: Destinations::public(),
            resolver: Arc::new(SystemResolver),
            user_agent: HeaderValue::from_static(concat!(
                "bothends-delivery/",
                env!("CARGO_PKG_VERSION")
            )),
            idle_per_host: usize::MAX,
            #[cfg(feature = "rustls")]
            tls: None,
        }
    }
}

/// A builder for an [`HttpSender`].
#[derive(Clone)]
#[must_use]
pub struct HttpSenderBuilder {
    destinations: Destinations,
    resolver: Arc<dyn Resolve>,
    user_agent: HeaderValue,
    idle_per_host: usize,
    #[cfg(feature = "rustls")]
    tls: Option<rustls::ClientConfig>,
}

impl fmt::Debug for HttpSenderBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSenderBuilder")
            .field("destinations", &self.destinations)
            .finish_non_exhaustive()
    }
}

impl HttpSenderBuilder {
    /// Sets the allowed destinations. The default is the public internet.
    pub fn destinations(self, destinations: Destinations) -> Self {
        Self {
            destinations,
            ..self
        }
    }

    /// Sets the DNS resolver. The default is the resolver of the operating system.
    pub fn resolver(self, resolver: impl Resolve) -> Self {
        Self {
            resolver: Arc::new(resolver),
            ..self
        }
    }

    /// Sets the `User-Agent`. A subscription can override the header. The default is
    /// `bothends-delivery/` and the version.
    pub fn user_agent(self, user_agent: HeaderValue) -> Self {
        Self { user_agent, ..self }
    }

    /// Sets the maximum number of idle connections per host. By default, all connections are kept, of which there are as
    /// many as requests that were in progress at once.
    pub fn idle_per_host(self, idle_per_host: usize) -> Self {
        Self {
            idle_per_host,
            ..self
        }
    }

    /// Sets the TLS configuration, for custom root certificates or a client certificate. The
    /// default trusts Mozilla's root certificates.
    #[cfg(feature = "rustls")]
    pub fn tls(self, config: rustls::ClientConfig) -> Self {
        Self {
            tls: Some(config),
            ..self
        }
    }

    /// Builds the sender.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be configured.
    pub fn build(self) -> Result<HttpSender, BuildError> {
        let connector = Connector {
            resolver: self.resolver,
            destinations: Arc::new(self.destinations),
        };
        #[cfg(feature = "rustls")]
        let https = hyper_rustls::HttpsConnectorBuilder::new();
        #[cfg(feature = "rustls")]
        let https = match self.tls {
            Some(config) => https.with_tls_config(config),
            None => https
                .with_provider_and_webpki_roots(rustls::crypto::aws_lc_rs::default_provider())
                .map_err(|error| BuildError(error.into()))?,
        };
        #[cfg(feature = "rustls")]
        let connector = https
            .https_or_http()
            .enable_http1()
            .wrap_connector(connector);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(self.idle_per_host)
            // Each request is sent once: after a connection closed, the receiver may have processed
            // the request.
            .retry_canceled_requests(false)
            .build(connector);
        Ok(HttpSender {
            client,
            user_agent: self.user_agent,
        })
    }
}

/// An error from [`HttpSenderBuilder::build`].
#[derive(Debug)]
pub struct BuildError(Box<dyn Error + Send + Sync>);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot build the HTTP sender: {}", self.0)
    }
}

impl Error for BuildError {}

impl Sender for HttpSender {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        let mut builder = Request::builder()
            .method(request.method)
            .uri(request.url.as_str());
        if let Some(headers) = builder.headers_mut() {
            headers.insert(USER_AGENT, self.user_agent.clone());
            // Headers of the request replace the default headers. Repeated headers of the request
            // are kept.
            for name in request.headers.keys() {
                headers.remove(name);
            }
            for (name, value) in &request.headers {
                headers.append(name.clone(), value.clone());
            }
        }
        let request = builder
            .body(Full::new(request.body))
            .map_err(|error| broken(&error))?;
        let began = Instant::now();
        match self.client.request(request).await {
            Ok(response) => answer(response, began.elapsed()).await,
            Err(error) => Err(fault(&error)),
        }
    }
}

async fn answer(response: http::Response<Incoming>, waited: Duration) -> Sent {
    let (head, mut body) = response.into_parts();
    let mut excerpt = Vec::new();
    let mut read = 0;
    // Reading the body allows the connection to be reused. The limit bounds the effort.
    while read < ANSWER_LIMIT
        && let Some(frame) = body.frame().await
    {
        let frame = frame.map_err(|error| broken(&error))?;
        if let Some(data) = frame.data_ref() {
            read += data.len();
            let room = EXCERPT - excerpt.len();
            excerpt.extend_from_slice(&data[..data.len().min(room)]);
        }
    }
    Ok(ReceiverResponse {
        status: head.status.as_u16(),
        waited: Some(waited),
        retry_after: retry_after(&head.headers),
        // Databases reject NUL in text.
        excerpt: String::from_utf8_lossy(&excerpt).replace('\0', "\u{fffd}"),
    })
}

fn fault(error: &ClientError) -> SendError {
    for error in chain(error) {
        if let Some(forbidden) = error.downcast_ref::<ForbiddenAddress>() {
            return SendError {
                end: AttemptEnd::Forbidden,
                detail: forbidden.to_string(),
            };
        }
        if is_tls(error) {
            return SendError {
                end: AttemptEnd::Tls,
                detail: line(error),
            };
        }
    }
    broken(error)
}

/// Returns `true` if TLS caused the error. An [`std::io::Error`] does not return its inner error as
/// `source`, and the inner error may be an `io::Error` as well.
#[cfg(feature = "rustls")]
fn is_tls(error: &(dyn Error + 'static)) -> bool {
    let held = error.downcast_ref::<std::io::Error>();
    let held = held.and_then(std::io::Error::get_ref);
    error.is::<rustls::Error>() || held.is_some_and(|held| is_tls(held))
}

#[cfg(not(feature = "rustls"))]
fn is_tls(_: &(dyn Error + 'static)) -> bool {
    false
}

fn broken(error: &(dyn Error + 'static)) -> SendError {
    SendError {
        end: AttemptEnd::Broken,
        detail: line(error),
    }
}

/// Returns an error, its source, the source of that, and so on.
fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| (*error).source())
}

/// Formats an error and its sources as one line.
fn line(error: &(dyn Error + 'static)) -> String {
    let texts: Vec<String> = chain(error).map(ToString::to_string).collect();
    texts.join(": ")
}
