//! Sending of single requests.

mod address;
mod connect;
mod http_sender;

pub use address::{Destinations, is_public};
pub use connect::{Resolve, SystemResolver};
pub use http_sender::{BuildError, HttpSender, HttpSenderBuilder};

use crate::delivery::{AttemptEnd, DeliveryId};
use crate::{Message, MessageId};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, Method};
use std::fmt;
use std::future::Future;
use std::time::Duration;
use url::Url;

/// A request to send.
///
/// The `Debug` output shows the host, the names of the headers, the length of the body and the
/// attempt. The other parts may contain secrets of the receiver.
#[derive(Clone)]
pub struct OutgoingRequest {
    /// The URL.
    pub url: Url,
    /// The HTTP method.
    pub method: Method,
    /// The headers, including `Content-Type`, without those that frame the request.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// The attempt that the request belongs to. None of it is sent, except in the headers that the
    /// worker has set already.
    pub attempt: AttemptContext,
}

/// The attempt that a request belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttemptContext {
    /// The delivery.
    pub delivery: DeliveryId,
    /// The number of the attempt, as in [`Attempt::n`](crate::Attempt::n).
    pub n: u32,
    /// The owner of the message.
    pub owner: String,
    /// The id of the message.
    pub message: MessageId,
    /// The kind of the message.
    pub kind: String,
    /// The id of the subscription.
    pub subscription: String,
}

impl AttemptContext {
    /// Creates the context of an attempt, as a worker does. Tests of a [`Sender`] use it as well.
    pub fn new(
        delivery: DeliveryId,
        n: u32,
        message: &Message,
        subscription: impl Into<String>,
    ) -> Self {
        Self {
            delivery,
            n,
            owner: message.owner.clone(),
            message: message.id.clone(),
            kind: message.kind.clone(),
            subscription: subscription.into(),
        }
    }
}

impl fmt::Debug for OutgoingRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.keys().map(HeaderName::as_str).collect();
        f.debug_struct("OutgoingRequest")
            .field("method", &self.method)
            .field("host", &self.url.host_str())
            .field("headers", &names)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .field("attempt", &self.attempt)
            .finish()
    }
}

/// The response of a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiverResponse {
    /// The status.
    pub status: u16,
    /// The time from the start of the request to the head of the response, if the sender knows it.
    pub waited: Option<Duration>,
    /// The delay that the receiver requests with `Retry-After`.
    pub retry_after: Option<Duration>,
    /// The beginning of the body, for people to read.
    pub excerpt: String,
}

/// An error from sending a request: no response was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendError {
    /// The result of the attempt.
    pub end: AttemptEnd,
    /// Details for people.
    pub detail: String,
}

/// The result of sending one request.
pub type Sent = Result<ReceiverResponse, SendError>;

/// A sender of requests. [`HttpSender`] is the implementation for production; tests use others.
pub trait Sender: Send + Sync + 'static {
    /// Sends a request once, without retries and redirects. The worker drops the future when the
    /// timeout of the request expires.
    fn send(&self, request: OutgoingRequest) -> impl Future<Output = Sent> + Send;
}
