//! Workers that are killed, at every step, and what is left: the receiver's log and the database tell
//! the same.
//!
//! A seed decides when each worker dies, and says so when something is wrong. A plain run has 20 of them, and
//! the slow suite `crash` 200 on SQLite (`-- --include-ignored`). More seeds:
//! `BOTHENDS_SEEDS=1000 cargo test -p bothends-delivery --all-features --test crash`, and one alone
//! with `BOTHENDS_SEED=17`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

mod common;

use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::send::{OutgoingRequest, ReceiverResponse, Sender, Sent};
use bothends_delivery::sqlite::{SqliteOptions, SqliteStore, enqueue_in};
use bothends_delivery::{
    AttemptEnd, DeadReason, Delivery, DeliveryStore, Destinations, HttpSender, Message, MessageId,
    MonotonicClock, Policy, SigningToken, State, Subscription, Timestamp, Worker,
};
use common::mortal::{Fate, MortalSender, MortalStore};
use common::postgres::Postgres;
use common::receiver::{Act, Received, Receiver};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_postgres::{Config, NoTls};

const MESSAGES: usize = 24;
const CONCURRENCY: usize = 8;
const TOKEN: &str = "a token of more than thirty-two characters";
/// How much later it is for each worker than for the one before: its leases are over then.
const ROUND: Duration = Duration::from_secs(3600);

/// Where a child finds what it works on.
enum Place {
    Sqlite(PathBuf),
    Postgres(Box<Config>),
}

impl Place {
    fn word(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite {}", path.display()),
            Self::Postgres(config) => {
                let tokio_postgres::config::Host::Unix(folder) = &config.get_hosts()[0] else {
                    panic!("reached by a socket");
                };
                format!(
                    "postgres {} {}",
                    folder.display(),
                    config.get_dbname().unwrap()
                )
            }
        }
    }
}

fn fate_of(seed: u64, round: u64) -> (Option<u64>, Option<Duration>) {
    let mut rng = fastrand::Rng::with_seed(seed * 1000 + round);
    // Every step has its turn; and every other worker dies at any moment, in the middle of a commit.
    match (round, seed % 2) {
        (0, 0) => (Some(seed / 2 % 60), None),
        (0..3, 0) => (Some(rng.u64(0..60)), None),
        (0..3, _) => (None, Some(Duration::from_micros(rng.u64(0..25_000)))),
        _ => (None, None),
    }
}

/// The worker that is killed: this test, run again by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child() {
    let Ok(job) = std::env::var("BOTHENDS_CRASH_CHILD") else {
        return;
    };
    let mut words = job.split(' ');
    let mut number = || words.next().unwrap().parse::<u64>().unwrap();
    let (round, dies_at) = (number(), number());
    match words.next().unwrap() {
        "sqlite" => {
            let options = SqliteOptions::new().clock(clock_of(round));
            let store = options.open(words.next().unwrap()).await.unwrap();
            work(store, dies_at).await;
        }
        "postgres" => {
            let mut config = Config::new();
            config
                .host_path(words.next().unwrap())
                .user("postgres")
                .dbname(words.next().unwrap());
            let clock = clock_of(round);
            let store = PostgresStore::connect_with_clock(config, NoTls, clock)
                .await
                .unwrap();
            work(store, dies_at).await;
        }
        "poison" => {
            let options = SqliteOptions::new().clock(clock_of(round));
            let store = options.open(words.next().unwrap()).await.unwrap();
            send_or_abort(store).await;
        }
        "poison-postgres" => {
            let mut config = Config::new();
            let folder = words.next().unwrap();
            config
                .host_path(folder)
                .user("postgres")
                .dbname(words.next().unwrap());
            let clock = clock_of(round);
            let store = PostgresStore::connect_with_clock(config, NoTls, clock)
                .await
                .unwrap();
            send_or_abort(store).await;
        }
        "tasks" => write_tasks(words.next().unwrap()).await,
        other => panic!("{other}"),
    }
}

fn clock_of(round: u64) -> MonotonicClock {
    MonotonicClock::starting(Timestamp::now().after(ROUND * u32::try_from(round).unwrap()))
}

