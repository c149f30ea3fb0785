//! Checks of the settings of endpoints: rate limits, and the order of first attempts.

use super::{Timed, WORKS, at, claim, delivery, enqueue, outcome, record, request, secs};
use crate::delivery::{DeadReason, State};
use crate::store::{AttemptLog, CircuitPolicy, Decision, DeliveryStore, Lease, Reschedule};
use crate::{DeliveryId, Message, Subscription, SubscriptionBuilder, Timestamp};
use std::collections::VecDeque;
use std::time::Duration;

fn new(id: &str) -> SubscriptionBuilder {
    let url = format!("https://{id}.example/");
    Subscription::builder(id).url_for(id, url).concurrency(100)
}

async fn put(store: &Timed<impl DeliveryStore>, subscription: SubscriptionBuilder) {
    let subscription = subscription.build().expect("it is a good subscription");
    store.put_subscription(subscription).await.expect(WORKS);
}

/// Returns the deliveries that are claimed at this time.
async fn claimed(store: &Timed<impl DeliveryStore>, now: Timestamp) -> Vec<DeliveryId> {
    let leases = claim(store, now, 50).await;
    leases.iter().map(|lease| lease.delivery).collect()
}

pub(super) async fn rate_limits_are_kept(store: Timed<impl DeliveryStore>) {
    put(&store, new("limited").rate_limit(20, secs(20))).await;
    put(&store, new("free")).await;
    for _ in 0..100 {
        enqueue(&store, "limited", at(0)).await;
    }
    let free = enqueue(&store, "free", at(0)).await[0];
    let claimed = store.claim_at(request(3), at(0)).await.expect(WORKS);
    let granted: Vec<_> = claimed.leases.iter().map(|lease| lease.delivery).collect();
    assert_eq!(
        granted.len(),
        3,
        "a tenth of the limit, and the other endpoint"
    );
    assert!(granted.contains(&free), "which is not limited");
    let delivered = claimed.leases.iter();
    let delivered = delivered.map(|lease| outcome(lease, at(0), Decision::Delivered));
    record(&store, delivered.collect(), at(0)).await;
    let next = claimed.next.expect("it is known when the next may start");
    assert_eq!(next, at(0).after(Duration::from_millis(1053)));
    let none = store.claim_at(request(50), next.before(Duration::from_millis(1)));
    assert_eq!(none.await.expect(WORKS).leases.len(), 0, "not before");

    // Half of the requests fail, and are retried at once: retries count.
    let mut window = VecDeque::from([at(0), at(0)]);
    let mut all = 2;
    for tenth in 11..600 {
        let now = at(0).after(Duration::from_millis(100 * tenth));
        let leases = claim(&store, now, 50).await;
        let outcomes = leases.iter().zip(0_u32..).map(|(lease, index)| {
            let pause = Duration::ZERO;
            let verdict = match (index + lease.generation) % 2 {
                0 => Decision::Delivered,
                _ => Decision::Retry { pause },
            };
            outcome(lease, now, verdict)
        });
        let outcomes = outcomes.collect();
        let circuit = CircuitPolicy {
            rounds: u32::MAX,
            ..CircuitPolicy::default()
        };
        store.record_at(outcomes, now, circuit).await.expect(WORKS);
        all += leases.len();
        window.extend(leases.iter().map(|_| now));
        while window
            .front()
            .is_some_and(|first| now.since(*first) >= secs(20))
        {
            window.pop_front();
        }
        assert!(window.len() <= 20, "{} within twenty seconds", window.len());
    }
    assert!(all >= 54, "{all}: nine tenths of what the limit allows");
    // A subscription that is put again has its new limit at once.
    put(&store, new("limited")).await;
    let leases = claim(&store, at(60), 50).await;
    assert!(leases.len() > 2, "no limit, no waiting: {}", leases.len());
}

