//! Rules about the response 401.

use super::super::history::{CallExt, History, requests};
use super::Observations;
use crate::model::{Call, Millis};

/// The codes of a 401 with which a new token helps.
const REFRESHABLE: [&str; 3] = ["token_expired", "token_invalid", "unknown"];
/// The codes of a 401 with which it does not.
const FINAL: [&str; 2] = ["customer_not_found", "unauthorized_scope"];
/// How much earlier than the request another one may have obtained the new token, in milliseconds.
const CONCURRENT: Millis = 5_000;
/// When a request counts as not retried, in milliseconds.
const PATIENCE: Millis = 30_000;
/// How many later calls of the client show that it went on without a retry.
const WENT_ON: usize = 2;
/// How many times in a row the same request may fail. Beside the retry of the HTTP client there may
/// be one of the application.
const FAILURES_IN_A_ROW: usize = 4;
/// The time within which requests are in a row, in milliseconds.
const ROW: Millis = 60_000;

/// What followed a failed request.
enum Next<'a> {
    /// The same request with a new token.
    Retried(&'a Call),
    /// The same request without a new token.
    Repeated(&'a Call),
    /// The client tried to obtain a token, and did not succeed.
    NoToken,
    /// The client did something else.
    WentOn,
    /// Nothing yet.
    Open,
}

/// Returns what followed the call at an index.
fn next<'a>(calls: &[&'a Call], index: usize, now: Millis) -> Next<'a> {
    let failed = calls[index];
    let later = &calls[index + 1..];
    let repeat = later
        .iter()
        .find(|call| !call.is_token_call() && call.at <= failed.at + ROW && call.repeats(failed));
    let until = repeat.map_or(Millis::MAX, |repeat| repeat.at);
    let mut tokens = calls
        .iter()
        .filter(|call| call.is_token_call())
        .filter(|call| call.at + CONCURRENT >= failed.at && call.at <= until)
        .peekable();
    let tried = tokens.peek().is_some();
    let obtained =
        tokens.any(|call| call.status == Some(200) && call.end() + CONCURRENT >= failed.at);
    match repeat {
        Some(repeat) if obtained => Next::Retried(repeat),
        Some(repeat) => Next::Repeated(repeat),
        None if tried && !obtained => Next::NoToken,
        None => {
            let others = requests(later.iter().copied()).len();
            if others >= WENT_ON || now - failed.at > PATIENCE {
                Next::WentOn
            } else {
                Next::Open
            }
        }
    }
}

/// Returns the indexes of the calls that failed with a 401 and one of these codes.
fn failed(calls: &[&Call], codes: &[&str]) -> Vec<(usize, String)> {
    let failed = calls.iter().enumerate().filter_map(|(index, call)| {
        if call.status != Some(401) || call.is_token_call() || call.operation.is_none() {
            return None;
        }
        let code = call.code()?;
        codes.contains(&code.as_str()).then_some((index, code))
    });
    failed.collect()
}

/// `unauthorized-retried`
pub(super) fn retried(history: &History) -> Observations {
    let mut observations = Observations::default();
    for calls in history.clients() {
        let mut retries: Vec<&str> = Vec::new();
        for (index, code) in failed(&calls, &REFRESHABLE) {
            let call = calls[index];
            if retries.contains(&call.id.as_str()) {
                // The retry itself has failed. Another rule is about what follows.
                continue;
            }
            match next(&calls, index, history.now) {
                Next::Retried(retry) => {
                    retries.push(&retry.id);
                    let text = format!("`{code}`, retried with a new token.");
                    observations.call(true, call, text);
                }
                Next::Repeated(retry) => {
                    retries.push(&retry.id);
                    let text = format!("`{code}`, repeated without a new token.");
                    observations.call(false, call, text);
                }
                Next::WentOn => {
                    observations.call(false, call, format!("`{code}`, not retried."));
                }
                Next::NoToken | Next::Open => {}
            }
        }
    }
    observations
}

/// `unauthorized-retry-bounded`
pub(super) fn bounded(history: &History) -> Observations {
    let mut observations = Observations::default();
    for calls in history.clients() {
        let requests: Vec<&Call> = calls
            .into_iter()
            .filter(|call| call.operation.is_some() && !call.is_token_call())
            .collect();
        for (index, first) in requests.iter().enumerate() {
            if first.status != Some(401) {
                continue;
            }
            let row = requests[index..]
                .iter()
                .filter(|call| call.repeats(first) && call.at <= first.at + ROW)
                .take_while(|call| call.status == Some(401))
                .count();
            let text = match row {
                1 => "One 401.".to_owned(),
                _ => format!("{row} times 401 in a row."),
            };
            observations.call(row <= FAILURES_IN_A_ROW, first, text);
        }
    }
    observations
}

/// `unauthorized-retry-useful`
pub(super) fn useful(history: &History) -> Observations {
    let mut observations = Observations::default();
    for calls in history.clients() {
        for (index, code) in failed(&calls, &FINAL) {
            let call = calls[index];
            match next(&calls, index, history.now) {
                Next::Retried(retry) if token_between(&calls, call, retry) => {
                    let text = format!("`{code}`, retried with a new token.");
                    observations.call(false, call, text);
                }
                Next::WentOn => {
                    observations.call(true, call, format!("`{code}`, not retried."));
                }
                _ => {}
            }
        }
    }
    observations
}

/// Returns `true` if a token was obtained between two calls.
fn token_between(calls: &[&Call], earlier: &Call, later: &Call) -> bool {
    let mut tokens = calls.iter().filter(|call| call.is_token_call());
    tokens.any(|call| call.at >= earlier.end() && call.at <= later.at)
}
