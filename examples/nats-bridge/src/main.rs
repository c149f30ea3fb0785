//! Delivers one message to the stream `WEBHOOKS` of a NATS server, and ends when it is stored.
//!
//! `NATS_URL` is the server, `nats://127.0.0.1:4222` if it is not set. It needs JetStream (`nats-server -js`).

use async_nats::jetstream::{self, stream};
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{DeliveryStore, Message, Subscription, Worker};
use example_nats_bridge::JetStreamSender;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("NATS_URL").unwrap_or_else(|_| "nats://127.0.0.1:4222".to_owned());
    let jetstream = jetstream::new(async_nats::connect(url).await?);
    let stream = stream::Config {
        name: "WEBHOOKS".to_owned(),
        subjects: vec!["webhooks.>".to_owned()],
        ..stream::Config::default()
    };
    jetstream.get_or_create_stream(stream).await?;

    let store = SqliteStore::open(":memory:").await?;
    // A subscription has a URL; this sender does not use it.
    let subscription = Subscription::builder("broker").url("https://nats.invalid/");
    store.put_subscription(subscription.build()?).await?;
    let message = Message::new("order.created", r#"{"order":7}"#);
    let delivery = store.enqueue(message).await?.deliveries[0];

    let mut changes = store.changes();
    let finished = async {
        while let Ok(Some(found)) = store.delivery(delivery).await {
            if found.state.is_finished() || changes.changed().await.is_err() {
                return;
            }
        }
    };
    let sender = JetStreamSender::new(jetstream, "webhooks");
    let worker = Worker::builder(store.clone()).sender(sender).build();
    worker.run(finished).await;
    for attempt in store.attempts(delivery).await? {
        println!("{}: {}", attempt.end, attempt.detail);
    }
    Ok(())
}
