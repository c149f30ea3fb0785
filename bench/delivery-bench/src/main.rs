//! Measures bothends-delivery; see bench/delivery.

#[path = "../../../delivery/tests/common/postgres.rs"]
#[allow(dead_code)]
mod postgres;

use bothends_delivery::conformance::{outcome, request};
use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::sqlite::SqliteStore;
use bothends_delivery::store::{CircuitPolicy, Decision};
use bothends_delivery::tokio_postgres::NoTls;
use bothends_delivery::{DeliveryStore, Destinations, Message, Subscription, Worker};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const BODY: &str = r#"{"data":{"task_id":"5f2b9b1e-7a57-4d7c-9d2e-0a4f2f0f7f11","task_type":"refresh","customer_id":"8f2b9b1e-7a57-4d7c-9d2e-0a4f2f0f7f12","status":"Completed","result":"success"}}"#;

#[tokio::main]
async fn main() {
    let only = std::env::args().nth(1);
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    if wanted("sqlite") {
        let folder = tempfile::tempdir().unwrap();
        let open = async |name: &str| SqliteStore::open(folder.path().join(name)).await.unwrap();
        measure("sqlite", open).await;
    }
    if only.as_deref() == Some("backlog")
        && let Some(server) = postgres::Postgres::start_with("backlog", "")
    {
        for run in 1..=8 {
            let rate = backlog(&server).await;
            println!("postgres: backlog run {run}: {rate:.0} deliveries/s with four workers");
        }
    }
    if wanted("postgres")
        && let Some(server) = postgres::Postgres::start_with("postgres", "")
    {
        measure("postgres", async |_: &str| server.store().await).await;
    }
}

async fn measure<S: DeliveryStore>(name: &str, open: impl AsyncFn(&str) -> S) {
    for callers in [1, 64, 512] {
        let store = open(&format!("enqueue{callers}")).await;
        let rate = enqueue(store, callers).await;
        println!("{name}: {rate:.0} enqueue commits/s with {callers} callers");
    }
    for endpoints in [1, 64] {
        let store = open(&format!("deliver{endpoints}")).await;
        let rate = deliver(store, endpoints).await;
        println!("{name}: {rate:.0} deliveries/s to {endpoints} endpoints");
    }
    for pending in [1_000, 1_000_000] {
        let store = open(&format!("claim{pending}")).await;
        let (claims, records) = claim(store, pending).await;
        println!("{name}: claims of 16 with {pending} pending: {claims}; records of 16: {records}");
    }
}

async fn subscribe(store: &impl DeliveryStore, id: usize, url: &str, concurrency: u16) {
    let subscription = Subscription::builder(format!("s{id}"))
        .owner(format!("o{id}"))
        .url(url)
        .concurrency(concurrency)
        .build()
        .unwrap();
    store.put_subscription(subscription).await.unwrap();
}

