//! How many deliveries a claim leases, and how many endpoints and notes it locks for them.
//!
//! A claim whose endpoints have many deliveries each reaches its limit with few of them, and needs no notes of further
//! deliveries. What it locks besides costs as much as what it leases.

use crate::store::{ClaimRequest, Lease};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio_postgres::types::ToSql;

/// The maximum number of notes absorbed at once.
const MANY_NOTES: usize = 4096;
/// How many claims in a row may absorb no notes, and for how long. Meanwhile, an endpoint that was idle is not in the queue.
const WITHOUT_NOTES: (usize, Duration) = (3, Duration::from_millis(100));
/// The limit of leases from which a claim may absorb no notes: smaller claims cost little.
const LARGE: usize = 16;

/// What the last claims of this store needed.
#[derive(Clone, Default)]
pub(super) struct Demand(Arc<Mutex<Claims>>);

#[derive(Clone, Copy, Default)]
struct Claims {
    /// Whether the last claim reached its limit.
    is_full: bool,
    /// How many claims in a row have absorbed no notes, and when the one before began.
    without_notes: usize,
    absorbed: Option<Instant>,
    /// How many deliveries the last claim leased, and of how many endpoints.
    leases: usize,
    endpoints: usize,
}

/// How much one transaction of a claim locks at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    /// The number of endpoints in notes, each as often as it is in them.
    pub(super) notes: usize,
    /// The number of endpoints from the queue of those that are neither slow nor failing.
    pub(super) endpoints: usize,
}

impl Share {
    /// All that may be of use.
    pub(super) const ALL: Self = Self {
        notes: MANY_NOTES,
        endpoints: usize::MAX,
    };
}

impl Demand {
    /// Returns how much a claim of at most `limit` deliveries locks first. The notes exceed the limit, so that they become
    /// fewer. Their number is bounded, so that a claim with a million notes is as fast as with one.
    pub(super) fn share(&self, limit: usize, now: Instant) -> Share {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, time) = WITHOUT_NOTES;
        let is_recent = |at| now.saturating_duration_since(at) < time;
        let may_wait = claims.without_notes < count && claims.absorbed.is_some_and(is_recent);
        let notes = if claims.is_full && limit >= LARGE && may_wait {
            claims.without_notes += 1;
            0
        } else {
            claims.absorbed = Some(now);
            let claims_since = std::mem::take(&mut claims.without_notes) + 1;
            let notes = limit.saturating_mul(2).saturating_mul(claims_since);
            notes.clamp(32, MANY_NOTES)
        };
        let endpoints = match claims.leases {
            0 => limit,
            // A quarter more, and two, so that most claims find enough.
            leases => {
                let needed = limit.saturating_mul(claims.endpoints).div_ceil(leases);
                needed.saturating_add(needed / 4 + 2).min(limit)
            }
        };
        Share { notes, endpoints }
    }

    /// Notes what a claim of at most `limit` deliveries has leased, of this number of endpoints.
    pub(super) fn claimed(&self, limit: usize, leases: usize, endpoints: usize) {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        claims.is_full = leases >= limit;
        (claims.leases, claims.endpoints) = (leases, endpoints);
    }
}

/// How many deliveries a claim leases at most.
pub(super) struct Limits {
    pub(super) probes: i64,
    pub(super) suspects: i64,
    pub(super) slow: i64,
    pub(super) all: i64,
}

impl Limits {
    /// Returns what is left for a request after these leases.
    pub(super) fn left(request: &ClaimRequest, leases: &[Lease]) -> Self {
        let slow_before = leases.iter().filter(|lease| lease.slow).count();
        let limit = request.limit.saturating_sub(leases.len());
        let suspects = request.suspect_limit.min(request.limit);
        let number = |limit: usize| i64::try_from(limit).unwrap_or(i64::MAX);
        Self {
            probes: number(request.probe_limit),
            suspects: number(suspects.saturating_sub(leases.len())),
            slow: number(request.slow_limit.saturating_sub(slow_before).min(limit)),
            all: number(limit),
        }
    }

    /// Returns the values of the statement that locks endpoints, at most `fast` of those that are neither slow nor failing.
    pub(super) fn values<'a>(
        &'a self,
        given: &'a Option<i64>,
        fast: &'a i64,
    ) -> [&'a (dyn ToSql + Sync); 5] {
        [given, &self.probes, &self.suspects, &self.slow, fast]
    }
}

#[cfg(test)]
mod tests {
    use super::{Demand, MANY_NOTES};
    use std::time::{Duration, Instant};

    #[test]
    fn a_claim_after_full_ones_absorbs_the_notes_that_they_left() {
        let (demand, now) = (Demand::default(), Instant::now());
        let notes = |limit, leases| {
            let share = demand.share(limit, now);
            demand.claimed(limit, leases, 1);
            share.notes
        };
        assert_eq!([(); 6].map(|()| notes(20, 20)), [40, 0, 0, 0, 160, 0]);
        assert_eq!(notes(20, 19), 0, "the one before was full");
        assert_eq!(notes(20, 20), 120);
        assert_eq!([(); 3].map(|()| notes(1, 1)), [32, 32, 32]);
        assert_eq!(notes(10_000, 1), 0);
        assert_eq!(notes(10_000, 1), MANY_NOTES);
    }

    #[test]
    fn notes_do_not_wait_for_claims_that_are_rare() {
        let (demand, now) = (Demand::default(), Instant::now());
        let notes = |millis| {
            let share = demand.share(20, now + Duration::from_millis(millis));
            demand.claimed(20, 20, 1);
            share.notes
        };
        assert_eq!([0, 99, 100, 200].map(notes), [40, 0, 80, 40]);
    }

    #[test]
    fn a_claim_locks_as_many_endpoints_as_the_last_one_needed_and_some_more() {
        let (demand, now) = (Demand::default(), Instant::now());
        let endpoints = |limit| demand.share(limit, now).endpoints;
        assert_eq!(endpoints(100), 100, "one delivery each");
        demand.claimed(100, 100, 10);
        assert_eq!(endpoints(100), 14);
        assert_eq!(endpoints(50), 8);
        demand.claimed(100, 100, 100);
        assert_eq!(endpoints(100), 100);
        demand.claimed(100, 0, 0);
        assert_eq!(endpoints(100), 100);
    }
}
