//! The tasks of a server, in memory and in both stores, by the conformance kit: a task ends once, and its
//! webhook is enqueued with its end.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]
#![allow(unreachable_pub, reason = "the macro makes public items")]

use crate::common;

use bothends_delivery::conformance::{TaskWebhook, check_tasks};
use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::sqlite::{SqliteOptions, SqliteStore};
use bothends_delivery::{DeliveryStore, ManualClock, StoreErrorKind, Subscription, Timestamp};
use bothends_runtime::tasks::{MemoryTasks, TaskStore, Tasks, TasksError};
use bothends_runtime::{Json, NoError};
use common::postgres::Postgres;
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
pub struct ExportFinished {
    pub body: Json,
}
bothends_runtime::operation! {
    "exportFinished": "POST" "/exportFinished"
    ExportFinished(body: Json) {
        body[json] "application/json" => body,
    }
    -> Noted { 204 }, NotedError = NoError
}

fn exports<S: TaskStore>(store: S) -> Tasks<Json, S> {
    Tasks::new("export", store).on_end(|_, status: &Json| ExportFinished::new(status.clone()))
}

/// Puts a task through its life. `sent` returns the owners and the bodies of the webhooks that were enqueued.
async fn live<S: TaskStore + Clone>(store: S, sent: impl AsyncFn() -> Vec<(String, Json)>) {
    let exports = exports(store.clone());
    let running = json!({ "id": "7", "state": "running" });
    exports
        .start_for("customer-7", "7", &running)
        .await
        .unwrap();
    let again = exports.start("7", &json!({})).await.unwrap_err();
    assert!(matches!(again, TasksError::Exists), "{again}");
    assert_eq!(exports.status("7").await.unwrap(), Some(running));
    assert_eq!(exports.status("8").await.unwrap(), None);
    // Another kind has ids of its own.
    let imports: Tasks<Json, S> = Tasks::new("import", store);
    imports.start("7", &json!("import")).await.unwrap();

    let half = json!({ "id": "7", "state": "running", "rows": 50 });
    assert!(exports.update("7", &half).await.unwrap());
    assert_eq!(exports.status("7").await.unwrap(), Some(half));
    assert!(sent().await.is_empty());
    let done = json!({ "id": "7", "state": "done" });
    assert!(exports.end("7", &done).await.unwrap());
    for other in [json!({ "state": "failed" }), done.clone()] {
        assert!(!exports.end("7", &other).await.unwrap());
        assert!(!exports.update("7", &other).await.unwrap());
        let again = exports.start("7", &other).await.unwrap_err();
        assert!(matches!(again, TasksError::Exists), "{again}");
    }
    assert!(!exports.end("8", &done).await.unwrap());
    assert_eq!(exports.status("7").await.unwrap(), Some(done.clone()));
    assert_eq!(imports.status("7").await.unwrap(), Some(json!("import")));
    assert!(imports.end("7", &json!("imported")).await.unwrap());
    assert_eq!(sent().await, [("customer-7".to_owned(), done)]);
}

/// Returns what is enqueued: owners and bodies.
async fn enqueued(store: &impl DeliveryStore) -> Vec<(String, Json)> {
    let deliveries = store.deliveries(None, 10).await.unwrap();
    let mut found = Vec::new();
    for delivery in deliveries {
        let message = store
            .message(&delivery.owner, &delivery.message)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(message.kind, "exportFinished");
        found.push((
            message.owner,
            serde_json::from_slice(&message.body).unwrap(),
        ));
    }
    found
}

