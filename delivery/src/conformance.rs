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

use crate::delivery::{AttemptEnd, DeadReason, State};
use crate::store::{
    AttemptLog, CircuitPolicy, ClaimRequest, DeliveryStore, Health, Lease, Outcome, Recorded,
    StoreErrorKind, Verdict,
};
use crate::{Delivery, DeliveryId, Message, SigningToken, Subscription, Timestamp};
use std::time::Duration;

const LEASE: Duration = Duration::from_secs(30);
const T0: i64 = 1_000_000;
const WORKS: &str = "the store works";

/// Puts a store through every check.
pub async fn check_all<S: DeliveryStore>(open: impl AsyncFn(&str) -> S) {
    subscriptions_come_back_as_they_were(open("subscriptions").await).await;
    messages_go_where_they_are_wanted(open("fan_out").await).await;
    a_message_is_enqueued_once(open("idempotent").await).await;
    outcomes_end_leases(open("outcomes").await).await;
    a_lost_lease_is_taken_back(open("lost").await).await;
    a_late_outcome_changes_nothing(open("fenced").await).await;
    poison_is_given_up(open("poison").await).await;
    inactive_subscriptions_hold(open("held").await).await;
    endpoints_take_turns(open("fair").await).await;
    failing_endpoints_get_less(open("circuit").await).await;
    replays_are_new_deliveries(open("replay").await).await;
    what_is_over_is_forgotten(open("prune").await).await;
    clocks_that_ran_ahead_are_mended(open("mend").await).await;
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

async fn subscriptions_come_back_as_they_were(store: impl DeliveryStore) {
    let token = SigningToken::new("a token of more than 32 characters").expect("it is long");
    let mut made = Vec::new();
    for id in ["b", "a"] {
        let subscription = Subscription::builder(id)
            .owner("owner")
            .url("https://example.com/all")
            .url_for("one", "https://example.com/one")
            .events(["two"])
            .header("X-Tenant", "7")
            .header("X-Tenant", "8")
            .token(token.clone())
            .concurrency(3)
            .build()
            .expect("it is a good subscription");
        store
            .put_subscription(subscription.clone())
            .await
            .expect(WORKS);
        let back = store.subscription(id).await.expect(WORKS);
        assert_eq!(
            back.as_ref(),
            Some(&subscription),
            "it comes back as it was"
        );
        made.insert(0, subscription);
    }
    assert_eq!(
        store.subscriptions("owner").await.expect(WORKS),
        made,
        "by id"
    );
    assert_eq!(store.subscriptions("other").await.expect(WORKS), []);
    assert_eq!(store.subscription("c").await.expect(WORKS), None);
    let missing = store.set_active("c", true, at(0)).await;
    let kind = missing.expect_err("it is not there").kind();
    assert_eq!(kind, StoreErrorKind::NotFound);
}

async fn messages_go_where_they_are_wanted(store: impl DeliveryStore) {
    let all = Subscription::builder("all").url("https://all.example/");
    let own = all.clone().url_for("x", "https://own.example/x");
    let some = Subscription::builder("some")
        .url("https://some.example/")
        .events(["x", "y"]);
    let other = Subscription::builder("other")
        .owner("other")
        .url("https://other.example/");
    for builder in [own, some, other] {
        let subscription = builder.build().expect("it is a good subscription");
        store.put_subscription(subscription).await.expect(WORKS);
    }
    for kind in ["x", "y", "z"] {
        enqueue(&store, kind, at(0)).await;
    }
    let leases = claim(&store, at(0), 10).await;
    let mut went: Vec<_> = leases
        .iter()
        .map(|l| (l.kind.as_str(), l.url.as_str()))
        .collect();
    went.sort_unstable();
    let expected = [
        ("x", "https://own.example/x"),
        ("x", "https://some.example/"),
        ("y", "https://all.example/"),
        ("y", "https://some.example/"),
        ("z", "https://all.example/"),
    ];
    assert_eq!(
        went, expected,
        "each subscription gets what it selected, once"
    );
    let moved = all
        .url_for("x", "https://new.example/x")
        .build()
        .expect("it is good");
    store.put_subscription(moved).await.expect(WORKS);
    let back = leases
        .iter()
        .map(|lease| outcome(lease, at(1), Verdict::Release { due: at(1) }));
    record(&store, back.collect(), at(1)).await;
    let urls = claim(&store, at(1), 10).await;
    let moved = urls
        .iter()
        .any(|lease| lease.url.as_str() == "https://new.example/x");
    assert!(moved, "what is under way goes to the new URL");
}

async fn a_message_is_enqueued_once(store: impl DeliveryStore) {
    let message = Message::new("kind", "{\"a\":1}").id("message-1");
    let none = store.enqueue(message.clone(), at(0)).await.expect(WORKS);
    assert!(
        none.deliveries.is_empty() && !none.duplicate,
        "nobody wants it"
    );
    subscribe(&store, "s", 4).await;
    let first = store.enqueue(message.clone(), at(0)).await.expect(WORKS);
    assert_eq!((first.deliveries.len(), first.duplicate), (1, false));
    let second = store.enqueue(message.clone(), at(0)).await.expect(WORKS);
    assert_eq!(
        (second.deliveries.len(), second.duplicate),
        (0, true),
        "it is there already"
    );
    let body = store.message_body(&message.id).await.expect(WORKS);
    assert_eq!(
        body,
        Some(message.body.clone()),
        "the bytes are those that were given"
    );
    let later = Message::new("kind", "{}").due(at(60));
    store.enqueue(later, at(0)).await.expect(WORKS);
    let claimed = store.claim(request(at(0), 10)).await.expect(WORKS);
    assert_eq!(claimed.leases.len(), 1, "the other is not due");
    assert_eq!(claimed.leases[0].body, message.body);
    assert_eq!(claimed.leases[0].message, message.id);
    assert_eq!(claimed.next, Some(at(60)), "it is known when it is");
    assert_eq!(
        claim(&store, at(60), 10).await.len(),
        2,
        "the one that is due, and the lost one"
    );
}

async fn outcomes_end_leases(store: impl DeliveryStore) {
    subscribe(&store, "s", 8).await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.extend(enqueue(&store, "kind", at(0)).await);
    }
    let leases = claim(&store, at(1), 10).await;
    assert_eq!(
        leases
            .iter()
            .map(|lease| lease.delivery)
            .collect::<Vec<_>>(),
        ids,
        "oldest first"
    );
    assert!(
        claim(&store, at(1), 10).await.is_empty(),
        "what is leased is not claimed again"
    );
    assert_eq!(
        delivery(&store, ids[0]).await.state,
        State::Leased { until: at(31) }
    );
    let verdicts = [
        Verdict::Delivered,
        Verdict::Retry { due: at(100) },
        Verdict::Dead(DeadReason::Rejected),
        Verdict::Release { due: at(5) },
    ];
    let outcomes = leases
        .iter()
        .zip(verdicts)
        .map(|(lease, verdict)| outcome(lease, at(2), verdict));
    let recorded = record(&store, outcomes.collect(), at(2)).await;
    assert_eq!(recorded, [Recorded::Applied; 4]);
    let expected = [
        (State::Delivered { at: at(2) }, 1, 1),
        (State::Pending { due: at(100) }, 1, 1),
        (
            State::Dead {
                at: at(2),
                reason: DeadReason::Rejected,
            },
            1,
            1,
        ),
        (State::Pending { due: at(5) }, 0, 0),
    ];
    for (id, (state, tries, attempts)) in ids.iter().zip(expected) {
        let found = delivery(&store, *id).await;
        assert_eq!(
            (found.state, found.tries, found.generation),
            (state, tries, 1)
        );
        let logged = store.attempts(*id).await.expect(WORKS);
        assert_eq!(
            logged.len(),
            attempts,
            "one for what was sent, none for what was not"
        );
        assert!(
            logged
                .iter()
                .all(|attempt| attempt.n == 1 && attempt.detail == "said so")
        );
    }
    assert!(claim(&store, at(4), 10).await.is_empty());
    assert_eq!(claim(&store, at(5), 10).await.len(), 1);
    assert_eq!(
        store.deliveries(Some(ids[1]), 1).await.expect(WORKS)[0].id,
        ids[2]
    );
}

