//! Sending a received webhook to the local URL.

use super::ListenError;
use crate::console::api::types::Received;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bothends_runtime::client::{Body, HyperTransport, Transport};
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, Request};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use url::Url;

/// The time in which the service expects a response.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How much of a response is kept for people.
const EXCERPT: usize = 64 << 10;
/// Headers of one connection, which the next one sets itself (RFC 9110, section 7.6.1).
const CONNECTION: [&str; 8] = [
    "connection",
    "content-length",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "transfer-encoding",
    "upgrade",
];

/// A webhook that was received and forwarded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forwarded {
    /// The id, which is also the cursor.
    pub id: String,
    /// The kind of the webhook.
    pub kind: String,
    /// The arrival at the sandbox, in milliseconds since 1970-01-01.
    pub at: i64,
    /// The HTTP method.
    pub method: String,
    /// The headers, as received.
    pub headers: Vec<(String, String)>,
    /// The body, as received.
    pub body: Bytes,
    /// The local response; `None` if the listener has no local URL.
    pub local: Option<LocalResponse>,
    /// Whether the sandbox was still waiting for the status.
    pub in_time: bool,
}

/// The response at the local URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalResponse {
    /// The URL.
    pub url: String,
    /// The status that was reported to the sandbox: that of the response, 502 if there was none, or
    /// 504 if there was none in time.
    pub status: u16,
    /// Why there was no response.
    pub error: Option<String>,
    /// The beginning of the body.
    pub body: Bytes,
    /// The time until the response.
    pub took: Duration,
}

impl Forwarded {
    /// Returns a received webhook that is not yet forwarded; `None` if its body is not valid.
    pub(super) fn new(received: Received, kind: &str) -> Option<Self> {
        let headers = received.headers.into_iter().filter_map(|header| {
            let mut header = header.into_iter();
            Some((header.next()?, header.next()?))
        });
        Some(Self {
            kind: kind.to_owned(),
            at: received.at,
            method: received.method,
            headers: headers.collect(),
            body: STANDARD.decode(received.body).ok()?.into(),
            id: received.id,
            local: None,
            in_time: false,
        })
    }

    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(header, _)| header.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Returns the status for the sandbox.
    pub fn status(&self) -> u16 {
        self.local.as_ref().map_or(200, |local| local.status)
    }

    /// Returns one line for people.
    pub fn line(&self) -> String {
        let id = self.header("webhook-id").unwrap_or("-");
        let attempt = self.header("webhook-attempt").unwrap_or("-");
        let mut line = format!("{} {id} attempt {attempt}", self.kind);
        match &self.local {
            Some(local) => {
                let _ = write!(
                    line,
                    " -> {} in {} ms",
                    local.status,
                    local.took.as_millis()
                );
                if let Some(error) = &local.error {
                    let _ = write!(line, " ({error})");
                }
            }
            None => line.push_str(" -> 200"),
        }
        if !self.in_time {
            line.push_str(" (the sandbox did not wait)");
        }
        line
    }

    /// Returns the request and the response for people.
    pub fn details(&self) -> String {
        let url = self.local.as_ref().map_or("", |local| local.url.as_str());
        let mut text = format!("{} {url}\n", self.method);
        for (name, value) in &self.headers {
            let _ = writeln!(text, "{name}: {value}");
        }
        let _ = writeln!(text, "\n{}", String::from_utf8_lossy(&self.body));
        if let Some(local) = &self.local {
            let body = String::from_utf8_lossy(&local.body);
            let _ = writeln!(text, "\n{}\n{body}", local.status);
        }
        text
    }
}

/// The local URL, and the connections to it.
#[derive(Debug)]
pub(super) struct Forward {
    url: Option<String>,
    transport: HyperTransport,
}

impl Forward {
    /// Returns an error if the URL is not valid.
    pub(super) fn new(url: Option<&str>) -> Result<Self, ListenError> {
        if let Some(url) = url {
            let parsed = Url::parse(&url.replace("{kind}", "kind"));
            let parsed = parsed.map_err(|error| ListenError::new(format!("`{url}`: {error}")))?;
            if !matches!(parsed.scheme(), "http" | "https") {
                return Err(ListenError::new(format!("`{url}` is not an HTTP URL")));
            }
        }
        // A proxy does not know the local port.
        let transport = HyperTransport::builder().no_proxy().build();
        Ok(Self {
            url: url.map(str::to_owned),
            transport: transport.map_err(ListenError::new)?,
        })
    }

    /// Returns `true` if there is a local URL.
    pub(super) const fn has_url(&self) -> bool {
        self.url.is_some()
    }

    /// Sends a webhook to the local URL.
    pub(super) async fn send(&self, webhook: &Forwarded) -> LocalResponse {
        let url = self.url.as_deref().unwrap_or_default();
        let url = url.replace("{kind}", &webhook.kind);
        let started = Instant::now();
        let (status, error, body) =
            match tokio::time::timeout(TIMEOUT, self.exchange(&url, webhook)).await {
                Ok(Ok((status, body))) => (status, None, body),
                Ok(Err(error)) => (502, Some(error), Bytes::new()),
                Err(_) => (
                    504,
                    Some(format!("no response within {TIMEOUT:?}")),
                    Bytes::new(),
                ),
            };
        LocalResponse {
            url,
            status,
            error,
            body,
            took: started.elapsed(),
        }
    }

    async fn exchange(&self, url: &str, webhook: &Forwarded) -> Result<(u16, Bytes), String> {
        let method = Method::from_bytes(webhook.method.as_bytes());
        let mut request = Request::builder()
            .method(method.map_err(|error| error.to_string())?)
            .uri(url)
            .body(Body::from(webhook.body.clone()))
            .map_err(|error| error.to_string())?;
        for (name, value) in &webhook.headers {
            if CONNECTION.contains(&name.to_ascii_lowercase().as_str()) {
                continue;
            }
            // Both were headers of a request already.
            let name = HeaderName::try_from(name.as_str()).map_err(|error| error.to_string())?;
            let value = HeaderValue::try_from(value.as_str()).map_err(|error| error.to_string())?;
            request.headers_mut().append(name, value);
        }
        let response = self.transport.send(request).await;
        let response = response.map_err(|error| error.to_string())?;
        let (head, body) = response.into_parts();
        // The status counts, even if the body is too long.
        let body = body.collect(EXCERPT).await.unwrap_or_default();
        Ok((head.status.as_u16(), body))
    }
}
