//! The probe: webhooks that are right in everything but the signature, next to right ones.
//!
//! Each is an event of its own with ids that belong to nothing, so that the client's data is not
//! disturbed. Only wrongly signed ones also name a running refresh of the client, which a client that
//! verifies signatures does not notice. The requests are not part of the delivery store: each is sent once.

mod body;
mod sign;

use crate::app::App;
use crate::config::destinations;
use crate::ids;
use crate::model::Activity;
use crate::model::{Product, Project, SentWebhook, Task, TaskKind};
use crate::store::{Changes, CommitError, Page, StorageError};
use bothends_delivery::send::{AttemptContext, OutgoingRequest, Sender};
use bothends_delivery::signing::{SIGNATURE, TOKEN_SIGNATURE};
use bothends_delivery::{
    ATTEMPT, DeliveryId, DeliveryStore, HttpSender, KeyRing, MESSAGE_ID, Message, MessageId,
    Policy, Signing, Subscription,
};
use bytes::Bytes;
use financial_data::webhooks::{DELIVERY, SUBSCRIPTION, WebhookKind};
use futures_util::future::join_all;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;
use url::Url;

/// How many tasks are looked at for a running one.
const TASKS: u32 = 1_000;

/// Webhooks that were sent to see how the client's endpoints respond.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The webhooks.
    pub messages: Vec<ProbeMessage>,
}

/// A webhook of a probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeMessage {
    /// The id of the message.
    pub message_id: String,
    /// The signature.
    pub signature: ProbeSignature,
}

/// The signature of a webhook of a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeSignature {
    /// As it should be.
    Right,
    /// By another key or token.
    WrongKey,
    /// Over another body.
    AlteredBody,
    /// A JWT with the algorithm `none`.
    AlgorithmNone,
    /// No signature.
    Missing,
}

impl ProbeSignature {
    /// Returns the word in the log. A right signature is no fault.
    const fn fault(self) -> Option<&'static str> {
        match self {
            Self::Right => None,
            Self::WrongKey => Some("wrong-key"),
            Self::AlteredBody => Some("altered-body"),
            Self::AlgorithmNone => Some("algorithm-none"),
            Self::Missing => Some("missing"),
        }
    }

    /// The wrong signatures by a token.
    const BY_TOKEN: &[Self] = &[Self::WrongKey, Self::AlteredBody, Self::Missing];
    /// The wrong signatures by a key.
    const BY_KEY: &[Self] = &[
        Self::WrongKey,
        Self::AlteredBody,
        Self::AlgorithmNone,
        Self::Missing,
    ];

    /// Returns the wrong signatures that a variant of signing permits.
    const fn wrong(signing: &Signing) -> &'static [Self] {
        match signing {
            Signing::Token(_) => Self::BY_TOKEN,
            Signing::Key => Self::BY_KEY,
            _ => &[],
        }
    }
}

/// Returns the words for all wrong signatures that an endpoint can be sent, by the headers of a right
/// webhook; none if its webhooks are not signed.
pub(super) fn wrong_signatures(right: &SentWebhook) -> Vec<&'static str> {
    let has = |header: &HeaderName| {
        let mut headers = right.request_headers.iter();
        headers.any(|(name, _)| name.eq_ignore_ascii_case(header.as_str()))
    };
    let wrong = match (has(&SIGNATURE), has(&TOKEN_SIGNATURE)) {
        (true, _) => ProbeSignature::BY_KEY,
        (_, true) => ProbeSignature::BY_TOKEN,
        _ => &[],
    };
    wrong.iter().filter_map(|wrong| wrong.fault()).collect()
}

/// Returns `true` for the message of a probe.
pub(super) fn is_of_probe(message_id: &str) -> bool {
    message_id.starts_with("probe:")
}

/// Returns `true` for the message of a probe with unknown fields.
pub(super) fn has_unknown_fields(message_id: &str) -> bool {
    is_of_probe(message_id) && message_id.ends_with(":unknown")
}

