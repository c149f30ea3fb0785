//! Checks of claims, outcomes and the limits of endpoints.

use super::{
    Timed, WORKS, at, claim, delivery, enqueue, outcome, record, request, secs, subscribe,
};
use crate::Subscription;
use crate::delivery::{AttemptEnd, DeadReason, State};
use crate::store::{ClaimRequest, Decision, DeliveryStore, Recorded};

pub(super) async fn outcomes_end_leases(store: Timed<impl DeliveryStore>) {
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
        Decision::Delivered,
        Decision::Retry { pause: secs(98) },
        Decision::Dead(DeadReason::Rejected),
        Decision::Release { pause: secs(3) },
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

pub(super) async fn a_lost_lease_is_taken_back(store: Timed<impl DeliveryStore>) {
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
        vec![outcome(&again[0], at(31), Decision::Delivered)],
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

pub(super) async fn a_late_outcome_changes_nothing(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 8).await;
    let id = enqueue(&store, "kind", at(0)).await[0];
    let slept = claim(&store, at(0), 1).await.remove(0);
    let other = claim(&store, at(40), 1).await.remove(0);
    let late = outcome(&slept, at(41), Decision::Dead(DeadReason::Rejected));
    assert_eq!(
        record(&store, vec![late.clone()], at(41)).await,
        [Recorded::Fenced]
    );
    assert_eq!(
        delivery(&store, id).await.state,
        State::Leased { until: at(70) }
    );
    let good = outcome(&other, at(42), Decision::Delivered);
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

pub(super) async fn poison_is_given_up(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 8).await;
    let id = enqueue(&store, "kind", at(0)).await[0];
    // One loss among all others, one among suspect deliveries, and three alone.
    for round in 0..5 {
        assert_eq!(
            claim(&store, at(100 * round), 1).await.len(),
            1,
            "round {round}"
        );
    }
    assert!(claim(&store, at(500), 1).await.is_empty());
    let found = delivery(&store, id).await;
    let reason = DeadReason::Poisonous;
    assert_eq!(
        found.state,
        State::Dead {
            at: at(500),
            reason
        }
    );
    assert_eq!(store.attempts(id).await.expect(WORKS).len(), 5);
}

pub(super) async fn endpoints_take_turns(store: Timed<impl DeliveryStore>) {
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
    let kinds: Vec<_> = first
        .iter()
        .map(|lease| lease.message.kind.as_str())
        .collect();
    assert_eq!(kinds, ["a", "a", "b"], "no more than two at once for each");
    assert!(claim(&store, at(2), 10).await.is_empty());
    let done = first
        .iter()
        .map(|lease| outcome(lease, at(3), Decision::Delivered))
        .collect();
    record(&store, done, at(3)).await;
    enqueue(&store, "b", at(3)).await;
    let second = claim(&store, at(4), 1).await;
    assert_eq!(second.len(), 1);
    let third = claim(&store, at(5), 1).await;
    let mut kinds = [
        second[0].message.kind.as_str(),
        third[0].message.kind.as_str(),
    ];
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        ["a", "b"],
        "who was served waits for those who were not"
    );
}

pub(super) async fn failing_endpoints_get_less(store: Timed<impl DeliveryStore>) {
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
        let failed = leases
            .iter()
            .map(|lease| outcome(lease, at(now), Decision::Retry { pause: secs(1000) }));
        record(&store, failed.collect(), at(now)).await;
    }
    // After five failing rounds, the circuit is open for ten seconds, and then one request is sent.
    let claimed = store.claim_at(request(40), at(now)).await.expect(WORKS);
    assert!(claimed.leases.is_empty());
    assert_eq!(claimed.next, Some(at(now + 10)));
    let none = ClaimRequest {
        suspect_limit: 0,
        ..request(40)
    };
    assert!(
        store
            .claim_at(none, at(now + 10))
            .await
            .expect(WORKS)
            .leases
            .is_empty(),
        "no slots for such"
    );
    let probe = claim(&store, at(now + 10), 40).await;
    assert_eq!(probe.len(), 1);
    let good = vec![outcome(&probe[0], at(now + 11), Decision::Delivered)];
    record(&store, good, at(now + 11)).await;
    assert_eq!(
        claim(&store, at(now + 11), 40).await.len(),
        8,
        "one success, and all is well"
    );
}
