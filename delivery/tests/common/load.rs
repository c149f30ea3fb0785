//! What tests of faults share: four subscriptions, messages for them, and what is to be true at the
//! end.

use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::{
    AttemptEnd, DeliveryId, DeliveryStore, Message, MessageId, State, StoreErrorKind, Subscription,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Takes everything, and counts what it took by `Webhook-Attempt`.
#[derive(Clone, Default)]
pub struct Taking(pub Arc<Mutex<BTreeMap<String, usize>>>);

impl Sender for Taking {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        let attempt = request.headers["webhook-attempt"]
            .to_str()
            .unwrap()
            .to_owned();
        *self.0.lock().unwrap().entry(attempt).or_default() += 1;
        tokio::task::yield_now().await;
        Ok(ReceiverResponse {
            status: 200,
            waited: None,
            retry_after: None,
            excerpt: String::new(),
        })
    }
}

pub async fn subscribe(store: &impl DeliveryStore, count: usize) {
    for id in 0..count {
        let subscription = Subscription::builder(format!("s{id}"))
            .owner(format!("o{id}"))
            .url("https://example.com/");
        store
            .put_subscription(subscription.build().unwrap())
            .await
            .unwrap();
    }
}

pub async fn enqueue(store: &impl DeliveryStore, number: usize) -> Option<DeliveryId> {
    let message = Message::new("kind", "{}")
        .id(MessageId::new(format!("m{number}")).unwrap())
        .owner(format!("o{}", number % 4));
    // Said again and again until it is heard: the id makes it one message.
    loop {
        match store.enqueue(message.clone()).await {
            Ok(enqueued) => return enqueued.deliveries.first().copied(),
            Err(error) => {
                assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// Until so many deliveries are with their receivers.
pub async fn delivered(store: &impl DeliveryStore, count: usize) {
    loop {
        let all = store.deliveries(None, 10_000).await.unwrap_or_default();
        let done = all
            .iter()
            .filter(|delivery| matches!(delivery.state, State::Delivered { .. }));
        if done.count() == count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Each attempt that was sent has one row, and each row that tells of an answer was sent.
pub async fn reconcile(store: &impl DeliveryStore, sent: &Taking) {
    let sent = sent.0.lock().unwrap().clone();
    let mut rows = BTreeMap::new();
    for delivery in store.deliveries(None, 10_000).await.unwrap() {
        for attempt in store.attempts(delivery.id).await.unwrap() {
            rows.insert(format!("{}.{}", delivery.id, attempt.n), attempt.end);
        }
    }
    for (attempt, count) in &sent {
        assert_eq!(*count, 1, "{attempt} was sent more than once");
        assert!(
            rows.contains_key(attempt),
            "{attempt} was sent, and is not logged"
        );
    }
    for (attempt, end) in &rows {
        assert!(
            *end == AttemptEnd::Lost || sent.contains_key(attempt),
            "{attempt} was never sent"
        );
    }
}
