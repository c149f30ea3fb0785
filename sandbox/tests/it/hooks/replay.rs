//! Replays of single deliveries, and of all failures since a point in time.

use super::support::{Receiver, Reply, log, start, subscribe, trigger};
use financial_data_sandbox::RequestError;
use financial_data_sandbox::clock;
use financial_data_sandbox::webhooks::{replay, replay_failed};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

#[tokio::test]
async fn one_delivery_is_sent_again() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = Receiver::always(200).await;
    subscribe(app, &id, &receiver.url).await;
    trigger(app, &id, "refreshCompleted").await;
    let first = receiver.next().await;
    let delivery = log(app, &id, 1).await[0].delivery;
    let again = replay(app, &id, delivery).await.unwrap();
    assert_ne!(again, delivery);
    let second = receiver.next().await;
    assert_eq!(first.body, second.body);
    assert_eq!(first.header("webhook-id"), second.header("webhook-id"));
    let error = replay(app, "other", delivery).await.unwrap_err();
    assert!(matches!(error, RequestError::NotFound { .. }), "{error}");
    let error = replay(app, &id, 4711).await.unwrap_err();
    assert!(matches!(error, RequestError::NotFound { .. }), "{error}");
}

#[tokio::test]
async fn all_failures_since_a_time_are_sent_again_once() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let start = clock::freeze(app, &id)
        .await
        .unwrap()
        .clock
        .frozen_at
        .unwrap();
    let status = Arc::new(AtomicU16::new(400));
    let current = Arc::clone(&status);
    let receiver = Receiver::start(move |_| Reply::Status(current.load(Ordering::SeqCst))).await;
    let mut receiver = receiver;
    subscribe(app, &id, &receiver.url).await;
    let kinds = [
        "refreshCompleted",
        "connectionCompleted",
        "customersDeleted",
    ];
    for (index, kind) in kinds.into_iter().enumerate() {
        trigger(app, &id, kind).await;
        log(app, &id, index + 1).await;
        clock::advance(app, &id, 1_000, true).await.unwrap();
    }
    // The first failure was earlier; the other two fail again, and then succeed.
    let replayed = replay_failed(app, &id, start + 1_000).await.unwrap();
    assert_eq!(replayed.len(), 2);
    log(app, &id, 5).await;
    clock::advance(app, &id, 0, true).await.unwrap();
    status.store(200, Ordering::SeqCst);
    let replayed = replay_failed(app, &id, start + 1_000).await.unwrap();
    assert_eq!(replayed.len(), 2, "the failed replays, not their originals");
    log(app, &id, 7).await;
    clock::advance(app, &id, 0, true).await.unwrap();
    assert!(
        replay_failed(app, &id, start + 1_000)
            .await
            .unwrap()
            .is_empty()
    );
    let all = receiver.so_far();
    assert_eq!(all.len(), 7);
    // Deliveries are not ordered.
    let (mut last, mut first) = ([&all[5].body, &all[6].body], [&all[1].body, &all[2].body]);
    last.sort_unstable();
    first.sort_unstable();
    assert_eq!(last, first);
    // From the beginning, the first failure is still there.
    assert_eq!(replay_failed(app, &id, start).await.unwrap().len(), 1);
}
