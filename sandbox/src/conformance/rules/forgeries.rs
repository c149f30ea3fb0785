//! Forged webhooks that a client has believed.
//!
//! Responses do not show it, because a client may respond first and verify afterwards. What shows it is a
//! call for the status of a task that the client would not have asked for at this time.

use super::super::history::{History, STATUS, WebhookExt};
use super::super::probe;
use crate::model::{Call, Millis, SentWebhook};
use std::collections::BTreeMap;

/// The time in which a call is an effect of a webhook, in milliseconds.
pub(super) const EFFECT: Millis = 10_000;

/// A call that a forged webhook has caused.
pub(super) struct Belief<'a> {
    pub(super) call: &'a Call,
    pub(super) text: String,
}

/// Returns the calls that forged webhooks of the probe have caused.
pub(super) fn believed(history: &History) -> Vec<Belief<'_>> {
    let started = started(history);
    let mut forged: BTreeMap<String, Vec<&SentWebhook>> = BTreeMap::new();
    for sent in &history.webhooks {
        if sent.badly_signed()
            && probe::is_of_probe(&sent.message_id)
            && let Some(task) = task_of(&sent.request_body)
        {
            forged.entry(task).or_default().push(sent);
        }
    }
    let mut beliefs = Vec::new();
    for (task, sent) in &forged {
        let Some(start) = started.get(task) else {
            beliefs.extend(asks(history, task).map(|call| unknown(sent, call)));
            continue;
        };
        let others = started.iter().filter(|(other, call)| {
            !forged.contains_key(*other) && call.client_id == start.client_id
        });
        if let Some(silence) = silence(history, others) {
            let call = early(history, task, sent);
            let call = call.filter(|call| call.at - start.at <= silence);
            beliefs.extend(call.map(|call| running(sent, call)));
        }
    }
    beliefs
}

/// The client asks for a task that only forged webhooks have named.
fn unknown<'a>(forged: &[&SentWebhook], call: &'a Call) -> Belief<'a> {
    let fault = fault(forged, call);
    let text = format!(
        "The client asked for a task that only a webhook with the signature `{fault}` has named."
    );
    Belief { call, text }
}

/// The client asks for a running task, although it has waited longer for the webhook about another one.
fn running<'a>(forged: &[&SentWebhook], call: &'a Call) -> Belief<'a> {
    let fault = fault(forged, call);
    let text = format!(
        "The client asks for its tasks after a webhook and not before, and asked for this one while it was \
         running, after a webhook with the signature `{fault}`."
    );
    Belief { call, text }
}

/// Returns the kind of the last forged webhook before a call.
fn fault<'a>(forged: &[&'a SentWebhook], call: &Call) -> &'a str {
    let before = forged.iter().rev().find(|sent| sent.at <= call.at);
    let last = before.or(forged.first());
    last.and_then(|sent| sent.fault.as_deref())
        .unwrap_or_default()
}

/// Returns the calls that have started tasks, by the task.
fn started(history: &History) -> BTreeMap<String, &Call> {
    let tasks = history.calls.iter();
    tasks
        .filter_map(|call| Some((call.started_task()?, call)))
        .collect()
}

/// Returns the calls for the status of a task, in order.
fn asks<'a>(history: &'a History, task: &str) -> impl Iterator<Item = &'a Call> {
    let end = format!("/{task}");
    let calls = history.calls.iter();
    calls.filter(move |call| call.operation.as_deref() == Some(STATUS) && call.path.ends_with(&end))
}

/// Returns when the first right webhook about a task was sent that the client has accepted.
fn reported(history: &History, task: &str) -> Option<Millis> {
    let mut right = history.webhooks.iter().filter(|sent| {
        sent.accepted() && !sent.badly_signed() && !probe::is_of_probe(&sent.message_id)
    });
    let about = right.find(|sent| task_of(&sent.request_body).as_deref() == Some(task));
    about.map(|sent| sent.at)
}

/// Returns how long a client has waited for the webhook about a task before it asked for the status. `None`
/// if it has asked for one of the tasks earlier: its calls are polls then.
fn silence<'a>(
    history: &History,
    tasks: impl Iterator<Item = (&'a String, &'a &'a Call)>,
) -> Option<Millis> {
    let mut longest = None;
    for (task, start) in tasks {
        if let Some(first) = asks(history, task).next() {
            let reported = reported(history, task).filter(|reported| *reported <= first.at)?;
            longest = longest.max(Some(reported - start.at));
        }
    }
    longest
}

/// Returns the first call for a task, if it followed a forged webhook and preceded a right one.
fn early<'a>(history: &'a History, task: &str, forged: &[&SentWebhook]) -> Option<&'a Call> {
    let first = asks(history, task).next()?;
    let is_after = forged
        .iter()
        .any(|sent| (sent.at..sent.at + EFFECT).contains(&first.at));
    let reported = reported(history, task);
    (is_after && reported.is_none_or(|reported| first.at < reported)).then_some(first)
}

/// Returns the task that a webhook is about.
pub(super) fn task_of(body: &str) -> Option<String> {
    let body: serde_json::Value = serde_json::from_str(body).ok()?;
    Some(body.pointer("/data/task_id")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::super::super::samples::{badly_signed, call, judge, poll, webhook};
    use super::*;

    fn start(task: &str, at: Millis) -> Call {
        Call {
            response_body: format!(r#"{{"task_id":"{task}"}}"#),
            ..call(task, at, "startOpenBankingRefresh", 200)
        }
    }

    fn ask(task: &str, at: Millis) -> Call {
        Call {
            path: format!("/v1/open-banking/refresh/{task}"),
            ..poll("ask", at)
        }
    }

    fn about(task: &str, sent: SentWebhook) -> SentWebhook {
        SentWebhook {
            request_body: format!(r#"{{"data":{{"task_id":"{task}"}}}}"#),
            ..sent
        }
    }

    /// The task `a` is reported by a right webhook at 5 s, and `b` by a forged one at 3 s.
    fn verdict(asks: Vec<Call>) -> Verdict {
        let calls = vec![start("a", 0), start("b", 1_000)];
        let forged = badly_signed("probe:1:missing:running", 3_000, "missing", 200);
        let right = webhook("right", 5_000, "task:a:1", Some(200));
        let webhooks = vec![about("b", forged), about("a", right)];
        let rule = "webhook-signature-verified";
        judge(rule, [calls, asks].concat(), webhooks).verdict
    }

    #[test]
    fn a_call_after_a_forgery_counts_if_the_client_does_not_poll() {
        let after = ask("a", 5_010);
        let cases = [
            (Verdict::Violated, vec![ask("b", 3_010), after.clone()]),
            // The client polls: the other task before its webhook, this one before the forgery.
            (
                Verdict::NotShown,
                vec![ask("a", 4_000), ask("b", 3_010), after.clone()],
            ),
            (
                Verdict::NotShown,
                vec![ask("b", 2_000), ask("b", 3_010), after.clone()],
            ),
            // The client has never waited as long without a call.
            (Verdict::NotShown, vec![after.clone(), ask("b", 6_010)]),
            // Nothing shows that the client asks after a webhook.
            (Verdict::NotShown, vec![ask("b", 3_010)]),
            (Verdict::NotShown, vec![after]),
        ];
        for (verdict_of, asks) in cases {
            assert_eq!(verdict(asks.clone()), verdict_of, "{asks:?}");
        }
    }
}
