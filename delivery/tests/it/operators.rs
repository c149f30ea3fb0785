//! Events for operators, as a program and a receiver see them while a worker runs.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    DeadReason, DeliveryStore, Destinations, Message, OperatorEvent, OperatorEventKind,
    OperatorSettings, Subscription, Worker, operator_events,
};
use common::postgres::Postgres;
use common::receiver::Receiver;
use futures_util::StreamExt;
use std::pin::pin;

/// A receiver rejects a message: the stream has the event, the pager gets it as a webhook, and a stream that
/// continues after it has only what came later.
async fn reported(store: impl DeliveryStore) {
    let (rejects, pager) = (Receiver::always(410).await, Receiver::always(204).await);
    let settings = OperatorSettings {
        owner: Some("operators".to_owned()),
        ..OperatorSettings::default()
    };
    store.set_operator(settings).await.unwrap();
    for (id, owner, url) in [
        ("s", "o", rejects.url()),
        ("pager", "operators", pager.url()),
    ] {
        let subscription = Subscription::builder(id).owner(owner).url(url);
        let subscription = subscription.build().unwrap();
        store.put_subscription(subscription).await.unwrap();
    }
    let worker = Worker::builder(store.clone())
        .destinations(Destinations::public().allow_loopback())
        .build()
        .unwrap();
    let watching = async {
        let mut events = pin!(operator_events(store.clone(), None));
        let mut last = None;
        for id in ["first", "second"] {
            let id = bothends_delivery::MessageId::new(id).unwrap();
            let message = Message::new("order.paid", "{}").owner("o").id(id.clone());
            let delivery = store.enqueue(message).await.unwrap().deliveries[0];
            let event = events.next().await.unwrap().unwrap();
            let expected = OperatorEventKind::DeliveryFailed {
                delivery,
                message: id.to_string(),
                kind: "order.paid".to_owned(),
                reason: DeadReason::Rejected,
                attempts: 1,
            };
            assert_eq!((event.subscription.as_str(), &event.what), ("s", &expected));
            last = Some(event);
        }
        while store.depth().await.unwrap() > 0 {
            tokio::task::yield_now().await;
        }
        last.unwrap()
    };
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = worker.run(async {
        let _ = stopped.await;
    });
    let watching = async {
        let last = watching.await;
        stop.send(()).unwrap();
        last
    };
    let (_, last) = tokio::join!(running, watching);
    let log = pager.log();
    assert_eq!(log.len(), 2);
    let webhook = log
        .iter()
        .find(|received| received.header("webhook-id") == format!("operator-event-{}", last.id));
    let body: OperatorEvent = serde_json::from_slice(&webhook.unwrap().body).unwrap();
    assert_eq!((body.what, body.at), (last.what.clone(), last.at));
    let mut continued = pin!(operator_events(store, Some(last.id - 1)));
    assert_eq!(continued.next().await.unwrap().unwrap(), last);
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_see_what_failed_on_sqlite() {
    reported(SqliteStore::open(":memory:").await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_see_what_failed_on_postgres() {
    let Some(server) = Postgres::start("operators_see_what_failed_on_postgres") else {
        return;
    };
    reported(server.store().await).await;
}
