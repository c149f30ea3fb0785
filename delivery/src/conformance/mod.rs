//! What every store has to do, as checks that panic where one does not.
//!
//! A store of one's own is put through them by a test:
//!
//! ```no_run
//! # use bothends_delivery::{conformance, sqlite::SqliteStore};
//! # async fn test() {
//! // Called once for each check, with its name: a fresh, empty store each time.
//! conformance::check_all(async |name: &str| SqliteStore::open(format!("{name}.db")).await.unwrap())
//!     .await;
//! # }
//! ```

mod leases;
mod subscriptions;
mod upkeep;

use crate::delivery::AttemptEnd;
use crate::store::{
    AttemptLog, CircuitPolicy, ClaimRequest, DeliveryStore, Health, Lease, Outcome, Recorded,
    Verdict,
};
use crate::{Delivery, DeliveryId, Message, Subscription, Timestamp};
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(30);
const T0: i64 = 1_000_000;
const WORKS: &str = "the store works";

/// Puts a store through every check.
pub async fn check_all<S: DeliveryStore>(open: impl AsyncFn(&str) -> S) {
    subscriptions::subscriptions_come_back_as_they_were(open("subscriptions").await).await;
    subscriptions::messages_go_where_they_are_wanted(open("fan_out").await).await;
    subscriptions::a_message_is_enqueued_once(open("idempotent").await).await;
    leases::outcomes_end_leases(open("outcomes").await).await;
    leases::a_lost_lease_is_taken_back(open("lost").await).await;
    leases::a_late_outcome_changes_nothing(open("fenced").await).await;
    leases::poison_is_given_up(open("poison").await).await;
    subscriptions::inactive_subscriptions_hold(open("held").await).await;
    subscriptions::subscriptions_are_active_until_they_are_not(open("active").await).await;
    subscriptions::removed_subscriptions_end_what_is_open(open("removed").await).await;
    leases::endpoints_take_turns(open("fair").await).await;
    leases::failing_endpoints_get_less(open("circuit").await).await;
    upkeep::replays_are_new_deliveries(open("replay").await).await;
    upkeep::what_is_over_is_forgotten(open("prune").await).await;
    upkeep::clocks_that_ran_ahead_are_mended(open("mend").await).await;
}

/// A time in a check: so many seconds after it began.
fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(T0 + seconds * 1000)
}

/// A claim as a worker makes it.
pub fn request(now: Timestamp, limit: usize) -> ClaimRequest {
    ClaimRequest {
        now,
        lease: LEASE,
        limit,
        suspects: limit,
        lost: 3,
    }
}

/// An outcome as a worker tells it: `end` is what the attempt came to.
pub fn outcome(lease: &Lease, now: Timestamp, verdict: Verdict) -> Outcome {
    let status = match verdict {
        Verdict::Delivered => Some(200),
        Verdict::Dead(_) => Some(410),
        Verdict::Retry { .. } => Some(503),
        Verdict::Release { .. } => None,
    };
    Outcome {
        delivery: lease.delivery,
        generation: lease.generation,
        epoch: lease.epoch,
        verdict,
        health: match verdict {
            Verdict::Delivered | Verdict::Dead(_) => Health::Good,
            Verdict::Retry { .. } => Health::Bad,
            Verdict::Release { .. } => Health::Unknown,
        },
        attempt: status.map(|status| AttemptLog {
            started: now,
            ended: now,
            end: AttemptEnd::Answered,
            status: Some(status),
            detail: "said so".to_owned(),
        }),
    }
}

async fn subscribe(store: &impl DeliveryStore, id: &str, concurrency: u16) {
    let subscription = Subscription::builder(id)
        .url(format!("https://{id}.example/hook"))
        .concurrency(concurrency)
        .build();
    let subscription = subscription.expect("it is a good subscription");
    store.put_subscription(subscription).await.expect(WORKS);
}

async fn enqueue(store: &impl DeliveryStore, kind: &str, now: Timestamp) -> Vec<DeliveryId> {
    let message = Message::new(kind, "{}");
    store.enqueue(message, now).await.expect(WORKS).deliveries
}

async fn claim(store: &impl DeliveryStore, now: Timestamp, limit: usize) -> Vec<Lease> {
    store.claim(request(now, limit)).await.expect(WORKS).leases
}

async fn record(
    store: &impl DeliveryStore,
    outcomes: Vec<Outcome>,
    now: Timestamp,
) -> Vec<Recorded> {
    let recorded = store.record(outcomes, now, CircuitPolicy::default()).await;
    recorded.expect(WORKS)
}

async fn delivery(store: &impl DeliveryStore, id: DeliveryId) -> Delivery {
    let found = store.delivery(id).await.expect(WORKS);
    found.expect("the delivery is there")
}
