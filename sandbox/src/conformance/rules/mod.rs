//! The rules, as a table.

mod forgeries;
mod polling;
#[cfg(test)]
mod tests;
mod tokens;
mod unauthorized;
mod webhooks;

use super::{EVIDENCE, Evidence, Finding, History, Verdict};
use crate::model::{Call, SentWebhook};

/// A rule that a client has to keep.
pub(super) struct Rule {
    /// The name.
    pub(super) name: &'static str,
    /// The rule in a sentence.
    pub(super) title: &'static str,
    /// The explanation of [`Verdict::Ok`].
    ok: &'static str,
    /// The explanation of [`Verdict::Violated`]: what to change.
    violated: &'static str,
    /// The explanation of [`Verdict::NotShown`]: how it can be shown.
    not_shown: &'static str,
    /// Collects the observations.
    observe: fn(&History) -> Observations,
}

/// All rules, in the order of the report.
pub(super) const RULES: [Rule; 11] = [
    Rule {
        name: "client-id-sent",
        title: "The client sends `X-Client-Id` with every request.",
        ok: "Every request had the header.",
        violated: "Send the header `X-Client-Id` with every request, with the client id as value. \
                   Only the client credentials grant does without it.",
        not_shown: "There was no request that needs the header.",
        observe: tokens::client_id,
    },
    Rule {
        name: "refresh-token-once",
        title: "The client uses each refresh token once.",
        ok: "No refresh token was used again.",
        violated: "Every refresh returns a new refresh token. Replace the earlier one by it, in all \
                   processes that share the token.",
        not_shown: "The client used no refresh token.",
        observe: tokens::refresh_token,
    },
    Rule {
        name: "token-cached",
        title: "The client reuses an access token for its validity.",
        ok: "The client used its tokens for several requests.",
        violated: "Keep the access token for `expires_in` seconds, and share it between requests. \
                   Processes with the same client id count as one client.",
        not_shown: "The client made too few requests with a token.",
        observe: tokens::cached,
    },
    Rule {
        name: "unauthorized-retried",
        title: "On a 401, the client obtains a new token and retries the request.",
        ok: "Requests that failed with a 401 were retried with a new token.",
        violated: "Obtain a new token after a 401 with `token_expired`, `token_invalid` or `unknown`, \
                   and send the request again.",
        not_shown: "No request failed with a 401 that a new token helps with, or it was too recent. \
                    The fault `token-expired` shows it.",
        observe: unauthorized::retried,
    },
    Rule {
        name: "unauthorized-retry-bounded",
        title: "The client does not retry endlessly on a 401.",
        ok: "The client stopped, or succeeded, after few retries.",
        violated: "If a request fails again with a new token, return the error to the caller.",
        not_shown: "No request failed with a 401.",
        observe: unauthorized::bounded,
    },
    Rule {
        name: "unauthorized-retry-useful",
        title: "The client does not retry a 401 that no token helps with.",
        ok: "Requests that failed with `customer_not_found` or `unauthorized_scope` were not retried \
             with a new token.",
        violated: "Read `code_id` before a retry: a new token helps neither with `customer_not_found` \
                   nor with `unauthorized_scope`.",
        not_shown: "No request failed with such a code, or it was too recent. The customer \
                    `customer-unauthorized-scope` and a customer that does not exist show it.",
        observe: unauthorized::useful,
    },
    Rule {
        name: "polling-interval",
        title: "The client waits between two polls of a task.",
        ok: "The client waited between polls.",
        violated: "Wait between two polls, longer each time, or await the webhook.",
        not_shown: "The client did not poll a task more than once.",
        observe: polling::interval,
    },
    Rule {
        name: "webhook-acknowledged",
        title: "The client responds to a webhook within 10 seconds.",
        ok: "Every response was received in time.",
        violated: "Respond as soon as the webhook is stored, and process it afterwards.",
        not_shown: "No webhook reached the client.",
        observe: webhooks::acknowledged,
    },
    Rule {
        name: "webhook-signature-verified",
        title: "The client verifies the signatures of webhooks.",
        ok: "Each endpoint rejected every kind of wrong signature, and accepted a right one.",
        violated: "Verify the signature over the bytes as received, before the body is parsed, and \
                   respond with 401 if it is wrong. Accept only the algorithms of the published \
                   keys.",
        not_shown: "At one or more endpoints, not every kind of wrong signature was rejected next to an \
                    accepted right one, and nothing shows that a forgery was believed. The probe sends \
                    all kinds, to subscriptions with a signature, also for a running refresh; a client \
                    responds with 401 to a wrong one.",
        observe: webhooks::verified,
    },
    Rule {
        name: "webhook-deduplicated",
        title: "The client recognises repeated webhooks.",
        ok: "Repeated webhooks were accepted, and no visible action was repeated.",
        violated: "Remember the ids of webhooks (`Webhook-Id`). Respond to a repeated webhook with a \
                   success, and do nothing else.",
        not_shown: "No webhook was repeated after a success. The probe and the fault `duplicated` \
                    show it.",
        observe: webhooks::deduplicated,
    },
    Rule {
        name: "unknown-tolerated",
        title: "The client accepts fields and codes that it does not know.",
        ok: "Webhooks with unknown fields and an unknown code were accepted.",
        violated: "Ignore fields that are not known, and treat an unknown code as a failure without \
                   further details.",
        not_shown: "No webhook with unknown fields was sent next to an accepted one. The probe shows \
                    it.",
        observe: webhooks::tolerated,
    },
];

/// Observations that keep or break a rule.
#[derive(Debug, Default)]
pub(super) struct Observations {
    kept: Vec<Evidence>,
    broken: Vec<Evidence>,
    /// Whether a part of the client does not show whether it keeps the rule.
    is_open: bool,
}

impl Observations {
    /// Adds an observation about a call.
    fn call(&mut self, keeps: bool, call: &Call, text: String) {
        self.add(
            keeps,
            Evidence {
                text,
                call: Some(call.id.clone()),
                webhook: None,
            },
        );
    }

    /// Adds an observation about a webhook.
    fn webhook(&mut self, keeps: bool, sent: &SentWebhook, text: String) {
        self.add(
            keeps,
            Evidence {
                text,
                call: None,
                webhook: Some(sent.id.clone()),
            },
        );
    }

    fn add(&mut self, keeps: bool, evidence: Evidence) {
        let list = if keeps {
            &mut self.kept
        } else {
            &mut self.broken
        };
        list.push(evidence);
    }
}

impl Rule {
    /// Returns the verdict on a history. The evidence is the latest.
    pub(super) fn judge(&self, history: &History) -> Finding {
        let observations = (self.observe)(history);
        let (verdict, explanation, mut evidence) = if !observations.broken.is_empty() {
            (Verdict::Violated, self.violated, observations.broken)
        } else if !observations.kept.is_empty() && !observations.is_open {
            (Verdict::Ok, self.ok, observations.kept)
        } else {
            (Verdict::NotShown, self.not_shown, Vec::new())
        };
        evidence.drain(..evidence.len().saturating_sub(EVIDENCE));
        Finding {
            rule: self.name.to_owned(),
            title: self.title.to_owned(),
            verdict,
            explanation: explanation.to_owned(),
            evidence,
        }
    }
}