/// Measures enqueue commits per second. Each caller enqueues messages one by one, and waits for
/// each commit.
async fn enqueue<S: DeliveryStore>(store: S, callers: usize) -> f64 {
    for id in 0..64 {
        subscribe(&store, id, "https://example.com/", 16).await;
    }
    let (began, until) = (Instant::now(), Duration::from_secs(3));
    let done = Arc::new(AtomicU64::new(0));
    let tasks: Vec<_> = (0..callers)
        .map(|caller| {
            let (store, done) = (store.clone(), Arc::clone(&done));
            tokio::spawn(async move {
                while began.elapsed() < until {
                    let message = Message::new("kind", BODY).owner(format!("o{}", caller % 64));
                    store.enqueue(message).await.unwrap();
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    done.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64()
}

/// Measures concurrent enqueueing and sending, from the first commit to the last recorded outcome.
async fn deliver<S: DeliveryStore>(store: S, endpoints: usize) -> f64 {
    const MESSAGES: usize = 30_000;
    let url = receiver().await;
    for id in 0..endpoints {
        subscribe(&store, id, &url, if endpoints == 1 { 256 } else { 16 }).await;
    }
    let worker = Worker::builder(store.clone())
        .destinations(Destinations::public().allow_loopback())
        .concurrency(256)
        .build()
        .unwrap();
    let metrics = worker.metrics();
    let began = Instant::now();
    let callers = {
        let store = store.clone();
        tokio::spawn(async move { enqueue_all(&store, MESSAGES, endpoints).await })
    };
    let finished = async {
        while metrics.snapshot().delivered < MESSAGES as u64 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    worker.run(finished).await;
    callers.await.unwrap();
    MESSAGES as f64 / began.elapsed().as_secs_f64()
}

/// Measures four workers that clear a backlog while as many messages again are enqueued. Each
/// worker has its own connections, like separate processes. The time is from the start of the
/// workers to the last recorded outcome.
async fn backlog(server: &postgres::Postgres) -> f64 {
    const MESSAGES: usize = 10_000;
    const ENDPOINTS: usize = 64;
    let config = server.database().await;
    let connect = async || PostgresStore::connect(config.clone(), NoTls).await.unwrap();
    let store = connect().await;
    let url = receiver().await;
    for id in 0..ENDPOINTS {
        subscribe(&store, id, &url, 16).await;
    }
    enqueue_all(&store, MESSAGES, ENDPOINTS).await;
    let began = Instant::now();
    let mut metrics = Vec::new();
    let stop = tokio::sync::watch::channel(false).0;
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let worker = Worker::builder(connect().await)
            .destinations(Destinations::public().allow_loopback())
            .concurrency(64)
            .build()
            .unwrap();
        metrics.push(worker.metrics());
        let mut stopped = stop.subscribe();
        workers.spawn(async move { worker.run(async { drop(stopped.changed().await) }).await });
    }
    enqueue_all(&store, MESSAGES, ENDPOINTS).await;
    let delivered = || {
        metrics
            .iter()
            .map(|of| of.snapshot().delivered)
            .sum::<u64>()
    };
    while delivered() < 2 * MESSAGES as u64 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let rate = 2.0 * MESSAGES as f64 / began.elapsed().as_secs_f64();
    let _ = stop.send(true);
    while workers.join_next().await.is_some() {}
    rate
}

/// Enqueues messages from 64 concurrent callers.
async fn enqueue_all<S: DeliveryStore>(store: &S, messages: usize, endpoints: usize) {
    let callers = (0..64).map(|caller| {
        let store = store.clone();
        tokio::spawn(async move {
            for number in (caller..messages).step_by(64) {
                let owner = format!("o{}", number % endpoints);
                store
                    .enqueue(Message::new("kind", BODY).owner(owner))
                    .await
                    .unwrap();
            }
        })
    });
    for caller in callers.collect::<Vec<_>>() {
        caller.await.unwrap();
    }
}

/// Starts a receiver that responds with 200, and returns its URL.
async fn receiver() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(receive(stream));
        }
    });
    url
}

/// Responds with 200 to every request of a connection.
async fn receive(mut stream: TcpStream) {
    let mut buffer = Vec::with_capacity(4096);
    stream.set_nodelay(true).unwrap();
    loop {
        let head = loop {
            if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut buffer).await.unwrap_or(0) == 0 {
                return;
            }
        };
        while buffer.len() < head + BODY.len() {
            if stream.read_buf(&mut buffer).await.unwrap_or(0) == 0 {
                return;
            }
        }
        buffer.drain(..head + BODY.len());
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        if stream.write_all(answer).await.is_err() {
            return;
        }
    }
}

/// Measures alternating claims and records, with `pending` deliveries over a thousand endpoints.
async fn claim<S: DeliveryStore>(store: S, pending: usize) -> (String, String) {
    const ENDPOINTS: usize = 1000;
    for id in 0..ENDPOINTS {
        let subscription = Subscription::builder(format!("s{id}")).url("https://example.com/");
        store
            .put_subscription(subscription.build().unwrap())
            .await
            .unwrap();
    }
    for _ in 0..pending / ENDPOINTS {
        store.enqueue(Message::new("kind", BODY)).await.unwrap();
    }
    let (mut claims, mut records) = (Vec::new(), Vec::new());
    for _ in 0..50 {
        let began = Instant::now();
        let claimed = store.claim(request(16)).await.unwrap();
        claims.push(began.elapsed());
        assert_eq!(claimed.leases.len(), 16);
        let now = claimed.now;
        let outcomes = claimed
            .leases
            .iter()
            .map(|lease| outcome(lease, now, Decision::Delivered));
        let outcomes = outcomes.collect();
        let began = Instant::now();
        store
            .record(outcomes, CircuitPolicy::default())
            .await
            .unwrap();
        records.push(began.elapsed());
    }
    (spread(claims), spread(records))
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    format!("median {:.2?}, 95% {:.2?}", at(50), at(95))
}
