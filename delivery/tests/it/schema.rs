//! Databases that earlier versions made: they are upgraded, nothing in them is lost, and they come to be
//! what a new one is.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::{
    DeadReason, Delivery, DeliveryStore, EnqueueStatus, Message, MessageId, State, StoreError,
    StoreErrorKind, Worker,
};
use common::load::Taking;
use common::postgres::Postgres;
use rusqlite::OptionalExtension;
use std::path::Path;
use std::time::Duration;
use tokio_postgres::{Client, Config, NoTls};

/// The tables of each version but the last, as files.
const SQLITE: [&str; 8] = [
    include_str!("fixtures/schema-1.sqlite.sql"),
    include_str!("fixtures/schema-2.sqlite.sql"),
    include_str!("fixtures/schema-3.sqlite.sql"),
    include_str!("fixtures/schema-4.sqlite.sql"),
    include_str!("fixtures/schema-5.sqlite.sql"),
    include_str!("fixtures/schema-6.sqlite.sql"),
    include_str!("fixtures/schema-7.sqlite.sql"),
    include_str!("fixtures/schema-8.sqlite.sql"),
];
const POSTGRES: [&str; 8] = [
    include_str!("fixtures/schema-1.postgres.sql"),
    include_str!("fixtures/schema-2.postgres.sql"),
    include_str!("fixtures/schema-3.postgres.sql"),
    include_str!("fixtures/schema-4.postgres.sql"),
    include_str!("fixtures/schema-5.postgres.sql"),
    include_str!("fixtures/schema-6.postgres.sql"),
    include_str!("fixtures/schema-7.postgres.sql"),
    include_str!("fixtures/schema-8.postgres.sql"),
];

/// The circuit of an endpoint of versions 2 and later that a clock which ran ahead left open until 2100 has been
/// repaired by the worker.
const CLOSED: &str = "SELECT closed_until - closed_since, closed_until < 4102444800000
    FROM bothends_endpoint WHERE subscription = 's3'";

