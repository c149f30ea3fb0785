//! Rules about client ids and tokens.

use super::super::history::{CallExt, History, requests};
use super::Observations;
use crate::model::{Call, Millis};

/// How many tokens a client may obtain before it must reuse them: several processes may start at the
/// same time.
const SPARE_TOKENS: usize = 2;
/// How many requests a client must make with a token on average.
const REQUESTS_PER_TOKEN: usize = 4;
/// The part of the validity at whose end a new token is in order.
const LAST_PART: i64 = 3;
/// A validity shorter than this shows nothing, in milliseconds.
const SHORT: i64 = 60_000;

/// `client-id-sent`
pub(super) fn client_id(history: &History) -> Observations {
    let mut observations = Observations::default();
    for call in &history.calls {
        let Some(operation) = &call.operation else {
            continue;
        };
        let credentials_grant = call.is_token_call()
            && call
                .form_field("grant_type")
                .is_none_or(|grant| grant != REFRESH);
        if credentials_grant {
            continue;
        }
        let sent = call.header("x-client-id").is_some();
        let with = if sent { "with" } else { "without" };
        observations.call(sent, call, format!("`{operation}` {with} `X-Client-Id`."));
    }
    observations
}

/// The grant that uses a refresh token.
const REFRESH: &str = "refresh_token";

/// `refresh-token-once`
pub(super) fn refresh_token(history: &History) -> Observations {
    let mut observations = Observations::default();
    for call in &history.calls {
        let refreshes = call.is_token_call()
            && call
                .form_field("grant_type")
                .is_some_and(|grant| grant == REFRESH);
        if !refreshes {
            continue;
        }
        if let Some(reason) = spent(call) {
            observations.call(false, call, format!("A spent refresh token: {reason}"));
        } else if call.status == Some(200) {
            observations.call(true, call, "A refresh token was used once.".to_owned());
        }
    }
    observations
}

/// Returns the reason if the call was rejected because its refresh token was used before.
fn spent(call: &Call) -> Option<&str> {
    let mut failed = call.checks.iter().filter(|check| !check.passed);
    failed
        .find(|check| check.name == "refresh token" && check.reason.contains("was used before"))
        .map(|check| &*check.reason)
}

/// The latest token of a client.
struct Token {
    obtained: Millis,
    expires: Millis,
}

impl Token {
    fn new(call: &Call) -> Option<Self> {
        let body = call.response_json()?;
        let seconds = body.pointer("/data/expires_in")?.as_i64()?;
        Some(Self {
            obtained: call.project_time,
            expires: call
                .project_time
                .saturating_add(seconds.saturating_mul(1_000)),
        })
    }

    /// Returns `true` if another token is not yet needed at this time of the project.
    const fn is_fresh(&self, now: Millis) -> bool {
        let validity = self.expires.saturating_sub(self.obtained);
        validity > SHORT && now < self.expires.saturating_sub(validity / LAST_PART)
    }
}

/// `token-cached`
pub(super) fn cached(history: &History) -> Observations {
    let mut observations = Observations::default();
    for calls in history.clients() {
        let mut token: Option<Token> = None;
        let mut needless: Vec<&Call> = Vec::new();
        let mut last = None;
        let known = calls
            .iter()
            .copied()
            .filter(|call| call.operation.is_some());
        let requests = requests(known).len();
        for call in calls {
            if !call.is_token_call() {
                last = Some(call);
                if call.status == Some(401) {
                    // Whatever the code, the client may have thrown the token away.
                    token = None;
                }
            } else if call.status == Some(200) {
                if token.is_some_and(|token| token.is_fresh(call.project_time)) {
                    needless.push(call);
                }
                // The response may not have been received if a fault was injected.
                token = Token::new(call).filter(|_| call.fault.is_none());
            }
        }
        let wasteful =
            needless.len() > SPARE_TOKENS && needless.len() * REQUESTS_PER_TOKEN > requests;
        if wasteful {
            for call in needless {
                let text = "Another token was valid for a long time yet.".to_owned();
                observations.call(false, call, text);
            }
        } else if let Some(call) = last.filter(|_| requests >= REQUESTS_PER_TOKEN) {
            let text = format!("{requests} requests, {} needless tokens.", needless.len());
            observations.call(true, call, text);
        }
    }
    observations
}
