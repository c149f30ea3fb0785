//! When something is sent again, and when it is given up.

use crate::delivery::{AttemptEnd, DeadReason};
use crate::send::{SendError, Sent};
use crate::store::{CircuitPolicy, Health, Verdict};
use bothends_runtime::DeliveryRules;
use std::ops::RangeInclusive;
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
    /// The statuses that count as success.
    pub success_statuses: &'static [RangeInclusive<u16>],
    /// Whether a request that times out is sent again.
    pub retry_on_timeout: bool,
    /// Whether a request whose connection breaks is sent again.
    pub retry_on_broken: bool,
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
            success_statuses: &[200..=299],
            retry_on_timeout: true,
            retry_on_broken: true,
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
        let default = Self::default();
        let first_pause = rules.backoff_base.unwrap_or(default.first_pause);
        Self {
            timeout: rules.timeout,
            retries: rules.retries,
            retry_statuses: rules.retry_statuses,
            success_statuses: rules.success_statuses.unwrap_or(default.success_statuses),
            retry_on_timeout: rules.retry_on_timeout,
            retry_on_broken: rules.retry_on_broken,
            first_pause,
            longest_pause: rules
                .backoff_cap
                .unwrap_or(default.longest_pause)
                .max(first_pause),
            ..default
        }
    }
}

impl Policy {
    /// Whether a status is a success: 200 to 299, unless [`Policy::success_statuses`] says otherwise.
    pub fn succeeds_on(&self, status: u16) -> bool {
        let mut statuses = self.success_statuses.iter();
        statuses.any(|range| range.contains(&status))
    }

    /// Whether a status asks for another attempt (part 8 of the document, rules 1 and 3).
    pub fn retries_on(&self, status: u16) -> bool {
        self.retry_statuses.contains(&status)
    }

    /// Whether an attempt without a response asks for another one (part 8 of the document, rule 2).
    const fn retries_after(&self, end: AttemptEnd) -> bool {
        match end {
            AttemptEnd::TimedOut => self.retry_on_timeout,
            _ => self.retry_on_broken,
        }
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
            Ok(answer) if self.succeeds_on(answer.status) => {
                return (Verdict::Delivered, Health::Good);
            }
            Ok(answer) if self.retries_on(answer.status) => answer.retry_after,
            // It answers, so others may fare better.
            Ok(_) => return (Verdict::Dead(DeadReason::Rejected), Health::Good),
            Err(SendError {
                end: AttemptEnd::Forbidden,
                ..
            }) => return (Verdict::Dead(DeadReason::Forbidden), Health::Bad),
            Err(fault) if !self.retries_after(fault.end) => {
                return (Verdict::Dead(DeadReason::Rejected), Health::Bad);
            }
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
        let rules = DeliveryRules::new(Duration::from_secs(3), 2, &[503]);
        let policy = Policy::from(rules);
        assert_eq!((policy.timeout, policy.retries), (rules.timeout, 2));
        assert!(policy.retries_on(503) && !policy.retries_on(500));
        let default = Policy::default();
        assert_eq!(policy.first_pause, default.first_pause);
        assert_eq!(policy.longest_pause, default.longest_pause);
        assert!(policy.succeeds_on(299) && !policy.succeeds_on(300));
    }

    #[test]
    fn backoff_and_success_come_from_the_document_where_it_says() {
        let rules = DeliveryRules::new(Duration::from_secs(3), 9, &[503])
            .success_statuses(&[200..=200, 202..=202])
            .backoff_base(Duration::from_secs(2))
            .backoff_cap(Duration::from_secs(7));
        let policy = Policy::from(rules);
        let pauses: Vec<u64> = (1..=4).map(|retry| policy.pause(retry).as_secs()).collect();
        assert_eq!(pauses, [2, 4, 7, 7]);
        let statuses: Vec<u16> = (199..=204).filter(|of| policy.succeeds_on(*of)).collect();
        assert_eq!(statuses, [200, 202]);
        // A base that is longer than our own cap is not cut short by it.
        let long = Duration::from_secs(24 * 60 * 60);
        let policy = Policy::from(DeliveryRules::new(long, 9, &[]).backoff_base(long));
        assert_eq!(policy.pause(1), long);
    }

    #[test]
    fn a_cause_that_the_document_leaves_out_is_no_reason_to_retry() {
        let rules = DeliveryRules::new(Duration::from_secs(3), 9, &[]).retry_on(false, true);
        let policy = Policy::from(rules);
        assert!(!policy.retries_after(AttemptEnd::TimedOut));
        assert!(policy.retries_after(AttemptEnd::Broken));
        let policy = Policy::from(rules.retry_on(true, false));
        assert!(policy.retries_after(AttemptEnd::TimedOut));
        assert!(!policy.retries_after(AttemptEnd::Broken));
        assert!(!policy.retries_after(AttemptEnd::Tls));
    }
}
