//! Checks of the deliveries of an owner: lists, numbers, and changes of due times.

use super::{LEASE, Timed, WORKS, at, claim, delivery, outcome, record, request, secs};
use crate::delivery::State;
use crate::store::{CircuitPolicy, Decision, DeliveryStore, Isolation, Reschedule};
use crate::{DeliveryId, Message, Subscription, Timestamp};
use std::time::Duration;

const YEARS: Duration = secs(10 * 365 * 24 * 60 * 60);

/// Subscribes an owner to the kind that has the name of the subscription.
async fn subscribe(store: &Timed<impl DeliveryStore>, owner: &str, id: &str) {
    let subscription = Subscription::builder(id)
        .owner(owner)
        .url(format!("https://{id}.example/"))
        .events([id])
        .concurrency(8)
        .build();
    let subscription = subscription.expect("it is a good subscription");
    store.put_subscription(subscription).await.expect(WORKS);
}

async fn enqueue(
    store: &Timed<impl DeliveryStore>,
    owner: &str,
    kind: &str,
    due: Timestamp,
) -> DeliveryId {
    let message = Message::new(kind, "{}").owner(owner).due(due);
    store.enqueue(message).await.expect(WORKS).deliveries[0]
}

/// Returns the numbers of waiting, held and leased deliveries, and when the next is due.
async fn backlog(
    store: &Timed<impl DeliveryStore>,
    owner: &str,
    now: Timestamp,
) -> (u64, u64, u64, Option<Timestamp>) {
    store.clock.set(now);
    let found = store.backlog(owner).await.expect(WORKS);
    (found.waiting, found.held, found.in_progress, found.next_due)
}

/// Opens the circuit of the endpoint of a leased delivery for 100 seconds.
async fn fail(
    store: &Timed<impl DeliveryStore>,
    lease: &crate::store::Lease,
    now: Timestamp,
    pause: Duration,
) {
    let circuit = CircuitPolicy {
        rounds: 1,
        pause: secs(100),
        ..CircuitPolicy::default()
    };
    let failed = vec![outcome(lease, now, Decision::Retry { pause })];
    store.record_at(failed, now, circuit).await.expect(WORKS);
}

pub(super) async fn a_backlog_is_counted(store: Timed<impl DeliveryStore>) {
    assert_eq!(backlog(&store, "o", at(0)).await, (0, 0, 0, None));
    for (owner, id) in [("o", "a"), ("o", "b"), ("o", "c"), ("other", "d")] {
        subscribe(&store, owner, id).await;
    }
    let first = enqueue(&store, "o", "a", at(10)).await;
    enqueue(&store, "o", "a", at(90)).await;
    enqueue(&store, "o", "b", at(20)).await;
    enqueue(&store, "o", "c", at(5)).await;
    enqueue(&store, "other", "d", at(1)).await;
    assert_eq!(backlog(&store, "o", at(0)).await, (4, 0, 0, Some(at(5))));
    let other = (1, 0, 0, Some(at(1)));
    assert_eq!(backlog(&store, "other", at(0)).await, other);
    store.set_active_at("c", false, at(0)).await.expect(WORKS);
    assert_eq!(backlog(&store, "o", at(0)).await, (3, 1, 0, Some(at(10))));

    let leases = claim(&store, at(10), 10).await;
    let lease = leases.iter().find(|lease| lease.delivery == first);
    let lease = lease.expect("it is due");
    assert_eq!(backlog(&store, "o", at(10)).await, (2, 1, 1, Some(at(20))));
    // The circuit of the endpoint is open: what is due at 11 and at 90 waits for it.
    fail(&store, lease, at(10), secs(1)).await;
    assert_eq!(backlog(&store, "o", at(11)).await, (3, 1, 0, Some(at(20))));
    let leases = claim(&store, at(20), 10).await;
    assert_eq!(leases.len(), 1);
    let open = (2, 1, 1, Some(at(110)));
    assert_eq!(backlog(&store, "o", at(20)).await, open);
    // A lost worker has no delivery in progress, although its lease is not taken back yet.
    let lost = at(20).after(LEASE);
    assert_eq!(backlog(&store, "o", lost).await, (3, 1, 0, Some(lost)));
    let again = claim(&store, lost, 10).await;
    let ours: Vec<_> = again
        .iter()
        .filter(|lease| lease.message.owner == "o")
        .collect();
    assert_eq!((ours.len(), ours[0].lost), (1, 1));
    // A released delivery that lost a worker waits apart from others.
    let back = outcome(ours[0], lost, Decision::Release { pause: secs(3) });
    record(&store, vec![back], lost).await;
    let apart = (3, 1, 0, Some(lost.after(secs(3))));
    assert_eq!(backlog(&store, "o", lost).await, apart);
    // What is in progress remains so after its subscription was removed, and what waits is over.
    claim(&store, lost.after(secs(3)), 10).await;
    store
        .remove_at("b", lost.after(secs(3)))
        .await
        .expect(WORKS);
    let removed = (2, 1, 1, Some(at(110)));
    assert_eq!(backlog(&store, "o", lost.after(secs(3))).await, removed);
    store.remove_at("a", at(60)).await.expect(WORKS);
    let removed = (0, 1, 1, None);
    assert_eq!(backlog(&store, "o", at(60)).await, removed);
    let over = (0, 1, 0, None);
    assert_eq!(backlog(&store, "o", at(600)).await, over);
}