/// Everything that was there is there, and what is open is sent.
async fn continues(store: &impl DeliveryStore) {
    let subscription = store.subscription("s1").await.unwrap().unwrap();
    assert_eq!(subscription.headers()["x-tenant"], "7");
    let state = |all: &[Delivery], index: usize| all[index].state.clone();
    let all = store.deliveries(None, 10).await.unwrap();
    assert!(matches!(state(&all, 0), State::Delivered { .. }));
    assert!(matches!(state(&all, 1), State::Pending { .. }));
    assert!(matches!(state(&all, 2), State::Pending { .. }));
    let reason = DeadReason::Removed;
    assert!(matches!(state(&all, 3), State::Dead { reason: found, .. } if found == reason));
    assert!(matches!(state(&all, 4), State::Leased { .. }));
    let owners: Vec<_> = all.iter().map(|delivery| delivery.owner.as_str()).collect();
    assert_eq!(
        owners,
        ["o1", "o1", "o1", "", "o1"],
        "nobody knows whose a removed one was"
    );
    let ours = store.deliveries_of("o1", None, 10).await.unwrap();
    let expected = all
        .iter()
        .filter(|delivery| delivery.owner == "o1")
        .cloned();
    assert_eq!(ours, expected.collect::<Vec<_>>());
    let id = MessageId::new("evt-1").unwrap();
    let message = Message::new("kind", "one").id(id.clone()).owner("o1");
    assert_eq!(
        store.message("o1", &id).await.unwrap(),
        Some(message.clone())
    );
    let again = store.enqueue(message).await.unwrap();
    assert_eq!(again.status, EnqueueStatus::Duplicate { differs: false });

    let [endpoint] = store.endpoints("o1").await.unwrap().try_into().unwrap();
    assert_eq!((endpoint.in_progress, endpoint.failures), (1, 1));
    let open = all.iter().filter(|delivery| !delivery.state.is_finished());
    assert_eq!(store.depth().await.unwrap(), open.count() as u64);
    let sent = Taking::default();
    let worker = Worker::builder(store.clone())
        .retention(None)
        .sender(sent.clone())
        .build();
    let finished = async {
        loop {
            let all = store.deliveries(None, 10).await.unwrap();
            if all.iter().all(|delivery| delivery.state.is_finished()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    worker.run(finished).await;
    assert_eq!(store.depth().await.unwrap(), 0);
    let sent: Vec<_> = sent.0.lock().unwrap().keys().cloned().collect();
    assert_eq!(sent, ["2.1", "3.3", "5.2"]);
    let attempts = store.attempts(all[2].id).await.unwrap();
    assert_eq!(attempts.len(), 3, "those before and the one now");
}

fn is_too_new(error: &StoreError) {
    assert_eq!(error.kind(), StoreErrorKind::Schema);
    let message = error.to_string();
    assert!(
        message.contains("version 99") && message.contains("up to 9"),
        "{message}"
    );
}

/// What the database says that its tables are.
fn shape(path: &Path) -> Vec<String> {
    let connection = rusqlite::Connection::open(path).unwrap();
    let sql = "SELECT t.name || ' ' || c.name || ' ' || c.type || ' ' || c.pk || c.\"notnull\"
            || ' ' || coalesce(c.dflt_value, '')
        FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
        WHERE t.name LIKE 'bothends%' AND t.type IN ('table', 'index')
        UNION ALL
        SELECT t.name || ' ' || i.\"unique\" || i.partial || ' ' || (
            SELECT group_concat(c.name) FROM pragma_index_info(i.name) AS c)
        FROM sqlite_schema AS t, pragma_index_list(t.name) AS i WHERE t.name LIKE 'bothends%'
        UNION ALL SELECT 'version ' || version FROM bothends_schema
        ORDER BY 1";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn databases_of_every_version_are_upgraded() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new");
    drop(SqliteStore::open(&new).await.unwrap());
    for (version, tables) in SQLITE.iter().enumerate() {
        let path = folder.path().join(version.to_string());
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch(tables).unwrap();
        let store = SqliteStore::open(&path).await.unwrap();
        assert_eq!(shape(&path), shape(&new));
        continues(&store).await;
        let found = connection
            .query_row(CLOSED, [], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional();
        let expected: Option<(i64, bool)> = (version >= 1).then_some((300_000, true));
        assert_eq!(found.unwrap(), expected);
        drop(store);
        // What is upgraded is left alone from then on.
        let store = SqliteStore::open(&path).await.unwrap();
        assert_eq!(store.deliveries(None, 10).await.unwrap().len(), 5);
        connection
            .execute("UPDATE bothends_schema SET version = 99", [])
            .unwrap();
        is_too_new(&SqliteStore::open(&path).await.unwrap_err());
    }
}

async fn client(config: &Config) -> Client {
    let (client, connection) = config.connect(NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn shape_on_postgres(config: &Config) -> Vec<String> {
    let sql =
        "SELECT concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable,
            column_default, is_identity)
        FROM information_schema.columns WHERE table_name LIKE 'bothends%'
        UNION ALL SELECT indexdef FROM pg_indexes WHERE tablename LIKE 'bothends%'
        UNION ALL SELECT relname || array_to_string(reloptions, ',') FROM pg_class
            WHERE relname LIKE 'bothends%' AND relkind = 'r'
        UNION ALL SELECT 'version ' || version FROM bothends_schema
        ORDER BY 1";
    let rows = client(config).await.query(sql, &[]).await.unwrap();
    rows.iter()
        .map(|row| row.get::<_, Option<String>>(0).unwrap_or_default())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn databases_of_every_version_are_upgraded_on_postgres() {
    let test = "databases_of_every_version_are_upgraded_on_postgres";
    let Some(server) = Postgres::start(test) else {
        return;
    };
    let new = server.database().await;
    drop(PostgresStore::connect(new.clone(), NoTls).await.unwrap());
    for (version, tables) in POSTGRES.iter().enumerate() {
        let config = server.database().await;
        client(&config).await.batch_execute(tables).await.unwrap();
        // Two processes that start at once: one of them upgrades.
        let connect = || PostgresStore::connect(config.clone(), NoTls);
        let (store, other) = tokio::join!(connect(), connect());
        other.unwrap();
        assert_eq!(
            shape_on_postgres(&config).await,
            shape_on_postgres(&new).await
        );
        let store = store.unwrap();
        // Tables that have lost columns are copied as others are.
        store.compact().await.unwrap();
        continues(&store).await;
        let found = client(&config).await.query_opt(CLOSED, &[]).await.unwrap();
        let found = found.map(|row| (row.get(0), row.get(1)));
        let expected: Option<(i64, bool)> = (version >= 1).then_some((300_000, true));
        assert_eq!(found, expected);
        let store = connect().await.unwrap();
        assert_eq!(store.deliveries(None, 10).await.unwrap().len(), 5);
        let newer = "UPDATE bothends_schema SET version = 99";
        client(&config).await.batch_execute(newer).await.unwrap();
        is_too_new(&connect().await.unwrap_err());
    }
}
