//! Processes whose clocks are wrong: what is due, and for how long a lease lasts, is not theirs to say.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::conformance::{outcome, request};
use bothends_delivery::sqlite::{SqliteOptions, SqliteStore, enqueue_in};
use bothends_delivery::store::{CircuitPolicy, Decision};
use bothends_delivery::{
    Clock, DeliveryStore, ManualClock, Message, MonotonicClock, State, Subscription, Timestamp,
    Worker,
};
use bothends_test_environment::has_program;
use common::load::{Taking, delivered, enqueue, reconcile, subscribe};
use common::postgres::Postgres;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tokio::sync::watch;
use tokio_postgres::NoTls;

const HOUR: Duration = Duration::from_secs(3600);
const MESSAGES: usize = 64;

/// A store of a process whose system clock is this far ahead.
async fn ahead(path: &Path, by: Duration) -> SqliteStore {
    let wall = MonotonicClock::starting(Timestamp::now().after(by));
    SqliteOptions::new()
        .system_clock(wall)
        .open(path)
        .await
        .unwrap()
}

/// Two workers, and an enqueuer that is a third process, each with a store of its own.
async fn send_all(stores: [impl DeliveryStore; 2], enqueuer: impl DeliveryStore) {
    let first = stores[0].clone();
    subscribe(&first, 4).await;
    let sent = Taking::default();
    // It is seen by a worker that has not looked yet, too.
    let stop = watch::Sender::new(false);
    let mut workers = Vec::new();
    for store in stores {
        let worker = Worker::builder(store)
            .concurrency(8)
            .sender(sent.clone())
            .build();
        let mut stopped = stop.subscribe();
        workers.push(tokio::spawn(worker.run(async move {
            drop(stopped.wait_for(|stopped| *stopped).await);
        })));
    }
    for number in 0..MESSAGES {
        enqueue(&enqueuer, number).await.unwrap();
    }
    delivered(&first, MESSAGES).await;
    stop.send_replace(true);
    for worker in workers {
        let counted = worker.await.unwrap();
        assert_eq!(
            counted.fenced, 0,
            "no lease was taken from a worker that had it"
        );
    }
    assert_eq!(sent.0.lock().unwrap().len(), MESSAGES, "each once");
    reconcile(&first, &sent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_an_hour_apart_send_each_message_once() {
    for enqueuer in [Duration::ZERO, 2 * HOUR] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let stores = [ahead(&path, Duration::ZERO).await, ahead(&path, HOUR).await];
        send_all(stores, ahead(&path, enqueuer).await).await;
    }
}

/// A store that is opened an hour later by its system's clock neither takes a lease that lasts nor finds
/// anything due that is not; and one that is an hour behind withholds nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_clock_ends_no_lease_and_withholds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let right = ahead(&path, Duration::ZERO).await;
    subscribe(&right, 1).await;
    let id = enqueue(&right, 0).await.unwrap();
    let lease = right.claim(request(1)).await.unwrap().leases.remove(0);
    let wrong = ahead(&path, HOUR).await;
    // It follows the system's clock, and so does what lasts.
    wrong.repair_times(Duration::from_secs(60)).await.unwrap();
    let now = wrong.now().await.unwrap();
    assert!(now > lease.until, "the wrong clock was taken for right");
    assert!(wrong.claim(request(8)).await.unwrap().leases.is_empty());
    let late = enqueue(&wrong, 4).await.unwrap();
    // And back again.
    right.repair_times(Duration::from_secs(60)).await.unwrap();
    let claimed = right.claim(request(8)).await.unwrap();
    let taken: Vec<_> = claimed.leases.iter().map(|lease| lease.delivery).collect();
    assert_eq!(taken, [late], "what was enqueued meanwhile is due");
    let good = vec![outcome(&lease, claimed.now, Decision::Delivered)];
    right.record(good, CircuitPolicy::default()).await.unwrap();
    let state = right.delivery(id).await.unwrap().unwrap().state;
    assert!(matches!(state, State::Delivered { .. }), "{state:?}");
    assert_eq!(right.attempts(id).await.unwrap().len(), 1);
}

/// The system's clock is set while a store is open: time goes on as it did.
#[tokio::test]
async fn the_clock_of_a_database_is_not_that_of_the_system() {
    let folder = tempfile::tempdir().unwrap();
    let wall = ManualClock::new(Timestamp::from_millis(1_000_000_000));
    let options = SqliteOptions::new().system_clock(wall.clone());
    let store = options.open(folder.path().join("db")).await.unwrap();
    let before = store.now().await.unwrap();
    assert!(before.since(wall.now()) < HOUR);
    wall.advance(24 * HOUR);
    let after = store.now().await.unwrap();
    assert!(after >= before && after < wall.now(), "{before} {after}");
}

