//! Conformance checks for stores. A failing check panics.
//!
//! A test of a custom store runs all checks:
//!
//! ```no_run
//! # use bothends_delivery::{conformance, sqlite::SqliteOptions};
//! # async fn test() {
//! // Called once per check, with its name and a clock. Returns a new, empty store that uses the clock.
//! conformance::check_all(async |name: &str, clock| {
//!     let options = SqliteOptions::new().clock(clock);
//!     options.open(format!("{name}.db")).await.unwrap()
//! })
//! .await;
//! # }
//! ```
//!
//! [`check_tasks`] does the same for a [`TaskStore`](bothends_runtime::tasks::TaskStore).

mod backlog;
mod endpoints;
mod found;
mod isolation;
mod leases;
mod messages;
mod operator;
mod subscriptions;
mod tasks;
mod upkeep;

pub use tasks::{TaskWebhook, check_tasks};

use crate::delivery::AttemptEnd;
use crate::store::{
    AttemptLog, CircuitPolicy, ClaimRequest, Claimed, Decision, DeliveryStore, Health, Lease,
    Outcome, Recorded,
};
use crate::time::{Clock, ManualClock};
use crate::{
    Delivery, DeliveryId, Enqueued, Message, MessageId, StoreError, Subscription, Timestamp,
};
use std::ops::Deref;
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(30);
const T0: i64 = 1_000_000;
const WORKS: &str = "the store works";

/// Runs every check.
///
/// # Panics
/// Panics if the store fails a check.
pub async fn check_all<S: DeliveryStore>(open: impl AsyncFn(&str, ManualClock) -> S) {
    subscriptions::subscriptions_come_back_as_they_were(at_zero(&open, "subscriptions").await)
        .await;
    subscriptions::messages_go_where_they_are_wanted(at_zero(&open, "fan_out").await).await;
    subscriptions::patterns_select_kinds(at_zero(&open, "patterns").await).await;
    subscriptions::filters_select_bodies(at_zero(&open, "filters").await).await;
    subscriptions::a_message_is_enqueued_once(at_zero(&open, "idempotent").await).await;
    leases::outcomes_end_leases(at_zero(&open, "outcomes").await).await;
    leases::a_lost_lease_is_taken_back(at_zero(&open, "lost").await).await;
    leases::a_late_outcome_changes_nothing(at_zero(&open, "fenced").await).await;
    leases::poison_is_given_up(at_zero(&open, "poison").await).await;
    subscriptions::inactive_subscriptions_hold(at_zero(&open, "held").await).await;
    subscriptions::subscriptions_are_active_until_they_are_not(at_zero(&open, "active").await)
        .await;
    subscriptions::removed_subscriptions_end_what_is_open(at_zero(&open, "removed").await).await;
    leases::endpoints_take_turns(at_zero(&open, "fair").await).await;
    leases::failing_endpoints_get_less(at_zero(&open, "circuit").await).await;
    upkeep::replays_are_new_deliveries(at_zero(&open, "replay").await).await;
    upkeep::what_is_over_is_forgotten(at_zero(&open, "prune").await).await;
    upkeep::clocks_that_ran_ahead_are_mended(at_zero(&open, "mend").await).await;
    messages::ids_are_unique_within_an_owner(at_zero(&open, "ids").await).await;
    messages::a_message_is_kept_whole(at_zero(&open, "whole").await).await;
    messages::delays_and_dates_are_kept(at_zero(&open, "delays").await).await;
    isolation::what_is_poisonous_is_found(at_zero(&open, "found").await).await;
    isolation::what_was_lost_waits_to_be_alone(at_zero(&open, "alone").await).await;
    isolation::slow_endpoints_get_a_share(at_zero(&open, "slow").await).await;
    backlog::a_backlog_is_counted(at_zero(&open, "backlog").await).await;
    backlog::due_times_are_moved(at_zero(&open, "moved").await).await;
    backlog::retries_and_circuits_are_moved(at_zero(&open, "retried").await).await;
    backlog::deliveries_of_an_owner_are_listed(at_zero(&open, "listed").await).await;
    found::deliveries_are_found(at_zero(&open, "filtered").await).await;
    found::what_failed_is_replayed_once(at_zero(&open, "failed").await).await;
    endpoints::rate_limits_are_kept(at_zero(&open, "rate").await).await;
    endpoints::first_attempts_are_ordered(at_zero(&open, "ordered").await).await;
    endpoints::a_delay_holds_back_later_first_attempts(at_zero(&open, "line").await).await;
    endpoints::owners_and_endpoints_are_listed(at_zero(&open, "endpoints").await).await;
    endpoints::attempts_have_their_times(at_zero(&open, "times").await).await;
    let store = at_zero(&open, "operator").await;
    if operator::are_supported(&store).await {
        operator::operators_are_notified(store).await;
        operator::an_event_causes_no_events(at_zero(&open, "webhooks").await).await;
    }
    backlog::deliberate_times_are_not_repaired(at_zero(&open, "deliberate").await).await;
}

