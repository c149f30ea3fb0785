//! The sender of webhooks: keeps each request for the log, and injects faults.

use super::forge;
use crate::app::{App, Instead, Shared};
use crate::faults;
use crate::ids;
use crate::model::Activity;
use crate::model::{FaultTarget, Project, SentWebhook, WebhookFault};
use bothends_delivery::AttemptEnd;
use bothends_delivery::HttpSender;
use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, SendError, Sender, Sent};
use financial_data::webhooks::DELIVERY;
use http::header::{CONTENT_LENGTH, HOST, USER_AGENT};
use http::{HeaderMap, HeaderValue};
use std::sync::Arc;
use std::time::Instant;

/// The `User-Agent` of webhooks. A subscription can override it.
const AGENT: HeaderValue = HeaderValue::from_static(concat!(
    "financial-data-sandbox/",
    env!("CARGO_PKG_VERSION")
));
/// The status with which a lost webhook counts as delivered.
const LOST_STATUS: u16 = 200;
/// The number of characters of a secret value that the log shows.
const SHOWN: usize = 6;

/// A sender that injects the faults of the project, and sends with HTTP.
#[derive(Debug)]
pub(super) struct FaultySender {
    app: Shared,
    http: HttpSender,
}

impl FaultySender {
    pub(super) const fn new(app: Shared, http: HttpSender) -> Self {
        Self { app, http }
    }

    /// Decides about the fault of an attempt. Without the database, the webhook is sent as it is.
    async fn fault(
        &self,
        project: Option<&Project>,
        request: &OutgoingRequest,
    ) -> Option<WebhookFault> {
        let project = project?;
        let applies = |target: &FaultTarget| match target {
            FaultTarget::Webhook { kind, fault } => {
                let of_kind = kind
                    .as_ref()
                    .is_none_or(|kind| *kind == request.attempt.kind);
                of_kind && applies(*fault, request)
            }
            FaultTarget::Api { .. } => false,
        };
        let hit = faults::consider(&self.app, project, applies).await;
        match hit {
            Ok(hit) => match hit?.target {
                FaultTarget::Webhook { fault, .. } => Some(fault),
                FaultTarget::Api { .. } => None,
            },
            Err(error) => {
                tracing::warn!(%error, "a webhook is sent without the fault of its project");
                None
            }
        }
    }

    /// Keeps the request for the log, and decides what happens instead of sending it.
    fn keep(
        &self,
        project: Option<&Project>,
        request: &OutgoingRequest,
        fault: Option<WebhookFault>,
    ) -> Option<Instead> {
        let sent = sent_webhook(project, request, fault);
        let instead = match fault {
            Some(WebhookFault::Lost) => Some(Instead::Lost),
            Some(WebhookFault::Delayed { milliseconds }) => {
                let ahead = i64::try_from(milliseconds).unwrap_or(i64::MAX);
                Some(Instead::Delayed(sent.project_time.saturating_add(ahead)))
            }
            _ => None,
        };
        let attempt = &request.attempt;
        let flights = &self.app.hooks.flights;
        flights.change(attempt.delivery, attempt.n, |flight| {
            flight.sent = Some(sent);
            flight.instead = instead;
        });
        instead
    }

    /// Sends a request a second time, without waiting for it.
    fn duplicate(&self, project: Option<&Project>, request: OutgoingRequest, fault: WebhookFault) {
        let (app, http) = (Arc::clone(&self.app), self.http.clone());
        let mut sent = sent_webhook(project, &request, Some(fault));
        tokio::spawn(async move {
            let began = Instant::now();
            let sending = tokio::time::timeout(DELIVERY.timeout, http.send(request));
            match sending.await {
                Ok(Ok(response)) => {
                    sent.status = Some(response.status);
                    sent.detail = response.excerpt;
                }
                Ok(Err(error)) => sent.detail = error.detail,
                Err(_) => {
                    sent.detail = format!("no complete response within {:?}", DELIVERY.timeout)
                }
            }
            sent.microseconds = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            app.recorder.record(Activity::Webhook(Arc::new(sent)));
        });
    }
}

