//! Owners distributed over several databases, as the guide's section "Several databases" says.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

mod store;

use crate::common;

use bothends_delivery::conformance::check_all;
use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::sqlite::SqliteOptions;
use bothends_delivery::{
    DeliveryStore, EnqueueStatus, ManualClock, Message, MessageId, Subscription, Worker,
};
use common::postgres::Postgres;
use std::collections::{BTreeMap, BTreeSet};
use store::{Sharded, shard_of};
use tokio::sync::watch;

#[tokio::test(flavor = "multi_thread")]
async fn a_store_over_two_databases_conforms() {
    let open = async |_: &str, clock: ManualClock| {
        let mut shards = Vec::new();
        for _ in 0..2 {
            let options = SqliteOptions::new().clock(clock.clone());
            shards.push(options.open(":memory:").await.unwrap());
        }
        Sharded::new(shards)
    };
    check_all(open).await;
}

/// Which workers sent which message of which owner.
type Log = BTreeMap<(String, String), Vec<usize>>;

/// Accepts everything, and notes it.
#[derive(Clone)]
struct Noting {
    worker: usize,
    sent: watch::Sender<Log>,
}

impl Sender for Noting {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        let context = request.attempt;
        let key = (context.owner, context.message.as_str().to_owned());
        self.sent
            .send_modify(|sent| sent.entry(key).or_default().push(self.worker));
        Ok(ReceiverResponse {
            status: 200,
            retry_after: None,
            excerpt: String::new(),
            waited: None,
        })
    }
}

const OWNERS: [&str; 4] = ["anna", "ben", "clara", "david"];

fn subscription(owner: &str) -> Subscription {
    let subscription = Subscription::builder(format!("{owner}-1")).owner(owner);
    let subscription = subscription.url("https://example.com/hook");
    subscription.build().unwrap()
}

fn message(owner: &str, id: &str) -> Message {
    Message::new("order.created", "{}")
        .owner(owner)
        .id(MessageId::new(id).unwrap())
}

/// Runs a worker for each database until all of it is sent and recorded. Returns which worker sent what.
async fn work(stores: &[PostgresStore; 2]) -> Log {
    let sent = watch::Sender::new(Log::new());
    let worker = async |index: usize| {
        let store = &stores[index];
        let open = usize::try_from(store.depth().await.unwrap()).unwrap();
        let sender = Noting {
            worker: index,
            sent: sent.clone(),
        };
        let mut log = sent.subscribe();
        let finished = async {
            let of_worker = |log: &Log| {
                log.values()
                    .flatten()
                    .filter(|worker| **worker == index)
                    .count()
            };
            log.wait_for(|log| of_worker(log) == open).await.unwrap();
        };
        let worker = Worker::builder(store.clone()).sender(sender).build();
        worker.run(finished).await;
        assert_eq!(store.depth().await.unwrap(), 0);
    };
    tokio::join!(worker(0), worker(1));
    sent.borrow().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_are_distributed_over_two_databases_and_moved() {
    let test = "owners_are_distributed_over_two_databases_and_moved";
    let Some(server) = Postgres::start(test) else {
        return;
    };
    let stores = [server.store().await, server.store().await];
    let mut homes = BTreeMap::from(OWNERS.map(|owner| (owner, shard_of(owner, 2))));
    let both = homes.values().collect::<BTreeSet<_>>();
    assert_eq!(both.len(), 2, "the owners are in both databases: {homes:?}");
    for (owner, home) in &homes {
        let store = &stores[*home];
        store.put_subscription(subscription(owner)).await.unwrap();
        for id in ["evt-1", "evt-2"] {
            assert!(
                store
                    .enqueue(message(owner, id))
                    .await
                    .unwrap()
                    .is_created()
            );
        }
        let again = store.enqueue(message(owner, "evt-1")).await.unwrap();
        assert_eq!(again.status, EnqueueStatus::Duplicate { differs: false });
    }

    // Anna moves while her messages wait: they are sent from the old database, later ones from the new.
    let (old, new) = (homes["anna"], 1 - homes["anna"]);
    stores[new]
        .put_subscription(subscription("anna"))
        .await
        .unwrap();
    let first = homes.clone();
    homes.insert("anna", new);
    let id = MessageId::new("evt-1").unwrap();
    assert_eq!(stores[new].message("anna", &id).await.unwrap(), None);
    let known = stores[old].message("anna", &id).await.unwrap();
    assert!(
        known.is_some(),
        "the old database knows the ids from before"
    );
    let later = stores[homes["anna"]].enqueue(message("anna", "evt-3"));
    assert!(later.await.unwrap().is_created());

    let sent = work(&stores).await;
    let mut expected = BTreeMap::new();
    for (owner, home) in first {
        for id in ["evt-1", "evt-2"] {
            expected.insert((owner.to_owned(), id.to_owned()), vec![home]);
        }
    }
    expected.insert(("anna".to_owned(), "evt-3".to_owned()), vec![new]);
    assert_eq!(sent, expected);

    // What is finished stays in the old database until it is pruned.
    let backlog = stores[old].backlog("anna").await.unwrap();
    assert_eq!(
        (backlog.waiting, backlog.held, backlog.in_progress),
        (0, 0, 0)
    );
    stores[old].remove_subscription("anna-1").await.unwrap();
    let gone = stores[old].enqueue(message("anna", "evt-4")).await.unwrap();
    assert_eq!(gone.status, EnqueueStatus::NoSubscription);
    let history = stores[old].deliveries_of("anna", None, 10).await.unwrap();
    assert_eq!(history.len(), 2);
}

/// One owner whose endpoints are in two databases: each message is enqueued in both, with one id.
#[tokio::test(flavor = "multi_thread")]
async fn endpoints_of_an_owner_are_in_two_databases() {
    let test = "endpoints_of_an_owner_are_in_two_databases";
    let Some(server) = Postgres::start(test) else {
        return;
    };
    let stores = [server.store().await, server.store().await];
    for store in &stores {
        store.put_subscription(subscription("anna")).await.unwrap();
    }
    // The first try reached one database; the second is for all of them.
    stores[0].enqueue(message("anna", "evt-1")).await.unwrap();
    for store in &stores {
        let enqueued = store.enqueue(message("anna", "evt-1")).await.unwrap();
        assert_eq!(enqueued.deliveries.len(), 1);
    }
    let sent = work(&stores).await;
    let mut workers: Vec<usize> = sent.into_values().flatten().collect();
    workers.sort_unstable();
    assert_eq!(workers, [0, 1], "each endpoint received it once");
}
