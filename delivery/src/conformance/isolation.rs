//! Checks of suspect deliveries and slow endpoints.

use super::{
    Timed, WORKS, at, claim, delivery, enqueue, outcome, record, request, secs, subscribe,
};
use crate::delivery::{DeadReason, State};
use crate::store::{AttemptLog, ClaimRequest, Decision, DeliveryStore, Isolation, Lease, Outcome};
use crate::{DeliveryId, EndpointId, Message, Subscription};

/// Claims and records like a worker that is lost whenever it leases `poison`. Returns the time and
/// the number of losses.
async fn crash(store: &Timed<impl DeliveryStore>, poison: DeliveryId, from: i64) -> (i64, usize) {
    let mut now = from;
    let mut crashes = 0;
    loop {
        now += 100;
        let leases = claim(store, at(now), 50).await;
        if leases.is_empty() {
            return (now, crashes);
        }
        if leases.iter().any(|lease| lease.delivery == poison) {
            crashes += 1;
            assert!(crashes < 20, "it is never found");
            continue;
        }
        let done = leases
            .iter()
            .map(|lease| outcome(lease, at(now), Decision::Delivered));
        record(store, done.collect(), at(now)).await;
    }
}

pub(super) async fn what_is_poisonous_is_found(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 50).await;
    let mut ids = Vec::new();
    for _ in 0..50 {
        ids.extend(enqueue(&store, "kind", at(0)).await);
    }
    let poison = ids[17];
    let (now, crashes) = crash(&store, poison, 0).await;
    // One loss with all 50, one in a group of 16, one in a group of 4, and three alone.
    assert_eq!(crashes, 6);
    for id in &ids {
        let state = delivery(&store, *id).await.state;
        let poisonous = matches!(
            state,
            State::Dead {
                reason: DeadReason::Poisonous,
                ..
            }
        );
        assert_eq!(poisonous, *id == poison, "{id}: {state:?}");
        assert!(
            poisonous || matches!(state, State::Delivered { .. }),
            "{id}: {state:?}"
        );
    }
    // The replay is isolated from the first attempt, so no other delivery is lost with it.
    let again = store.replay_at(poison, at(now)).await.expect(WORKS);
    let other = enqueue(&store, "kind", at(now)).await[0];
    let claimed = store.claim_at(request(50), at(now)).await.expect(WORKS);
    let taken: Vec<_> = claimed.leases.iter().map(|lease| lease.delivery).collect();
    assert_eq!(
        (claimed.isolation, taken),
        (Isolation::Exclusive, vec![again])
    );
    let good = outcome(&claimed.leases[0], at(now), Decision::Delivered);
    record(&store, vec![good], at(now)).await;
    assert_eq!(claim(&store, at(now), 50).await[0].delivery, other);
}

pub(super) async fn what_was_lost_waits_to_be_alone(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 8).await;
    let lost = enqueue(&store, "kind", at(0)).await[0];
    claim(&store, at(0), 8).await;
    let other = enqueue(&store, "kind", at(0)).await[0];
    // After one loss, the delivery is sent together with others.
    let both = claim(&store, at(100), 8).await;
    assert_eq!(both.len(), 2);
    assert_eq!((both[0].delivery, both[0].lost, both[1].lost), (lost, 1, 0));
    let good = outcome(&both[1], at(100), Decision::Delivered);
    record(&store, vec![good], at(100)).await;
    enqueue(&store, "kind", at(200)).await;
    // After two losses, the delivery waits until no request is in progress.
    let busy = ClaimRequest {
        idle: false,
        ..request(8)
    };
    let claimed = store.claim_at(busy, at(200)).await.expect(WORKS);
    assert_eq!(
        (claimed.isolation, claimed.leases.len()),
        (Isolation::Wait, 0)
    );
    let claimed = store.claim_at(request(8), at(200)).await.expect(WORKS);
    assert_eq!(
        (claimed.isolation, claimed.leases.len()),
        (Isolation::Exclusive, 1)
    );
    let lease = &claimed.leases[0];
    assert_eq!((lease.delivery, lease.lost), (lost, 2));
    // A released delivery is as suspect as before.
    let back = outcome(lease, at(201), Decision::Release { pause: secs(1) });
    record(&store, vec![back], at(201)).await;
    let claimed = store.claim_at(request(8), at(202)).await.expect(WORKS);
    assert_eq!(
        (claimed.isolation, claimed.leases.len()),
        (Isolation::Exclusive, 1)
    );
    // Any recorded attempt clears the suspicion.
    let failed = outcome(
        &claimed.leases[0],
        at(202),
        Decision::Retry { pause: secs(1) },
    );
    record(&store, vec![failed], at(202)).await;
    assert_eq!(delivery(&store, lost).await.lost, 0);
    let claimed = store.claim_at(request(8), at(203)).await.expect(WORKS);
    assert_eq!(claimed.isolation, Isolation::None);
    assert!(matches!(
        delivery(&store, other).await.state,
        State::Delivered { .. }
    ));
}

