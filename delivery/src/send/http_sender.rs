//! Sending over HTTP/1.1.

use super::address::Destinations;
use super::connect::{Connector, ForbiddenAddress, Resolve, SystemResolver};
use super::{Outgoing, ReceiverResponse, SendError, Sender, Sent};
use crate::delivery::AttemptEnd;
use bytes::Bytes;
use http::header::{DATE, RETRY_AFTER, USER_AGENT};
use http::{HeaderMap, HeaderValue, Request};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::client::legacy::{Client, Error as ClientError};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// How much of an answer's body is read. A longer one is cut off; what counts is the status.
const ANSWER_LIMIT: usize = 64 << 10;
/// How much of it is kept.
const EXCERPT: usize = 512;
/// How long a connection that nothing is sent over is kept.
const IDLE: Duration = Duration::from_secs(30);

#[cfg(feature = "rustls")]
type Connecting = hyper_rustls::HttpsConnector<Connector>;
#[cfg(not(feature = "rustls"))]
type Connecting = Connector;

/// Sends over HTTP/1.1: no redirects, no proxies, no cookies, and only to addresses that may be sent
/// to.
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
    /// Begins a sender.
    pub fn builder() -> HttpSenderBuilder {
        HttpSenderBuilder {
            destinations: Destinations::public(),
            resolver: Arc::new(SystemResolver),
            user_agent: HeaderValue::from_static(concat!(
                "bothends-delivery/",
                env!("CARGO_PKG_VERSION")
            )),
            idle_per_host: 16,
            #[cfg(feature = "rustls")]
            tls: None,
        }
    }
}

/// Makes an [`HttpSender`].
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
    /// Which addresses may be sent to; those of the public internet, unless this says otherwise.
    pub fn destinations(self, destinations: Destinations) -> Self {
        Self {
            destinations,
            ..self
        }
    }

    /// Finds addresses in this way.
    pub fn resolver(self, resolver: impl Resolve) -> Self {
        Self {
            resolver: Arc::new(resolver),
            ..self
        }
    }

    /// What the sender calls itself, where a subscription does not say.
    pub fn user_agent(self, user_agent: HeaderValue) -> Self {
        Self { user_agent, ..self }
    }

    /// How many idle connections are kept for each host.
    pub fn idle_per_host(self, idle_per_host: usize) -> Self {
        Self {
            idle_per_host,
            ..self
        }
    }

    /// Makes secure connections in this way: with roots of one's own, or a certificate for receivers
    /// that ask for one. Without it, receivers have to show a certificate that Mozilla's roots vouch
    /// for.
    #[cfg(feature = "rustls")]
    pub fn tls(self, config: rustls::ClientConfig) -> Self {
        Self {
            tls: Some(config),
            ..self
        }
    }

    /// The sender.
    ///
    /// # Errors
    /// Where TLS cannot be set up.
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
            // A request is sent once. What became of it on a connection that closed, nobody knows.
            .retry_canceled_requests(false)
            .build(connector);
        Ok(HttpSender {
            client,
            user_agent: self.user_agent,
        })
    }
}

/// A sender that could not be made.
#[derive(Debug)]
pub struct BuildError(Box<dyn Error + Send + Sync>);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no sender can be made: {}", self.0)
    }
}

impl Error for BuildError {}

impl Sender for HttpSender {
    async fn send(&self, request: Outgoing) -> Sent {
        let mut builder = Request::builder()
            .method(request.method)
            .uri(request.url.as_str());
        if let Some(headers) = builder.headers_mut() {
            headers.insert(USER_AGENT, self.user_agent.clone());
            // Those of the request take the place of ours; those that come twice are kept twice.
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
        match self.client.request(request).await {
            Ok(response) => answer(response).await,
            Err(error) => Err(fault(&error)),
        }
    }
}

async fn answer(response: http::Response<Incoming>) -> Sent {
    let (head, mut body) = response.into_parts();
    let mut excerpt = Vec::new();
    let mut read = 0;
    // Read, so that the connection can be used again; but not for ever.
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
        retry_after: retry_after(&head.headers, SystemTime::now()),
        // Databases take no NUL in a text.
        excerpt: String::from_utf8_lossy(&excerpt).replace('\0', "\u{fffd}"),
    })
}

/// `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3).
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that is too large for us means "never", as far as we are concerned.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    // How long it is from when the receiver said so, by its own clock: ours may be wrong.
    let said = headers.get(DATE).and_then(|said| said.to_str().ok());
    let said = said.and_then(|said| httpdate::parse_http_date(said).ok());
    Some(date.duration_since(said.unwrap_or(now)).unwrap_or_default())
}

fn fault(error: &ClientError) -> SendError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
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
        cause = error.source();
    }
    broken(error)
}

/// Whether TLS says so. An error of input and output does not name what it holds as its source, and
/// may hold another one.
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

/// An error with its causes, as one line.
fn line(error: &(dyn Error + 'static)) -> String {
    let mut detail = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        detail.push_str(": ");
        detail.push_str(&error.to_string());
        cause = error.source();
    }
    detail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Fri, 31 Dec 1999 23:59:59 GMT").unwrap();
        let of = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(value));
            retry_after(&headers, now)
        };
        assert_eq!(of("120"), Some(Duration::from_secs(120)));
        assert_eq!(of("0"), Some(Duration::ZERO));
        assert_eq!(
            of("Sat, 01 Jan 2000 00:01:59 GMT"),
            Some(Duration::from_secs(120))
        );
        assert_eq!(of("Fri, 31 Dec 1999 23:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(
            of("99999999999999999999999"),
            Some(Duration::from_secs(u64::MAX))
        );
        let mut headers = HeaderMap::new();
        let date = |text| HeaderValue::from_static(text);
        headers.insert(RETRY_AFTER, date("Sat, 01 Jan 2000 01:00:30 GMT"));
        headers.insert(DATE, date("Sat, 01 Jan 2000 01:00:00 GMT"));
        let by_its_clock = Some(Duration::from_secs(30));
        assert_eq!(
            retry_after(&headers, now),
            by_its_clock,
            "ours is an hour behind"
        );
        for nonsense in ["", "-1", "1.5", "soon", "+5"] {
            assert_eq!(of(nonsense), None, "{nonsense}");
        }
    }
}