/// Sends a probe to every active subscription of a project, and returns when the responses are in
/// the log. An endpoint that does not respond to the right webhook gets no other. `keys` are those
/// that sign the project's webhooks.
///
/// # Errors
/// Returns an error of the database, or of the system's random numbers.
pub async fn probe(app: &App, project: &Project, keys: &KeyRing) -> Result<Probe, StorageError> {
    let prober = Prober::new(app, project, keys).await?;
    let subscriptions = app.store.delivery().subscriptions(&project.id).await;
    let subscriptions = subscriptions.map_err(StorageError::new)?;
    let mut targets = Vec::new();
    for subscription in subscriptions
        .iter()
        .filter(|subscription| subscription.is_active())
    {
        for (kind, url) in endpoints(subscription, &project.products) {
            targets.push((subscription, kind, url));
        }
    }
    let probes = targets.iter().enumerate();
    let probes = probes.map(|(n, (subscription, kind, url))| {
        let target = Target {
            n,
            subscription,
            kind: *kind,
            url,
        };
        prober.probe(target)
    });
    let mut messages = Vec::new();
    for probed in join_all(probes).await {
        messages.extend(probed?);
    }
    Ok(Probe { messages })
}

/// Returns the latest refresh of a project that has not ended.
async fn running(app: &App, project: &Project) -> Result<Option<Task>, StorageError> {
    let tasks = app.store.list::<Task>(&project.id, Page::last(TASKS));
    let tasks = tasks.await?.into_iter().map(|task| task.value);
    let running = tasks.filter(|task| task.kind == TaskKind::Refresh && !task.state.is_final());
    Ok(running.max_by_key(|task| task.created_at))
}

/// Returns the URLs of a subscription, each with a kind of webhook that it receives.
fn endpoints<'a>(
    subscription: &'a Subscription,
    products: &[Product],
) -> Vec<(WebhookKind, &'a Url)> {
    let products: Vec<&str> = products.iter().map(|product| product.as_str()).collect();
    let mut endpoints: Vec<(WebhookKind, &Url)> = Vec::new();
    for kind in body::KINDS {
        let needs = SUBSCRIPTION.product_of(kind.as_str());
        if needs.is_some_and(|product| !products.contains(&product)) {
            continue;
        }
        if let Some(url) = subscription.url_for(kind.as_str())
            && endpoints.iter().all(|(_, known)| *known != url)
        {
            endpoints.push((kind, url));
        }
    }
    endpoints
}

/// An endpoint of the client.
#[derive(Clone, Copy)]
struct Target<'a> {
    n: usize,
    subscription: &'a Subscription,
    kind: WebhookKind,
    url: &'a Url,
}

/// What is sent in one request.
struct Request {
    message_id: String,
    attempt: u32,
    signature: ProbeSignature,
    body: Bytes,
}

/// The sending half of a probe.
struct Prober<'a> {
    app: &'a App,
    project: &'a Project,
    keys: &'a KeyRing,
    sender: HttpSender,
    policy: Policy,
    /// The id of the run.
    run: String,
    /// The running refresh that is forged to have completed.
    running: Option<Task>,
}

impl<'a> Prober<'a> {
    async fn new(
        app: &'a App,
        project: &'a Project,
        keys: &'a KeyRing,
    ) -> Result<Self, StorageError> {
        let allowed = app.config.webhook_destinations.unwrap_or_default();
        let sender = HttpSender::builder().destinations(destinations(allowed));
        Ok(Self {
            app,
            project,
            keys,
            sender: sender.build().map_err(StorageError::new)?,
            policy: Policy::from(DELIVERY),
            run: ids::ordered(),
            running: running(app, project).await?,
        })
    }

    /// Probes one endpoint.
    async fn probe(&self, target: Target<'_>) -> Result<Vec<ProbeMessage>, StorageError> {
        let request = |name: &str, signature, body: Bytes| Request {
            message_id: format!("probe:{}:{}:{name}", self.run, target.n),
            attempt: 1,
            signature,
            body,
        };
        let right = request("right", ProbeSignature::Right, body::usual(target.kind));
        let mut messages = vec![message(&right)];
        if self.send(target, &right).await?.is_none() {
            return Ok(messages);
        }
        let unknown = body::with_unknown_fields(target.kind);
        let mut requests = vec![request("unknown", ProbeSignature::Right, unknown)];
        for signature in ProbeSignature::wrong(target.subscription.signing()) {
            let name = signature.fault().unwrap_or_default();
            requests.push(request(name, *signature, body::usual(target.kind)));
            if let (WebhookKind::RefreshCompleted, Some(task)) = (target.kind, &self.running) {
                let name = format!("{name}:running");
                requests.push(request(&name, *signature, body::completed(task)));
            }
        }
        messages.extend(requests.iter().map(message));
        // The same webhook once more.
        requests.push(Request {
            attempt: 2,
            ..right
        });
        let sent = requests.iter().map(|request| self.send(target, request));
        for sent in join_all(sent).await {
            sent?;
        }
        Ok(messages)
    }

