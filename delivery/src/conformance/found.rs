//! Checks of filters and of the replay of what failed.

use super::{Timed, WORKS, at, claim, outcome, record, secs};
use crate::delivery::{DeadReason, DeliveryId, State};
use crate::store::{Decision, DeliveryFilter, DeliveryStore, Phase};
use crate::{Message, Subscription, Timestamp};

async fn put(store: &Timed<impl DeliveryStore>, id: &str, owner: &str) {
    let subscription = Subscription::builder(id).owner(owner);
    let subscription = subscription.url("https://a.example/").build();
    let subscription = subscription.expect("it is a good subscription");
    store.put_subscription(subscription).await.expect(WORKS);
}

async fn enqueue(store: &Timed<impl DeliveryStore>, kind: &str, now: Timestamp) -> Vec<DeliveryId> {
    let message = Message::new(kind, "{}").owner("o");
    let enqueued = store.enqueue_at(message, now).await;
    enqueued.expect(WORKS).deliveries
}

/// Each delivery of a claim fails or succeeds.
async fn end(store: &Timed<impl DeliveryStore>, now: Timestamp, verdict: Decision) -> usize {
    let leases = claim(store, now, 10).await;
    let outcomes = leases.iter().map(|lease| outcome(lease, now, verdict));
    record(store, outcomes.collect(), now).await;
    leases.len()
}

const DEAD: Decision = Decision::Dead(DeadReason::Rejected);

pub(super) async fn deliveries_are_found(store: Timed<impl DeliveryStore>) {
    put(&store, "a", "o").await;
    put(&store, "b", "o").await;
    put(&store, "other", "p").await;
    let failed = enqueue(&store, "x", at(0)).await;
    assert_eq!(end(&store, at(10), DEAD).await, 2);
    let delivered = enqueue(&store, "y", at(20)).await;
    assert_eq!(end(&store, at(30), Decision::Delivered).await, 2);
    let leased = enqueue(&store, "x", at(40)).await;
    assert_eq!(claim(&store, at(40), 10).await.len(), 2);
    let waiting = enqueue(&store, "y", at(50)).await;
    let found = async |filter: DeliveryFilter| -> Vec<DeliveryId> {
        let found = store.find_deliveries("o", &filter, None, 100).await;
        found
            .expect(WORKS)
            .iter()
            .map(|delivery| delivery.id)
            .collect()
    };
    let newest = |sets: &[&Vec<DeliveryId>]| {
        let mut all: Vec<_> = sets.iter().flat_map(|ids| ids.iter().copied()).collect();
        all.sort_by(|id, other| other.cmp(id));
        all
    };
    let any = DeliveryFilter::new;
    for (phase, ids) in [
        (Phase::Dead, &failed),
        (Phase::Delivered, &delivered),
        (Phase::Leased, &leased),
        (Phase::Waiting, &waiting),
    ] {
        assert_eq!(found(any().phase(phase)).await, newest(&[ids]), "{phase:?}");
    }
    assert_eq!(found(any()).await.len(), 8);
    assert_eq!(found(any().kind("x")).await, newest(&[&failed, &leased]));
    let of_a = found(any().subscription("a").kind("x")).await;
    assert_eq!(of_a, [leased[0], failed[0]]);
    assert_eq!(
        found(any().since(at(30)).until(at(50))).await,
        newest(&[&delivered, &leased])
    );
    assert_eq!(found(any().until(at(10))).await, []);
    assert_eq!(found(any().kind("z")).await, []);
    let page = store
        .find_deliveries("o", &any().kind("x"), Some(leased[0]), 1)
        .await;
    assert_eq!(page.expect(WORKS)[0].id, failed[1]);
    let others = store.find_deliveries("p", &any(), None, 100).await;
    assert_eq!(others.expect(WORKS), []);
    // What waits for a removed subscription is dead from then on.
    store.remove_at("b", at(60)).await.expect(WORKS);
    let dead = newest(&[&failed, &vec![waiting[1]]]);
    assert_eq!(found(any().phase(Phase::Dead)).await, dead);
    assert_eq!(
        found(any().phase(Phase::Dead).since(at(60))).await,
        [waiting[1]]
    );
    assert_eq!(found(any().phase(Phase::Waiting)).await, [waiting[0]]);
}

pub(super) async fn what_failed_is_replayed_once(store: Timed<impl DeliveryStore>) {
    put(&store, "a", "o").await;
    put(&store, "b", "o").await;
    enqueue(&store, "x", at(0)).await;
    assert_eq!(end(&store, at(10), DEAD).await, 2);
    let failed = enqueue(&store, "x", at(20)).await;
    assert_eq!(end(&store, at(30), DEAD).await, 2);
    enqueue(&store, "x", at(30)).await;
    assert_eq!(end(&store, at(40), Decision::Delivered).await, 2);
    let replay = async |owner: &str, limit| {
        store.clock.set(at(50));
        let replayed = store.replay_failed(owner, at(30), limit).await;
        replayed.expect(WORKS)
    };
    assert_eq!(replay("p", 10).await, []);
    let mut replays = replay("o", 1).await;
    replays.extend(replay("o", 10).await);
    assert_eq!(replay("o", 10).await, []);
    let mut replayed = Vec::new();
    for replay in &replays {
        let delivery = super::delivery(&store, *replay).await;
        assert_eq!(delivery.state, State::Pending { due: at(50) });
        replayed.extend(delivery.replay_of);
    }
    assert_eq!(replayed, failed);
    // A replay that fails is replayed as well, and nothing of a removed subscription.
    assert_eq!(end(&store, at(50), DEAD).await, 2);
    store.remove_at("b", at(51)).await.expect(WORKS);
    let again = replay("o", 10).await;
    assert_eq!(again.len(), 1);
    let again = super::delivery(&store, again[0]).await;
    assert_eq!(again.replay_of, Some(replays[0]));
    assert_eq!(again.subscription, "a");
    let later = store.replay_failed("o", at(50).after(secs(1)), 10).await;
    assert_eq!(later.expect(WORKS), []);
}