async fn a_lost_lease_is_taken_back(store: impl DeliveryStore) {
    subscribe(&store, "s", 8).await;
    let id = enqueue(&store, "kind", at(0)).await[0];
    assert_eq!(claim(&store, at(0), 1).await[0].generation, 1);
    assert!(claim(&store, at(29), 1).await.is_empty(), "the lease lasts");
    let again = claim(&store, at(30), 1).await;
    assert_eq!(
        (again[0].generation, again[0].tries),
        (2, 0),
        "a crash uses no retry up"
    );
    record(
        &store,
        vec![outcome(&again[0], at(31), Verdict::Delivered)],
        at(31),
    )
    .await;
    let attempts = store.attempts(id).await.expect(WORKS);
    let ends: Vec<_> = attempts
        .iter()
        .map(|a| (a.n, a.end, a.started, a.ended))
        .collect();
    let expected = [
        (1, AttemptEnd::Lost, at(0), at(30)),
        (2, AttemptEnd::Answered, at(31), at(31)),
    ];
    assert_eq!(ends, expected, "one row for each attempt");
    assert_eq!(
        delivery(&store, id).await.lost,
        0,
        "losses in a row are counted"
    );
}

async fn a_late_outcome_changes_nothing(store: impl DeliveryStore) {
    subscribe(&store, "s", 8).await;
    let id = enqueue(&store, "kind", at(0)).await[0];
    let slept = claim(&store, at(0), 1).await.remove(0);
    let other = claim(&store, at(40), 1).await.remove(0);
    let late = outcome(&slept, at(41), Verdict::Dead(DeadReason::Rejected));
    assert_eq!(
        record(&store, vec![late.clone()], at(41)).await,
        [Recorded::Fenced]
    );
    assert_eq!(
        delivery(&store, id).await.state,
        State::Leased { until: at(70) }
    );
    let good = outcome(&other, at(42), Verdict::Delivered);
    let both = record(&store, vec![good.clone(), good, late], at(42)).await;
    assert_eq!(
        both,
        [Recorded::Applied, Recorded::Fenced, Recorded::Fenced],
        "once is enough"
    );
    assert_eq!(
        delivery(&store, id).await.state,
        State::Delivered { at: at(42) }
    );
    assert_eq!(store.attempts(id).await.expect(WORKS).len(), 2);
}

