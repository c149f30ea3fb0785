//! Rules about webhooks.

use super::super::history::{CallExt, History, STATUS, WebhookExt};
use super::super::probe;
use super::Observations;
use super::forgeries::{self, EFFECT, task_of};
use crate::model::{Call, Millis, SentWebhook};
use bothends_delivery::signing::SIGNATURE;
use std::collections::BTreeMap;

/// The time in which a client has to respond, in microseconds.
const TIMEOUT: u64 = 10_000_000;

/// `webhook-acknowledged`
pub(super) fn acknowledged(history: &History) -> Observations {
    let mut observations = Observations::default();
    for sent in &history.webhooks {
        let milliseconds = sent.microseconds / 1_000;
        match sent.status {
            Some(status) => {
                let text = format!("`{}`: {status} after {milliseconds} ms.", sent.kind);
                observations.webhook(sent.microseconds <= TIMEOUT, sent, text);
            }
            None if sent.microseconds >= TIMEOUT => {
                let text = format!("`{}`: no response after {milliseconds} ms.", sent.kind);
                observations.webhook(false, sent, text);
            }
            // The connection failed: nothing is known about the client's speed.
            None => {}
        }
    }
    observations
}

/// `webhook-signature-verified`
pub(super) fn verified(history: &History) -> Observations {
    let mut observations = Observations::default();
    let mut subscriptions: BTreeMap<(&str, &str), Vec<&SentWebhook>> = BTreeMap::new();
    for sent in &history.webhooks {
        let endpoint = (sent.subscription.as_str(), sent.url.as_str());
        subscriptions.entry(endpoint).or_default().push(sent);
    }
    for belief in forgeries::believed(history) {
        observations.call(false, belief.call, belief.text);
    }
    for webhooks in subscriptions.into_values() {
        let (wrong, right): (Vec<&SentWebhook>, Vec<&SentWebhook>) =
            webhooks.into_iter().partition(|sent| sent.badly_signed());
        let accepted = right
            .iter()
            .find(|sent| sent.accepted() && sent.fault.is_none());
        // A client that accepts everything may verify after its response, and one that accepts
        // nothing does not show that it verifies.
        let Some(accepted) = accepted else { continue };
        let kinds = probe::wrong_signatures(accepted);
        let refused: Vec<&SentWebhook> = wrong
            .iter()
            .copied()
            .filter(|sent| rejected(sent))
            .collect();
        if refused.is_empty() {
            observations.is_open |= !kinds.is_empty();
            continue;
        }
        for sent in wrong.iter().filter(|sent| sent.accepted()) {
            observations.webhook(false, sent, signature(sent, "accepted"));
        }
        // A client that rejects one forgery may accept another.
        let is_refused = |kind: &&str| refused.iter().any(|sent| is_forged_as(sent, kind));
        if !kinds.is_empty() && kinds.iter().all(is_refused) {
            for sent in refused {
                observations.webhook(true, sent, signature(sent, "rejected"));
            }
        } else {
            observations.is_open |= !kinds.is_empty();
        }
    }
    observations
}

/// Returns whether the signature of a webhook is wrong in a way. The fault `algorithm-none` leaves out the
/// signature by a token.
fn is_forged_as(sent: &SentWebhook, kind: &str) -> bool {
    let is_signed = |(name, _): &(String, String)| name.eq_ignore_ascii_case(SIGNATURE.as_str());
    match sent.fault.as_deref() {
        Some("algorithm-none") if !sent.request_headers.iter().any(is_signed) => kind == "missing",
        fault => fault == Some(kind),
    }
}

fn signature(sent: &SentWebhook, what: &str) -> String {
    let fault = sent.fault.as_deref().unwrap_or_default();
    let status = sent.status.unwrap_or_default();
    format!("Signature `{fault}`: {what} with {status}.")
}

fn rejected(sent: &SentWebhook) -> bool {
    sent.status
        .is_some_and(|status| (400..500).contains(&status))
}

/// `webhook-deduplicated`
pub(super) fn deduplicated(history: &History) -> Observations {
    let mut observations = Observations::default();
    let mut messages: BTreeMap<(&str, &str), Vec<&SentWebhook>> = BTreeMap::new();
    for sent in history.webhooks.iter().filter(|sent| !sent.badly_signed()) {
        let message = (sent.subscription.as_str(), sent.message_id.as_str());
        messages.entry(message).or_default().push(sent);
    }
    for webhooks in messages.into_values() {
        let mut webhooks = webhooks.into_iter();
        let Some(first) = webhooks.find(|sent| sent.accepted()) else {
            continue;
        };
        for repeat in webhooks {
            let Some(status) = repeat.status else {
                continue;
            };
            // While the first one is processed, a client may ask for a later repetition.
            if repeat.at < first.end() {
                continue;
            }
            if !repeat.accepted() {
                let text = format!("A repeated `{}` was answered with {status}.", repeat.kind);
                observations.webhook(false, repeat, text);
            } else if let Some(call) = repeated_effect(&history.calls, first, repeat) {
                let text =
                    "After a repeated webhook, the client asked for the finished task again.";
                observations.call(false, call, text.to_owned());
            } else {
                let text = format!("A repeated `{}` was accepted with {status}.", repeat.kind);
                observations.webhook(true, repeat, text);
            }
        }
    }
    observations
}

/// Returns a call that repeats what the client has done after the first webhook: it asked for the
/// finished task once before the repeated webhook, and once after.
fn repeated_effect<'a>(
    calls: &'a [Call],
    first: &SentWebhook,
    repeat: &SentWebhook,
) -> Option<&'a Call> {
    let task = task_of(&first.request_body)?;
    let asks = |from: &SentWebhook, until: Millis| {
        let mut calls = calls.iter().filter(move |call| {
            call.operation.as_deref() == Some(STATUS)
                && call.status == Some(200)
                && call.at >= from.at
                && call.at < until
        });
        calls.find(|call| call.path.ends_with(&format!("/{task}")))
    };
    let before = asks(first, repeat.at.min(first.at + EFFECT))?;
    let after = asks(repeat, repeat.at + EFFECT)?;
    // A client that polls beside its webhooks may just have begun the last poll.
    (after.at > before.end()).then_some(after)
}

/// `unknown-tolerated`
pub(super) fn tolerated(history: &History) -> Observations {
    let mut observations = Observations::default();
    for sent in &history.webhooks {
        if !probe::has_unknown_fields(&sent.message_id) {
            continue;
        }
        // Without an accepted webhook at the same endpoint the error has another reason.
        let accepts = history.webhooks.iter().any(|other| {
            other.url == sent.url
                && other.subscription == sent.subscription
                && other.accepted()
                && !other.badly_signed()
                && !probe::has_unknown_fields(&other.message_id)
        });
        match sent.status {
            Some(status) if sent.accepted() => {
                let text = format!("Unknown fields and code: accepted with {status}.");
                observations.webhook(true, sent, text);
            }
            Some(status) if accepts => {
                let text = format!("Unknown fields and code: answered with {status}.");
                observations.webhook(false, sent, text);
            }
            _ => {}
        }
    }
    observations
}
