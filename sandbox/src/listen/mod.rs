//! Webhooks of a project on a local port.
//!
//! A [`Listener`] subscribes the built-in receiver of a sandbox to the webhooks of a project, watches
//! what the receiver gets, and sends each request to a local URL, byte by byte and with the
//! signatures. The status of the local response is the status that the sandbox sees, so that retries
//! happen as they would without a listener.
//!
//! ```no_run
//! use financial_data_sandbox::listen::{Listener, Notice};
//!
//! # async fn test() -> Result<(), Box<dyn std::error::Error>> {
//! let mut listener = Listener::builder()
//!     .console("http://127.0.0.1:8081", "the token of the console API")
//!     .project("0b6f9a52-5a2e-4c5e-9f39-6f1f3a1d7c11")
//!     .forward("http://localhost:3000/hooks/{kind}")
//!     .kind("refreshCompleted")
//!     .start()
//!     .await?;
//! while let Some(notice) = listener.next().await {
//!     if let Notice::Forwarded(webhook) = notice {
//!         println!("{} {:?}", webhook.kind, webhook.local);
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod builder;
mod cursor;
mod forward;
mod subscription;
mod watch;

pub use builder::ListenerBuilder;
pub(crate) use builder::console_client;
pub use forward::{Forwarded, LocalResponse};

use crate::console::api::types::Problem;
use bothends_runtime::client::{BoxTransport, Error};
use cursor::Cursor;
use forward::Forward;
use std::fmt;
use std::sync::Arc;
use tokio::sync::{mpsc, watch as signal};
use tokio::task::JoinHandle;

/// A client of the console API.
pub(crate) type ConsoleClient = crate::console::api::client::Client<BoxTransport>;

/// Forwards the webhooks of a project to a local URL. Dropping it stops it.
#[derive(Debug)]
pub struct Listener {
    forward: Arc<Forward>,
    receiver: String,
    subscription: String,
    notices: mpsc::UnboundedReceiver<Notice>,
    stop: signal::Sender<bool>,
    task: Option<JoinHandle<()>>,
}

/// What a listener reports.
#[derive(Debug, Clone)]
pub enum Notice {
    /// The connection to the sandbox is open.
    Connected,
    /// A webhook was received and forwarded.
    Forwarded(Box<Forwarded>),
    /// The connection to the sandbox has ended. The listener connects again.
    Disconnected {
        /// The reason.
        reason: String,
    },
}

impl Listener {
    /// Returns a builder.
    pub fn builder() -> ListenerBuilder {
        ListenerBuilder::default()
    }

    /// Returns the URL of the receiver that gets the webhooks.
    pub fn receiver(&self) -> &str {
        &self.receiver
    }

    /// Returns the id of the subscription, which stays when the listener stops.
    pub fn subscription(&self) -> &str {
        &self.subscription
    }

    /// Returns the next notice; `None` after [`stop`](Self::stop).
    pub async fn next(&mut self) -> Option<Notice> {
        self.notices.recv().await
    }

    /// Returns the next webhook that was forwarded.
    pub async fn next_webhook(&mut self) -> Option<Forwarded> {
        loop {
            if let Notice::Forwarded(webhook) = self.next().await? {
                return Some(*webhook);
            }
        }
    }

    /// Sends a webhook to the local URL once more. The sandbox does not see the response.
    pub async fn retry(&self, webhook: &Forwarded) -> Forwarded {
        let local = self.forward.send(webhook).await;
        Forwarded {
            local: Some(local),
            in_time: false,
            ..webhook.clone()
        }
    }

    /// Stops forwarding. The subscription stays, so that a later listener with the cursor of this
    /// one gets what was sent in between.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        if let Some(task) = self.task.take() {
            // A task that failed has stopped too.
            let _ = task.await;
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
    }
}

/// The reason why a listener could not start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListenError(String);

impl ListenError {
    pub(crate) fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// Of a call of the console API: the message of the response, and the field that it names.
impl<E: fmt::Display> From<Error<E>> for ListenError {
    fn from(error: Error<E>) -> Self {
        let body = error.raw_response().map(|response| &response.body);
        let problem = body.and_then(|body| serde_json::from_slice::<Problem>(body).ok());
        match problem.and_then(|problem| problem.field) {
            Some(field) => Self(format!("{error} (field `{field}`)")),
            None => Self::new(error),
        }
    }
}

impl fmt::Display for ListenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ListenError {}