pub(super) async fn due_times_are_moved(store: Timed<impl DeliveryStore>) {
    for (owner, id) in [("o", "a"), ("o", "b"), ("other", "c")] {
        subscribe(&store, owner, id).await;
    }
    let soon = enqueue(&store, "o", "a", at(10)).await;
    let late = enqueue(&store, "o", "a", at(100)).await;
    let held = enqueue(&store, "o", "b", at(50)).await;
    let foreign = enqueue(&store, "other", "c", at(50)).await;
    store.set_active_at("b", false, at(0)).await.expect(WORKS);
    let due = async |id| match delivery(&store, id).await.state {
        State::Pending { due } | State::Held { due } => due,
        state => unreachable!("{state:?}"),
    };
    let later = Reschedule::Later(secs(7));
    let moved = store.reschedule("o", at(50)..at(100), later).await;
    assert_eq!(moved.expect(WORKS), 1, "the end is not in the range");
    let moved = store.reschedule("o", at(11)..=at(100), later).await;
    assert_eq!(moved.expect(WORKS), 2, "it is, and held ones move as well");
    let moved = store.reschedule("nobody", .., later).await;
    assert_eq!(moved.expect(WORKS), 0);
    let moved = store.reschedule("o", at(20)..at(20), later).await;
    assert_eq!(moved.expect(WORKS), 0);
    for (id, expected) in [(soon, 10), (late, 107), (held, 64), (foreign, 50)] {
        assert_eq!(due(id).await, at(expected), "{id}");
    }
    let earlier = Reschedule::Earlier(secs(27));
    let moved = store.reschedule("o", at(100).., earlier).await;
    assert_eq!(moved.expect(WORKS), 1);
    let claimed = store.claim_at(request(9), at(9)).await.expect(WORKS);
    assert_eq!((claimed.leases.len(), claimed.next), (0, Some(at(10))));
    let moved = store.reschedule("o", at(50).., Reschedule::Now).await;
    assert_eq!(moved.expect(WORKS), 2);
    assert_eq!(due(held).await, at(9));
    let claimed = store.claim_at(request(9), at(9)).await.expect(WORKS);
    let taken: Vec<_> = claimed.leases.iter().map(|lease| lease.delivery).collect();
    assert_eq!((taken, claimed.next), (vec![late], Some(at(10))));
    // Leases are not changed, and neither is what is due already.
    assert_eq!(claim(&store, at(10), 9).await.len(), 1);
    let moved = store.reschedule("o", .., Reschedule::Now).await;
    assert_eq!(moved.expect(WORKS), 0);
    let moved = store.reschedule("o", .., later).await;
    assert_eq!(moved.expect(WORKS), 1, "the held one");
    for (id, since) in [(late, 9), (soon, 10)] {
        let until = at(since).after(LEASE);
        assert_eq!(delivery(&store, id).await.state, State::Leased { until });
    }
    // A delivery that is moved beyond all times stays there.
    let moved = store
        .reschedule("o", .., Reschedule::Later(Duration::MAX))
        .await;
    assert_eq!(moved.expect(WORKS), 1);
    assert_eq!(due(held).await, Timestamp::from_millis(i64::MAX));
}

