//! The connection to the sandbox.

use super::forward::{Forward, Forwarded};
use super::{ConsoleClient, Cursor, ListenError, Notice};
use crate::console::api::operations::{
    ListReceivedRequest, RespondReceivedRequest, RespondReceivedRequestInit, WatchReceivedRequest,
};
use crate::console::api::types::{Received, ResponseInput};
use futures_util::StreamExt;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, watch as signal};

/// The number of webhooks that are forwarded at the same time.
const AT_ONCE: usize = 32;
/// The pause before the first reconnection.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// The number of entries that are read at once.
const PAGE: i32 = 500;
/// How many ids are remembered. The sandbox may send a webhook again that was stored late.
const REMEMBERED: usize = 1_000;

/// The work of a listener.
pub(super) struct Watch {
    pub(super) client: ConsoleClient,
    pub(super) project: String,
    /// The beginning of the names of the receivers; the kind follows.
    pub(super) prefix: String,
    pub(super) kinds: Vec<String>,
    pub(super) forward: Arc<Forward>,
    pub(super) cursor: Cursor,
    pub(super) notices: mpsc::UnboundedSender<Notice>,
}

/// Returns the id of the last received webhook of a project, empty if there is none.
pub(super) async fn last(client: &ConsoleClient, project: &str) -> Result<String, ListenError> {
    let mut last = String::new();
    loop {
        let request = ListReceivedRequest::new(project.to_owned()).limit(PAGE);
        let request = match last.as_str() {
            "" => request,
            last => request.after(last),
        };
        let page = client.list_received(request).await;
        let page = page.map_err(ListenError::from)?.into_inner();
        match page.last() {
            Some(received) => last.clone_from(&received.id),
            None => return Ok(last),
        }
    }
}

impl Watch {
    /// Forwards webhooks, and connects again after a disconnect, until it is told to stop.
    pub(super) async fn run(mut self, mut stopping: signal::Receiver<bool>) {
        let mut pause = PAUSE;
        let mut seen = Seen::default();
        loop {
            let connection = self.connection(&mut seen, &mut pause);
            let reason = tokio::select! {
                reason = connection => reason,
                _ = stopping.wait_for(|stop| *stop) => return,
            };
            let _ = self.notices.send(Notice::Disconnected { reason });
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = stopping.wait_for(|stop| *stop) => return,
            }
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }

    /// Forwards webhooks until the connection ends. Returns the reason.
    async fn connection(&mut self, seen: &mut Seen, pause: &mut Duration) -> String {
        let after = self.cursor.get().unwrap_or_default();
        let request = WatchReceivedRequest::new(self.project.clone()).after(after);
        let stream = match self.client.watch_received(request).await {
            Ok(response) => response.into_inner(),
            Err(error) => return error.to_string(),
        };
        *pause = PAUSE;
        let _ = self.notices.send(Notice::Connected);
        let (prefix, kinds) = (&self.prefix, &self.kinds);
        let end = Mutex::new("the sandbox has ended the stream".to_owned());
        // An event that cannot be read may be of a newer sandbox. It is left out.
        let new = stream
            .filter_map(|event| {
                let webhook = event
                    .map_err(|error| {
                        *end.lock().unwrap_or_else(PoisonError::into_inner) = error.to_string();
                    })
                    .ok()
                    .and_then(|event| select(event.data, prefix, kinds))
                    .filter(|webhook| seen.is_new(&webhook.id));
                std::future::ready(webhook)
            })
            .map(|webhook| process(&self.client, &self.project, &self.forward, webhook))
            .buffered(AT_ONCE);
        let mut new = Box::pin(new);
        while let Some(webhook) = new.next().await {
            if let Err(error) = self.cursor.advance(&webhook.id) {
                tracing::warn!(%error, "the cursor was not written");
            }
            let _ = self.notices.send(Notice::Forwarded(Box::new(webhook)));
        }
        drop(new);
        end.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the webhook if it is for this listener.
fn select(received: Received, prefix: &str, kinds: &[String]) -> Option<Forwarded> {
    let kind = received.receiver.strip_prefix(prefix)?.to_owned();
    if !kinds.contains(&kind) {
        return None;
    }
    Forwarded::new(received, &kind)
}

/// Forwards a webhook, and reports the status to the sandbox.
async fn process(
    client: &ConsoleClient,
    project: &str,
    forward: &Forward,
    mut webhook: Forwarded,
) -> Forwarded {
    if forward.has_url() {
        webhook.local = Some(forward.send(&webhook).await);
    }
    // The sandbox accepts final statuses only.
    let status = Some(webhook.status()).filter(|status| *status >= 200);
    let response = RespondReceivedRequest::from(RespondReceivedRequestInit {
        project: project.to_owned(),
        received: webhook.id.clone(),
        body: ResponseInput::new(status.unwrap_or(502)),
    });
    // An error means that the sandbox has stopped to wait, and will send the webhook again.
    webhook.in_time = client.respond_received(response).await.is_ok();
    webhook
}

/// The ids of the last webhooks.
#[derive(Default)]
struct Seen(VecDeque<String>);

impl Seen {
    /// Remembers an id. Returns `false` if it is remembered already.
    fn is_new(&mut self, id: &str) -> bool {
        if self.0.iter().any(|seen| seen == id) {
            return false;
        }
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back(id.to_owned());
        true
    }
}
