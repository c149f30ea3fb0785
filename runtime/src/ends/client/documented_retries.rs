//! Retries by the rules of the document.

use super::{Attempt, Backoff, Delay, RetryPolicy};

/// A policy that retries each operation as the document states: see
/// [`ClientCore::documented_retries`](super::ClientCore::documented_retries).
///
/// The document narrows the default. A call is retried only if it is
/// [repeatable](Attempt::is_repeatable), if the failure is [transient](Attempt::is_transient), and
/// if the document neither disables retries nor excludes the failure. The delays are those of the
/// document. A [`Backoff`] decides what the document leaves open: operations without a statement,
/// delays that are not stated, and the number of attempts if no time is stated.
///
/// A longer delay in `Retry-After` takes precedence. A call is not retried if the server asks for
/// more than the longest delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DocumentedRetries {
    otherwise: Backoff,
}

impl DocumentedRetries {
    /// Creates the policy, with a policy for what the document leaves open.
    pub const fn new(otherwise: Backoff) -> Self {
        Self { otherwise }
    }
}

impl RetryPolicy for DocumentedRetries {
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
        let otherwise = &self.otherwise;
        let Some(rules) = &attempt.operation.retries else {
            return otherwise.next_delay(attempt);
        };
        let status = attempt.response.map(|(status, _)| status.as_u16());
        if rules.disabled || !otherwise.may_retry(attempt) || !rules.allows(status) {
            return None;
        }
        let delay = attempt.delay(
            rules.initial_delay.unwrap_or(otherwise.initial_delay),
            rules.max_delay.unwrap_or(otherwise.max_delay),
            rules.factor.unwrap_or(Backoff::FACTOR),
        )?;
        let is_within = match rules.max_elapsed {
            Some(most) => attempt.elapsed.saturating_add(delay) <= most,
            None => attempt.number < otherwise.attempts,
        };
        is_within.then(|| -> Delay { Box::pin(tokio::time::sleep(delay)) })
    }
}