pub(super) async fn retries_and_circuits_are_moved(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "o", "a").await;
    let retried = enqueue(&store, "o", "a", at(0)).await;
    let lease = claim(&store, at(0), 1).await.remove(0);
    fail(&store, &lease, at(0), secs(5)).await;
    // "Retry now": the pause is over, and the circuit closes.
    assert_eq!(backlog(&store, "o", at(1)).await.3, Some(at(100)));
    let moved = store.reschedule("o", .., Reschedule::Now).await;
    assert_eq!(moved.expect(WORKS), 1);
    assert_eq!(backlog(&store, "o", at(1)).await.3, Some(at(1)));
    let lease = claim(&store, at(1), 1).await.remove(0);
    let found = (lease.delivery, lease.generation, lease.tries);
    assert_eq!(found, (retried, 2, 1), "it was one try, and still is");
    // A time of the circuit that is not in the range stays.
    fail(&store, &lease, at(2), secs(5)).await;
    let next = backlog(&store, "o", at(2)).await.3.expect("it waits");
    assert!(next >= at(102), "the circuit is open for longer each time");
    let moved = store.reschedule("o", ..at(50), Reschedule::Now).await;
    assert_eq!(moved.expect(WORKS), 1);
    assert_eq!(backlog(&store, "o", at(2)).await.3, Some(next));
    assert!(claim(&store, at(50), 1).await.is_empty());
    let earlier = Reschedule::Earlier(next.since(at(60)));
    let moved = store.reschedule("o", at(51).., earlier).await;
    assert_eq!(moved.expect(WORKS), 0, "circuits are not counted");
    assert!(claim(&store, at(59), 1).await.is_empty());
    let leases = claim(&store, at(60), 1).await;
    assert_eq!(leases.len(), 1);

    // Deliveries that have lost workers are moved like others.
    let lost = at(60).after(LEASE);
    let later = Reschedule::Later(secs(1000));
    let again = claim(&store, lost, 1).await;
    assert_eq!(again[0].lost, 1);
    let back = outcome(&again[0], lost, Decision::Release { pause: secs(0) });
    record(&store, vec![back], lost).await;
    let moved = store.reschedule("o", .., later).await;
    assert_eq!(moved.expect(WORKS), 1);
    let claimed = store.claim_at(request(1), lost).await.expect(WORKS);
    assert_eq!(claimed.leases.len(), 0);
    assert_eq!(claimed.next, Some(lost.after(secs(1000))));
    let moved = store.reschedule("o", .., Reschedule::Now).await;
    assert_eq!(moved.expect(WORKS), 1);
    let claimed = store.claim_at(request(1), lost).await.expect(WORKS);
    let found = (claimed.isolation, claimed.leases[0].lost);
    assert_eq!(found, (Isolation::None, 1));
}

