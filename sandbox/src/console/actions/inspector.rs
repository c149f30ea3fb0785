//! The inspector of calls and of requests with webhooks.

use super::{document, limit, project, view, views};
use crate::app::App;
use crate::console::api::operations::{
    ListCallsRequest, ListSentWebhooksRequest, ListUnattributedCallsRequest,
};
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::{Call, SentWebhook};
use crate::store::{Document, Page};
use std::fmt::Write as _;

/// How many entries are read at once while those that match are looked for.
const BATCH: u32 = 200;

/// Returns the newest documents that match, at most `wanted`.
pub(crate) async fn newest<T: Document>(
    app: &App,
    project: &str,
    before: Option<&str>,
    wanted: u32,
    matches: impl Fn(&T) -> bool,
) -> Result<Vec<T>, Failure> {
    let wanted = usize::try_from(wanted).map_err(Failure::internal)?;
    let mut found = Vec::new();
    let mut before = before.map(str::to_owned);
    while found.len() < wanted {
        let page = Page::last(BATCH).after(before.as_deref());
        let entries = app.store.list::<T>(project, page).await?;
        let Some(last) = entries.last() else { break };
        before = Some(last.id().to_owned());
        let entries = entries.into_iter().map(|entry| entry.value);
        found.extend(entries.filter(&matches));
    }
    found.truncate(wanted);
    Ok(found)
}

/// Returns `true` if a call ended with an error status, or without a response.
pub(crate) fn is_error(call: &Call) -> bool {
    call.status.is_none_or(|status| status >= 400)
}

/// Returns calls, the newest first.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn calls(app: &App, request: &ListCallsRequest) -> Result<Vec<types::Call>, Failure> {
    project(app, &request.project).await?;
    let failed = request.failed_or_default();
    let operation = request.operation.as_deref();
    let matches = |call: &Call| {
        (!failed || is_error(call))
            && (operation.is_none() || call.operation.as_deref() == operation)
    };
    let before = request.before.as_deref();
    let wanted = limit(request.limit_or_default());
    views(&newest(app, &request.project, before, wanted, matches).await?)
}

/// Returns calls that belong to no project, the newest first.
///
/// # Errors
/// Returns an error of the database.
pub async fn unattributed(
    app: &App,
    request: &ListUnattributedCallsRequest,
) -> Result<Vec<types::Call>, Failure> {
    let before = request.before.as_deref();
    let wanted = limit(request.limit_or_default());
    views(&newest::<Call>(app, "", before, wanted, |_| true).await?)
}

/// Returns a call with a curl command that repeats it.
///
/// # Errors
/// Returns an error if the call does not exist.
pub async fn call(app: &App, id: &str, call: &str) -> Result<types::CallDetail, Failure> {
    let call = document::<Call>(app, id, call, "call").await?;
    Ok(types::CallDetail::new(view(&call.value)?, curl(app, &call)))
}

/// Returns requests with webhooks, the newest first.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn sent(
    app: &App,
    request: &ListSentWebhooksRequest,
) -> Result<Vec<types::SentWebhook>, Failure> {
    project(app, &request.project).await?;
    let delivery = request.delivery;
    let matches = |sent: &SentWebhook| delivery.is_none_or(|delivery| sent.delivery == delivery);
    let before = request.before.as_deref();
    let wanted = limit(request.limit_or_default());
    views(&newest(app, &request.project, before, wanted, matches).await?)
}

/// Headers that curl sets by itself.
const OF_CURL: [&str; 5] = [
    "host",
    "content-length",
    "accept",
    "user-agent",
    "connection",
];

/// Returns a curl command that repeats a call. Secrets are shortened in it, as in the call.
pub(crate) fn curl(app: &App, call: &Call) -> String {
    let api = app.urls.get().map_or("", |urls| urls.api.as_str());
    let mut command = "curl -i".to_owned();
    // What curl does by itself: a `POST` if there is a body, and a `GET` otherwise.
    let usual = if call.request_body.is_empty() {
        "GET"
    } else {
        "POST"
    };
    if call.method != usual {
        let _ = write!(command, " -X {}", quoted(&call.method));
    }
    for (name, value) in &call.request_headers {
        if !OF_CURL.contains(&name.to_ascii_lowercase().as_str()) {
            let _ = write!(command, " \\\n  -H {}", quoted(&format!("{name}: {value}")));
        }
    }
    if !call.request_body.is_empty() {
        let _ = write!(command, " \\\n  --data-raw {}", quoted(&call.request_body));
    }
    let _ = write!(command, " \\\n  {}", quoted(&format!("{api}{}", call.path)));
    command
}

/// Quotes a word for a POSIX shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_quote_ends_no_word() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("a b"), "'a b'");
    }
}