/// Works until everything is finished, or it dies.
async fn work<S: DeliveryStore>(store: S, dies_at: u64) {
    let fate = Arc::new(Fate::at(dies_at));
    let http = HttpSender::builder().destinations(Destinations::public().allow_loopback());
    let sender = MortalSender(http.build().unwrap(), Arc::clone(&fate));
    let worker = Worker::builder(MortalStore(store.clone(), fate))
        .policy(Policy {
            initial_backoff: Duration::from_millis(1),
            max_backoff: Duration::from_millis(4),
            ..Policy::default()
        })
        .concurrency(CONCURRENCY)
        .poll(Duration::from_millis(20))
        .sender(sender)
        .build();
    let metrics = worker.metrics();
    let finished = async {
        loop {
            let all = store.deliveries(None, 1000).await.unwrap();
            if all.iter().all(|delivery| delivery.state.is_finished()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    worker.run(finished).await;
    assert_eq!(metrics.snapshot().in_flight, 0);
}

/// Runs a child; `true` if it came to its end.
async fn run_child(job: String, dies_after: Option<Duration>) -> bool {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["child", "--exact", "--nocapture"])
        .env("BOTHENDS_CRASH_CHILD", job);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    if let Some(after) = dies_after {
        // Starting takes a while, too, and may be where it dies.
        tokio::time::sleep(Duration::from_millis(15) + after).await;
        child.kill().unwrap();
    }
    tokio::task::spawn_blocking(move || child.wait().unwrap().success())
        .await
        .unwrap()
}

/// Answers 503 to the first attempt of every third message, and then 200.
async fn receiver() -> Receiver {
    let refused = Mutex::new(BTreeSet::new());
    Receiver::start(move |received: &Received| {
        let id = received.header("webhook-id").to_owned();
        let moody = id.ends_with(['0', '3', '6', '9']);
        let route = format!("{} {id}", received.line);
        Act::Status(if moody && refused.lock().unwrap().insert(route) {
            503
        } else {
            200
        })
    })
    .await
}

async fn survive<S: DeliveryStore>(store: S, place: &Place, seed: u64) -> (usize, usize) {
    let receiver = receiver().await;
    for id in ["a", "b"] {
        let subscription = Subscription::builder(id)
            .url(format!("{}/{id}", receiver.url()))
            .token(SigningToken::new(TOKEN).unwrap());
        store
            .put_subscription(subscription.build().unwrap())
            .await
            .unwrap();
    }
    for number in 0..MESSAGES {
        let message = Message::new("kind", format!("{{\"data\":{number}}}"))
            .id(MessageId::new(format!("m{number}")).unwrap());
        store.enqueue(message).await.unwrap();
    }
    let mut kills = 0;
    for round in 0.. {
        let (dies_at, dies_after) = fate_of(seed, round);
        let job = format!("{round} {} {}", dies_at.unwrap_or(u64::MAX), place.word());
        if run_child(job, dies_after).await {
            break;
        }
        kills += 1;
        assert!(round < 5, "seed {seed}: nothing kills the fourth worker");
    }
    let duplicates = reconcile(&store, &receiver.log(), kills, seed).await;
    (kills, duplicates)
}

/// Compares what the receiver saw with what the database says.
async fn reconcile<S: DeliveryStore>(
    store: &S,
    log: &[Received],
    kills: usize,
    seed: u64,
) -> usize {
    let mut sends: BTreeMap<(i64, u32), usize> = BTreeMap::new();
    let token = SigningToken::new(TOKEN).unwrap();
    for received in log {
        let number = received.header("webhook-id").trim_start_matches('m');
        let body = format!("{{\"data\":{number}}}");
        assert_eq!(
            received.body,
            body.as_bytes(),
            "seed {seed}: the bytes that were enqueued"
        );
        let signature = token.sign(&received.body);
        assert_eq!(
            received.header("x-token-signature"),
            signature,
            "seed {seed}"
        );
        let (delivery, n) = received.header("webhook-attempt").split_once('.').unwrap();
        *sends
            .entry((delivery.parse().unwrap(), n.parse().unwrap()))
            .or_default() += 1;
    }
    let all = store.deliveries(None, 1000).await.unwrap();
    assert_eq!(all.len(), 2 * MESSAGES, "seed {seed}: nothing is lost");
    let (mut lost, mut rows) = (0, BTreeSet::new());
    for delivery in &all {
        let delivered = matches!(delivery.state, State::Delivered { .. });
        assert!(delivered, "seed {seed}: {delivery:?}");
        for attempt in store.attempts(delivery.id).await.unwrap() {
            let key = (delivery.id.0, attempt.n);
            rows.insert(key);
            match attempt.end {
                AttemptEnd::Lost => lost += 1,
                _ => assert!(
                    sends.contains_key(&key),
                    "seed {seed}: {key:?} is logged, never sent"
                ),
            }
        }
    }
    for (key, count) in &sends {
        assert_eq!(*count, 1, "seed {seed}: {key:?} was sent more than once");
        assert!(
            rows.contains(key),
            "seed {seed}: {key:?} was sent, and is not logged"
        );
    }
    let most = kills * CONCURRENCY;
    assert!(lost <= most, "seed {seed}: {lost} lost by {kills} workers");
    // What was sent beyond what had to be: once for each delivery, and once more where it was refused.
    let moody = (0..MESSAGES).filter(|number| number.to_string().ends_with(['0', '3', '6', '9']));
    let needed = 2 * (MESSAGES + moody.count());
    let duplicates = sends.len().saturating_sub(needed);
    assert!(
        duplicates <= lost,
        "seed {seed}: {duplicates} twice, {lost} in flight"
    );
    duplicates
}

fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name| {
        std::env::var(name)
            .ok()
            .and_then(|value| value.parse::<u64>().ok())
    };
    match (number("BOTHENDS_SEED"), number("BOTHENDS_SEEDS")) {
        (Some(seed), _) => seed..seed + 1,
        (None, count) => 0..count.unwrap_or(usual),
    }
}

/// Kills workers on SQLite, with as many seeds.
async fn kill_workers(count: u64) {
    let (mut killed, mut twice) = (0, 0);
    let mut running = tokio::task::JoinSet::new();
    for seed in seeds(count) {
        // Several at a time: they mostly wait for disks and processes.
        while running.len() >= 6 {
            let (kills, duplicates) = running.join_next().await.unwrap().unwrap();
            killed += kills;
            twice += duplicates;
        }
        running.spawn(async move {
            let folder = tempfile::tempdir().unwrap();
            let place = Place::Sqlite(folder.path().join("db"));
            let store = SqliteStore::open(folder.path().join("db")).await.unwrap();
            survive(store, &place, seed).await
        });
    }
    while let Some(ended) = running.join_next().await {
        let (kills, duplicates) = ended.unwrap();
        killed += kills;
        twice += duplicates;
    }
    println!("{killed} workers killed, {twice} requests sent twice");
    assert!(killed > 0, "workers died");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_workers_are_killed() {
    kill_workers(20).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "slow suite `crash`: run with --include-ignored"]
async fn nothing_is_lost_with_two_hundred_seeds() {
    kill_workers(200).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_workers_on_postgres_are_killed() {
    let Some(server) = Postgres::start("nothing_is_lost_when_workers_on_postgres_are_killed")
    else {
        return;
    };
    let (mut killed, mut twice) = (0, 0);
    for seed in seeds(20) {
        let config = server.database().await;
        let store = PostgresStore::connect(config.clone(), NoTls).await.unwrap();
        let (kills, duplicates) = survive(store, &Place::Postgres(Box::new(config)), seed).await;
        killed += kills;
        twice += duplicates;
    }
    println!("{killed} workers killed, {twice} requests sent twice");
    assert!(killed > 0, "workers died");
}

/// Commits tasks with their messages, and tells of each that was committed, until it dies.
async fn write_tasks(path: &str) {
    let store = SqliteStore::open(path).await.unwrap();
    for number in 0.. {
        let callers = (0..8).map(|caller| {
            let id = format!("{number}-{caller}");
            let store = store.clone();
            tokio::spawn(async move {
                let message = Message::new("kind", "{}").id(id.parse().unwrap());
                let task = id.clone();
                store
                    .transaction(move |tx| {
                        tx.execute("INSERT INTO task VALUES (?1)", [&task])?;
                        enqueue_in(tx, &message)?;
                        Ok(())
                    })
                    .await
                    .unwrap();
                let reported = format!(
                    "{}.reported/{id}",
                    std::env::var("BOTHENDS_REPORTED").unwrap()
                );
                std::fs::write(reported, "").unwrap();
            })
        });
        for caller in callers.collect::<Vec<_>>() {
            caller.await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_and_its_message_are_committed_together() {
    for seed in seeds(20) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let reported = format!("{}.reported", path.display());
        std::fs::create_dir(&reported).unwrap();
        let store = SqliteStore::open(&path).await.unwrap();
        let subscription = Subscription::builder("s")
            .url("https://s.example/")
            .build()
            .unwrap();
        store.put_subscription(subscription).await.unwrap();
        let table =
            |tx: &rusqlite::Connection| Ok(tx.execute_batch("CREATE TABLE task (id TEXT)")?);
        store.transaction(table).await.unwrap();
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["child", "--exact", "--nocapture"]);
        command.env(
            "BOTHENDS_CRASH_CHILD",
            format!("0 0 tasks {}", path.display()),
        );
        command.env("BOTHENDS_REPORTED", &path);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        tokio::time::sleep(Duration::from_millis(20 + rng.u64(0..80))).await;
        child.kill().unwrap();
        child.wait().unwrap();
        let tasks = |tx: &rusqlite::Connection| {
            let mut statement = tx.prepare("SELECT id FROM task")?;
            let ids = statement.query_map([], |row| row.get::<_, String>(0))?;
            Ok(ids.collect::<Result<BTreeSet<String>, _>>()?)
        };
        let tasks = store.transaction(tasks).await.unwrap();
        let all = store.deliveries(None, 1_000_000).await.unwrap();
        let messages: BTreeSet<String> = all
            .iter()
            .map(|delivery| delivery.message.to_string())
            .collect();
        assert_eq!(tasks, messages, "seed {seed}: both or neither");
        for entry in std::fs::read_dir(&reported).unwrap() {
            let id = entry.unwrap().file_name().into_string().unwrap();
            assert!(
                tasks.contains(&id),
                "seed {seed}: {id} was said to be committed"
            );
        }
    }
}

/// Aborts its process when it is to send the poisonous message. What was claimed with it is under way
/// then: it is answered only once the store says that the poisonous one is not leased.
struct Aborting<S>(S);

impl<S: DeliveryStore> Sender for Aborting<S> {
    async fn send(&self, request: OutgoingRequest) -> Sent {
        if request.headers["webhook-id"] == "poison" {
            std::process::abort();
        }
        let all = self.0.deliveries(None, 1000).await.unwrap();
        let leased = |delivery: &Delivery| {
            delivery.message.as_str() == "poison" && matches!(delivery.state, State::Leased { .. })
        };
        if all.iter().any(leased) {
            std::future::pending::<()>().await;
        }
        Ok(ReceiverResponse {
            status: 200,
            waited: None,
            retry_after: None,
            excerpt: String::new(),
        })
    }
}

/// Works until everything is finished, or it is aborted.
async fn send_or_abort<S: DeliveryStore>(store: S) {
    let worker = Worker::builder(store.clone())
        .concurrency(64)
        .poll(Duration::from_millis(20))
        .sender(Aborting(store.clone()))
        .build();
    let finished = async {
        loop {
            let all = store.deliveries(None, 1000).await.unwrap();
            if all.iter().all(|delivery| delivery.state.is_finished()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    worker.run(finished).await;
}

/// One message that kills whoever sends it, amid fifty that are good.
async fn poison(store: impl DeliveryStore, place: String) {
    let subscription = Subscription::builder("s")
        .url("https://example.com/")
        .concurrency(64);
    store
        .put_subscription(subscription.build().unwrap())
        .await
        .unwrap();
    let mut ids = BTreeMap::new();
    for number in 0..51 {
        let id = if number == 20 {
            "poison".to_owned()
        } else {
            format!("m{number}")
        };
        let message = Message::new("kind", "{}").id(id.parse().unwrap());
        ids.insert(id, store.enqueue(message).await.unwrap().deliveries[0]);
    }
    let mut crashes = 0;
    let mut round = 0;
    while !run_child(format!("{round} 0 {place}"), None).await {
        crashes += 1;
        round += 1;
        assert!(crashes < 20, "the poisonous one is never found");
    }
    assert!(
        crashes >= 4,
        "{crashes}: it was given up before it was alone"
    );
    let check = async || {
        for (id, delivery) in &ids {
            let state = store.delivery(*delivery).await.unwrap().unwrap().state;
            let reason = DeadReason::Poisonous;
            match id.as_str() {
                "poison" => {
                    assert!(matches!(state, State::Dead { reason: found, .. } if found == reason))
                }
                _ => assert!(matches!(state, State::Delivered { .. }), "{id}: {state:?}"),
            }
        }
    };
    check().await;
    // Sent again, it takes nobody with it.
    let again = store.replay(ids["poison"]).await.unwrap();
    let other = store
        .enqueue(Message::new("kind", "{}"))
        .await
        .unwrap()
        .deliveries[0];
    for _ in 0..3 {
        round += 1;
        assert!(!run_child(format!("{round} 0 {place}"), None).await);
        let attempts = store.attempts(other).await.unwrap();
        assert!(
            attempts
                .iter()
                .all(|attempt| attempt.end != AttemptEnd::Lost),
            "{attempts:?}"
        );
    }
    round += 1;
    assert!(run_child(format!("{round} 0 {place}"), None).await);
    let state = store.delivery(again).await.unwrap().unwrap().state;
    assert!(matches!(state, State::Dead { .. }), "{state:?}");
    let state = store.delivery(other).await.unwrap().unwrap().state;
    assert!(matches!(state, State::Delivered { .. }), "{state:?}");
    check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_kills_workers_takes_no_other_along() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let store = SqliteStore::open(&path).await.unwrap();
    poison(store, format!("poison {}", path.display())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_kills_workers_takes_no_other_along_on_postgres() {
    let test = "a_message_that_kills_workers_takes_no_other_along_on_postgres";
    let Some(server) = Postgres::start(test) else {
        return;
    };
    let config = server.database().await;
    let store = PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    let place = Place::Postgres(Box::new(config)).word();
    poison(store, place.replace("postgres /", "poison-postgres /")).await;
}
