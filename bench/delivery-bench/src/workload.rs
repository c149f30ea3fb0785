//! What all subjects share: subscriptions, messages and workers.

use bothends_delivery::{
    DeliveryStore, Destinations, Message, Subscription, Worker, send::HttpSender,
};

pub const BODY: &str = r#"{"data":{"task_id":"5f2b9b1e-7a57-4d7c-9d2e-0a4f2f0f7f11","task_type":"refresh","customer_id":"8f2b9b1e-7a57-4d7c-9d2e-0a4f2f0f7f12","status":"Completed","result":"success"}}"#;

/// Subscribes as many owners as there are endpoints, each to its own.
pub async fn subscribe(store: &impl DeliveryStore, endpoints: usize, url: &str) {
    for id in 0..endpoints {
        let subscription = Subscription::builder(format!("s{id}"))
            .owner(format!("o{id}"))
            .url(url)
            .concurrency(if endpoints == 1 { 256 } else { 16 })
            .build()
            .unwrap();
        store.put_subscription(subscription).await.unwrap();
    }
}

/// A message to one of the endpoints.
pub fn message(number: usize, endpoints: usize) -> Message {
    Message::new("kind", BODY).owner(format!("o{}", number % endpoints))
}

pub fn worker<S: DeliveryStore>(store: S, concurrency: usize) -> Worker<S, HttpSender> {
    Worker::builder(store)
        .destinations(Destinations::public().allow_loopback())
        .concurrency(concurrency)
        .build()
        .unwrap()
}

/// Enqueues messages from 64 concurrent callers.
pub async fn enqueue_all<S: DeliveryStore>(store: &S, messages: usize, endpoints: usize) {
    let callers = (0..64).map(|caller| {
        let store = store.clone();
        tokio::spawn(async move {
            for number in (caller..messages).step_by(64) {
                store.enqueue(message(number, endpoints)).await.unwrap();
            }
        })
    });
    for caller in callers.collect::<Vec<_>>() {
        caller.await.unwrap();
    }
}