async fn at_zero<S: DeliveryStore>(
    open: &impl AsyncFn(&str, ManualClock) -> S,
    name: &str,
) -> Timed<S> {
    let clock = ManualClock::new(at(0));
    Timed {
        store: open(name, clock.clone()).await,
        clock,
    }
}

/// A store with its clock. Methods with a time set the clock before they call the store.
#[derive(Debug, Clone)]
pub struct Timed<S> {
    /// The store.
    pub store: S,
    /// The clock of the store.
    pub clock: ManualClock,
}

impl<S> Deref for Timed<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.store
    }
}

#[allow(missing_docs, reason = "each is the method of the store")]
impl<S: DeliveryStore> Timed<S> {
    pub async fn enqueue_at(
        &self,
        message: Message,
        now: Timestamp,
    ) -> Result<Enqueued, StoreError> {
        self.clock.set(now);
        self.store.enqueue(message).await
    }

    pub async fn set_active_at(
        &self,
        id: &str,
        active: bool,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.clock.set(now);
        self.store.set_active(id, active).await
    }

    pub async fn remove_at(&self, id: &str, now: Timestamp) -> Result<(), StoreError> {
        self.clock.set(now);
        self.store.remove_subscription(id).await
    }

    pub async fn claim_at(
        &self,
        request: ClaimRequest,
        now: Timestamp,
    ) -> Result<Claimed, StoreError> {
        self.clock.set(now);
        self.store.claim(request).await
    }

    pub async fn record_at(
        &self,
        outcomes: Vec<Outcome>,
        now: Timestamp,
        circuit: CircuitPolicy,
    ) -> Result<Vec<Recorded>, StoreError> {
        self.clock.set(now);
        self.store.record(outcomes, circuit).await
    }

    pub async fn replay_at(
        &self,
        id: DeliveryId,
        now: Timestamp,
    ) -> Result<DeliveryId, StoreError> {
        self.clock.set(now);
        self.store.replay(id).await
    }

    /// Prunes deliveries that finished before this time, which must not be later than now.
    pub async fn prune_at(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let now = self.clock.now().max(before);
        self.clock.set(now);
        self.store.prune(now.since(before), limit).await
    }

    pub async fn repair_times_at(
        &self,
        now: Timestamp,
        slack: Duration,
    ) -> Result<u64, StoreError> {
        self.clock.set(now);
        self.store.repair_times(slack).await
    }
}

/// Returns the time this many seconds after the start of a check.
fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(T0 + seconds * 1000)
}

/// Returns a claim as a worker sends it.
pub fn request(limit: usize) -> ClaimRequest {
    ClaimRequest {
        lease: LEASE,
        limit,
        slots: 64,
        idle: true,
        suspect_limit: limit,
        slow_limit: limit,
        probe_limit: limit,
        unresponsive: Vec::new(),
        lost: 3,
    }
}

/// Returns the outcome of a lease, as a worker records it.
pub fn outcome(lease: &Lease, now: Timestamp, verdict: Decision) -> Outcome {
    let status = match verdict {
        Decision::Delivered => Some(200),
        Decision::Dead(_) => Some(410),
        Decision::Retry { .. } => Some(503),
        Decision::Release { .. } => None,
    };
    Outcome {
        delivery: lease.delivery,
        generation: lease.generation,
        epoch: lease.epoch,
        verdict,
        health: match verdict {
            Decision::Delivered | Decision::Dead(_) => Health::Good,
            Decision::Retry { .. } => Health::Bad,
            Decision::Release { .. } => Health::Unknown,
        },
        attempt: status.map(|status| AttemptLog {
            started: now,
            responded: Some(now),
            ended: now,
            end: AttemptEnd::Answered,
            status: Some(status),
            detail: "said so".to_owned(),
        }),
    }
}

async fn subscribe(store: &Timed<impl DeliveryStore>, id: &str, concurrency: u16) {
    let subscription = Subscription::builder(id)
        .url(format!("https://{id}.example/hook"))
        .concurrency(concurrency)
        .build();
    let subscription = subscription.expect("it is a good subscription");
    store.put_subscription(subscription).await.expect(WORKS);
}

async fn enqueue(store: &Timed<impl DeliveryStore>, kind: &str, now: Timestamp) -> Vec<DeliveryId> {
    let message = Message::new(kind, "{}");
    store
        .enqueue_at(message, now)
        .await
        .expect(WORKS)
        .deliveries
}

async fn claim(store: &Timed<impl DeliveryStore>, now: Timestamp, limit: usize) -> Vec<Lease> {
    store
        .claim_at(request(limit), now)
        .await
        .expect(WORKS)
        .leases
}

async fn record(
    store: &Timed<impl DeliveryStore>,
    outcomes: Vec<Outcome>,
    now: Timestamp,
) -> Vec<Recorded> {
    let recorded = store
        .record_at(outcomes, now, CircuitPolicy::default())
        .await;
    recorded.expect(WORKS)
}

async fn delivery(store: &Timed<impl DeliveryStore>, id: DeliveryId) -> Delivery {
    let found = store.delivery(id).await.expect(WORKS);
    found.expect("the delivery is there")
}

/// Returns a duration in seconds.
const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn id(text: &str) -> MessageId {
    MessageId::new(text).expect("it is a good id")
}
