//! What has happened: calls, webhooks, events and actions in the console. Ids are UUIDs of version
//! 7, so that their order is that of time.

use super::Millis;
use crate::store::Document;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// Something that has happened, for those who watch.
#[derive(Debug, Clone)]
pub enum Activity {
    /// A call of the API.
    Call(Arc<Call>),
    /// A request with a webhook.
    Webhook(Arc<SentWebhook>),
    /// A webhook that the receiver of the sandbox has received.
    Received(Arc<Received>),
}

/// A call of the API, as the inspector shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The project; empty for a call without a secret or a token of one of its clients.
    pub project: String,
    /// The id.
    pub id: String,
    /// The start, by the system clock.
    pub at: Millis,
    /// The start, by the clock of the project.
    pub project_time: Millis,
    /// The duration, in microseconds.
    pub microseconds: u64,
    /// The client, if it was recognised.
    pub client_id: Option<String>,
    /// The operation id of the OpenAPI document, if the path is one of its paths.
    pub operation: Option<Cow<'static, str>>,
    /// The HTTP method.
    pub method: String,
    /// The path with the query.
    pub path: String,
    /// The headers of the request. Secrets are replaced by their beginnings.
    pub request_headers: Vec<(String, String)>,
    /// The beginning of the body of the request.
    pub request_body: String,
    /// The status of the response; `None` if the connection ended before one was sent.
    pub status: Option<u16>,
    /// The headers of the response.
    pub response_headers: Vec<(String, String)>,
    /// The beginning of the body of the response. Tokens are replaced by their beginnings.
    pub response_body: String,
    /// The checks that the request went through, up to the one that rejected it.
    pub checks: Vec<Check>,
    /// The id of the fault that was injected.
    #[serde(default)]
    pub fault: Option<String>,
}

impl Call {
    /// Returns the `code_id` of the response.
    pub fn code(&self) -> Option<String> {
        let body: serde_json::Value = serde_json::from_str(&self.response_body).ok()?;
        body.get("code_id")?.as_str().map(str::to_owned)
    }

    /// Returns the task that the call has started.
    pub fn started_task(&self) -> Option<String> {
        let is_start = self.operation.as_deref() == Some("startOpenBankingRefresh");
        if !is_start || self.status? >= 300 {
            return None;
        }
        // The name of the only field is a setting.
        let body: serde_json::Value = serde_json::from_str(&self.response_body).ok()?;
        let (_, task) = body.as_object()?.iter().next()?;
        task.as_str().map(str::to_owned)
    }
}

/// A check of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// What was checked, such as `access token`.
    pub name: Cow<'static, str>,
    /// Whether the request passed.
    pub passed: bool,
    /// The reason in a sentence.
    pub reason: Cow<'static, str>,
}

impl Document for Call {
    const KIND: &'static str = "call";
    const IS_LOG: bool = true;

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }
}

/// A request with a webhook that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentWebhook {
    /// The project.
    pub project: String,
    /// The id.
    pub id: String,
    /// The delivery.
    pub delivery: i64,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The webhook of the OpenAPI document.
    pub kind: String,
    /// The id of the message, equal for all attempts.
    pub message_id: String,
    /// The subscription.
    pub subscription: String,
    /// The start, by the system clock.
    pub at: Millis,
    /// The start, by the clock of the project.
    pub project_time: Millis,
    /// The duration, in microseconds.
    pub microseconds: u64,
    /// The HTTP method.
    pub method: String,
    /// The URL.
    pub url: String,
    /// The headers of the request, with the signature.
    pub request_headers: Vec<(String, String)>,
    /// The body of the request.
    pub request_body: String,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// The beginning of the body of the response, or the error.
    pub detail: String,
    /// When the next attempt is due, by the clock of the project.
    #[serde(default)]
    pub next_retry: Option<Millis>,
    /// The fault that was injected, by its `type`.
    #[serde(default)]
    pub fault: Option<String>,
}

impl Document for SentWebhook {
    const KIND: &'static str = "sent-webhook";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }
}

/// A webhook that the receiver of the sandbox has received.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The project.
    pub project: String,
    /// The id, which is also the cursor of `listen`.
    pub id: String,
    /// The name in the URL of the receiver.
    pub receiver: String,
    /// The arrival, by the system clock.
    pub at: Millis,
    /// The HTTP method.
    pub method: String,
    /// The headers, as sent.
    pub headers: Vec<(String, String)>,
    /// The body, in Base64.
    pub body: String,
    /// The status of the response that was sent, or is to be sent by a listener.
    #[serde(default)]
    pub status: Option<u16>,
}

impl Document for Received {
    const KIND: &'static str = "received";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn parent(&self) -> Option<&str> {
        Some(&self.receiver)
    }
}

/// An event that was reported with a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The project.
    pub project: String,
    /// The id.
    pub id: String,
    /// The webhook of the OpenAPI document.
    pub kind: String,
    /// The body of the webhook.
    pub body: serde_json::Value,
    /// The id of the message.
    pub message_id: String,
    /// What caused the event, such as `task 0b6f…` or `console`.
    pub cause: String,
    /// The time, by the clock of the project.
    pub at: Millis,
}

impl Document for Event {
    const KIND: &'static str = "event";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }
}

/// An action in the console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// The id.
    pub id: String,
    /// The time, by the system clock.
    pub at: Millis,
    /// Who acted: `console` for a person who signed in, `token` for the console API.
    pub actor: String,
    /// The operation id of the console API.
    pub action: String,
    /// The project, if the action concerns one.
    #[serde(default)]
    pub subject: Option<String>,
    /// Details for people, without secrets.
    #[serde(default)]
    pub detail: String,
}

impl Document for AuditEntry {
    const KIND: &'static str = "audit";

    fn project(&self) -> &'static str {
        ""
    }

    fn id(&self) -> &str {
        &self.id
    }
}