async fn poison_is_given_up(store: impl DeliveryStore) {
    subscribe(&store, "s", 8).await;
    let id = enqueue(&store, "kind", at(0)).await[0];
    for round in 0..3 {
        assert_eq!(
            claim(&store, at(100 * round), 1).await.len(),
            1,
            "round {round}"
        );
    }
    assert!(claim(&store, at(300), 1).await.is_empty());
    let found = delivery(&store, id).await;
    let reason = DeadReason::Poisonous;
    assert_eq!(
        found.state,
        State::Dead {
            at: at(300),
            reason
        }
    );
    assert_eq!(store.attempts(id).await.expect(WORKS).len(), 3);
}

async fn inactive_subscriptions_hold(store: impl DeliveryStore) {
    subscribe(&store, "s", 8).await;
    let before = enqueue(&store, "kind", at(0)).await[0];
    store.set_active("s", false, at(1)).await.expect(WORKS);
    let meanwhile = enqueue(&store, "kind", at(2)).await[0];
    for id in [before, meanwhile] {
        assert!(matches!(
            delivery(&store, id).await.state,
            State::Held { .. }
        ));
    }
    assert!(claim(&store, at(9), 10).await.is_empty());
    store.set_active("s", true, at(10)).await.expect(WORKS);
    assert!(matches!(
        delivery(&store, before).await.state,
        State::Pending { .. }
    ));
    let leases = claim(&store, at(10), 10).await;
    assert_eq!(leases.len(), 2, "what was held is sent");
    // Deactivated while something is under way: that ends as it ends.
    store.set_active("s", false, at(11)).await.expect(WORKS);
    let again = outcome(&leases[0], at(12), Verdict::Retry { due: at(13) });
    let done = outcome(&leases[1], at(12), Verdict::Delivered);
    record(&store, vec![again, done], at(12)).await;
    assert_eq!(
        delivery(&store, before).await.state,
        State::Held { due: at(13) }
    );
    assert_eq!(
        delivery(&store, meanwhile).await.state,
        State::Delivered { at: at(12) }
    );
    assert!(claim(&store, at(20), 10).await.is_empty());
}

