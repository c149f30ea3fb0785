//! The notes of new deliveries on PostgreSQL, which claims absorb.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::conformance::{outcome, request};
use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::store::{CircuitPolicy, Claimed, Decision, Lease};
use bothends_delivery::{DeliveryId, DeliveryStore, Message, Subscription};
use common::postgres::Postgres;
use std::collections::BTreeSet;
use tokio_postgres::{Client, Config, NoTls};

/// A store with as many subscriptions of one owner, whose endpoints have responded once.
async fn store(config: &Config, subscriptions: usize) -> PostgresStore {
    let store = PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    for number in 0..subscriptions {
        let subscription = Subscription::builder(format!("s{number:03}")).concurrency(1000);
        let subscription = subscription.url("https://example.com/").build().unwrap();
        store.put_subscription(subscription).await.unwrap();
    }
    let first = enqueue(&store).await;
    let Claimed { leases, .. } = store.claim(request(subscriptions + 1)).await.unwrap();
    assert_eq!(ids(&leases), first);
    deliver(&store, leases).await;
    store
}

async fn client(config: &Config) -> Client {
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn enqueue(store: &PostgresStore) -> BTreeSet<DeliveryId> {
    let enqueued = store.enqueue(Message::new("kind", "{}")).await.unwrap();
    enqueued.deliveries.into_iter().collect()
}

async fn deliver(store: &PostgresStore, leases: Vec<Lease>) {
    let now = store.now().await.unwrap();
    let outcomes = leases.iter();
    let outcomes = outcomes.map(|lease| outcome(lease, now, Decision::Delivered));
    let circuit = CircuitPolicy::default();
    store.record(outcomes.collect(), circuit).await.unwrap();
}

fn ids(leases: &[Lease]) -> BTreeSet<DeliveryId> {
    leases.iter().map(|lease| lease.delivery).collect()
}

/// How many endpoints each note has.
async fn notes(client: &Client) -> Vec<i32> {
    let sql = "SELECT cardinality(endpoints) FROM bothends_wake ORDER BY 1";
    let rows = client.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn endpoints_that_are_locked_remain_in_a_note() {
    let Some(server) = Postgres::start("endpoints_that_are_locked_remain_in_a_note") else {
        return;
    };
    let config = server.database().await;
    let store = store(&config, 130).await;
    let client = client(&config).await;
    let all = enqueue(&store).await;
    assert_eq!(notes(&client).await, [2, 64, 64]);

    let lock = "BEGIN; SELECT FROM bothends_endpoint WHERE subscription < 's003' FOR NO KEY UPDATE";
    client.batch_execute(lock).await.unwrap();
    let Claimed { leases, .. } = store.claim(request(1000)).await.unwrap();
    assert_eq!(leases.len(), 127);
    assert_eq!(notes(&client).await, [3]);
    client.batch_execute("COMMIT").await.unwrap();
    let Claimed { leases: rest, .. } = store.claim(request(1000)).await.unwrap();
    assert_eq!(&ids(&leases) | &ids(&rest), all);
    assert_eq!(notes(&client).await, [0; 0]);

    // A note that another claim has locked is not waited for.
    let all = enqueue(&store).await;
    let lock = "BEGIN; SELECT FROM bothends_wake WHERE cardinality(endpoints) = 2 FOR UPDATE";
    client.batch_execute(lock).await.unwrap();
    let Claimed { leases, .. } = store.claim(request(1000)).await.unwrap();
    assert_eq!(leases.len(), 128);
    client.batch_execute("COMMIT").await.unwrap();
    let Claimed { leases: rest, .. } = store.claim(request(1000)).await.unwrap();
    assert_eq!(&ids(&leases) | &ids(&rest), all);
}

/// While claims reach their limits, most absorb no notes. An endpoint that only a note names is served by the fourth of
/// them at the latest, and by the first that finds too little in the queue.
#[tokio::test(flavor = "multi_thread")]
async fn full_claims_do_not_leave_an_idle_endpoint_waiting() {
    let Some(server) = Postgres::start("full_claims_do_not_leave_an_idle_endpoint_waiting") else {
        return;
    };
    let config = server.database().await;
    let store = store(&config, 1).await;
    let idle = Subscription::builder("idle").owner("o").concurrency(1000);
    let idle = idle.url("https://example.com/").build().unwrap();
    store.put_subscription(idle).await.unwrap();
    let to_idle = || Message::new("kind", "{}").owner("o");
    store.enqueue(to_idle()).await.unwrap();
    let Claimed { leases, .. } = store.claim(request(16)).await.unwrap();
    deliver(&store, leases).await;

    for _ in 0..120 {
        enqueue(&store).await;
    }
    let Claimed { leases, .. } = store.claim(request(16)).await.unwrap();
    assert_eq!(leases.len(), 16);
    let idle = store.enqueue(to_idle()).await.unwrap().deliveries[0];
    let client = client(&config).await;
    let mut leased = BTreeSet::new();
    for _ in 0..4 {
        let Claimed { leases, .. } = store.claim(request(16)).await.unwrap();
        assert_eq!(leases.len(), 16);
        leased.extend(ids(&leases));
    }
    assert!(leased.contains(&idle));
    assert_eq!(notes(&client).await, [0; 0]);
    let Claimed { leases, .. } = store.claim(request(1000)).await.unwrap();
    assert_eq!(leases.len(), 41);

    for _ in 0..16 {
        enqueue(&store).await;
    }
    let Claimed { leases, .. } = store.claim(request(16)).await.unwrap();
    assert_eq!(leases.len(), 16);
    let alone = store.enqueue(to_idle()).await.unwrap().deliveries[0];
    let Claimed { leases, .. } = store.claim(request(16)).await.unwrap();
    assert_eq!(ids(&leases), BTreeSet::from([alone]));
}

/// A claim that expects many deliveries of each endpoint, because the last one found them, and finds one of each looks
/// further, also beside a note that another claim has locked.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_that_finds_too_little_looks_further() {
    let Some(server) = Postgres::start("a_claim_that_finds_too_little_looks_further") else {
        return;
    };
    let config = server.database().await;
    let store = store(&config, 30).await;
    let busy = Subscription::builder("busy").owner("o").concurrency(1000);
    let busy = busy.url("https://example.com/").build().unwrap();
    store.put_subscription(busy).await.unwrap();
    for _ in 0..16 {
        let message = Message::new("kind", "{}").owner("o");
        store.enqueue(message).await.unwrap();
    }
    let Claimed { leases, .. } = store.claim(request(17)).await.unwrap();
    assert_eq!(leases.len(), 16);

    enqueue(&store).await;
    let other = PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    assert_eq!(other.claim(request(1)).await.unwrap().leases.len(), 1);
    enqueue(&store).await;
    let client = client(&config).await;
    let lock = "BEGIN; SELECT FROM bothends_wake FOR UPDATE";
    client.batch_execute(lock).await.unwrap();
    let Claimed { leases, .. } = store.claim(request(20)).await.unwrap();
    assert_eq!(leases.len(), 20);
}
