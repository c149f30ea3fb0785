//! What clients send that the interface does not know. It is accepted, and listed in the report.

use super::history::CallExt;
use crate::model::Call;
use std::collections::BTreeSet;

/// Headers of the interface, of HTTP, and of the tools that observe requests.
const HEADERS: [&str; 32] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "authorization",
    "baggage",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "date",
    "expect",
    "forwarded",
    "host",
    "idempotency-key",
    "keep-alive",
    "origin",
    "pragma",
    "priority",
    "referer",
    "te",
    "traceparent",
    "tracestate",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
    "x-client-id",
    "x-customer-id",
    "x-customer-secret",
    "x-request-id",
];
/// Headers with these beginnings belong to the sandbox, to browsers and to proxies.
const PREFIXES: [&str; 3] = ["x-sandbox-", "sec-", "x-forwarded-"];
/// The fields of a token request.
const FORM_FIELDS: [&str; 2] = ["grant_type", "refresh_token"];
/// The maximum number of entries.
const LIMIT: usize = 100;

/// Returns the unknown headers, form fields and query parameters of calls, without repetition.
pub(super) fn list(calls: &[Call]) -> Vec<String> {
    let mut unknown = BTreeSet::new();
    for call in calls {
        let Some(operation) = &call.operation else {
            continue;
        };
        for (name, _) in &call.request_headers {
            let name = name.to_ascii_lowercase();
            let known = HEADERS.contains(&name.as_str())
                || PREFIXES.iter().any(|prefix| name.starts_with(prefix));
            if !known {
                unknown.insert(format!("header `{name}`"));
            }
        }
        if let Some((_, query)) = call.path.split_once('?') {
            for (name, _) in url::form_urlencoded::parse(query.as_bytes()) {
                unknown.insert(format!("query parameter `{name}` of `{operation}`"));
            }
        }
        if call.is_token_call() {
            for (name, _) in url::form_urlencoded::parse(call.request_body.as_bytes()) {
                if !FORM_FIELDS.contains(&&*name) {
                    unknown.insert(format!("form field `{name}` of `{operation}`"));
                }
            }
        }
        if unknown.len() >= LIMIT {
            break;
        }
    }
    unknown.into_iter().take(LIMIT).collect()
}