async fn endpoints_take_turns(store: impl DeliveryStore) {
    for id in ["a", "b"] {
        subscribe(&store, id, 2).await;
    }
    let only = |id: &str| {
        let events = Subscription::builder(id)
            .url("https://x.example/")
            .concurrency(2)
            .events([id]);
        events.build().expect("it is a good subscription")
    };
    for id in ["a", "b"] {
        store.put_subscription(only(id)).await.expect(WORKS);
    }
    for _ in 0..10 {
        enqueue(&store, "a", at(0)).await;
    }
    enqueue(&store, "b", at(1)).await;
    let first = claim(&store, at(2), 10).await;
    let kinds: Vec<_> = first.iter().map(|lease| lease.kind.as_str()).collect();
    assert_eq!(kinds, ["a", "a", "b"], "no more than two at once for each");
    assert!(claim(&store, at(2), 10).await.is_empty());
    let done = first
        .iter()
        .map(|lease| outcome(lease, at(3), Verdict::Delivered))
        .collect();
    record(&store, done, at(3)).await;
    enqueue(&store, "b", at(3)).await;
    let second = claim(&store, at(4), 1).await;
    assert_eq!(second.len(), 1);
    let third = claim(&store, at(5), 1).await;
    let mut kinds = [second[0].kind.as_str(), third[0].kind.as_str()];
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        ["a", "b"],
        "who was served waits for those who were not"
    );
}

async fn failing_endpoints_get_less(store: impl DeliveryStore) {
    subscribe(&store, "s", 8).await;
    for _ in 0..40 {
        enqueue(&store, "kind", at(0)).await;
    }
    let mut now = 1;
    for expected in [8, 4, 2, 1, 1] {
        let leases = claim(&store, at(now), 40).await;
        assert_eq!(
            leases.len(),
            expected,
            "each round that fails halves the room"
        );
        now += 1;
        let failed = leases.iter().map(|lease| {
            outcome(
                lease,
                at(now),
                Verdict::Retry {
                    due: at(now + 1000),
                },
            )
        });
        record(&store, failed.collect(), at(now)).await;
    }
    // Five rounds: left alone for ten seconds, and then tried with one.
    let claimed = store.claim(request(at(now), 40)).await.expect(WORKS);
    assert!(claimed.leases.is_empty());
    assert_eq!(claimed.next, Some(at(now + 10)));
    let none = ClaimRequest {
        suspects: 0,
        ..request(at(now + 10), 40)
    };
    assert!(
        store.claim(none).await.expect(WORKS).leases.is_empty(),
        "no slots for such"
    );
    let probe = claim(&store, at(now + 10), 40).await;
    assert_eq!(probe.len(), 1);
    let good = vec![outcome(&probe[0], at(now + 11), Verdict::Delivered)];
    record(&store, good, at(now + 11)).await;
    assert_eq!(
        claim(&store, at(now + 11), 40).await.len(),
        8,
        "one success, and all is well"
    );
}