impl Sender for FaultySender {
    async fn send(&self, mut request: OutgoingRequest) -> Sent {
        request
            .headers
            .entry(USER_AGENT)
            .or_insert_with(|| AGENT.clone());
        let project = match self.app.project(&request.attempt.owner).await {
            Ok(project) => project.map(|project| project.value),
            Err(error) => {
                tracing::warn!(%error, "a webhook is sent without knowing its project");
                None
            }
        };
        let project = project.as_ref();
        let fault = self.fault(project, &request).await;
        if let Some(fault) = fault
            && let Err(error) = forge::apply(&self.app, fault, &mut request)
        {
            tracing::warn!(%error, "a webhook is sent without the fault of its project");
        }
        match self.keep(project, &request, fault) {
            Some(Instead::Lost) => Ok(ReceiverResponse {
                status: LOST_STATUS,
                waited: None,
                retry_after: None,
                excerpt: "lost by an injected fault".to_owned(),
            }),
            // The outcome is replaced when it is recorded.
            Some(Instead::Delayed(_)) => Err(SendError {
                end: AttemptEnd::Broken,
                detail: "delayed by an injected fault".to_owned(),
            }),
            None => {
                let again = (fault == Some(WebhookFault::Duplicated)).then(|| request.clone());
                let sent = self.http.send(request).await;
                if let (Some(request), Some(fault)) = (again, fault) {
                    self.duplicate(project, request, fault);
                }
                sent
            }
        }
    }
}

/// Returns `true` if a fault makes a difference to a request.
fn applies(fault: WebhookFault, request: &OutgoingRequest) -> bool {
    match fault {
        WebhookFault::Lost | WebhookFault::Duplicated => true,
        // A webhook is delayed once, before its first attempt.
        WebhookFault::Delayed { .. } => request.attempt.n == 1,
        WebhookFault::WrongKey | WebhookFault::AlteredBody | WebhookFault::AlgorithmNone => {
            forge::is_signed(&request.headers)
        }
    }
}

/// Returns the entry of the log for a request that is sent now.
fn sent_webhook(
    project: Option<&Project>,
    request: &OutgoingRequest,
    fault: Option<WebhookFault>,
) -> SentWebhook {
    let at = App::system_now();
    let attempt = &request.attempt;
    SentWebhook {
        project: attempt.owner.clone(),
        id: ids::ordered(),
        delivery: attempt.delivery.0,
        attempt: attempt.n,
        kind: attempt.kind.clone(),
        message_id: attempt.message.as_str().to_owned(),
        subscription: attempt.subscription.clone(),
        at,
        project_time: project.map_or(at, |project| project.clock.now(at)),
        microseconds: 0,
        method: request.method.as_str().to_owned(),
        url: request.url.as_str().to_owned(),
        request_headers: headers(request),
        request_body: String::from_utf8_lossy(&request.body).into_owned(),
        status: None,
        detail: String::new(),
        next_retry: None,
        fault: fault.and_then(|fault| faults::word(&fault).ok()),
    }
}

/// Returns the headers of a request as the receiver sees them. Values that may be secrets of the
/// receiver are shortened.
fn headers(request: &OutgoingRequest) -> Vec<(String, String)> {
    let host = match (request.url.host_str(), request.url.port()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (host, _) => host.unwrap_or_default().to_owned(),
    };
    let framing = [
        (HOST.as_str().to_owned(), host),
        (
            CONTENT_LENGTH.as_str().to_owned(),
            request.body.len().to_string(),
        ),
    ];
    framing.into_iter().chain(shown(&request.headers)).collect()
}

fn shown(headers: &HeaderMap) -> impl Iterator<Item = (String, String)> + '_ {
    headers.iter().map(|(name, value)| {
        let text = String::from_utf8_lossy(value.as_bytes());
        let text = match value.is_sensitive() {
            true => shorten(&text),
            false => text.into_owned(),
        };
        (name.as_str().to_owned(), text)
    })
}

/// Returns the beginning of a secret.
pub(crate) fn shorten(secret: &str) -> String {
    let mut shown: String = secret.chars().take(SHOWN).collect();
    shown.push('…');
    shown
}
