//! When something is sent again, and when it is given up.

use crate::delivery::{AttemptEnd, DeadReason};
use crate::send::{SendFault, Sent};
use crate::store::{CircuitPolicy, Health, Verdict};
use bothends_runtime::DeliveryRules;
use std::time::Duration;

/// When something is sent again, and when it is given up.
///
/// The defaults are those of the service's document, part 8: ten seconds a request, up to ten
/// retries with exponential backoff, and a retry on the statuses of [`Policy::retries_on`] or on a
/// broken connection. What that document leaves open (first pause, longest pause) is chosen here.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// How long a request may take, from looking up the host to the end of the answer.
    pub timeout: Duration,
    /// How often something is sent again; once more than this is it sent at most.
    pub retries: u32,
    /// The statuses that ask for another attempt; no other does.
    pub retry_statuses: &'static [u16],
    /// The pause before the first retry.
    pub first_pause: Duration,
    /// No pause is longer, but for what a receiver asks for.
    pub longest_pause: Duration,
    /// How much longer or shorter than computed a pause may be, as a share of it. Up to a third,
    /// each pause is longer than the one before.
    pub jitter: f64,
    /// No `Retry-After` makes a pause longer than this.
    pub longest_retry_after: Duration,
    /// How many workers in a row may be lost while they send one delivery and nothing beside it, before
    /// it is given up as poisonous.
    pub lost: u32,
    /// When an endpoint that fails is left alone.
    pub circuit: CircuitPolicy,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            retries: 10,
            retry_statuses: &[408, 425, 429, 500, 502, 503, 504],
            first_pause: Duration::from_secs(5),
            longest_pause: Duration::from_secs(60 * 60),
            jitter: 0.2,
            longest_retry_after: Duration::from_secs(24 * 60 * 60),
            lost: 3,
            circuit: CircuitPolicy::default(),
        }
    }
}

/// What a document says of delivery (`DELIVERY` of generated code); the rest is as by default.
impl From<DeliveryRules> for Policy {
    fn from(rules: DeliveryRules) -> Self {
        Self {
            timeout: rules.timeout,
            retries: rules.retries,
            retry_statuses: rules.retry_statuses,
            ..Self::default()
        }
    }
}

impl Policy {
    /// Whether a status is a success: 200 to 299. The document does not say; this is what senders
    /// of webhooks agree on.
    pub const fn succeeds_on(status: u16) -> bool {
        matches!(status, 200..=299)
    }

    /// Whether a status asks for another attempt (part 8 of the document, rules 1 and 3).
    pub fn retries_on(&self, status: u16) -> bool {
        self.retry_statuses.contains(&status)
    }

    /// The pause before the retry with this number, the first being 1, without jitter.
    pub fn pause(&self, retry: u32) -> Duration {
        let doubled = 2u32
            .checked_pow(retry.saturating_sub(1))
            .unwrap_or(u32::MAX);
        self.first_pause
            .saturating_mul(doubled)
            .min(self.longest_pause)
    }

    /// What becomes of a delivery after an attempt, given how many counted before.
    pub(crate) fn judge(
        &self,
        sent: &Sent,
        tries_before: u32,
        rng: &mut fastrand::Rng,
    ) -> (Verdict, Health) {
        let retry_after = match sent {
            Ok(answer) if Self::succeeds_on(answer.status) => {
                return (Verdict::Delivered, Health::Good);
            }
            Ok(answer) if self.retries_on(answer.status) => answer.retry_after,
            // It answers, so others may fare better.
            Ok(_) => return (Verdict::Dead(DeadReason::Rejected), Health::Good),
            Err(SendFault {
                end: AttemptEnd::Forbidden,
                ..
            }) => return (Verdict::Dead(DeadReason::Forbidden), Health::Bad),
            Err(_) => None,
        };
        if tries_before >= self.retries {
            return (Verdict::Dead(DeadReason::Exhausted), Health::Bad);
        }
        let jittered = self.jittered(self.pause(tries_before + 1), rng);
        let asked = retry_after.unwrap_or_default();
        let pause = jittered.max(asked.min(self.longest_retry_after));
        (Verdict::Retry { pause }, Health::Bad)
    }

    fn jittered(&self, pause: Duration, rng: &mut fastrand::Rng) -> Duration {
        let jitter = if self.jitter.is_finite() {
            self.jitter.clamp(0.0, 1.0)
        } else {
            0.0
        };
        pause.mul_f64(1.0 + jitter * (2.0 * rng.f64() - 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_a_document_are_the_policy() {
        let rules = DeliveryRules {
            timeout: Duration::from_secs(3),
            retries: 2,
            retry_statuses: &[503],
        };
        let policy = Policy::from(rules);
        assert_eq!((policy.timeout, policy.retries), (rules.timeout, 2));
        assert!(policy.retries_on(503) && !policy.retries_on(500));
        assert_eq!(policy.first_pause, Policy::default().first_pause);
    }
}