/// The process whose clock is wrong: this test, run again by itself under `faketime`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child() {
    let Ok(place) = std::env::var("BOTHENDS_SKEW_CHILD") else {
        return;
    };
    let message = || Message::new("kind", "{}").owner("o0");
    match place.split_once(' ') {
        Some((folder, database)) => {
            let mut config = tokio_postgres::Config::new();
            config.host_path(folder).user("postgres").dbname(database);
            let (client, connection) = config.connect(NoTls).await.unwrap();
            tokio::spawn(connection);
            let enqueue_in = bothends_delivery::postgres::enqueue_in;
            let enqueued = enqueue_in(&client, &message()).await.unwrap();
            assert!(enqueued.is_created());
            let store = bothends_delivery::postgres::PostgresStore::connect(config, NoTls);
            claim_nothing(store.await.unwrap(), message()).await;
        }
        None => {
            let connection = rusqlite::Connection::open(&place).unwrap();
            let tx = connection.unchecked_transaction().unwrap();
            assert!(enqueue_in(&tx, &message()).unwrap().is_created());
            tx.commit().unwrap();
            claim_nothing(SqliteStore::open(&place).await.unwrap(), message()).await;
        }
    }
}

/// There is a lease of somebody else, and two messages of its own.
async fn claim_nothing(store: impl DeliveryStore, message: Message) {
    assert!(store.enqueue(message).await.unwrap().is_created());
    store.repair_times(Duration::from_secs(60)).await.unwrap();
    let claimed = store.claim(request(8)).await.unwrap();
    let generations: Vec<_> = claimed
        .leases
        .iter()
        .map(|lease| lease.generation)
        .collect();
    assert_eq!(generations, [1, 1]);
    let back = claimed.leases.iter().map(|lease| {
        let pause = Duration::ZERO;
        outcome(lease, claimed.now, Decision::Release { pause })
    });
    store
        .record(back.collect(), CircuitPolicy::default())
        .await
        .unwrap();
}

/// Processes with real clocks that are wrong by an hour, or nothing (and a line that says so) where there
/// is no `faketime`.
async fn disturb(test: &str, store: &impl DeliveryStore, place: &str) {
    if !has_program(test, "faketime", "--version", "install faketime") {
        return;
    }
    let subscription = Subscription::builder("s")
        .owner("o0")
        .url("https://example.com/");
    store
        .put_subscription(subscription.build().unwrap())
        .await
        .unwrap();
    let first = enqueue(store, 0).await.unwrap();
    let lease = store.claim(request(1)).await.unwrap().leases.remove(0);
    for skew in ["+1h", "-1h"] {
        let mut command = Command::new("faketime");
        command
            .args(["-f", skew])
            .arg(std::env::current_exe().unwrap());
        command.args(["skew::child", "--exact", "--nocapture"]);
        command.env("BOTHENDS_SKEW_CHILD", place);
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{skew}: {errors}");
        // What it enqueued is due here as well, and is sent; the lease is whose it was.
        store.repair_times(Duration::from_secs(60)).await.unwrap();
        let claimed = store.claim(request(8)).await.unwrap();
        assert_eq!(claimed.leases.len(), 2, "{skew}");
        assert!(claimed.leases.iter().all(|lease| lease.delivery != first));
        let sent = claimed.leases.iter();
        let sent = sent.map(|lease| outcome(lease, claimed.now, Decision::Delivered));
        store
            .record(sent.collect(), CircuitPolicy::default())
            .await
            .unwrap();
    }
    let good = vec![outcome(&lease, lease.since, Decision::Delivered)];
    store.record(good, CircuitPolicy::default()).await.unwrap();
    let attempts = store.attempts(first).await.unwrap();
    assert_eq!(attempts.len(), 1, "no lease was lost");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_with_a_wrong_clock_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let store = SqliteStore::open(&path).await.unwrap();
    let test = "a_process_with_a_wrong_clock_changes_nothing";
    disturb(test, &store, path.to_str().unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_with_a_wrong_clock_changes_nothing_on_postgres() {
    let test = "a_process_with_a_wrong_clock_changes_nothing_on_postgres";
    let Some(server) = Postgres::start(test) else {
        return;
    };
    let config = server.database().await;
    let tokio_postgres::config::Host::Unix(folder) = &config.get_hosts()[0] else {
        unreachable!("reached by a socket");
    };
    let place = format!("{} {}", folder.display(), config.get_dbname().unwrap());
    let connect = || bothends_delivery::postgres::PostgresStore::connect(config.clone(), NoTls);
    disturb(test, &connect().await.unwrap(), &place).await;
    let database = server.database().await;
    let connect = || bothends_delivery::postgres::PostgresStore::connect(database.clone(), NoTls);
    let stores = [connect().await.unwrap(), connect().await.unwrap()];
    send_all(stores, connect().await.unwrap()).await;
}
