//! What a project's client has done, in order.

use crate::model::{Call, Millis, SentWebhook};
use crate::store::{Document, Page, StorageError, Store};
use std::collections::{BTreeMap, HashMap};

/// The number of entries that are read at a time.
const PAGE: u32 = 1_000;

/// The operation that issues tokens.
pub(super) const TOKEN: &str = "createToken";
/// The operation that returns the status of a refresh.
pub(super) const STATUS: &str = "getOpenBankingRefreshStatus";

/// The calls of a project's client and the webhooks that were sent to it, the oldest first.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The time at which the history was read, by the system clock.
    pub now: Millis,
    /// The calls.
    pub calls: Vec<Call>,
    /// The requests with webhooks.
    pub webhooks: Vec<SentWebhook>,
}

impl History {
    /// Creates a history from entries in any order.
    pub fn new(now: Millis, mut calls: Vec<Call>, mut webhooks: Vec<SentWebhook>) -> Self {
        // An entry gets its id when it ends, but the rules are about when it began.
        calls.sort_by(|call, other| (call.at, &call.id).cmp(&(other.at, &other.id)));
        webhooks.sort_by(|webhook, other| (webhook.at, &webhook.id).cmp(&(other.at, &other.id)));
        Self {
            now,
            calls,
            webhooks,
        }
    }

    /// Reads the history of a project.
    ///
    /// # Errors
    /// Returns an error of the database.
    pub async fn read(store: &Store, project: &str, now: Millis) -> Result<Self, StorageError> {
        let calls = all::<Call>(store, project).await?;
        let webhooks = all::<SentWebhook>(store, project).await?;
        Ok(Self::new(now, calls, webhooks))
    }

    /// Returns the calls by client. Calls of clients that were not recognised are together.
    pub(super) fn clients(&self) -> impl Iterator<Item = Vec<&Call>> {
        let mut clients: BTreeMap<&str, Vec<&Call>> = BTreeMap::new();
        for call in &self.calls {
            let client = call.client_id.as_deref().unwrap_or_default();
            clients.entry(client).or_default().push(call);
        }
        clients.into_values()
    }
}

/// Returns the requests of a client: calls other than those of the token endpoint, without repetitions. A
/// call is a repetition if the same request came before it and failed with a 401 or a 5xx, or its response
/// was not or may not have been received.
pub(super) fn requests<'a>(calls: impl IntoIterator<Item = &'a Call>) -> Vec<&'a Call> {
    let mut latest: HashMap<(&str, &str, &str, Option<&str>), &Call> = HashMap::new();
    let calls = calls.into_iter().filter(|call| !call.is_token_call());
    calls
        .filter(|call| {
            let customer = call.header("x-customer-id");
            let request = (
                call.method.as_str(),
                call.path.as_str(),
                call.request_body.as_str(),
                customer,
            );
            let earlier = latest.insert(request, call);
            earlier.is_none_or(|earlier| !has_failed(earlier))
        })
        .collect()
}

/// Returns whether a client has a reason to send a request again.
fn has_failed(call: &Call) -> bool {
    let failed = |status: u16| status == 401 || status >= 500;
    call.status.is_none_or(failed) || call.fault.is_some()
}

/// Reads all documents of a type.
async fn all<T: Document>(store: &Store, project: &str) -> Result<Vec<T>, StorageError> {
    let mut documents: Vec<T> = Vec::new();
    loop {
        let after = documents.last().map(|last| last.id().to_owned());
        let page = Page::first(PAGE).after(after.as_deref());
        let more = store.list::<T>(project, page).await?;
        let is_last = more.len() < PAGE as usize;
        documents.extend(more.into_iter().map(|stored| stored.value));
        if is_last {
            return Ok(documents);
        }
    }
}

/// Questions about a call.
pub(super) trait CallExt {
    /// Returns the value of a request header.
    fn header(&self, name: &str) -> Option<&str>;
    /// Returns `true` for calls of the token endpoint.
    fn is_token_call(&self) -> bool;
    /// Returns the value of a field of the form in the body.
    fn form_field(&self, name: &str) -> Option<String>;
    /// Returns the JSON body of the response.
    fn response_json(&self) -> Option<serde_json::Value>;
    /// Returns `true` if both calls are the same request, apart from the token.
    fn repeats(&self, earlier: &Call) -> bool;
    /// Returns the end, by the system clock.
    fn end(&self) -> Millis;
}

impl CallExt for Call {
    fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.request_headers.iter();
        headers
            .find(|(header, _)| header.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    fn is_token_call(&self) -> bool {
        self.operation.as_deref() == Some(TOKEN)
    }

    fn form_field(&self, name: &str) -> Option<String> {
        url::form_urlencoded::parse(self.request_body.as_bytes())
            .find(|(field, _)| field == name)
            .map(|(_, value)| value.into_owned())
    }

    fn response_json(&self) -> Option<serde_json::Value> {
        serde_json::from_str(&self.response_body).ok()
    }

    fn repeats(&self, earlier: &Call) -> bool {
        self.method == earlier.method
            && self.path == earlier.path
            && self.request_body == earlier.request_body
            && self.header("x-customer-id") == earlier.header("x-customer-id")
    }

    fn end(&self) -> Millis {
        end(self.at, self.microseconds)
    }
}

/// Questions about a request with a webhook.
pub(super) trait WebhookExt {
    /// Returns `true` if the response was a success.
    fn accepted(&self) -> bool;
    /// Returns `true` if the signature was wrong on purpose.
    fn badly_signed(&self) -> bool;
    /// Returns the end, by the system clock.
    fn end(&self) -> Millis;
}

impl WebhookExt for SentWebhook {
    fn accepted(&self) -> bool {
        self.status
            .is_some_and(|status| (200..300).contains(&status))
    }

    fn badly_signed(&self) -> bool {
        let faults = ["wrong-key", "altered-body", "algorithm-none", "missing"];
        let fault = self.fault.as_deref();
        fault.is_some_and(|fault| faults.contains(&fault))
    }

    fn end(&self) -> Millis {
        end(self.at, self.microseconds)
    }
}

fn end(start: Millis, microseconds: u64) -> Millis {
    let milliseconds = i64::try_from(microseconds / 1_000).unwrap_or(i64::MAX);
    start.saturating_add(milliseconds)
}
