//! Checks of replays, pruning and clock repairs.

use super::{Timed, WORKS, at, claim, delivery, enqueue, outcome, record, secs, subscribe};
use crate::delivery::{DeadReason, State};
use crate::store::{Decision, DeliveryStore, StoreErrorKind};
use crate::{DeliveryId, Message};
use std::time::Duration;

pub(super) async fn replays_are_new_deliveries(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 8).await;
    let id = enqueue(&store, "kind", at(0)).await[0];
    let early = store
        .replay_at(id, at(0))
        .await
        .expect_err("it is not finished");
    assert_eq!(early.kind(), StoreErrorKind::NotFinished);
    let missing = store
        .replay_at(DeliveryId(i64::MAX), at(0))
        .await
        .expect_err("it is not there");
    assert_eq!(missing.kind(), StoreErrorKind::NotFound);
    let lease = claim(&store, at(0), 1).await.remove(0);
    let dead = outcome(&lease, at(1), Decision::Dead(DeadReason::Exhausted));
    record(&store, vec![dead], at(1)).await;
    let again = store.replay_at(id, at(2)).await.expect(WORKS);
    assert_ne!(again, id);
    let leases = claim(&store, at(2), 10).await;
    assert_eq!(
        (leases.len(), &leases[0].message.id),
        (1, &lease.message.id),
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

pub(super) async fn what_is_over_is_forgotten(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 8).await;
    let old = enqueue(&store, "kind", at(0)).await[0];
    let open = enqueue(&store, "kind", at(0)).await[0];
    let leases = claim(&store, at(0), 10).await;
    let message = leases[0].message.id.clone();
    let done = outcome(&leases[0], at(1), Decision::Delivered);
    let again = outcome(&leases[1], at(1), Decision::Retry { pause: secs(1) });
    record(&store, vec![done, again], at(1)).await;
    assert_eq!(
        store.prune_at(at(1), 10).await.expect(WORKS),
        0,
        "it is not old enough"
    );
    let replay = store.replay_at(old, at(2)).await.expect(WORKS);
    assert_eq!(store.prune_at(at(100), 10).await.expect(WORKS), 1);
    assert_eq!(store.delivery(old).await.expect(WORKS), None);
    assert_eq!(store.attempts(old).await.expect(WORKS), []);
    let body = store.message("", &message).await.expect(WORKS);
    assert!(body.is_some(), "the replay still needs it");
    assert_eq!(
        store.attempts(open).await.expect(WORKS).len(),
        1,
        "it is not over"
    );
    let leases = claim(&store, at(3), 10).await;
    let done = leases
        .iter()
        .map(|lease| outcome(lease, at(4), Decision::Delivered))
        .collect();
    record(&store, done, at(4)).await;
    assert_eq!(
        store.prune_at(at(100), 1).await.expect(WORKS),
        1,
        "no more than asked for"
    );
    assert_eq!(store.prune_at(at(100), 10).await.expect(WORKS), 1);
    assert_eq!(store.delivery(replay).await.expect(WORKS), None);
    assert_eq!(store.message("", &message).await.expect(WORKS), None);
}

pub(super) async fn clocks_that_ran_ahead_are_mended(store: Timed<impl DeliveryStore>) {
    subscribe(&store, "s", 8).await;
    let hour = 3600;
    let leased = enqueue(&store, "kind", at(0)).await[0];
    assert_eq!(claim(&store, at(hour), 1).await.len(), 1);
    let pending = enqueue(&store, "kind", at(hour)).await[0];
    let wanted = Message::new("kind", "{}").due(at(hour));
    let wanted = store
        .enqueue_at(wanted, at(0))
        .await
        .expect(WORKS)
        .deliveries[0];
    let slack = Duration::from_secs(60);
    assert_eq!(store.repair_times_at(at(0), slack).await.expect(WORKS), 2);
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
        [leased, pending],
        "both are sent without waiting for the hour"
    );
}
