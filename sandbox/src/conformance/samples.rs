//! Histories for the tests of rules.

use super::rules::RULES;
use super::{Finding, History};
use crate::model::{Call, Check, SentWebhook};

/// The client of all samples.
const CLIENT: &str = "client-1";

/// Returns a call at a time in milliseconds.
pub(super) fn call(id: &str, at: i64, operation: &str, status: u16) -> Call {
    let (method, path) = match operation {
        "createToken" => ("POST", "/v1/oauth/token"),
        "startOpenBankingRefresh" => ("POST", "/v1/open-banking/refresh"),
        _ => ("GET", "/v1/open-banking/refresh/task-1"),
    };
    Call {
        project: "project-1".to_owned(),
        id: id.to_owned(),
        at,
        project_time: at,
        microseconds: 1_000,
        client_id: Some(CLIENT.to_owned()),
        operation: Some(operation.to_owned().into()),
        method: method.to_owned(),
        path: path.to_owned(),
        request_headers: vec![("X-Client-Id".to_owned(), CLIENT.to_owned())],
        request_body: String::new(),
        status: Some(status),
        response_headers: Vec::new(),
        response_body: "{}".to_owned(),
        checks: Vec::new(),
        fault: None,
    }
}

/// Returns a call of the token endpoint that was successful.
pub(super) fn token(id: &str, at: i64) -> Call {
    Call {
        request_body: "grant_type=client_credentials".to_owned(),
        response_body: r#"{"operation_id":"oauth_token_post","data":{"expires_in":3600}}"#
            .to_owned(),
        ..call(id, at, "createToken", 200)
    }
}

/// Returns a call that uses a refresh token.
pub(super) fn refresh(id: &str, at: i64) -> Call {
    Call {
        request_body: "grant_type=refresh_token&refresh_token=fdrt_1".to_owned(),
        ..token(id, at)
    }
}

/// Returns a refresh that was rejected because its token was used before.
pub(super) fn spent(id: &str, at: i64) -> Call {
    Call {
        status: Some(401),
        checks: vec![Check {
            name: "refresh token".into(),
            passed: false,
            reason: "the refresh token was used before; all tokens of its family are revoked"
                .into(),
        }],
        ..refresh(id, at)
    }
}

/// Returns a poll of a task that failed with a 401.
pub(super) fn unauthorized(id: &str, at: i64, code: &str) -> Call {
    Call {
        response_body: format!(r#"{{"operation_id":"unknown","code_id":"{code}"}}"#),
        ..call(id, at, "getOpenBankingRefreshStatus", 401)
    }
}

/// Returns a successful poll of a task.
pub(super) fn poll(id: &str, at: i64) -> Call {
    call(id, at, "getOpenBankingRefreshStatus", 200)
}

/// Returns a webhook that was sent.
pub(super) fn webhook(id: &str, at: i64, message_id: &str, status: Option<u16>) -> SentWebhook {
    SentWebhook {
        project: "project-1".to_owned(),
        id: id.to_owned(),
        delivery: 1,
        attempt: 1,
        kind: "refreshCompleted".to_owned(),
        message_id: message_id.to_owned(),
        subscription: "subscription-1".to_owned(),
        at,
        project_time: at,
        microseconds: 5_000,
        method: "POST".to_owned(),
        url: "http://127.0.0.1:9/hooks".to_owned(),
        request_headers: vec![("x-token-signature".to_owned(), "signature".to_owned())],
        request_body: r#"{"data":{"task_id":"task-1","status":"Completed"}}"#.to_owned(),
        status,
        detail: String::new(),
        next_retry: None,
        fault: None,
    }
}

/// Returns a webhook with a wrong signature.
pub(super) fn badly_signed(id: &str, at: i64, fault: &str, status: u16) -> SentWebhook {
    SentWebhook {
        fault: Some(fault.to_owned()),
        ..webhook(id, at, id, Some(status))
    }
}

/// Applies one rule, a minute after the last sample.
pub(super) fn judge(rule: &str, calls: Vec<Call>, webhooks: Vec<SentWebhook>) -> Finding {
    let times = calls.iter().map(|call| call.at);
    let times = times.chain(webhooks.iter().map(|sent| sent.at));
    let now = times.max().unwrap_or_default() + 60_000;
    judge_at(rule, now, calls, webhooks)
}

/// Applies one rule at a time.
pub(super) fn judge_at(
    rule: &str,
    now: i64,
    calls: Vec<Call>,
    webhooks: Vec<SentWebhook>,
) -> Finding {
    let history = History::new(now, calls, webhooks);
    let rule = RULES.iter().find(|known| known.name == rule);
    rule.expect("the rule exists").judge(&history)
}
