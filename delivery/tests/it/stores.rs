//! Both stores do what every store has to do.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::conformance::{check_all, outcome, request};
use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::sqlite::{SqliteOptions, SqliteStore, enqueue_in};
use bothends_delivery::store::{CircuitPolicy, Claimed, Decision};
use bothends_delivery::{DeliveryStore, Message, Subscription};
use common::postgres::Postgres;
use tokio_postgres::NoTls;

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_conforms() {
    let folder = tempfile::tempdir().unwrap();
    let open = async |name: &str, clock| {
        let options = SqliteOptions::new().clock(clock);
        options.open(folder.path().join(name)).await.unwrap()
    };
    check_all(open).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_conforms_in_memory() {
    let open = async |_: &str, clock| {
        SqliteOptions::new()
            .clock(clock)
            .open(":memory:")
            .await
            .unwrap()
    };
    check_all(open).await;
}

/// Each store in memory has its own database. The name is not that of a file, and an URI of SQLite's
/// is that of one.
#[tokio::test(flavor = "multi_thread")]
async fn sqlite_opens_names_as_sqlite_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("file:{}/db?cache=private", folder.path().display());
    for (path, starts, kept) in [
        (":memory:", 2, false),
        ("file:bothends-stores?mode=memory&cache=shared", 1, false),
        (&file, 2, true),
    ] {
        for start in 0..starts {
            let store = SqliteStore::open(path).await.unwrap();
            let subscription = Subscription::builder("s").url("https://example.com/");
            let subscription = subscription.build().unwrap();
            store.put_subscription(subscription).await.unwrap();
            let clone = store.clone();
            drop(store);
            let sent = clone.enqueue(Message::new("kind", "{}")).await.unwrap();
            assert_eq!(sent.deliveries.len(), 1);
            let all = clone.deliveries(None, 10).await.unwrap();
            assert_eq!(all.len(), if kept { start + 1 } else { 1 }, "{path}");
        }
    }
    assert!(folder.path().join("db").exists());
    assert!(!std::path::Path::new(":memory:").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_conforms() {
    let Some(server) = Postgres::start("postgres_conforms") else {
        return;
    };
    check_all(async |_: &str, clock| server.store_with(clock).await).await;
}

#[tokio::test]
async fn commits_reach_the_disk_unless_a_file_is_opened_without_sync() {
    let folder = tempfile::tempdir().unwrap();
    for (options, expected) in [
        (SqliteOptions::new(), 2),
        (SqliteOptions::new().without_sync(), 0),
    ] {
        let store = options.open(folder.path().join("store.db")).await.unwrap();
        let read = |connection: &rusqlite::Connection| {
            let sql = "PRAGMA synchronous";
            Ok(connection.query_row(sql, [], |row| row.get::<_, i64>(0))?)
        };
        assert_eq!(store.transaction(read).await.unwrap(), expected);
    }
}

/// What is alive is the same in the new tables, and what was dead is gone although a transaction holds it.
#[tokio::test(flavor = "multi_thread")]
async fn postgres_is_compacted_beside_a_transaction() {
    let Some(server) = Postgres::start("postgres_is_compacted_beside_a_transaction") else {
        return;
    };
    let config = server.database().await;
    let store = PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    for owner in ["a", "b"] {
        let subscription = Subscription::builder(owner).owner(owner);
        let subscription = subscription.url("https://example.com/").build().unwrap();
        store.put_subscription(subscription).await.unwrap();
    }
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1";
    client.batch_execute(begin).await.unwrap();
    for _ in 0..100 {
        store
            .enqueue(Message::new("kind", "{}").owner("a"))
            .await
            .unwrap();
        let Claimed { leases, now, .. } = store.claim(request(8)).await.unwrap();
        let outcomes = leases
            .iter()
            .map(|lease| outcome(lease, now, Decision::Delivered));
        store
            .record(outcomes.collect(), CircuitPolicy::default())
            .await
            .unwrap();
    }
    // A note that is not absorbed yet.
    let waiting = store
        .enqueue(Message::new("kind", "{}").owner("b"))
        .await
        .unwrap();
    let (reader, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    let read = async || {
        let alive = "SELECT array_agg(to_json(e)::text ORDER BY id) FROM bothends_endpoint AS e";
        let size =
            "SELECT pg_relation_size('bothends_endpoint') + pg_relation_size('bothends_wake')";
        let alive: Vec<String> = reader.query_one(alive, &[]).await.unwrap().get(0);
        (
            alive,
            reader.query_one(size, &[]).await.unwrap().get::<_, i64>(0),
        )
    };
    let (before, large) = read().await;
    store.compact().await.unwrap();
    let (after, small) = read().await;
    assert_eq!(before, after);
    assert!(small < large, "{small} and {large} bytes");
    let claimed = store.claim(request(8)).await.unwrap();
    let leased: Vec<_> = claimed.leases.iter().map(|lease| lease.delivery).collect();
    assert_eq!(leased, waiting.deliveries);
    // A third subscription gets an id of its own.
    let third = Subscription::builder("c")
        .url("https://example.com/")
        .build()
        .unwrap();
    store.put_subscription(third).await.unwrap();

    // Whoever uses the tables is not waited for.
    client
        .batch_execute("COMMIT; BEGIN; SELECT count(*) FROM bothends_wake")
        .await
        .unwrap();
    assert!(store.compact().await.is_err());
    store
        .enqueue(Message::new("kind", "{}").owner("a"))
        .await
        .unwrap();
}

/// A program that keeps its own data beside the queue does not set workers going with each of its transactions.
#[tokio::test]
async fn a_transaction_wakes_workers_if_it_enqueues() {
    let store = SqliteStore::open(":memory:").await.unwrap();
    let subscription = Subscription::builder("s").url("https://example.com/");
    let subscription = subscription.build().unwrap();
    store.put_subscription(subscription).await.unwrap();
    let mut changes = store.changes();
    for (kinds, is_expected) in [(0, false), (2, true), (0, false), (1, true)] {
        changes.borrow_and_update();
        let enqueue = move |connection: &rusqlite::Connection| {
            connection.execute_batch("CREATE TABLE IF NOT EXISTS own (id INTEGER)")?;
            for _ in 0..kinds {
                enqueue_in(connection, &Message::new("kind", "{}"))?;
            }
            Ok(())
        };
        store.transaction(enqueue).await.unwrap();
        assert_eq!(changes.has_changed().unwrap(), is_expected, "{kinds}");
    }
}
