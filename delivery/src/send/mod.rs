//! Sending one request, once.

mod address;
mod connect;
mod http_sender;

pub use address::{Destinations, is_public};
pub use connect::{Resolve, SystemResolver};
pub use http_sender::{BuildError, HttpSender, HttpSenderBuilder};

use crate::delivery::AttemptEnd;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, Method};
use std::fmt;
use std::future::Future;
use std::time::Duration;
use url::Url;

/// A request that is ready to go.
///
/// Its `Debug` shows the host, the names of headers and the length of the body: the rest may be a secret
/// of the receiver's.
#[derive(Clone)]
pub struct Outgoing {
    /// Where to.
    pub url: Url,
    /// The HTTP method.
    pub method: Method,
    /// Every header but those that frame the request, `Content-Type` among them.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl fmt::Debug for Outgoing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.keys().map(HeaderName::as_str).collect();
        f.debug_struct("Outgoing")
            .field("method", &self.method)
            .field("host", &self.url.host_str())
            .field("headers", &names)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiverResponse {
    /// The status.
    pub status: u16,
    /// How long the receiver asks to be left alone.
    pub retry_after: Option<Duration>,
    /// The beginning of the body, for people to read.
    pub excerpt: String,
}

/// Why nothing came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendError {
    /// What kind of end it was.
    pub end: AttemptEnd,
    /// What there is to tell of it.
    pub detail: String,
}

/// How one request ended.
pub type Sent = Result<ReceiverResponse, SendError>;

/// Sends requests. [`HttpSender`] is the one to use; tests have others.
pub trait Sender: Send + Sync + 'static {
    /// Sends one request, once: no retries, no redirects. A worker drops the future when the time
    /// for the request is over.
    fn send(&self, request: Outgoing) -> impl Future<Output = Sent> + Send;
}
