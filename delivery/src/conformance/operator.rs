//! Checks of events for operators.

use super::{Timed, WORKS, at, claim, enqueue, id, outcome, record, request, secs, subscribe};
use crate::delivery::{DeadReason, State};
use crate::store::{
    CircuitPolicy, Decision, DeliveryStore, Lease, OperatorEvent, OperatorEventKind,
    OperatorSettings, Outcome, StoreErrorKind,
};
use crate::{Message, Subscription, Timestamp};

/// A circuit that opens at the third failing round.
const CIRCUIT: CircuitPolicy = CircuitPolicy {
    rounds: 3,
    pause: secs(10),
    max_backoff: secs(60),
    slow: secs(1),
};

async fn fails(store: &Timed<impl DeliveryStore>, lease: &Lease, now: Timestamp) {
    let failed = outcome(lease, now, Decision::Retry { pause: secs(0) });
    let recorded = store.record_at(vec![failed], now, CIRCUIT).await;
    recorded.expect(WORKS);
}

async fn events(store: &Timed<impl DeliveryStore>) -> Vec<OperatorEvent> {
    store.operator_events(None, 100).await.expect(WORKS)
}

/// Returns `false` for a store without events for operators.
pub(super) async fn are_supported(store: &Timed<impl DeliveryStore>) -> bool {
    match store.set_operator(OperatorSettings::default()).await {
        Err(error) if error.kind() == StoreErrorKind::Unsupported => false,
        set => {
            set.expect(WORKS);
            true
        }
    }
}

/// Events are recorded with their causes, once for each.
pub(super) async fn operators_are_notified(store: Timed<impl DeliveryStore>) {
    let default = store.operator().await.expect(WORKS);
    assert_eq!(default, OperatorSettings::default());
    let settings = OperatorSettings {
        failures: 2,
        ..default
    };
    store.set_operator(settings.clone()).await.expect(WORKS);
    assert_eq!(store.operator().await.expect(WORKS), settings);
    subscribe(&store, "s", 1).await;
    let delivery = enqueue(&store, "kind", at(0)).await[0];
    let mut leases = Vec::new();
    for now in [0, 1, 2] {
        let lease = claim(&store, at(now), 1).await.remove(0);
        fails(&store, &lease, at(now)).await;
        leases.push(lease);
    }
    let endpoint = leases[0].endpoint;
    let event = |number: i64, now, what| OperatorEvent {
        id: number,
        at: at(now),
        owner: String::new(),
        subscription: "s".to_owned(),
        endpoint,
        what,
    };
    let failing = OperatorEventKind::EndpointFailing { failures: 2 };
    let until = at(12);
    let paused = OperatorEventKind::EndpointPaused { failures: 3, until };
    let mut expected = vec![event(1, 1, failing), event(2, 2, paused)];
    assert_eq!(events(&store).await, expected);
    // A circuit that opens again is no news; a delivery that fails for good is.
    let lease = claim(&store, at(12), 1).await.remove(0);
    fails(&store, &lease, at(12)).await;
    assert_eq!(events(&store).await.len(), 2);
    let lease = claim(&store, at(60), 1).await.remove(0);
    let dead = |lease: &Lease, reason| outcome(lease, at(60), Decision::Dead(reason));
    let gave_up = dead(&lease, DeadReason::Exhausted);
    record(&store, vec![gave_up.clone(), gave_up], at(60)).await;
    let failed = OperatorEventKind::DeliveryFailed {
        delivery,
        message: lease.message.id.to_string(),
        kind: "kind".to_owned(),
        reason: DeadReason::Exhausted,
        attempts: 5,
    };
    expected.push(event(3, 60, failed));
    assert_eq!(
        events(&store).await,
        expected,
        "also once if it is recorded twice"
    );
    let later = store.operator_events(Some(1), 1).await.expect(WORKS);
    assert_eq!(later, expected[1..2]);

    // A delivery that loses workers while it is sent alone fails in a claim.
    let poison = enqueue(&store, "kind", at(100)).await[0];
    for seconds in 0..8 {
        let mut alone = request(1);
        alone.lost = 1;
        store
            .claim_at(alone, at(100 + seconds * 40))
            .await
            .expect(WORKS);
    }
    let poisoned = store
        .delivery(poison)
        .await
        .expect(WORKS)
        .expect("it is there");
    let reason = DeadReason::Poisonous;
    assert!(matches!(poisoned.state, State::Dead { reason: found, .. } if found == reason));
    let last = events(&store).await.pop().expect("there are events");
    assert!(matches!(
        last.what,
        OperatorEventKind::DeliveryFailed { delivery, reason: found, .. }
            if delivery == poison && found == reason
    ));
    // Events are kept as long as deliveries.
    store.prune_at(at(50), 100).await.expect(WORKS);
    let kept: Vec<i64> = events(&store).await.iter().map(|event| event.id).collect();
    assert_eq!(kept, [3, 4]);
}

/// The webhook of an event is enqueued with it, and its own failures are not reported.
pub(super) async fn an_event_causes_no_events(store: Timed<impl DeliveryStore>) {
    let settings = OperatorSettings {
        owner: Some("operators".to_owned()),
        failures: 1,
    };
    store.set_operator(settings).await.expect(WORKS);
    let pager = Subscription::builder("pager").owner("operators");
    let pager = pager.url("https://pager.example/").build();
    let pager = pager.expect("it is a good subscription");
    store.put_subscription(pager).await.expect(WORKS);
    subscribe(&store, "s", 4).await;
    let message = Message::new("kind", "{}").id(id("m"));
    store.enqueue_at(message, at(0)).await.expect(WORKS);
    let lease = claim(&store, at(0), 10).await.remove(0);
    let dead = Outcome {
        health: crate::store::Health::Bad,
        ..outcome(&lease, at(1), Decision::Dead(DeadReason::Exhausted))
    };
    store
        .record_at(vec![dead], at(1), CIRCUIT)
        .await
        .expect(WORKS);
    let all = events(&store).await;
    let kinds: Vec<_> = all.iter().map(|event| event.what.kind()).collect();
    assert_eq!(
        kinds,
        ["operator.delivery.failed", "operator.endpoint.failing"]
    );
    let webhooks = claim(&store, at(1), 10).await;
    assert_eq!(webhooks.len(), 2, "one webhook for each event");
    for (webhook, event) in webhooks.iter().zip(&all) {
        assert_eq!(webhook.subscription.id(), "pager");
        assert_eq!(webhook.message.owner, "operators");
        assert_eq!(webhook.message.kind, event.what.kind());
        assert_eq!(
            webhook.message.id.as_str(),
            format!("operator-event-{}", event.id)
        );
        let body = serde_json::from_slice::<OperatorEvent>(&webhook.message.body);
        let body = OperatorEvent {
            id: event.id,
            ..body.expect("the body is the event")
        };
        assert_eq!(body, *event);
    }
    // The pager fails, and no operator is notified.
    let failed = webhooks.iter().map(|lease| Outcome {
        health: crate::store::Health::Bad,
        ..outcome(lease, at(2), Decision::Dead(DeadReason::Exhausted))
    });
    store
        .record_at(failed.collect(), at(2), CIRCUIT)
        .await
        .expect(WORKS);
    assert_eq!(events(&store).await, all);
    assert_eq!(claim(&store, at(3), 10).await.len(), 0);
}
