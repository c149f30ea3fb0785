//! Sending one request, once.

mod address;
mod connect;
mod http_sender;

pub use address::{Destinations, is_public};
pub use connect::{Resolve, SystemResolver};
pub use http_sender::{BuildError, HttpSender, HttpSenderBuilder};

use crate::delivery::AttemptEnd;
use bytes::Bytes;
use http::{HeaderMap, Method};
use std::future::Future;
use std::time::Duration;
use url::Url;

/// A request that is ready to go.
#[derive(Debug, Clone)]
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

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// How long the receiver asks to be left alone.
    pub retry_after: Option<Duration>,
    /// The beginning of the body, for people to read.
    pub excerpt: String,
}

/// Why nothing came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendFault {
    /// What kind of end it was.
    pub end: AttemptEnd,
    /// What there is to tell of it.
    pub detail: String,
}

/// How one request ended.
pub type Sent = Result<Answer, SendFault>;

/// Sends requests. [`HttpSender`] is the one to use; tests have others.
pub trait Sender: Send + Sync + 'static {
    /// Sends one request, once: no retries, no redirects. A worker drops the future when the time
    /// for the request is over.
    fn send(&self, request: Outgoing) -> impl Future<Output = Sent> + Send;
}