pub(super) async fn first_attempts_are_ordered(store: Timed<impl DeliveryStore>) {
    put(&store, new("s").ordered(true)).await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(enqueue(&store, "s", at(0)).await[0]);
    }
    assert_eq!(store.backlog("").await.expect(WORKS).waiting, 4);
    assert_eq!(store.depth().await.expect(WORKS), 4);
    assert_eq!(
        delivery(&store, ids[3]).await.state,
        State::Pending { due: at(0) }
    );
    let first = claim(&store, at(0), 50).await;
    assert_eq!(
        (first.len(), first[0].delivery),
        (1, ids[0]),
        "one at a time"
    );
    assert_eq!(
        claimed(&store, at(0)).await,
        [],
        "the next waits for its end"
    );
    let retry = outcome(&first[0], at(1), Decision::Retry { pause: secs(5) });
    record(&store, vec![retry], at(1)).await;
    let second = claim(&store, at(1), 50).await;
    assert_eq!((second.len(), second[0].delivery), (1, ids[1]));
    assert_eq!(
        claimed(&store, at(6)).await,
        [ids[0]],
        "a retry is sent beside it"
    );
    // A lease that was released without a request keeps its turn.
    let released = outcome(&second[0], at(7), Decision::Release { pause: secs(1) });
    record(&store, vec![released], at(7)).await;
    assert_eq!(claimed(&store, at(7)).await, []);
    let second = claim(&store, at(8), 50).await;
    assert_eq!((second.len(), second[0].delivery), (1, ids[1]));
    let dead = outcome(&second[0], at(9), Decision::Dead(DeadReason::Rejected));
    record(&store, vec![dead], at(9)).await;
    assert_eq!(claimed(&store, at(9)).await, [ids[2]]);
    let replay = store.replay_at(ids[1], at(10)).await.expect(WORKS);
    assert_eq!(
        claimed(&store, at(10)).await,
        [replay],
        "a replay has no turn"
    );
    // A worker that is lost has made the attempt.
    let mut after = claimed(&store, at(300)).await;
    after.sort_unstable();
    assert_eq!(after, [ids[0], ids[2], ids[3], replay]);
}

pub(super) async fn a_delay_holds_back_later_first_attempts(store: Timed<impl DeliveryStore>) {
    put(&store, new("s").ordered(true)).await;
    let late = Message::new("s", "{}").delay(secs(60));
    let late = store.enqueue_at(late, at(0)).await.expect(WORKS).deliveries[0];
    let next = enqueue(&store, "s", at(1)).await[0];
    let last = enqueue(&store, "s", at(1)).await[0];
    assert_eq!(claimed(&store, at(2)).await, []);
    let moved = store.reschedule("", .., Reschedule::Later(secs(9))).await;
    assert_eq!(moved.expect(WORKS), 3);
    assert_eq!(
        delivery(&store, next).await.state,
        State::Pending { due: at(10) }
    );
    assert_eq!(claimed(&store, at(68)).await, []);
    let lease = claim(&store, at(69), 50).await.remove(0);
    assert_eq!(lease.delivery, late);
    store.set_active_at("s", false, at(70)).await.expect(WORKS);
    assert_eq!(store.backlog("").await.expect(WORKS).held, 2);
    record(
        &store,
        vec![outcome(&lease, at(70), Decision::Delivered)],
        at(70),
    )
    .await;
    assert_eq!(claimed(&store, at(70)).await, []);
    store.set_active_at("s", true, at(71)).await.expect(WORKS);
    assert_eq!(claimed(&store, at(71)).await, [next]);
    // Without the order, all are sent.
    let behind = enqueue(&store, "s", at(72)).await[0];
    put(&store, new("s")).await;
    assert_eq!(claimed(&store, at(72)).await, [last, behind]);
    // With it again, what is enqueued from then on has an order.
    put(&store, new("s").ordered(true)).await;
    let ordered = [
        enqueue(&store, "s", at(73)).await[0],
        enqueue(&store, "s", at(73)).await[0],
    ];
    assert_eq!(claimed(&store, at(73)).await, ordered[..1]);
    store.remove_at("s", at(74)).await.expect(WORKS);
    let removed = delivery(&store, ordered[1]).await.state;
    assert_eq!(
        removed,
        State::Dead {
            at: at(74),
            reason: DeadReason::Removed
        }
    );
    assert_eq!(
        store.depth().await.expect(WORKS),
        4,
        "those that are in progress"
    );
    assert_eq!(store.prune_at(at(75), 10).await.expect(WORKS), 2);
    assert_eq!(store.delivery(ordered[1]).await.expect(WORKS), None);
}