async fn subscribe(store: &impl DeliveryStore) {
    for owner in ["customer-7", "customer-8"] {
        let subscription = Subscription::builder(owner)
            .owner(owner)
            .url("https://example.com/");
        store
            .put_subscription(subscription.build().unwrap())
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_task_in_memory_ends_once() {
    let sent: Arc<Mutex<Vec<(String, Json)>>> = Arc::default();
    let keep = Arc::clone(&sent);
    let store = MemoryTasks::new(move |owner, webhook| {
        let body = serde_json::from_slice(&webhook.body).unwrap();
        keep.lock().unwrap().push((owner.to_owned(), body));
    });
    live(store, async || sent.lock().unwrap().clone()).await;
}

#[tokio::test]
async fn ended_tasks_in_memory_are_forgotten_from_the_oldest_on() {
    let tasks: Tasks<Json> = Tasks::new("export", MemoryTasks::new(|_, _| ()));
    tasks.start("long", &json!(0)).await.unwrap();
    for number in 0..10_001 {
        let id = number.to_string();
        tasks.start(&id, &json!(number)).await.unwrap();
        assert!(tasks.end(&id, &json!(number)).await.unwrap());
    }
    assert_eq!(tasks.status("0").await.unwrap(), None);
    assert_eq!(tasks.status("1").await.unwrap(), Some(json!(1)));
    assert_eq!(tasks.status("long").await.unwrap(), Some(json!(0)));
}

/// A store of tasks for the checks, and what it has enqueued.
async fn checked<S: DeliveryStore, T>(
    store: S,
    tasks: T,
) -> (T, impl AsyncFn() -> Vec<TaskWebhook>) {
    for owner in ["o1", "o2"] {
        let subscription = Subscription::builder(owner).owner(owner);
        let subscription = subscription.url("https://example.com/").build();
        store.put_subscription(subscription.unwrap()).await.unwrap();
    }
    let sent = async move || {
        let mut sent = Vec::new();
        for delivery in store.deliveries(None, 10).await.unwrap() {
            let message = store.message(&delivery.owner, &delivery.message).await;
            sent.push((delivery.owner, message.unwrap().unwrap().body));
        }
        sent
    };
    (tasks, sent)
}

#[tokio::test(flavor = "multi_thread")]
async fn all_stores_of_tasks_conform() {
    check_tasks(async |_: &str| {
        let sent = Arc::<Mutex<Vec<TaskWebhook>>>::default();
        let keep = Arc::clone(&sent);
        let store = MemoryTasks::new(move |owner, webhook| {
            let webhook = (owner.to_owned(), webhook.body);
            keep.lock().unwrap().push(webhook);
        });
        (store, async move || sent.lock().unwrap().clone())
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    check_tasks(async |name: &str| {
        let store = SqliteStore::open(folder.path().join(name)).await.unwrap();
        let tasks = store.tasks().await.unwrap();
        checked(store, tasks).await
    })
    .await;
    let Some(server) = Postgres::start("all_stores_of_tasks_conform") else {
        return;
    };
    check_tasks(async |_: &str| {
        let store = server.store().await;
        let tasks = store.tasks().await.unwrap();
        checked(store, tasks).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_in_sqlite_outlive_their_process() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tasks.db");
    let store = SqliteStore::open(&file).await.unwrap();
    subscribe(&store).await;
    let before = exports(store.tasks().await.unwrap());
    for id in ["8", "9"] {
        let running = json!("running");
        before.start_for("customer-8", id, &running).await.unwrap();
    }
    assert!(before.end("8", &json!("done 8")).await.unwrap());
    drop((before, store));
    let store = SqliteStore::open(&file).await.unwrap();
    let after = exports(store.tasks().await.unwrap());
    assert_eq!(after.status("8").await.unwrap(), Some(json!("done 8")));
    assert!(after.end("9", &json!("done 9")).await.unwrap());
    let owner = || "customer-8".to_owned();
    let expected = [(owner(), json!("done 8")), (owner(), json!("done 9"))];
    assert_eq!(enqueued(&store).await, expected);
}

/// Without a place for its webhook, a task does not end.
#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_task_and_its_webhook_are_one_transaction() {
    let store = SqliteStore::open(":memory:").await.unwrap();
    subscribe(&store).await;
    let tasks = exports(store.tasks().await.unwrap());
    tasks
        .start_for("customer-7", "7", &json!("running"))
        .await
        .unwrap();
    let rename =
        |sql: &'static str| store.transaction(move |connection| Ok(connection.execute_batch(sql)?));
    rename("ALTER TABLE bothends_delivery RENAME TO elsewhere")
        .await
        .unwrap();
    let error = tasks.end("7", &json!("done")).await.unwrap_err();
    let TasksError::Store(error) = error else {
        unreachable!("{error}");
    };
    assert_eq!(error.kind(), StoreErrorKind::Database, "{error}");
    rename("ALTER TABLE elsewhere RENAME TO bothends_delivery")
        .await
        .unwrap();
    assert_eq!(tasks.status("7").await.unwrap(), Some(json!("running")));
    assert!(tasks.end("7", &json!("done")).await.unwrap());
    assert_eq!(enqueued(&store).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_processes_on_postgres_one_ends_a_task() {
    let Some(server) = Postgres::start("of_two_processes_on_postgres_one_ends_a_task") else {
        return;
    };
    let config = server.database().await;
    let clock = ManualClock::new(Timestamp::from_millis(0));
    let connect = async || {
        let (config, clock) = (config.clone(), clock.clone());
        let tls = bothends_delivery::tokio_postgres::NoTls;
        PostgresStore::connect_with_clock(config, tls, clock)
            .await
            .unwrap()
    };
    let store = connect().await;
    subscribe(&store).await;
    let other = connect().await;
    let [tasks, other_tasks] = [store.tasks().await.unwrap(), other.tasks().await.unwrap()];
    exports(tasks.clone())
        .start_for("customer-8", "9", &json!("running"))
        .await
        .unwrap();
    let (first, second) = (exports(tasks.clone()), exports(other_tasks));
    let (done, failed) = (json!("done"), json!("failed"));
    let (first, second) = tokio::join!(first.end("9", &done), second.end("9", &failed));
    assert!(first.unwrap() != second.unwrap());
    assert_eq!(enqueued(&store).await.len(), 1);

    clock.set(Timestamp::from_millis(10_000));
    assert_eq!(tasks.prune(Duration::from_secs(20), 10).await.unwrap(), 0);
    for deleted in [1, 0] {
        let pruned = tasks.prune(Duration::from_secs(5), 1).await.unwrap();
        assert_eq!(pruned, deleted);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_tasks_in_sqlite_are_deleted() {
    let clock = ManualClock::new(Timestamp::from_millis(0));
    let options = SqliteOptions::new().clock(clock.clone());
    let store = options.open(":memory:").await.unwrap();
    let kept = store.tasks().await.unwrap();
    let tasks: Tasks<Json, _> = Tasks::new("export", kept.clone());
    for id in ["a", "b", "c"] {
        tasks.start(id, &json!(id)).await.unwrap();
    }
    assert!(tasks.end("a", &json!("done")).await.unwrap());
    clock.set(Timestamp::from_millis(10_000));
    assert!(tasks.end("b", &json!("done")).await.unwrap());
    assert_eq!(kept.prune(Duration::from_secs(5), 10).await.unwrap(), 1);
    let mut left = Vec::new();
    for id in ["a", "b", "c"] {
        left.extend(tasks.status(id).await.unwrap());
    }
    assert_eq!(left, [json!("done"), json!("c")]);
}
