//! Two workers, databases that go away, and databases that fill up.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use crate::common;

use bothends_delivery::conformance::request;
use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{DeliveryStore, Message, MessageId, Policy, StoreErrorKind, Worker};
use common::load::{Taking, delivered, enqueue, reconcile, subscribe};
use common::postgres::Postgres;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio_postgres::{Client, NoTls};

/// Two workers, each with a store of its own for the same database.
async fn two_workers(stores: [impl DeliveryStore; 2]) {
    let first = stores[0].clone();
    subscribe(&first, 4).await;
    let sent = Taking::default();
    // It is seen by a worker that has not looked yet, too.
    let stop = watch::Sender::new(false);
    let mut workers = Vec::new();
    for store in stores {
        let worker = Worker::builder(store)
            .concurrency(16)
            .sender(sent.clone())
            .build();
        let mut stopped = stop.subscribe();
        workers.push(tokio::spawn(worker.run(async move {
            drop(stopped.wait_for(|stopped| *stopped).await);
        })));
    }
    for number in 0..400 {
        enqueue(&first, number).await.unwrap();
    }
    delivered(&first, 400).await;
    stop.send_replace(true);
    let mut counts = 0;
    for worker in workers {
        counts += worker.await.unwrap().delivered;
    }
    assert_eq!(counts, 400);
    assert_eq!(sent.0.lock().unwrap().len(), 400, "each once");
    reconcile(&first, &sent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_on_one_postgres_send_everything_once() {
    let test = "two_workers_on_one_postgres_send_everything_once";
    let Some(server) = Postgres::start(test) else {
        return;
    };
    let config = server.database().await;
    let connect = || PostgresStore::connect(config.clone(), NoTls);
    two_workers([connect().await.unwrap(), connect().await.unwrap()]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_on_one_file_send_everything_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let open = || SqliteStore::open(&path);
    two_workers([open().await.unwrap(), open().await.unwrap()]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_restarted_under_load_loses_nothing() {
    let Some(server) = Postgres::start("postgres_restarted_under_load_loses_nothing") else {
        return;
    };
    let store = server.store().await;
    subscribe(&store, 4).await;
    let sent = Taking::default();
    let worker = Worker::builder(store.clone())
        // Leases that were lost with the database come back soon.
        .policy(Policy {
            timeout: Duration::from_millis(500),
            ..Policy::default()
        })
        .concurrency(16)
        .sender(sent.clone())
        .build();
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    let working = tokio::spawn(worker.run(async move { stopped.notified().await }));
    let enqueuing = tokio::spawn({
        let store = store.clone();
        async move {
            for number in 0..1500 {
                enqueue(&store, number).await;
            }
        }
    });
    // Twice, in the middle of it: as soon as some were delivered.
    for count in [100, 400] {
        while sent.0.lock().unwrap().len() < count {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        server.pg_ctl("stop");
        server.pg_ctl("start");
    }
    enqueuing.await.unwrap();
    delivered(&store, 1500).await;
    stop.notify_one();
    working.await.unwrap();
    reconcile(&store, &sent).await;
    let sends = sent.0.lock().unwrap().len();
    assert!(
        sends <= 1500 + 2 * 16,
        "{sends}: no more twice than were under way"
    );
}

/// Waits until a backend whose `application_name` is this waits for a standby, and returns its process.
async fn waiting_for_standby(admin: &Client, name: &str) -> i32 {
    let sql =
        "SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'SyncRep'";
    loop {
        if let Some(row) = admin.query_opt(sql, &[&name]).await.unwrap() {
            return row.get(0);
        }
    }
}

/// The claim is committed, and the connection is lost while the commit waits to be durable: on a standby that is not
/// there, which takes as long as the test wants.
#[tokio::test(flavor = "multi_thread")]
async fn leases_are_kept_if_the_wait_for_their_commit_fails() {
    let Some(server) = Postgres::start("leases_are_kept_if_the_wait_for_their_commit_fails") else {
        return;
    };
    let config = server.database().await;
    let store = PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    subscribe(&store, 1).await;
    let delivery = enqueue(&store, 0).await.unwrap();
    let connect = async |name: &str| {
        let mut config = config.clone();
        let connecting = config.application_name(name).connect(NoTls).await;
        let (client, connection) = connecting.unwrap();
        tokio::spawn(connection);
        client
    };
    let (admin, other) = (connect("admin").await, connect("other").await);
    let reload = async |change: &str| {
        admin.batch_execute(change).await.unwrap();
        admin.execute("SELECT pg_reload_conf()", &[]).await.unwrap();
    };
    reload("ALTER SYSTEM SET synchronous_standby_names = 'absent'").await;
    // The server has read this once a commit waits.
    let waiting = tokio::spawn(async move {
        loop {
            let commit = "CREATE TABLE waits (); DROP TABLE waits";
            other.batch_execute(commit).await.unwrap();
        }
    });
    waiting_for_standby(&admin, "other").await;
    let claiming = tokio::spawn(async move { store.claim(request(16)).await });
    let pid = waiting_for_standby(&admin, "bothends-delivery").await;
    let kill = "SELECT pg_terminate_backend($1)";
    admin.execute(kill, &[&pid]).await.unwrap();
    reload("ALTER SYSTEM RESET synchronous_standby_names").await;
    let claimed = claiming.await.unwrap().unwrap();
    let leased: Vec<_> = claimed.leases.iter().map(|lease| lease.delivery).collect();
    assert_eq!(leased, [delivery]);
    waiting.abort();
}

/// Enqueues until there is no room left; what was accepted is there, what was refused is not. Returns
/// how many it were.
async fn fill(store: &impl DeliveryStore) -> usize {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut accepted = Vec::new();
    for number in 0.. {
        // What a database cannot make smaller.
        let body: Vec<u8> = (0..20_000).map(|_| rng.u8(..)).collect();
        let message = Message::new("kind", body)
            .id(MessageId::new(format!("m{number}")).unwrap())
            .owner(format!("o{}", number % 4));
        match store.enqueue(message).await {
            Ok(enqueued) => accepted.extend(enqueued.deliveries),
            Err(error) => {
                assert_eq!(error.kind(), StoreErrorKind::Full, "{error}");
                break;
            }
        }
    }
    let all = store.deliveries(None, 10_000).await.unwrap();
    let ids: Vec<_> = all.iter().map(|delivery| delivery.id).collect();
    assert!(!ids.is_empty());
    assert_eq!(ids, accepted);
    ids.len()
}

/// Once there is room again, all that was accepted is sent.
async fn send(store: &impl DeliveryStore, count: usize) {
    let sent = Taking::default();
    let worker = Worker::builder(store.clone()).sender(sent.clone()).build();
    worker.run(delivered(store, count)).await;
    reconcile(store, &sent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_and_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
    subscribe(&store, 4).await;
    let limit = async |pages: &'static str| {
        let set = move |tx: &rusqlite::Connection| {
            let count: u32 = tx.query_row("PRAGMA page_count", [], |row| row.get(0))?;
            let pages = pages.replace("count", &count.to_string());
            let sql = format!("SELECT {pages}");
            let pages: u32 = tx.query_row(&sql, [], |row| row.get(0))?;
            let sql = format!("PRAGMA max_page_count = {pages}");
            Ok(tx.query_row(&sql, [], |_| Ok(()))?)
        };
        store.transaction(set).await.unwrap();
    };
    limit("count + 60").await;
    let count = fill(&store).await;
    limit("count + 1000000").await;
    send(&store, count).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_under_postgres_refuses_and_keeps_what_it_has() {
    let test = "a_full_disk_under_postgres_refuses_and_keeps_what_it_has";
    let Some(server) = Postgres::start(test) else {
        return;
    };
    let Some(config) = server.small_database(test).await else {
        return;
    };
    let store = PostgresStore::connect(config, NoTls).await.unwrap();
    subscribe(&store, 4).await;
    let count = fill(&store).await;
    server.more_room();
    send(&store, count).await;
}