/// Due times that are far ahead on purpose are no sign of a clock that ran ahead.
pub(super) async fn deliberate_times_are_not_repaired(store: Timed<impl DeliveryStore>) {
    let slack = secs(60);
    for id in [
        "retried", "released", "dated", "delayed", "moved", "failing",
    ] {
        subscribe(&store, "o", id).await;
    }
    let mut far = Vec::new();
    for id in ["retried", "released", "failing"] {
        far.push(enqueue(&store, "o", id, at(0)).await);
    }
    for lease in claim(&store, at(0), 3).await {
        match lease.message.kind.as_str() {
            "failing" => fail(&store, &lease, at(0), secs(1)).await,
            kind => {
                let verdict = match kind {
                    "retried" => Decision::Retry { pause: YEARS },
                    _ => Decision::Release { pause: YEARS },
                };
                record(&store, vec![outcome(&lease, at(0), verdict)], at(0)).await;
            }
        }
    }
    far.push(enqueue(&store, "o", "dated", at(0).after(YEARS)).await);
    let delayed = Message::new("delayed", "{}").owner("o").delay(YEARS);
    far.extend(store.enqueue(delayed).await.expect(WORKS).deliveries);
    far.push(enqueue(&store, "o", "moved", at(30)).await);
    let moved = store
        .reschedule("o", ..at(1000), Reschedule::Later(YEARS))
        .await;
    assert_eq!(moved.expect(WORKS), 2, "\"failing\" and \"moved\"");
    let due = async || {
        let mut due = Vec::new();
        for id in &far {
            due.push(delivery(&store, *id).await.state);
        }
        due
    };
    let before = (due().await, backlog(&store, "o", at(100)).await);
    assert_eq!(before.1, (6, 0, 0, Some(at(0).after(YEARS))));
    // A worker starts, on the same day and a year later.
    for now in [at(100), at(365 * 24 * 60 * 60)] {
        assert_eq!(store.repair_times_at(now, slack).await.expect(WORKS), 0);
        assert_eq!((due().await, backlog(&store, "o", now).await), before);
        assert!(claim(&store, now, 9).await.is_empty());
    }
    // The circuit that was moved has been moved by as much, and closes again.
    store.clock.set(at(99));
    let back = Reschedule::Earlier(YEARS);
    let moved = store.reschedule("o", at(1000).., back).await;
    assert_eq!(moved.expect(WORKS), 6);
    let taken = claim(&store, at(99), 9).await;
    assert_eq!(taken.len(), 5, "all but \"failing\"");
    assert_eq!(claim(&store, at(100), 9).await[0].message.kind, "failing");

    // A clock that ran ahead by an hour is repaired, and what was deliberate then stays so.
    let ahead = at(100 + 3600);
    let message = Message::new("delayed", "{}").owner("o").delay(YEARS);
    let id = store
        .enqueue_at(message, ahead)
        .await
        .expect(WORKS)
        .deliveries[0];
    assert_eq!(store.repair_times_at(at(100), slack).await.expect(WORKS), 1);
    let due = at(100).after(YEARS);
    assert_eq!(delivery(&store, id).await.state, State::Pending { due });
}

pub(super) async fn deliveries_of_an_owner_are_listed(store: Timed<impl DeliveryStore>) {
    for (owner, id) in [("o", "a"), ("o", "b"), ("other", "c")] {
        subscribe(&store, owner, id).await;
    }
    let mut ours = Vec::new();
    for kind in ["a", "b", "a", "b"] {
        enqueue(&store, "other", "c", at(0)).await;
        ours.push(enqueue(&store, "o", kind, at(0)).await);
    }
    let lease = claim(&store, at(0), 10).await;
    let lease = lease.iter().find(|lease| lease.delivery == ours[0]);
    let done = outcome(lease.expect("it is due"), at(0), Decision::Delivered);
    record(&store, vec![done], at(0)).await;
    // Replays, and what is of removed subscriptions, are those of the owner of the message.
    ours.push(store.replay_at(ours[0], at(1)).await.expect(WORKS));
    store.remove_at("b", at(1)).await.expect(WORKS);
    let ids = |found: Vec<crate::Delivery>| -> Vec<DeliveryId> {
        assert!(found.iter().all(|delivery| delivery.owner == "o"));
        found.iter().map(|delivery| delivery.id).collect()
    };
    let after = async |id, limit| {
        let found = store.deliveries_of("o", id, limit).await;
        ids(found.expect(WORKS))
    };
    assert_eq!(after(None, 10).await, ours);
    assert_eq!(after(None, 2).await, ours[..2]);
    assert_eq!(after(Some(ours[1]), 2).await, ours[2..4]);
    assert_eq!(after(Some(ours[4]), 2).await, []);
    let before = async |id, limit| {
        let found = store.latest_deliveries_of("o", id, limit).await;
        let mut found = ids(found.expect(WORKS));
        found.reverse();
        found
    };
    assert_eq!(before(None, 10).await, ours);
    assert_eq!(before(None, 2).await, ours[3..]);
    assert_eq!(before(Some(ours[3]), 2).await, ours[1..3]);
    assert_eq!(before(Some(ours[0]), 2).await, []);
    let nobody = store.deliveries_of("nobody", None, 10).await;
    assert_eq!(nobody.expect(WORKS), []);
    let newest = store.deliveries_of("o", None, 1).await.expect(WORKS);
    assert_eq!(newest[0], delivery(&store, ours[0]).await);
}
