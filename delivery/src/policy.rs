//! Retry policies.

use crate::delivery::{AttemptEnd, DeadReason};
use crate::send::{SendError, Sent};
use crate::store::{CircuitPolicy, Decision, Health};
use bothends_runtime::DeliveryRules;
use std::ops::RangeInclusive;
use std::time::Duration;

/// A policy for retries: when a delivery is retried, and when it fails for good.
///
/// The defaults follow section 8 of the service's interface document: a timeout of ten seconds per
/// request, up to ten retries with exponential backoff, and a retry on the statuses of
/// [`Policy::retries_on`] and on a broken connection. The interface document leaves the first and
/// the longest pause open; this crate chooses their defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// The timeout of a request, from the DNS lookup to the end of the response. 10 seconds by
    /// default.
    pub timeout: Duration,
    /// The maximum number of retries. A delivery has at most one attempt more than this. 10 by
    /// default.
    pub retries: u32,
    /// The statuses that are retried. 408, 425, 429, 500, 502, 503 and 504 by default.
    pub retry_statuses: &'static [u16],
    /// The ranges of statuses that count as success. 200 to 299 by default.
    pub success_statuses: &'static [RangeInclusive<u16>],
    /// Whether a request is retried after a timeout. `true` by default.
    pub retry_on_timeout: bool,
    /// Whether a request is retried after a broken connection. `true` by default.
    pub retry_on_disconnect: bool,
    /// The pause before the first retry. 5 seconds by default.
    pub initial_backoff: Duration,
    /// The longest pause of the backoff. A `Retry-After` of the receiver may exceed it. One hour by
    /// default.
    pub max_backoff: Duration,
    /// The random variation of a pause, as a fraction of the pause. Up to one third, each pause is
    /// longer than the one before. 0.2 by default.
    pub jitter: f64,
    /// The longest pause that a `Retry-After` can cause. 24 hours by default.
    pub max_retry_after: Duration,
    /// The number of workers in a row that may be lost while they send one delivery alone, before
    /// the delivery fails as poisonous. 3 by default.
    pub lost: u32,
    /// The circuit breaker for failing endpoints.
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
            retry_on_disconnect: true,
            initial_backoff: Duration::from_secs(5),
            max_backoff: Duration::from_secs(60 * 60),
            jitter: 0.2,
            max_retry_after: Duration::from_secs(24 * 60 * 60),
            lost: 3,
            circuit: CircuitPolicy::default(),
        }
    }
}

/// Converts the delivery rules of an OpenAPI document (`DELIVERY` in generated code). Fields that
/// the rules leave out have their defaults.
impl From<DeliveryRules> for Policy {
    fn from(rules: DeliveryRules) -> Self {
        let default = Self::default();
        let initial_backoff = rules.backoff_base.unwrap_or(default.initial_backoff);
        Self {
            timeout: rules.timeout,
            retries: rules.retries,
            retry_statuses: rules.retry_statuses,
            success_statuses: rules.success_statuses.unwrap_or(default.success_statuses),
            retry_on_timeout: rules.retry_on_timeout,
            retry_on_disconnect: rules.retry_on_disconnect,
            initial_backoff,
            max_backoff: rules
                .backoff_cap
                .unwrap_or(default.max_backoff)
                .max(initial_backoff),
            ..default
        }
    }
}

impl Policy {
    /// Returns `true` if the status is a success: 200 to 299, unless [`Policy::success_statuses`]
    /// differs.
    pub fn succeeds_on(&self, status: u16) -> bool {
        let mut statuses = self.success_statuses.iter();
        statuses.any(|range| range.contains(&status))
    }

    /// Returns `true` if the status is retried (section 8 of the interface document, rules 1 and 3).
    pub fn retries_on(&self, status: u16) -> bool {
        self.retry_statuses.contains(&status)
    }

    /// Returns `true` if an attempt without a response is retried (section 8 of the interface
    /// document, rule 2).
    const fn retries_after(&self, end: AttemptEnd) -> bool {
        match end {
            AttemptEnd::TimedOut => self.retry_on_timeout,
            _ => self.retry_on_disconnect,
        }
    }

    /// Returns the pause before a retry, without jitter. The first retry has the number 1.
    pub fn pause(&self, retry: u32) -> Duration {
        let doubled = 2u32
            .checked_pow(retry.saturating_sub(1))
            .unwrap_or(u32::MAX);
        self.initial_backoff
            .saturating_mul(doubled)
            .min(self.max_backoff)
    }

    /// Decides the delivery's next state and the endpoint's health after an attempt. `tries_before`
    /// is the number of earlier attempts that count, and `delays` are those of the subscription.
    pub(crate) fn judge(
        &self,
        sent: &Sent,
        tries_before: u32,
        delays: Option<&[Duration]>,
        rng: &mut fastrand::Rng,
    ) -> (Decision, Health) {
        let retry_after = match sent {
            Ok(answer) if self.succeeds_on(answer.status) => {
                return (Decision::Delivered, Health::Good);
            }
            Ok(answer) if self.retries_on(answer.status) => answer.retry_after,
            // The endpoint responds, so other deliveries may succeed.
            Ok(_) => return (Decision::Dead(DeadReason::Rejected), Health::Good),
            Err(SendError {
                end: AttemptEnd::Forbidden,
                ..
            }) => return (Decision::Dead(DeadReason::Forbidden), Health::Bad),
            Err(fault) if !self.retries_after(fault.end) => {
                return (Decision::Dead(DeadReason::Rejected), Health::Bad);
            }
            Err(_) => None,
        };
        let delay = match delays {
            Some(delays) => delays.get(tries_before as usize).copied(),
            None => (tries_before < self.retries)
                .then(|| self.jittered(self.pause(tries_before + 1), rng)),
        };
        let Some(delay) = delay else {
            return (Decision::Dead(DeadReason::Exhausted), Health::Bad);
        };
        let asked = retry_after.unwrap_or_default();
        let pause = delay.max(asked.min(self.max_retry_after));
        (Decision::Retry { pause }, Health::Bad)
    }

    fn jittered(&self, pause: Duration, rng: &mut fastrand::Rng) -> Duration {
        let jitter = if self.jitter.is_finite() {
            self.jitter.clamp(0.0, 1.0)
        } else {
            0.0
        };
        let share = 1.0 + jitter * (2.0 * rng.f64() - 1.0);
        // The longest backoff is the user's, and may be at the limit of its type.
        Duration::try_from_secs_f64(pause.as_secs_f64() * share).unwrap_or(Duration::MAX)
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
        assert_eq!(policy.initial_backoff, default.initial_backoff);
        assert_eq!(policy.max_backoff, default.max_backoff);
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
        let statuses: Vec<u16> = (199..=204)
            .filter(|status| policy.succeeds_on(*status))
            .collect();
        assert_eq!(statuses, [200, 202]);
        // The default cap does not shorten a longer base of the document.
        let long = Duration::from_secs(24 * 60 * 60);
        let policy = Policy::from(DeliveryRules::new(long, 9, &[]).backoff_base(long));
        assert_eq!(policy.pause(1), long);
    }

    #[test]
    fn the_longest_backoff_has_a_jitter_too() {
        let policy = Policy {
            initial_backoff: Duration::MAX,
            max_backoff: Duration::MAX,
            jitter: 1.0,
            ..Policy::default()
        };
        let mut rng = fastrand::Rng::with_seed(7);
        for retry in 1..100 {
            let pause = policy.jittered(policy.pause(retry), &mut rng);
            assert!(pause > Duration::ZERO);
        }
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