fn took(lease: &Lease, now: i64, seconds: i64) -> Outcome {
    let attempt = outcome(lease, at(now), Decision::Delivered).attempt;
    Outcome {
        attempt: attempt.map(|attempt| AttemptLog {
            started: at(now - seconds),
            ..attempt
        }),
        ..outcome(lease, at(now), Decision::Delivered)
    }
}

pub(super) async fn slow_endpoints_get_a_share(store: Timed<impl DeliveryStore>) {
    for id in ["quick", "slow"] {
        let builder = Subscription::builder(id)
            .url("https://x.example/")
            .events([id]);
        let subscription = builder.concurrency(8).build();
        let subscription = subscription.expect("it is a good subscription");
        store.put_subscription(subscription).await.expect(WORKS);
    }
    for _ in 0..20 {
        for kind in ["slow", "quick"] {
            store
                .enqueue_at(Message::new(kind, "{}"), at(0))
                .await
                .expect(WORKS);
        }
    }
    let with = |slow: usize| ClaimRequest {
        slow_limit: slow,
        ..request(12)
    };
    let mut quick = EndpointId(0);
    let kinds = |leases: &[Lease]| {
        let count_of = |kind| {
            leases
                .iter()
                .filter(|lease| lease.message.kind == kind)
                .count()
        };
        (count_of("quick"), count_of("slow"))
    };
    // Both endpoints are new.
    let probing = ClaimRequest {
        probe_limit: 1,
        ..with(0)
    };
    let first = store
        .claim_at(probing.clone(), at(0))
        .await
        .expect(WORKS)
        .leases;
    assert_eq!(kinds(&first), (1, 1), "one each");
    let more = store.claim_at(probing, at(0)).await.expect(WORKS).leases;
    assert!(more.is_empty(), "they have not answered");
    let done = first.iter().map(|lease| {
        let is_slow = lease.message.kind == "slow";
        if !is_slow {
            quick = lease.endpoint;
        }
        took(lease, 9, if is_slow { 9 } else { 0 })
    });
    let done = done.collect();
    record(&store, done, at(9)).await;
    let leases = store.claim_at(with(3), at(10)).await.expect(WORKS).leases;
    assert_eq!(
        kinds(&leases),
        (8, 3),
        "the slow one has its share, the quick one all it may"
    );
    assert!(
        leases
            .iter()
            .all(|lease| lease.slow == (lease.message.kind == "slow"))
    );
    let back = |leases: &[Lease], now| {
        let pause = secs(0);
        let released = |lease| outcome(lease, now, Decision::Release { pause });
        leases.iter().map(released).collect::<Vec<_>>()
    };
    record(&store, back(&leases, at(10)), at(10)).await;
    let unresponsive = |slow| ClaimRequest {
        unresponsive: vec![quick],
        ..with(slow)
    };
    // The endpoint has no request in progress, so it has responded since it was reported as
    // unresponsive.
    let leases = store
        .claim_at(unresponsive(0), at(11))
        .await
        .expect(WORKS)
        .leases;
    assert_eq!(kinds(&leases), (8, 0));
    // The fast endpoint has a request that has been in progress for long.
    let (_, others) = leases.split_first().expect("eight");
    record(&store, back(others, at(11)), at(11)).await;
    let leases = store
        .claim_at(unresponsive(2), at(12))
        .await
        .expect(WORKS)
        .leases;
    assert_eq!(leases.len(), 2);
    assert!(leases.iter().all(|lease| lease.slow));
}