async fn replays_are_new_deliveries(store: impl DeliveryStore) {
    subscribe(&store, "s", 8).await;
    let id = enqueue(&store, "kind", at(0)).await[0];
    let early = store
        .replay(id, at(0))
        .await
        .expect_err("it is not finished");
    assert_eq!(early.kind(), StoreErrorKind::NotFinished);
    let missing = store
        .replay(DeliveryId(i64::MAX), at(0))
        .await
        .expect_err("it is not there");
    assert_eq!(missing.kind(), StoreErrorKind::NotFound);
    let lease = claim(&store, at(0), 1).await.remove(0);
    let dead = outcome(&lease, at(1), Verdict::Dead(DeadReason::Exhausted));
    record(&store, vec![dead], at(1)).await;
    let again = store.replay(id, at(2)).await.expect(WORKS);
    assert_ne!(again, id);
    let leases = claim(&store, at(2), 10).await;
    assert_eq!(
        (leases.len(), &leases[0].message),
        (1, &lease.message),
        "the same message"
    );
    assert_eq!(
        (leases[0].generation, leases[0].tries),
        (1, 0),
        "from the beginning"
    );
    assert_eq!(delivery(&store, again).await.replay_of, Some(id));
    let reason = DeadReason::Exhausted;
    assert_eq!(
        delivery(&store, id).await.state,
        State::Dead { at: at(1), reason }
    );
}

async fn what_is_over_is_forgotten(store: impl DeliveryStore) {
    subscribe(&store, "s", 8).await;
    let old = enqueue(&store, "kind", at(0)).await[0];
    let open = enqueue(&store, "kind", at(0)).await[0];
    let leases = claim(&store, at(0), 10).await;
    let message = leases[0].message.clone();
    let done = outcome(&leases[0], at(1), Verdict::Delivered);
    let again = outcome(&leases[1], at(1), Verdict::Retry { due: at(2) });
    record(&store, vec![done, again], at(1)).await;
    assert_eq!(
        store.prune(at(1), 10).await.expect(WORKS),
        0,
        "it is not old enough"
    );
    let replay = store.replay(old, at(2)).await.expect(WORKS);
    assert_eq!(store.prune(at(100), 10).await.expect(WORKS), 1);
    assert_eq!(store.delivery(old).await.expect(WORKS), None);
    assert_eq!(store.attempts(old).await.expect(WORKS), []);
    let body = store.message_body(&message).await.expect(WORKS);
    assert!(body.is_some(), "the replay still needs it");
    assert_eq!(
        store.attempts(open).await.expect(WORKS).len(),
        1,
        "it is not over"
    );
    let leases = claim(&store, at(3), 10).await;
    let done = leases
        .iter()
        .map(|lease| outcome(lease, at(4), Verdict::Delivered))
        .collect();
    record(&store, done, at(4)).await;
    assert_eq!(
        store.prune(at(100), 1).await.expect(WORKS),
        1,
        "no more than asked for"
    );
    assert_eq!(store.prune(at(100), 10).await.expect(WORKS), 1);
    assert_eq!(store.delivery(replay).await.expect(WORKS), None);
    assert_eq!(store.message_body(&message).await.expect(WORKS), None);
}

async fn clocks_that_ran_ahead_are_mended(store: impl DeliveryStore) {
    subscribe(&store, "s", 8).await;
    let hour = 3600;
    let leased = enqueue(&store, "kind", at(0)).await[0];
    assert_eq!(claim(&store, at(hour), 1).await.len(), 1);
    let pending = enqueue(&store, "kind", at(hour)).await[0];
    let wanted = Message::new("kind", "{}").due(at(hour));
    let wanted = store.enqueue(wanted, at(0)).await.expect(WORKS).deliveries[0];
    let slack = Duration::from_secs(60);
    assert_eq!(store.mend(at(0), slack).await.expect(WORKS), 2);
    assert_eq!(
        delivery(&store, leased).await.state,
        State::Leased { until: at(30) }
    );
    assert_eq!(
        delivery(&store, pending).await.state,
        State::Pending { due: at(0) }
    );
    assert_eq!(
        delivery(&store, wanted).await.state,
        State::Pending { due: at(hour) }
    );
    let now: Vec<_> = claim(&store, at(30), 10)
        .await
        .iter()
        .map(|l| l.delivery)
        .collect();
    assert_eq!(
        now,
        [pending, leased],
        "both are sent without waiting for the hour"
    );
}