    /// Sends a request and adds it to the log. Returns the status of the response.
    async fn send(
        &self,
        target: Target<'_>,
        request: &Request,
    ) -> Result<Option<u16>, StorageError> {
        let headers = self.headers(target, request)?;
        let (at, project_time) = (App::system_now(), App::now(self.project));
        let mut sent = SentWebhook {
            project: self.project.id.clone(),
            id: ids::ordered(),
            delivery: 0,
            attempt: request.attempt,
            kind: target.kind.as_str().to_owned(),
            message_id: request.message_id.clone(),
            subscription: target.subscription.id().to_owned(),
            at,
            project_time,
            microseconds: 0,
            method: Method::POST.to_string(),
            url: target.url.to_string(),
            request_headers: listed(&headers),
            request_body: String::from_utf8_lossy(&request.body).into_owned(),
            status: None,
            detail: String::new(),
            next_retry: None,
            fault: request.signature.fault().map(str::to_owned),
        };
        let started = Instant::now();
        self.exchange(target, request, headers, &mut sent).await?;
        sent.microseconds = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        let status = sent.status;
        self.log(sent).await?;
        Ok(status)
    }

    /// Sends the request, and notes the response.
    async fn exchange(
        &self,
        target: Target<'_>,
        request: &Request,
        headers: HeaderMap,
        sent: &mut SentWebhook,
    ) -> Result<(), StorageError> {
        let id = MessageId::new(&request.message_id).map_err(StorageError::new)?;
        let message = Message::new(target.kind.as_str(), request.body.clone())
            .id(id)
            .owner(&self.project.id);
        let subscription = target.subscription.id();
        let attempt = AttemptContext::new(DeliveryId(0), request.attempt, &message, subscription);
        let outgoing = OutgoingRequest {
            url: target.url.clone(),
            method: Method::POST,
            headers,
            body: request.body.clone(),
            attempt,
        };
        let timeout = self.policy.timeout;
        match tokio::time::timeout(timeout, self.sender.send(outgoing)).await {
            Ok(Ok(response)) => {
                sent.status = Some(response.status);
                sent.detail = response.excerpt;
            }
            Ok(Err(error)) => sent.detail = error.detail,
            Err(_) => sent.detail = format!("no complete response within {timeout:?}"),
        }
        Ok(())
    }

    /// Returns the headers, signed as the request says.
    fn headers(&self, target: Target<'_>, request: &Request) -> Result<HeaderMap, StorageError> {
        let mut headers = target.subscription.headers().clone();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let id = HeaderValue::from_str(&request.message_id).map_err(StorageError::new)?;
        headers.insert(MESSAGE_ID, id);
        headers.insert(ATTEMPT, HeaderValue::from(request.attempt));
        let signing = target.subscription.signing();
        let signed = sign::headers(signing, self.keys, request.signature, &request.body)?;
        headers.extend(signed);
        Ok(headers)
    }

    /// Writes the request to the log at once, so that a report that follows the probe shows it.
    async fn log(&self, sent: SentWebhook) -> Result<(), StorageError> {
        let mut changes = Changes::new();
        changes.insert(&sent);
        match self.app.store.commit(changes).await {
            Ok(()) => {
                let announced = Activity::Webhook(Arc::new(sent));
                self.app.recorder.announce(announced);
                Ok(())
            }
            Err(CommitError::Conflict) => Err(StorageError::new("an id was used twice")),
            Err(CommitError::Storage(error)) => Err(error),
        }
    }
}

fn message(request: &Request) -> ProbeMessage {
    ProbeMessage {
        message_id: request.message_id.clone(),
        signature: request.signature,
    }
}

/// Returns the headers as the log has them.
fn listed(headers: &HeaderMap) -> Vec<(String, String)> {
    let headers = headers.iter().map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        (name.as_str().to_owned(), value)
    });
    headers.collect()
}