pub(super) async fn attempts_have_their_times(store: Timed<impl DeliveryStore>) {
    put(&store, new("s")).await;
    for responded in [Some(at(2)), None] {
        let id = enqueue(&store, "s", at(0)).await[0];
        let lease = claim(&store, at(0), 1).await.remove(0);
        let mut delivered = outcome(&lease, at(3), Decision::Delivered);
        delivered.attempt = delivered.attempt.map(|attempt| AttemptLog {
            started: at(1),
            responded,
            ended: at(3),
            ..attempt
        });
        record(&store, vec![delivered], at(4)).await;
        let attempts = store.attempts(id).await.expect(WORKS);
        let times = (
            attempts[0].started,
            attempts[0].responded,
            attempts[0].ended,
        );
        assert_eq!(times, (at(1), responded, at(3)));
    }
}

pub(super) async fn owners_and_endpoints_are_listed(store: Timed<impl DeliveryStore>) {
    for (id, owner) in [("b", "two"), ("a", "two"), ("c", ""), ("d", "three")] {
        put(
            &store,
            new(id).owner(owner).url("https://user.example:81/path?q"),
        )
        .await;
    }
    let owners = async |after, limit| store.owners(after, limit).await.expect(WORKS);
    assert_eq!(owners(None, 10).await, ["", "three", "two"]);
    assert_eq!(owners(Some(""), 1).await, ["three"]);
    assert_eq!(owners(Some("two"), 1).await, Vec::<String>::new());
    assert_eq!(store.endpoints("nobody").await.expect(WORKS), []);
    let found = store.endpoints("two").await.expect(WORKS);
    let places = found.iter();
    let places: Vec<_> = places
        .map(|endpoint| {
            (
                endpoint.subscription.as_str(),
                endpoint.kind.as_deref(),
                endpoint.origin.as_str(),
            )
        })
        .collect();
    let all = "https://user.example:81";
    let expected = [
        ("a", None, all),
        ("a", Some("a"), "https://a.example"),
        ("b", None, all),
        ("b", Some("b"), "https://b.example"),
    ];
    assert_eq!(places, expected);
    // A failing endpoint whose circuit opens, and a paused one.
    let message = Message::new("a", "{}").owner("two");
    store.enqueue_at(message, at(0)).await.expect(WORKS);
    let leases = claim(&store, at(0), 10).await;
    let own = |lease: &&Lease| lease.subscription.id() == "a";
    let lease = leases.iter().find(own).expect("it is there");
    let endpoint_of = async |id: &str| {
        let endpoints = store.endpoints("two").await.expect(WORKS);
        let found = endpoints
            .into_iter()
            .find(|endpoint| endpoint.kind.as_deref() == Some(id));
        found.expect("it is there")
    };
    assert_eq!(endpoint_of("a").await.in_progress, 1);
    let failed = outcome(lease, at(1), Decision::Retry { pause: secs(1) });
    let circuit = CircuitPolicy {
        rounds: 1,
        ..CircuitPolicy::default()
    };
    store
        .record_at(vec![failed], at(1), circuit)
        .await
        .expect(WORKS);
    store.set_active_at("b", false, at(1)).await.expect(WORKS);
    let failing = endpoint_of("a").await;
    assert_eq!(
        (failing.failures, failing.in_progress, failing.active),
        (1, 0, true)
    );
    assert_eq!(failing.open_until, at(11));
    assert!(failing.is_open(at(10)) && !failing.is_open(at(11)));
    assert_eq!(failing.pace, Some(Duration::ZERO));
    assert!(!endpoint_of("b").await.active);
    // What was known of it says nothing of the receiver of a replaced subscription.
    let again = lease.subscription.as_ref().clone();
    store.put_subscription(again).await.expect(WORKS);
    let replaced = endpoint_of("a").await;
    assert_eq!((replaced.failures, replaced.pace), (0, None));
    assert!(!replaced.is_open(at(10)));
}
