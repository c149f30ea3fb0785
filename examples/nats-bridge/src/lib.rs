//! A [`Sender`] that publishes messages to a stream of NATS JetStream instead of sending HTTP requests.
//!
//! The store keeps its guarantees: a message is committed with the change that causes it, and is published at
//! least once. A message is delivered when the broker has stored it and acknowledged it. The worker repeats an
//! attempt that fails, by its policy.

use async_nats::HeaderMap;
use async_nats::jetstream::Context;
use bothends_delivery::AttemptEnd;
use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, SendError, Sender, Sent};
use std::error::Error;

/// Publishes each message under the subject `prefix.kind`, with the headers of the request.
///
/// The URL of the subscription is not used. JetStream discards a second message with the same
/// `Nats-Msg-Id` within the stream's duplicate window, so an attempt that is repeated after a crash is stored
/// once if the window is longer than the lease of a worker.
#[derive(Debug, Clone)]
pub struct JetStreamSender {
    jetstream: Context,
    prefix: String,
}

impl JetStreamSender {
    /// Creates a sender for the subjects that begin with `prefix`. The worker's timeout applies to each attempt.
    pub fn new(jetstream: Context, prefix: impl Into<String>) -> Self {
        let prefix = prefix.into();
        Self { jetstream, prefix }
    }
}

impl Sender for JetStreamSender {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        let attempt = &request.attempt;
        if !is_subject(&attempt.kind) {
            // A status that the policy does not retry: the kind will not change.
            let excerpt = format!(
                "the kind `{}` cannot be part of a NATS subject",
                attempt.kind
            );
            return Ok(response(422, excerpt));
        }
        let mut headers = HeaderMap::new();
        for (name, value) in &request.headers {
            if let Ok(value) = value.to_str() {
                headers.append(name.as_str(), value);
            }
        }
        // Each subscription receives its own copy, and owners may have messages with the same id.
        let id = [
            &attempt.owner,
            attempt.message.as_str(),
            &attempt.subscription,
        ]
        .join("/");
        headers.insert("Nats-Msg-Id", id.as_str());
        let subject = format!("{}.{}", self.prefix, attempt.kind);
        let publishing = self
            .jetstream
            .publish_with_headers(subject, headers, request.body);
        let published = publishing.await.map_err(|error| broken(&error))?;
        // The acknowledgement says that the stream has stored the message.
        let stored = published.await.map_err(|error| broken(&error))?;
        Ok(response(
            200,
            format!("{} {}", stored.stream, stored.sequence),
        ))
    }
}

/// Returns `true` if the kind consists of tokens without wildcards and white space, separated by dots.
fn is_subject(kind: &str) -> bool {
    let is_token = |token: &str| {
        let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '*' | '>');
        !token.is_empty() && token.chars().all(is_plain)
    };
    kind.split('.').all(is_token)
}

fn response(status: u16, excerpt: String) -> ReceiverResponse {
    ReceiverResponse {
        status,
        waited: None,
        retry_after: None,
        excerpt,
    }
}

/// The attempt failed without an acknowledgement, and is repeated.
fn broken(error: &dyn Error) -> SendError {
    SendError {
        end: AttemptEnd::Broken,
        detail: error.to_string(),
    }
}
